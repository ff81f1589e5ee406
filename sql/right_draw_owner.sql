/*
 * A table's own generator belongs to the table: its owner, the roles that may use it and what
 * becomes of it follow from the table at that moment.  A tag stays its owner's
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_app;
CREATE ROLE regress_hilo_loader;
CREATE SCHEMA own;
GRANT ALL ON SCHEMA own TO regress_hilo_bob, regress_hilo_alice;
GRANT USAGE ON SCHEMA own TO regress_hilo_app, regress_hilo_loader;
SET search_path = own, public;
CREATE VIEW state AS SELECT name, owner, last, columns FROM hilo_generators() WHERE name ~* 'made|kept' ORDER BY name COLLATE "C";

-- a table that changes hands, made by a first use and by an attach
SET ROLE regress_hilo_bob;
CREATE TABLE made (id bigint PRIMARY KEY DEFAULT hilo_next('made'), t text);
CREATE TABLE made_2 (id bigint PRIMARY KEY, t text);
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
SELECT hilo_next('made');
SELECT hilo_seed('made', 200);
RESET ROLE;
REASSIGN OWNED BY regress_hilo_bob TO regress_hilo_alice;
SET ROLE regress_hilo_app;
INSERT INTO made_2 (t) VALUES ('app') RETURNING id;
SET ROLE regress_hilo_alice;
INSERT INTO made_2 (t) VALUES ('alice') RETURNING id;
RESET ROLE;
SELECT name, owner FROM state;
SELECT hilo_alter('made_2', owner => 'regress_hilo_bob');
-- into another schema, under another name
ALTER TABLE made RENAME TO kept;
ALTER TABLE kept SET SCHEMA public;
SET ROLE regress_hilo_app;
INSERT INTO kept (t) VALUES ('app') RETURNING id;
RESET ROLE;
SELECT name, owner, columns FROM state;
ALTER TABLE kept SET SCHEMA own;
ALTER TABLE kept RENAME TO made;

-- a table that is dropped, by any role that may, leaves nothing: the next one has its own ids
BEGIN;
DROP TABLE made;
CREATE TABLE made (id int DEFAULT hilo_next('made'));
INSERT INTO made DEFAULT VALUES RETURNING id;
ROLLBACK;
SET ROLE regress_hilo_app;
INSERT INTO made (t) VALUES ('app') RETURNING id > 101 AS above;
SET ROLE regress_hilo_alice;
DROP TABLE made;
CREATE TABLE made (id bigint DEFAULT hilo_next('made'));
SET ROLE regress_hilo_loader;
SELECT hilo_next('made');
SET ROLE regress_hilo_alice;
INSERT INTO made DEFAULT VALUES RETURNING id;
SELECT is_public, grants FROM hilo_generators() WHERE name = 'made';
DROP OWNED BY regress_hilo_alice;
RESET ROLE;
SELECT name FROM state;
SELECT count(*) FROM hilo_internal.hilo_privilege;
GRANT ALL ON SCHEMA own TO regress_hilo_alice;

-- a tag stays with its owner
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
CREATE TABLE tagged (id bigint DEFAULT hilo_next_tag('made'), t text);
INSERT INTO tagged DEFAULT VALUES;
GRANT INSERT ON tagged TO regress_hilo_app;
RESET ROLE;
ALTER TABLE tagged OWNER TO regress_hilo_alice;
SET ROLE regress_hilo_alice;
INSERT INTO tagged DEFAULT VALUES;
SET ROLE regress_hilo_app;
INSERT INTO tagged (t) VALUES ('app');
SET ROLE regress_hilo_bob;
SELECT hilo_next_tag('made') > 1 AS his;
DROP TABLE tagged;
RESET ROLE;
-- the way out is the ownership: a grant is for calls
SELECT hilo_alter('made', owner => 'regress_hilo_alice');
SET ROLE regress_hilo_app;
INSERT INTO tagged (t) VALUES ('app');
RESET ROLE;
SELECT hilo_alter('made', owner => 'regress_hilo_bob'), hilo_grant('made', 'regress_hilo_alice');
SET ROLE regress_hilo_app;
INSERT INTO tagged (t) VALUES ('app');
RESET ROLE;
DROP TABLE tagged;
SELECT hilo_drop('made');

-- one name in several schemas, even if only the case differs
CREATE SCHEMA "Own" AUTHORIZATION regress_hilo_alice;
CREATE TABLE own.made (id bigint);
CREATE TABLE "Own".made (id bigint);
CREATE TABLE own."Made" (id bigint DEFAULT hilo_next('own."Made"'));
SELECT hilo_attach('own.made', 'id'), hilo_attach('"Own".made', 'id');
INSERT INTO own.made DEFAULT VALUES;
INSERT INTO "Own".made DEFAULT VALUES;
INSERT INTO own."Made" DEFAULT VALUES;
SELECT name, last, columns FROM state;
DROP TABLE own.made, "Own".made, own."Made";

-- a generator on an ORM's sequence: by the rights of the table's owner, now
SET ROLE regress_hilo_bob;
CREATE TABLE made (id bigserial PRIMARY KEY, t text);
GRANT INSERT ON made TO regress_hilo_app;
ALTER SEQUENCE made_id_seq INCREMENT 10 OWNED BY NONE;
SET ROLE regress_hilo_alice;
SELECT hilo_adopt_sequence('made', 'id', 'made_id_seq', 'efcore', 10);
SET ROLE regress_hilo_bob;
SELECT hilo_adopt_sequence('made', 'id', 'made_id_seq', 'efcore', 10);
INSERT INTO made (t) VALUES ('bob') RETURNING id;
INSERT INTO made (t) SELECT 'bob' FROM generate_series(2, 10);
RESET ROLE;
ALTER TABLE made OWNER TO regress_hilo_alice;
SET ROLE regress_hilo_app;
INSERT INTO made (t) VALUES ('app');
SET ROLE regress_hilo_alice;
INSERT INTO made (t) VALUES ('alice') RETURNING id;
RESET ROLE;
GRANT USAGE ON SEQUENCE made_id_seq TO regress_hilo_alice;
SET ROLE regress_hilo_app;
INSERT INTO made (t) VALUES ('app');
RESET ROLE;
SELECT name, owner FROM state;
-- with the table goes the source
DROP TABLE made;
CREATE TABLE made (id bigint DEFAULT hilo_next('made'), t text);
INSERT INTO made (t) VALUES ('another') RETURNING id;
SELECT ordering FROM hilo_generators() WHERE name = 'made';
DROP TABLE made;

-- a swap of tables leaves alone what another owner has planted, which prevents no swap
SET ROLE regress_hilo_alice;
CREATE TABLE made (id bigint PRIMARY KEY DEFAULT hilo_next('made'), t text);
INSERT INTO made (t) VALUES ('x'), ('y');
CREATE TABLE made_2 (LIKE made INCLUDING ALL);
SET ROLE regress_hilo_bob;
CREATE TABLE planted (id bigint DEFAULT hilo_next('made'));
SELECT hilo_move('made', 'planted');
SET ROLE regress_hilo_alice;
SELECT hilo_move('made', 'planted');
SELECT hilo_move('made', 'made_2');
INSERT INTO made_2 (t) VALUES ('z') RETURNING id > 2 AS above;
RESET ROLE;
SELECT name, owner, columns FROM state;

DROP VIEW state;
RESET search_path;
DROP SCHEMA own, "Own" CASCADE;
DROP OWNED BY regress_hilo_bob, regress_hilo_alice, regress_hilo_app, regress_hilo_loader;
DROP ROLE regress_hilo_bob, regress_hilo_alice, regress_hilo_app, regress_hilo_loader;
