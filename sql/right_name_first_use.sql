/*
 * What one role puts into its tables, or into those of others by GRANT ALL, gains no
 * right, and takes over no first use
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/right_planted_setup.sql'
\i :setup
CREATE VIEW state AS SELECT name, CASE WHEN owner::text ^@ 'regress' THEN owner END AS owner, last FROM hilo_generators() ORDER BY name COLLATE "C";

-- first uses by their names
SET ROLE regress_hilo_bob;
CREATE TABLE bob.p (a bigint DEFAULT hilo_next_tag('users'), b text DEFAULT document_id('invoices|'), c smallint DEFAULT hilo_next_tag('small'), d bigint DEFAULT hilo_next_tag('both'));
GRANT INSERT ON bob.p TO PUBLIC;
SET ROLE regress_hilo_alice;
SELECT low, high FROM hilo_next_range('users', 32);
RESET ROLE;
SELECT * FROM hilo_import_ravendb('[{"Max": 50000, "@metadata": {"@id": "Raven/Hilo/small"}}]', '{"invoices|":300}');
SET ROLE regress_hilo_both;
SELECT hilo_next_tag('both');
SET ROLE regress_hilo_bob;
SELECT hilo_seed('users', 0, true);
SELECT hilo_seed('invoices|', 0, true);
INSERT INTO bob.p DEFAULT VALUES;
RESET ROLE;
TABLE state;
-- nor by writing to the table: the tag is made by the caller alone, with the right to do so
SELECT hilo_drop(name) FROM state;
SET ROLE regress_hilo_alice;
INSERT INTO bob.p DEFAULT VALUES;
SET ROLE regress_hilo_bob;
SELECT hilo_attach('bob.p', 'a', 'users');
SELECT hilo_resync('bob.p', 'd');
CREATE TEMP TABLE users (id bigint DEFAULT hilo_next_tag('users'));
INSERT INTO users DEFAULT VALUES;
DROP TABLE users;
-- the generator of all server-side ids is for no column
CREATE TABLE bob.d (id text DEFAULT document_id('x/'));
GRANT INSERT ON bob.d TO PUBLIC;
INSERT INTO bob.d DEFAULT VALUES;
SET ROLE regress_hilo_alice;
SELECT length(document_id('orders/'));
SET ROLE regress_hilo_bob;
INSERT INTO bob.d DEFAULT VALUES;
RESET ROLE;
TABLE state;
DROP TABLE bob.p, bob.d;
-- nor does he take a name by the owner's right to create it
CREATE TABLE shop.log (t text);
GRANT INSERT, TRIGGER ON shop.log TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
CREATE TRIGGER t BEFORE INSERT ON shop.log FOR EACH ROW EXECUTE FUNCTION document_id_assign('t', 'users');
INSERT INTO shop.log DEFAULT VALUES;
RESET ROLE;
DROP TABLE shop.log;
-- nor by that of a role that inserts into a table of his
SET ROLE regress_hilo_bob;
CREATE TABLE bob.log (t text);
CREATE TRIGGER t BEFORE INSERT ON bob.log FOR EACH ROW EXECUTE FUNCTION document_id_assign('t', 'users');
GRANT INSERT, TRIGGER ON bob.log TO PUBLIC;
GRANT USAGE ON SCHEMA bob TO regress_hilo_alice;
SET ROLE regress_hilo_alice;
INSERT INTO bob.log DEFAULT VALUES;
RESET ROLE;
INSERT INTO bob.log DEFAULT VALUES;
SELECT name, owner FROM state WHERE name <> '|';
DROP TABLE bob.log;
-- nor is a sequence of his a source of another's table
SET ROLE regress_hilo_alice;
CREATE TABLE shop.sold (id bigint DEFAULT hilo_next('shop.sold'));
INSERT INTO shop.sold DEFAULT VALUES;
GRANT CREATE ON SCHEMA shop TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
CREATE SEQUENCE shop.sold_id_seq;
RESET ROLE;
SELECT problem, detail FROM hilo_check('shop.sold');
ALTER SEQUENCE shop.sold_id_seq OWNER TO regress_hilo_alice;
SELECT problem, detail FROM hilo_check('shop.sold');
REVOKE CREATE ON SCHEMA shop FROM regress_hilo_bob;
DROP TABLE shop.sold;
DROP SEQUENCE shop.sold_id_seq;
-- nor by a domain of his in another's table
SET ROLE regress_hilo_bob;
CREATE DOMAIN bob.key AS bigint;
SET ROLE regress_hilo_alice;
CREATE TABLE shop.keyed (id bob.key, k int);
GRANT INSERT ON shop.keyed TO regress_hilo_bob;
SELECT hilo_create('secret_key');
SET ROLE regress_hilo_bob;
ALTER DOMAIN bob.key SET DEFAULT hilo_next_tag('secret_key');
INSERT INTO shop.keyed (k) VALUES (1);
ALTER DOMAIN bob.key SET DEFAULT hilo_next_tag('planted_key');
INSERT INTO shop.keyed (k) VALUES (1);
RESET ROLE;
SELECT hilo_drop('secret_key');
DROP TABLE shop.keyed;
-- GRANT ALL on a table of a superuser, or of the owner of generators
CREATE TABLE shop.log (id bigint, a text, b text, c text);
GRANT ALL ON shop.log TO regress_hilo_web;
SELECT hilo_create('secret'), hilo_create('secret|', 'gapless'), hilo_create('hilo.launch');
SET ROLE regress_hilo_web;
CREATE TRIGGER a BEFORE INSERT ON shop.log FOR EACH ROW EXECUTE FUNCTION document_id_assign('a', 'secret');
CREATE TRIGGER b BEFORE INSERT ON shop.log FOR EACH ROW EXECUTE FUNCTION document_id_assign('b', 'hilo.launch');
CREATE TRIGGER c BEFORE INSERT ON shop.log FOR EACH ROW EXECUTE FUNCTION document_id_assign('c', 'secret', 'identity');
SELECT hilo_next_tag('secret');
SELECT low FROM hilo_next_range('hilo.launch', 1);
SELECT identity_next('secret');
INSERT INTO shop.log (b, c) VALUES ('b', 'c');
INSERT INTO shop.log (a, c) VALUES ('a', 'c');
INSERT INTO shop.log (a, b) VALUES ('a', 'b');
BEGIN;
INSERT INTO shop.log (a, b, c) VALUES ('a', 'b', 'c');
SELECT hilo_next_tag('secret');
ROLLBACK;
RESET ROLE;
DROP TABLE shop.log;
-- but no default of the owner's that a role with INSERT is to use
CREATE TABLE shop.log (id bigint DEFAULT hilo_next_tag('secret'));
GRANT INSERT ON shop.log TO regress_hilo_web;
SET ROLE regress_hilo_web;
INSERT INTO shop.log DEFAULT VALUES;
RESET ROLE;
SELECT id FROM shop.log;
DROP TABLE shop.log;
SELECT hilo_drop(name) FROM state;

-- what another table that is written to draws from is no reason to refuse a first use
SET ROLE regress_hilo_alice;
CREATE TABLE shop.both (t text, id bigint DEFAULT hilo_next('shop.both'));
GRANT INSERT ON shop.both TO regress_hilo_web;
SET ROLE regress_hilo_bob;
CREATE TABLE bob.log (t text, id bigint DEFAULT hilo_next('shop.both'));
GRANT INSERT ON bob.log TO regress_hilo_web;
SET ROLE regress_hilo_web;
BEGIN;
INSERT INTO bob.log VALUES ('before', 0);
INSERT INTO shop.both VALUES ('web');
COMMIT;
-- an attach without a name does not put the table on another role's generator that has its name
SET ROLE regress_hilo_alice;
SELECT hilo_create('log');
RESET ROLE;
ALTER TABLE bob.log ALTER id DROP DEFAULT;
SELECT hilo_attach('bob.log', 'id');
SELECT hilo_generator_of('bob.log', 'id');
-- nor one of a trigger that could not set the column
SET ROLE regress_hilo_alice;
CREATE TABLE shop.orders (id id63, t text);
GRANT TRIGGER ON shop.orders TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SELECT hilo_attach('bob.log', 'id'), hilo_grant('bob.log', 'public');
CREATE TRIGGER id BEFORE INSERT ON shop.orders FOR EACH ROW WHEN (false) EXECUTE FUNCTION document_id_assign('id', 'bob.log');
CREATE TRIGGER t BEFORE INSERT ON shop.orders FOR EACH ROW WHEN (false) EXECUTE FUNCTION document_id_assign('t', 'bob.log');
RESET ROLE;
SELECT hilo_attach('shop.orders', 'id');
SELECT hilo_generator_of('shop.orders', 'id');
SELECT hilo_next('shop.orders');
DROP TABLE shop.orders;
-- a look at the sequences of ORMs leaves no lock
SET ROLE regress_hilo_bob;
CREATE SEQUENCE bob.taken;
SELECT hilo_adopt_sequence_tag('bob.taken', 'bob.taken', 'hibernate-none');
ALTER TABLE bob.log ALTER id SET DEFAULT hilo_next_tag('bob.taken');
RESET ROLE;
BEGIN;
SELECT problem FROM hilo_check('bob.log');
SELECT count(*) FROM pg_locks WHERE relation = 'bob.taken'::regclass;
COMMIT;
DROP TABLE bob.log, shop.both;
SET ROLE regress_hilo_alice;
-- a sequence that is not the table owner's, whichever role attaches the table
CREATE SEQUENCE shop.seq;
RESET ROLE;
SELECT 'shop.seq'::regclass::oid AS seq \gset
SET ROLE regress_hilo_bob;
CREATE TABLE bob.s (id bigint DEFAULT nextval(:'seq'));
RESET ROLE;
SELECT hilo_attach('bob.s', 'id');
SELECT nextval('shop.seq');
-- nor one of her own, which the owner of a part names
CREATE SEQUENCE shop.called;
CREATE TABLE shop.whole (id bigserial, g int) PARTITION BY LIST (g);
CREATE TABLE bob.part PARTITION OF shop.whole FOR VALUES IN (1);
ALTER SEQUENCE shop.called OWNER TO regress_hilo_alice;
ALTER TABLE shop.whole OWNER TO regress_hilo_alice;
ALTER TABLE bob.part OWNER TO regress_hilo_bob;
SELECT 'shop.called'::regclass::oid AS called \gset
SET ROLE regress_hilo_bob;
ALTER TABLE bob.part ALTER id SET DEFAULT nextval(:'called');
RESET ROLE;
SELECT hilo_attach('shop.whole', 'id');
SELECT nextval('shop.called');
ALTER TABLE bob.part ALTER id SET DEFAULT nextval('shop.whole_id_seq');
SELECT hilo_attach('shop.whole', 'id');
DROP TABLE shop.whole;
DROP SEQUENCE shop.called;
-- nor does a hint lead to the rights, or to the numbers, of the role that planted the column
CREATE TABLE shop.victim (id int DEFAULT hilo_next('shop.victim'));
ALTER TABLE shop.victim OWNER TO regress_hilo_alice;
INSERT INTO shop.victim DEFAULT VALUES;
SET ROLE regress_hilo_bob;
CREATE TABLE bob.v (id bigint DEFAULT hilo_next('shop.victim'));
INSERT INTO bob.s VALUES (6000000000000000000);
INSERT INTO bob.v VALUES (1900000000);
RESET ROLE;
SELECT rel, problem, hint FROM hilo_check() WHERE rel IN ('bob.s'::regclass, 'bob.v', 'shop.victim') AND problem IS NOT NULL;
GRANT UPDATE ON SEQUENCE shop.seq TO regress_hilo_bob;
SELECT rel, problem, hint FROM hilo_check('bob.s') WHERE problem ~ 'rows';
REVOKE UPDATE ON SEQUENCE shop.seq FROM regress_hilo_bob;
SELECT hilo_grant('shop.victim', 'regress_hilo_bob');
SELECT rel, problem, hint FROM hilo_check('bob.v');
DROP TABLE bob.v, shop.victim;
TRUNCATE bob.s;
DROP TABLE bob.s;
DROP SEQUENCE shop.seq;
-- the generator of all server-side ids is no table's, and superusers alone raise it
SET ROLE regress_hilo_bob;
CREATE TABLE bob.docs (id text DEFAULT document_id('docs/'), old text DEFAULT hilo_next_id('|'));
RESET ROLE;
SELECT hilo_resync('bob.docs', 'id');
SELECT hilo_resync('bob.docs', 'old');
SET ROLE regress_hilo_alice;
CREATE TABLE shop.docs (id text DEFAULT document_id('docs/'));
INSERT INTO shop.docs VALUES ('docs/0000000000000000007-A');
SELECT hilo_resync('shop.docs', 'id');
DROP TABLE shop.docs;
SELECT document_id('other/');
RESET ROLE;
SELECT name, owner FROM state;
SELECT hilo_drop('|');


DROP VIEW state;
DROP SCHEMA bob, shop CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators();
DROP OWNED BY regress_hilo_bob, regress_hilo_alice, regress_hilo_both;
DROP ROLE regress_hilo_bob, regress_hilo_alice, regress_hilo_web, regress_hilo_both;
