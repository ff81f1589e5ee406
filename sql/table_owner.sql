/*
 * A generator that is made for a column belongs to the table: whose it is, who may use
 * it and what becomes of it follow from the table at that moment
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_app;
CREATE ROLE regress_hilo_loader;
CREATE SCHEMA own;
GRANT ALL ON SCHEMA own TO regress_hilo_bob, regress_hilo_alice;
CREATE SCHEMA planted AUTHORIZATION regress_hilo_app;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_bob, regress_hilo_alice;
GRANT USAGE ON SCHEMA own TO regress_hilo_app, regress_hilo_loader;
SET search_path = own, public;
CREATE VIEW state AS SELECT name, owner, last, columns FROM hilo_generators() WHERE columns::text ~ 'own|made|kept' OR name ~ 'own|made|kept' ORDER BY name COLLATE "C";

-- a table that changes hands, made by a first use and by an attach
SET ROLE regress_hilo_bob;
CREATE TABLE made (id bigint PRIMARY KEY DEFAULT hilo_next_tag('made'), t text);
CREATE TABLE made_2 (id bigserial PRIMARY KEY, t text);
SELECT hilo_attach('made_2', 'id');
GRANT INSERT, SELECT ON made, made_2 TO regress_hilo_app;
INSERT INTO made DEFAULT VALUES;
RESET ROLE;
ALTER TABLE made OWNER TO regress_hilo_alice;
SET ROLE regress_hilo_app;
INSERT INTO made (t) VALUES ('app') RETURNING id;
SET ROLE regress_hilo_alice;
INSERT INTO made (t) VALUES ('alice') RETURNING id;
SELECT hilo_seed('made', 100), hilo_grant('made', 'regress_hilo_loader');
SET ROLE regress_hilo_bob;
SELECT hilo_next_tag('made');
SELECT hilo_seed('made', 200);
RESET ROLE;
REASSIGN OWNED BY regress_hilo_bob TO regress_hilo_alice;
SET ROLE regress_hilo_app;
INSERT INTO made_2 (t) VALUES ('app') RETURNING id;
SET ROLE regress_hilo_alice;
INSERT INTO made_2 (t) VALUES ('alice') RETURNING id;
RESET ROLE;
SELECT name, owner FROM state;
-- into another schema, under another name
ALTER TABLE made RENAME TO kept;
ALTER TABLE kept SET SCHEMA public;
SELECT name, rel FROM hilo_internal.hilo_generator WHERE name ~ 'made' ORDER BY name;
SET ROLE regress_hilo_app;
INSERT INTO kept (t) VALUES ('app') RETURNING id;
RESET ROLE;
ALTER TABLE kept SET SCHEMA own;
ALTER TABLE kept RENAME TO made;
-- until a role is named
SELECT hilo_alter('made_2', owner => 'regress_hilo_alice');
ALTER TABLE made_2 OWNER TO regress_hilo_bob;
SELECT name, owner FROM state;
SET ROLE regress_hilo_bob;
INSERT INTO made_2 (t) VALUES ('bob');
RESET ROLE;

-- a table that is dropped leaves a free name, whose numbers count, and no right
BEGIN;
DROP TABLE made;
CREATE TABLE made (id int DEFAULT hilo_next_tag('made'));
INSERT INTO made DEFAULT VALUES RETURNING id > 100 AS above;
ROLLBACK;
SET ROLE regress_hilo_app;
INSERT INTO made (t) VALUES ('app') RETURNING id > 101 AS above;
RESET ROLE;
DROP TABLE made;
SET ROLE regress_hilo_loader;
SELECT hilo_next_tag('made');
RESET ROLE;
SET ROLE regress_hilo_bob;
CREATE TABLE made (id bigint DEFAULT hilo_next_tag('made'));
INSERT INTO made VALUES (10000);
INSERT INTO made DEFAULT VALUES RETURNING id;
RESET ROLE;
SELECT name, owner FROM state;
SET ROLE regress_hilo_loader;
SELECT hilo_next_tag('made');
RESET ROLE;
DROP TABLE made;
SELECT hilo_create('made', 'gapless');
SELECT hilo_next_tag('made') > 10000 AS above;
SELECT hilo_drop('made');
DROP TABLE made_2;
SELECT hilo_drop('made_2');

-- but nobody takes over what a column of somebody else draws from, who could use or create it
SET ROLE regress_hilo_alice;
CREATE TABLE made (id bigserial);
SELECT hilo_attach('made', 'id');
CREATE TABLE made_too (id bigint DEFAULT hilo_next_tag('made'));
GRANT INSERT ON made_too TO regress_hilo_app;
DROP TABLE made;
SET ROLE regress_hilo_bob;
CREATE TABLE taken (id bigint DEFAULT hilo_next_tag('made'));
INSERT INTO taken DEFAULT VALUES;
SELECT hilo_attach('taken', 'id');
SELECT hilo_resync('taken', 'id');
SELECT hilo_create('made');
RESET ROLE;
INSERT INTO taken DEFAULT VALUES;
-- the owner of that column may
DROP TABLE taken;
SET ROLE regress_hilo_app;
INSERT INTO made_too DEFAULT VALUES;
RESET ROLE;
SELECT name, owner FROM state;
-- nor from the owner of a table with its name, who could create no other
SET ROLE regress_hilo_app;
CREATE TABLE planted.made (id bigint DEFAULT hilo_next_tag('planted.made'));
INSERT INTO planted.made DEFAULT VALUES;
DROP TABLE planted.made;
CREATE TABLE planted.made (id bigint DEFAULT hilo_next_tag('planted.made'));
SET ROLE regress_hilo_alice;
SELECT hilo_create('planted.made');
SET ROLE regress_hilo_app;
INSERT INTO planted.made DEFAULT VALUES RETURNING id > 1 AS above;
RESET ROLE;
DROP TABLE planted.made;
SELECT hilo_drop('planted.made');
-- what one who could do neither has put into a table does not count
DROP TABLE made_too;
SET ROLE regress_hilo_alice;
CREATE TABLE made (id bigint DEFAULT hilo_next_tag('made'));
INSERT INTO made DEFAULT VALUES;
SELECT hilo_grant('made', 'regress_hilo_loader');
SET ROLE regress_hilo_app;
CREATE TABLE planted.made_plan (id bigint DEFAULT hilo_next_tag('made'));
SET ROLE regress_hilo_alice;
DROP TABLE made;
CREATE TABLE made (id bigint DEFAULT hilo_next_tag('made'));
INSERT INTO made DEFAULT VALUES;
-- nor what a trigger does that need not be the owner's
SET ROLE regress_hilo_bob;
CREATE TABLE made_docs (id text);
CREATE TRIGGER id BEFORE INSERT ON made_docs FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'made');
SET ROLE regress_hilo_alice;
DROP TABLE made;
CREATE TABLE made (id bigint DEFAULT hilo_next_tag('made'));
INSERT INTO made DEFAULT VALUES;
-- nor, for a table of its name alone, what one with a grant has there
SELECT hilo_grant('made', 'regress_hilo_app');
DROP TABLE made;
SELECT hilo_create('made');
CREATE TABLE made (id bigint DEFAULT hilo_next_tag('made'));
INSERT INTO made DEFAULT VALUES;
RESET ROLE;
DROP TABLE planted.made_plan, made, made_docs;
SELECT hilo_drop('made');

-- one name in several schemas
CREATE SCHEMA own_2;
CREATE TABLE own.made (id bigserial);
CREATE TABLE own_2.made (id bigserial);
SELECT hilo_attach('own.made', 'id'), hilo_attach('own_2.made', 'id');
INSERT INTO own.made DEFAULT VALUES;
INSERT INTO own_2.made DEFAULT VALUES;
SELECT name, last, columns FROM state;
DROP TABLE own.made, own_2.made;
SELECT hilo_drop(name) FROM state;
DROP SCHEMA own_2;

-- a role that may insert into a partition makes the first use, too
CREATE TABLE made (id bigint DEFAULT hilo_next_tag('made'), p int) PARTITION BY LIST (p);
CREATE TABLE made_1 PARTITION OF made FOR VALUES IN (1);
INSERT INTO made VALUES (50, 1);
ALTER TABLE made OWNER TO regress_hilo_alice;
GRANT INSERT ON made_1 TO regress_hilo_loader;
SET ROLE regress_hilo_loader;
INSERT INTO made_1 (p) VALUES (1);
SELECT hilo_next_tag('made');
RESET ROLE;
SELECT id FROM made ORDER BY id;
SELECT rel FROM hilo_internal.hilo_generator WHERE name = 'made';
DROP TABLE made;
SELECT hilo_drop('made');
-- nor does the owner of a partition make it below the rest, by a call
CREATE TABLE made (id bigint DEFAULT hilo_next_tag('own.made'), p int) PARTITION BY LIST (p);
CREATE TABLE made_1 PARTITION OF made FOR VALUES IN (1);
CREATE TABLE made_2 PARTITION OF made FOR VALUES IN (2);
INSERT INTO made VALUES (50, 1), (7, 2);
ALTER TABLE made OWNER TO regress_hilo_alice;
ALTER TABLE made_1 OWNER TO regress_hilo_alice;
ALTER TABLE made_2 OWNER TO regress_hilo_loader;
SET ROLE regress_hilo_loader;
SELECT hilo_next_tag('own.made');
RESET ROLE;
SELECT rel FROM hilo_internal.hilo_generator WHERE name = 'own.made';
DROP TABLE made;
SELECT hilo_drop('own.made');

-- through views whose owners may insert, as with an identity column
CREATE TABLE made (id bigint GENERATED ALWAYS AS IDENTITY, t text);
ALTER TABLE made OWNER TO regress_hilo_alice;
CREATE VIEW made_view AS SELECT t FROM made;
CREATE VIEW made_above AS SELECT t FROM made_view;
ALTER VIEW made_view OWNER TO regress_hilo_alice;
GRANT INSERT ON made_view TO regress_hilo_loader;
ALTER VIEW made_above OWNER TO regress_hilo_loader;
GRANT INSERT ON made_above TO regress_hilo_app;
SELECT hilo_attach('made', 'id');
SET ROLE regress_hilo_loader;
INSERT INTO made_view VALUES ('loader');
SET ROLE regress_hilo_app;
INSERT INTO made_above VALUES ('app');
RESET ROLE;
TABLE made;
-- also as the first use; and by none whose owner may not
DROP TABLE made CASCADE;
SELECT hilo_drop('made');
CREATE TABLE made (id bigint DEFAULT hilo_next_tag('made'), t text);
ALTER TABLE made OWNER TO regress_hilo_alice;
CREATE VIEW made_view AS SELECT t FROM made;
GRANT INSERT ON made_view TO regress_hilo_loader;
ALTER VIEW made_view OWNER TO regress_hilo_bob;
SET ROLE regress_hilo_loader;
BEGIN;
PREPARE locks AS INSERT INTO made_view VALUES ('none');
SELECT hilo_next_tag('made');
ROLLBACK;
DEALLOCATE locks;
RESET ROLE;
ALTER VIEW made_view OWNER TO regress_hilo_alice;
ALTER VIEW made_view SET (security_invoker);
SET ROLE regress_hilo_loader;
BEGIN;
PREPARE locks AS INSERT INTO made_view VALUES ('none');
SELECT hilo_next_tag('made');
ROLLBACK;
DEALLOCATE locks;
RESET ROLE;
ALTER VIEW made_view RESET (security_invoker);
SET ROLE regress_hilo_loader;
INSERT INTO made_view VALUES ('loader');
RESET ROLE;
SELECT name, owner FROM state;
-- nor by one whose trigger takes the rows
CREATE FUNCTION made_nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER instead INSTEAD OF INSERT ON made_view FOR EACH ROW EXECUTE FUNCTION made_nothing();
GRANT DELETE ON made TO regress_hilo_loader;
SET ROLE regress_hilo_loader;
BEGIN;
DELETE FROM made WHERE false;
PREPARE locks AS INSERT INTO made_view VALUES ('none');
SELECT hilo_next_tag('made');
ROLLBACK;
DEALLOCATE locks;
RESET ROLE;
DROP FUNCTION made_nothing() CASCADE;
DROP TABLE made CASCADE;
SELECT hilo_drop('made');

-- a view whose other rules change nothing in an INSERT
CREATE TABLE made (id bigint DEFAULT hilo_next_tag('made'), t text);
ALTER TABLE made OWNER TO regress_hilo_alice;
CREATE VIEW made_view AS SELECT t FROM made;
CREATE RULE kept AS ON DELETE TO made_view DO INSTEAD NOTHING;
ALTER VIEW made_view OWNER TO regress_hilo_alice;
GRANT INSERT ON made_view TO regress_hilo_loader;
SET ROLE regress_hilo_loader;
INSERT INTO made_view VALUES ('loader');
RESET ROLE;
DROP TABLE made CASCADE;
SELECT hilo_drop('made');

-- one that adopts the sequence of a column
SET ROLE regress_hilo_bob;
CREATE TABLE made (id bigserial PRIMARY KEY, t text);
GRANT INSERT ON made TO regress_hilo_app;
SET ROLE regress_hilo_alice;
SELECT hilo_adopt_sequence('made', 'made_id_seq', 'hibernate-none');
SET ROLE regress_hilo_bob;
SELECT hilo_adopt_sequence('made', 'made_id_seq', 'hibernate-none');
ALTER TABLE made ALTER id SET DEFAULT hilo_next_tag('made');
INSERT INTO made (t) VALUES ('bob') RETURNING id;
RESET ROLE;
ALTER TABLE made OWNER TO regress_hilo_alice;
SET ROLE regress_hilo_app;
INSERT INTO made (t) VALUES ('app');
SET ROLE regress_hilo_alice;
INSERT INTO made (t) VALUES ('alice') RETURNING id;
RESET ROLE;
SELECT name, owner FROM state;
-- with the table goes the source, and the next one has ids of its own
DROP TABLE made;
CREATE TABLE made (id bigint DEFAULT hilo_next_tag('made'), t text);
INSERT INTO made (t) VALUES ('another') RETURNING id;
SELECT ordering FROM hilo_generators() WHERE name = 'made';
-- nor does it go on with a sequence of another's
DROP TABLE made;
SELECT hilo_drop('made');
SET ROLE regress_hilo_bob;
CREATE TABLE made (id bigserial);
SELECT hilo_adopt_sequence('made', 'made_id_seq', 'hibernate-none');
ALTER SEQUENCE made_id_seq OWNED BY NONE;
DROP TABLE made;
SET ROLE regress_hilo_alice;
CREATE TABLE made (id bigint, t text);
BEGIN;
SELECT hilo_attach('made', 'id');
INSERT INTO made (t) VALUES ('alice') RETURNING id;
ROLLBACK;
ALTER TABLE made ALTER id SET DEFAULT hilo_next_tag('made');
INSERT INTO made (t) VALUES ('alice') RETURNING id;
RESET ROLE;
SELECT ordering FROM hilo_generators() WHERE name = 'made';
DROP TABLE made;
SELECT hilo_drop('made');

-- of two names that differ in the case of the schema alone, the older table has the generator's
CREATE SCHEMA "Own" AUTHORIZATION regress_hilo_alice;
CREATE SCHEMA "OWN" AUTHORIZATION regress_hilo_loader;
SET ROLE regress_hilo_alice;
CREATE TABLE "Own".orders (id bigint DEFAULT hilo_next_tag('"Own".orders'), t text);
SET ROLE regress_hilo_loader;
CREATE TABLE "OWN".orders (id serial, t text);
SELECT hilo_attach('"OWN".orders', 'id');
SET ROLE regress_hilo_alice;
INSERT INTO "Own".orders (t) VALUES ('x') RETURNING id;
DROP TABLE "Own".orders;
RESET ROLE;
SELECT hilo_drop('"Own".orders');

DROP VIEW state;
RESET search_path;
DROP OWNED BY regress_hilo_bob, regress_hilo_alice, regress_hilo_app, regress_hilo_loader;
DROP SCHEMA own;
DROP ROLE regress_hilo_bob, regress_hilo_alice, regress_hilo_app, regress_hilo_loader;
