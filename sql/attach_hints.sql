-- Hints of attach, detach and resync: each works when it is followed literally.
SET hilo.prefetch = off;
CREATE SCHEMA ah;
SET search_path = ah, public;
CREATE FUNCTION hint_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN nullif(hint, '');
END $$;

-- a detach has nothing to detach: no call to attach is the way out; a resync has
CREATE TABLE plain (id serial, none int, own int GENERATED ALWAYS AS IDENTITY, odd int DEFAULT 1 + hilo_next_tag('odd'));
SELECT col, hint_of(format('SELECT hilo_detach(%L, %L)', 'plain', col)) FROM unnest('{id,none,own,odd}'::name[]) col;
SELECT hilo_detach('plain', 'id');
SELECT 'SELECT ' || substring(hint_of($$SELECT hilo_resync('plain', 'id')$$) FROM 'hilo_attach.*[)]') \gexec
SELECT hilo_resync('plain', 'id'), hilo_generator_of('plain', 'id');

-- ids of text go on to nothing
CREATE TABLE texts (id text DEFAULT hilo_next_id('texts'));
SELECT substring(hint_of($$SELECT hilo_detach('texts', 'id')$$) FROM 'ALTER.*DEFAULT') AS statement \gset
:statement;
INSERT INTO texts DEFAULT VALUES RETURNING id IS NULL AS is_off;

-- a sequence that an attach has dropped: created and adopted, of serial, of an identity, and of another name
CREATE TABLE called (id serial, own bigint GENERATED ALWAYS AS IDENTITY);
CREATE SEQUENCE other_name;
CREATE TABLE calls (id bigint DEFAULT nextval('other_name'));
INSERT INTO called SELECT FROM generate_series(1, 20);
INSERT INTO calls SELECT FROM generate_series(1, 20);
SELECT hilo_attach('called', 'id'), hilo_attach('called', 'own', 'called own'), hilo_attach('calls', 'id');
INSERT INTO called SELECT FROM generate_series(1, 20);
INSERT INTO calls SELECT FROM generate_series(1, 20);
BEGIN;
CREATE SEQUENCE called_id_seq;
CREATE SEQUENCE called_own_seq;
CREATE SEQUENCE other_name;
SELECT hilo_adopt_sequence_tag(name || '/adopted', name, 'hibernate-pooled', 1) FROM unnest('{called_id_seq,called_own_seq,other_name}'::text[]) name;
SELECT hilo_attach('called', 'id', 'called_id_seq/adopted'), hilo_attach('called', 'own', 'called_own_seq/adopted'),
	hilo_attach('calls', 'id', 'other_name/adopted');
COMMIT;
SELECT nextval('called_id_seq') > 40 AS id, nextval('called_own_seq') > 40 AS own, nextval('other_name') > 40 AS other;
INSERT INTO called DEFAULT VALUES RETURNING id > 41 AS id, own > 41 AS own;
INSERT INTO calls DEFAULT VALUES RETURNING id > 41 AS other;

-- a sequence of two columns: both onto the generator that the hint names
CREATE SEQUENCE "Both";
CREATE TABLE one (id int DEFAULT nextval('"Both"'));
CREATE TABLE other (id int DEFAULT nextval('"Both"'));
SELECT substring(hint_of($$SELECT hilo_attach('one', 'id')$$) FROM '[.]{3}, (.*?)[)]') AS name \gset
SELECT hilo_attach('one', 'id', :name), hilo_attach('other', 'id', :name);
SELECT hilo_generator_of('one', 'id'), hilo_generator_of('other', 'id');

-- a part of a table that has its ids from elsewhere
CREATE TABLE "Whole" (id int, part int) PARTITION BY LIST (part);
CREATE TABLE part_1 PARTITION OF "Whole" FOR VALUES IN (1);
CREATE TABLE parent (id bigserial);
CREATE TABLE child () INHERITS (parent);
INSERT INTO "Whole" VALUES (7, 1);
SELECT hilo_attach('"Whole"', 'id');
SELECT hint_of($$SELECT hilo_attach('part_1', 'id', 'apart')$$), hint_of($$SELECT hilo_detach('part_1', 'id')$$),
	hint_of($$SELECT hilo_attach('child', 'id', 'child')$$);
SELECT 'SELECT ' || substring(hint_of($$SELECT hilo_attach('part_1', 'id', 'apart')$$) FROM 'hilo_.*[)]') \gexec
SELECT 'SELECT ' || substring(hint_of($$SELECT hilo_attach('child', 'id', 'child')$$) FROM 'hilo_.*[)]') \gexec
SELECT hilo_generator_of('part_1', 'id'), hilo_generator_of('child', 'id');
SELECT 'SELECT ' || substring(hint_of($$SELECT hilo_detach('part_1', 'id')$$) FROM 'hilo_.*[)]') \gexec
INSERT INTO "Whole" (part) VALUES (1) RETURNING tableoid::regclass, id > 7 AS above;
-- also one that is on hilo while the whole is not: first onto one generator, then off it
CREATE TABLE serial (id serial);
CREATE TABLE below () INHERITS (serial);
INSERT INTO serial SELECT FROM generate_series(1, 10);
ALTER TABLE below ALTER id SET DEFAULT hilo_next_tag('below');
SELECT hint_of($$SELECT hilo_detach('below', 'id')$$);
SELECT 'SELECT ' || substring(hint_of($$SELECT hilo_detach('below', 'id')$$) FROM 'hilo_.*[)]') \gexec
SELECT 'SELECT ' || substring(hint_of($$SELECT hilo_detach('below', 'id')$$) FROM 'hilo_.*[)]') \gexec
INSERT INTO below DEFAULT VALUES RETURNING id > 10 AS above;

-- rows above max_value, where the caller has named no seed
CREATE TABLE narrow (id bigint PRIMARY KEY);
SELECT hilo_create('narrow', max_value => 10);
SELECT hilo_attach('narrow', 'id');
INSERT INTO narrow VALUES (DEFAULT), (11);
SELECT hilo_resync('narrow', 'id');
SELECT hilo_attach('narrow', 'id');
SELECT hilo_attach('narrow', 'id', 'narrow', follow => true);
SELECT hilo_alter('narrow', max_value => 9223372036854775807), hilo_resync('narrow', 'id'), hilo_attach('narrow', 'id');
INSERT INTO narrow DEFAULT VALUES RETURNING id;
SELECT hilo_alter('narrow', max_value => 1000);
INSERT INTO narrow VALUES (1001);
DELETE FROM narrow WHERE id > 1000;
SELECT hilo_resync('narrow', 'id') < 1000 AS below;

SET client_min_messages = warning;
DROP SCHEMA ah CASCADE;
SET search_path = public;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators();
