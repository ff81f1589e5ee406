-- Columns whose default is a generator.
SET client_min_messages = warning;

CREATE TABLE attach_orders (id bigint PRIMARY KEY DEFAULT hilo_next('Attach'), note text);
CREATE TABLE attach_lines (id text DEFAULT upper(hilo_next_id('attach'::varchar)), note text);
INSERT INTO attach_orders (note) VALUES ('a'), ('b') RETURNING id;
SELECT hilo_next_for('attach_orders');
SELECT hilo_next_for('attach_lines');
SELECT hilo_next_for(c::regclass) FROM unnest(ARRAY['attach_orders', 'attach_lines']) c;

-- the default is looked at again when it changes, also within one call site
CREATE FUNCTION attach_next() RETURNS bigint LANGUAGE plpgsql AS
$$ BEGIN RETURN hilo_next_for('attach_orders'); END $$;
SELECT attach_next();
ALTER TABLE attach_orders ALTER id SET DEFAULT hilo_next('attach_other');
SELECT attach_next();
ALTER TABLE attach_orders ALTER id SET DEFAULT hilo_next('attach');

-- and that of a domain
CREATE DOMAIN attach_id AS bigint DEFAULT hilo_next('attach_a');
CREATE TABLE attach_of_domain (id attach_id);
SELECT hilo_create('attach_a', first => 100), hilo_create('attach_b', first => 200);
DO $$
DECLARE
	id bigint;
BEGIN
	FOR i IN 1..2 LOOP
		id := hilo_next_for('attach_of_domain');
		RAISE WARNING '%', id;
		ALTER DOMAIN attach_id SET DEFAULT hilo_next('attach_b');
	END LOOP;
END $$;
DROP TABLE attach_of_domain;
DROP DOMAIN attach_id;

-- no generator, and more than one
CREATE TABLE attach_none (id bigint DEFAULT 1);
SELECT hilo_next_for('attach_none');
CREATE TABLE attach_two (a bigint DEFAULT hilo_next('attach'), b bigint DEFAULT hilo_next('attach_other'));
SELECT hilo_next_for('attach_two');
SELECT hilo_next_for(NULL);
SELECT hilo_next_for(0);
DROP TABLE attach_two;

-- a function of the same name elsewhere is not ours
CREATE SCHEMA attach_elsewhere;
CREATE FUNCTION attach_elsewhere.hilo_next(text) RETURNS bigint LANGUAGE sql AS 'SELECT 7::bigint';
CREATE TABLE attach_theirs (id bigint DEFAULT attach_elsewhere.hilo_next('attach'));
SELECT hilo_next_for('attach_theirs');

-- an identity is a generator, too
CREATE TABLE attach_users (id bigint DEFAULT identity_next('Attach_Users'), path text DEFAULT identity_next_id('attach_users|'));
INSERT INTO attach_users DEFAULT VALUES RETURNING *;
SELECT hilo_generator_of('attach_users', 'id'), hilo_generator_of('attach_users', 'path');
SELECT hilo_drop('attach_users|');
ALTER TABLE attach_users DROP path;
SELECT hilo_next_for('attach_users');
INSERT INTO attach_users VALUES (100);
SELECT hilo_resync('attach_users', 'id'), identity_next('attach_users');
DROP TABLE attach_users;
SELECT hilo_drop('attach_users|');

-- a generator that a default calls is not dropped
SELECT hilo_drop('attach');
ALTER TABLE attach_orders ALTER id DROP DEFAULT;
SELECT hilo_drop('ATTACH', if_exists => true);
DROP TABLE attach_lines;
SELECT hilo_drop('attach');

-- whichever way the name is written, and in each of several calls
CREATE EXTENSION citext;
CREATE DOMAIN attach_name AS text;
CREATE DOMAIN attach_short AS varchar(8);
CREATE TABLE attach_written (
	argument bigint DEFAULT hilo_next(name => 'Attach_A'),
	of_domain bigint DEFAULT hilo_next('attach_b'::attach_name),
	collated bigint DEFAULT hilo_next('attach_b' COLLATE "C"),
	of_length bigint DEFAULT hilo_next('attach_a'::attach_short),
	cut bigint DEFAULT hilo_next('attach_bcd'::varchar(8)),
	padded bigint DEFAULT hilo_next('attach_a'::char(20)),
	of_name bigint DEFAULT hilo_next('attach_b'::name),
	by_name bigint DEFAULT hilo_next('attach_a'::varchar::name),
	from_name bigint DEFAULT hilo_next('ATTACH_A'::name::varchar),
	padded_name bigint DEFAULT hilo_next('attach_a'::char(20)::name),
	name_padded bigint DEFAULT hilo_next('attach_a'::name::char(20)),
	of_citext bigint DEFAULT hilo_next('Attach_A'::citext),
	citext_name bigint DEFAULT hilo_next('attach_a'::citext::name),
	name_citext bigint DEFAULT hilo_next('attach_a'::name::citext),
	second text DEFAULT hilo_next('attach_a') || '-' || hilo_next('attach_b'));
SELECT attname, hilo_generator_of('attach_written', attname) FROM pg_attribute
 WHERE attrelid = 'attach_written'::regclass AND attnum > 0 ORDER BY attnum;
SELECT hilo_drop('attach_a');
SELECT hilo_drop('attach_b');
DROP TABLE attach_written;
DROP DOMAIN attach_name;
DROP EXTENSION citext;
DROP DOMAIN attach_short;

-- nor that of a pattern
CREATE TABLE attach_documents (
	id text DEFAULT document_id('attach_documents|'),
	code text DEFAULT document_id('attach_documents/'),
	guid text DEFAULT document_id(),
	name text DEFAULT document_id('attach_documents/one'),
	other text DEFAULT document_id(current_user::text));
INSERT INTO attach_documents DEFAULT VALUES;
SELECT attname, hilo_generator_of('attach_documents', attname) FROM pg_attribute
 WHERE attrelid = 'attach_documents'::regclass AND attnum > 0 ORDER BY attnum;
SELECT col, generator, problem, detail FROM hilo_check() WHERE rel = 'attach_documents'::regclass;
SELECT hilo_drop('attach_documents|');
SELECT hilo_drop('|');
DROP TABLE attach_documents;
-- whichever separator the session has that drops it
CREATE TABLE attach_dashes (id text DEFAULT document_id('attach_dashes-'), name text DEFAULT document_id('attach_dashes'), blank text DEFAULT document_id(' '));
SET hilo.identity_parts_separator = '-';
INSERT INTO attach_dashes DEFAULT VALUES;
SELECT hilo_generator_of('attach_dashes', 'id');
RESET hilo.identity_parts_separator;
SELECT hilo_generator_of('attach_dashes', 'id');
SELECT count(*) FROM hilo_check() WHERE rel = 'attach_dashes'::regclass;
SELECT hilo_drop('|');
DROP TABLE attach_dashes;
SELECT hilo_drop('attach_documents|'), hilo_drop('|');

-- the expression of a default is read, never run: it is the table owner's
CREATE FUNCTION attach_evil(int) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'run as %', current_user; END $$;
CREATE TABLE attach_trap (id bigint);
ALTER TABLE attach_trap ALTER id SET DEFAULT hilo_next('attach_trap') + attach_evil(1);
SELECT hilo_next_for('attach_trap');
SELECT hilo_drop('attach_trap');

DROP TABLE attach_orders, attach_none, attach_theirs, attach_trap;
DROP SCHEMA attach_elsewhere CASCADE;
DROP FUNCTION attach_next(), attach_evil(int);
