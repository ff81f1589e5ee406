/*
 * What one role puts into its tables, or into those of others by GRANT ALL, gains no
 * right, takes over no first use, and costs nobody else anything
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_web;
CREATE ROLE regress_hilo_both IN ROLE regress_hilo_bob;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_alice, regress_hilo_both;
CREATE SCHEMA bob AUTHORIZATION regress_hilo_bob;
GRANT USAGE ON SCHEMA bob TO PUBLIC;
CREATE SCHEMA shop AUTHORIZATION regress_hilo_alice;
GRANT USAGE ON SCHEMA shop TO PUBLIC;
CREATE VIEW state AS SELECT name, CASE WHEN owner::text ^@ 'regress' THEN owner END AS owner, last FROM hilo_generators() WHERE name ~* '^(users|invoices|small|both|secret|\||shop|planted)' ORDER BY name COLLATE "C";

-- first uses by their names
SET ROLE regress_hilo_bob;
CREATE TABLE bob.p (a bigint DEFAULT hilo_next_tag('users'), b text DEFAULT document_id('invoices|'), c smallint DEFAULT hilo_next_tag('small'), d bigint DEFAULT hilo_next_tag('both'));
GRANT INSERT ON bob.p TO PUBLIC;
SET ROLE regress_hilo_alice;
SELECT low, high FROM hilo_next_range('users', 32);
RESET ROLE;
SELECT * FROM hilo_import_ravendb('{"Raven/Hilo/small":{"Max":50000}}', '{"invoices|":300}');
SET ROLE regress_hilo_both;
SELECT hilo_next_tag('both');
SET ROLE regress_hilo_bob;
SELECT hilo_seed('users', 0, true);
SELECT hilo_seed('invoices|', 0, true);
INSERT INTO bob.p DEFAULT VALUES;
RESET ROLE;
TABLE state;
-- nor by writing to the table: a name that is not the table's takes CREATE on the database
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
-- nor by a foreign key, through which others write to his table
SET ROLE regress_hilo_alice;
CREATE TABLE shop.parent (id int PRIMARY KEY);
INSERT INTO shop.parent VALUES (1), (2), (3);
GRANT REFERENCES ON shop.parent TO regress_hilo_both;
GRANT SELECT, DELETE ON shop.parent TO regress_hilo_web;
SET ROLE regress_hilo_both;
CREATE TABLE bob.refuses (id bigint DEFAULT hilo_next_tag('users'), called bigint DEFAULT hilo_next_tag('us' || 'ers'), parent int REFERENCES shop.parent ON DELETE CASCADE);
INSERT INTO bob.refuses VALUES (1, 1);
CREATE TABLE bob.takes (a bigint DEFAULT hilo_next_tag('both'), b bigint DEFAULT hilo_next_tag('small'), c bigint DEFAULT hilo_next_tag('secret'), parent int REFERENCES shop.parent ON DELETE SET NULL);
GRANT INSERT ON bob.takes TO PUBLIC;
SET ROLE regress_hilo_alice;
CREATE TABLE shop.small (id bigint DEFAULT hilo_next_tag('small'), n int);
GRANT INSERT ON shop.small TO regress_hilo_web;
BEGIN;
DELETE FROM shop.parent WHERE id = 1;
SELECT hilo_next_tag('users'), hilo_next_tag('both');
COMMIT;
RESET ROLE;
DROP TABLE bob.refuses;
SET ROLE regress_hilo_web;
BEGIN;
DELETE FROM shop.parent WHERE id = 2;
INSERT INTO shop.small (n) VALUES (1);
COMMIT;
RESET ROLE;
BEGIN;
DELETE FROM shop.parent WHERE id = 3;
SELECT hilo_next_tag('secret');
COMMIT;
SELECT name, owner FROM state WHERE name <> '|';
DROP TABLE bob.takes, shop.small, shop.parent;
SELECT hilo_drop(name) FROM state WHERE name <> '|';

-- nor by a trigger in another's table, which never fires there
SET ROLE regress_hilo_alice;
CREATE TABLE shop.log (b bool, s smallint, t text);
GRANT INSERT, TRIGGER ON shop.log TO regress_hilo_bob;
CREATE TABLE shop.small (id bigint DEFAULT hilo_next_tag('small'));
SET ROLE regress_hilo_bob;
CREATE TRIGGER b BEFORE INSERT ON shop.log FOR EACH ROW WHEN (false) EXECUTE FUNCTION document_id_assign('b', 'small');
CREATE TRIGGER s BEFORE INSERT ON shop.log FOR EACH ROW WHEN (false) EXECUTE FUNCTION document_id_assign('s', 'small');
CREATE TRIGGER t BEFORE INSERT ON shop.log FOR EACH ROW WHEN (false) EXECUTE FUNCTION document_id_assign('t', 'small');
INSERT INTO shop.log (t) VALUES ('8000000000000000000');
SET ROLE regress_hilo_alice;
INSERT INTO shop.small DEFAULT VALUES RETURNING id;
SELECT max_value FROM hilo_generators() WHERE name = 'small';
SELECT hilo_rename('small', 'small');
ALTER TABLE shop.small ALTER id DROP DEFAULT;
SELECT hilo_drop('small');
DROP TABLE shop.small, shop.log;
RESET ROLE;
-- nor does he take a name by the owner's right to create it
CREATE TABLE shop.log (t text);
GRANT INSERT, TRIGGER ON shop.log TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
CREATE TRIGGER t BEFORE INSERT ON shop.log FOR EACH ROW EXECUTE FUNCTION document_id_assign('t', 'users');
INSERT INTO shop.log DEFAULT VALUES;
RESET ROLE;
DROP TABLE shop.log;
-- nor by that of who inserts into a table of his
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
-- nor by code of the owner of a part, whoever checks the whole
CREATE TABLE shop.numbered (n int, g int) PARTITION BY LIST (g);
CREATE TABLE bob.numbered PARTITION OF shop.numbered FOR VALUES IN (1);
ALTER TABLE bob.numbered OWNER TO regress_hilo_bob;
CREATE TRIGGER number BEFORE INSERT ON shop.numbered FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('n', 'session', 'g');
SET ROLE regress_hilo_bob;
CREATE FUNCTION bob.tell() RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE WARNING 'as %', current_user; RETURN true; END$$;
CREATE INDEX ON bob.numbered (n) WHERE bob.tell();
INSERT INTO bob.numbered (g) VALUES (1);
RESET ROLE;
SELECT rel, col, problem FROM hilo_check('shop.numbered');
DROP TABLE shop.numbered;
-- nor does what it says, or a trigger for each of many columns, make a check larger
SET ROLE regress_hilo_bob;
CREATE TABLE bob.loud (n int DEFAULT hilo_next_tag('bob.loud'), g int);
INSERT INTO bob.loud DEFAULT VALUES;
DO $$
BEGIN
	EXECUTE 'ALTER TABLE bob.loud ' || (SELECT string_agg(format('ADD c%s int', n), ', ') FROM generate_series(1, 200) n);
	FOR n IN 1 .. 50 LOOP
		EXECUTE format('CREATE TRIGGER t%s BEFORE INSERT ON bob.loud FOR EACH ROW EXECUTE FUNCTION hilo_number_assign(''c1'', ''session'', ''g'')', n);
	END LOOP;
END $$;
CREATE FUNCTION bob.shout() RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	IF current_user <> session_user THEN
		RAISE EXCEPTION '%', repeat('x', 100000);
	END IF;
	RETURN true;
END $$;
SET SESSION AUTHORIZATION regress_hilo_bob;
CREATE INDEX ON bob.loud (n) WHERE bob.shout();
\c -
SET client_min_messages = warning;
SET hilo.prefetch = off;
BEGIN;
SELECT col, max(problem) AS problem, max(octet_length(detail)) <= 1000 AS is_short FROM hilo_check('bob.loud') WHERE col = 'n' GROUP BY 1;
SELECT idx_tup_fetch < 5000 AS looks_at_one_column FROM pg_stat_xact_sys_tables WHERE relname = 'pg_attribute';
COMMIT;
DROP TABLE bob.loud;
SELECT hilo_drop('bob.loud');
-- nor is a sequence of his a source of another's table
SET ROLE regress_hilo_alice;
CREATE TABLE shop.sold (id bigint DEFAULT hilo_next_tag('shop.sold'));
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
SELECT hilo_drop('shop.sold');
-- nor by code of his that keeps others waiting for a name
SET ROLE regress_hilo_bob;
CREATE TABLE bob.slow (id bigint DEFAULT hilo_next_tag('users'));
SET client_min_messages = error;
CREATE INDEX ON bob.slow (id) WHERE bob.tell();
SET client_min_messages = warning;
SELECT hilo_next_tag('users');
INSERT INTO bob.slow DEFAULT VALUES;
DROP TABLE bob.slow;
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
SELECT hilo_next_tag('shop.keyed');
RESET ROLE;
SELECT hilo_drop('secret_key');
DROP TABLE shop.keyed;
-- nor by a cast from a type of his, when he makes a first use for her
SET ROLE regress_hilo_bob;
CREATE TYPE bob.pair AS (n bigint);
SET ROLE regress_hilo_alice;
CREATE TABLE shop.keyed (id bob.pair DEFAULT ROW(hilo_next_tag('shop.keyed'))::bob.pair, k int);
INSERT INTO shop.keyed VALUES (ROW(3));
GRANT INSERT (k) ON shop.keyed TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
CREATE FUNCTION bob.tell(bob.pair) RETURNS text LANGUAGE sql AS 'SELECT bob.tell()::text';
CREATE CAST (bob.pair AS text) WITH FUNCTION bob.tell(bob.pair);
INSERT INTO shop.keyed (k) VALUES (1);
SET ROLE regress_hilo_alice;
TRUNCATE shop.keyed;
INSERT INTO shop.keyed VALUES (NULL);
SET ROLE regress_hilo_bob;
INSERT INTO shop.keyed (k) VALUES (1);
RESET ROLE;
DROP TABLE shop.keyed;
SELECT hilo_drop('shop.keyed');
-- nor does a setting of his hide her ids then
SET ROLE regress_hilo_alice;
CREATE TABLE shop.docs (id text DEFAULT hilo_next_id('shop.docs'), no text DEFAULT identity_next_id('shop.docs.no'));
INSERT INTO shop.docs VALUES ('shop.docs/7-A', 'shop.docs.no-8'), ('shop.docs9-A', 'shop.docs.nox9'), ('shop.docs', '3'), ('/9-A', '/9');
GRANT INSERT ON shop.docs TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SET hilo.identity_parts_separator = '!';
INSERT INTO shop.docs DEFAULT VALUES;
RESET hilo.identity_parts_separator;
SET ROLE regress_hilo_alice;
SELECT * FROM shop.docs WHERE id LIKE '%!%';
INSERT INTO shop.docs DEFAULT VALUES RETURNING *;
DROP TABLE shop.docs;
RESET ROLE;
SELECT hilo_drop('shop.docs'), hilo_drop('shop.docs.no|');
-- nor one by which an index leaves most of them out
SELECT count(*) > 0 AS has_gin FROM pg_available_extensions WHERE name = 'btree_gin' \gset
CREATE TABLE shop.found (id bigint DEFAULT hilo_next_tag('shop.found'), n int);
INSERT INTO shop.found SELECT generate_series(1, 20000);
\if :has_gin
	CREATE EXTENSION btree_gin;
	CREATE INDEX ON shop.found USING gin (id);
\endif
GRANT INSERT ON shop.found TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SET enable_seqscan = off;
SET gin_fuzzy_search_limit = 1;
INSERT INTO shop.found (n) VALUES (1);
RESET gin_fuzzy_search_limit;
RESET enable_seqscan;
RESET ROLE;
SELECT id FROM shop.found WHERE n = 1;
DROP TABLE shop.found;
DROP EXTENSION IF EXISTS btree_gin;
SELECT hilo_drop('shop.found');
-- nor does who comes first say how the ids of another's table are written
CREATE TABLE shop.docs (id text DEFAULT hilo_next_id('shop.Docs'), n int);
GRANT INSERT ON shop.docs TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
INSERT INTO shop.docs VALUES (hilo_next_id('SHOP.DOCS'));
RESET ROLE;
INSERT INTO shop.docs (n) VALUES (1) RETURNING id;
DROP TABLE shop.docs;
SELECT hilo_drop('shop.docs');

-- without CREATE on the database nobody takes a name that another one's table could mean
SET ROLE regress_hilo_bob;
CREATE TABLE bob.invoices (id bigint DEFAULT hilo_next_tag('invoices'), n int, grp int) PARTITION BY LIST (grp);
CREATE TABLE bob.part PARTITION OF bob.invoices FOR VALUES IN (1);
CREATE TABLE bob.plain (id int, n int);
CREATE TRIGGER number BEFORE INSERT ON bob.invoices FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('n', 'gapless', 'grp');
CREATE TABLE bob.users (id text);
CREATE TRIGGER id BEFORE INSERT ON bob.users FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
INSERT INTO bob.invoices (grp) VALUES (1);
INSERT INTO bob.part (grp) VALUES (1);
INSERT INTO bob.users DEFAULT VALUES;
SELECT hilo_next_tag('invoices');
SELECT low FROM hilo_next_range('invoices', 1);
SELECT hilo_create('invoices');
SELECT hilo_attach('bob.invoices', 'id', 'invoices');
SELECT hilo_attach('bob.plain', 'id', 'invoices', follow => true);
SELECT hilo_resync('bob.invoices', 'id');
CREATE SEQUENCE bob.seq;
SELECT hilo_adopt_sequence('invoices', 'bob.seq', 'hibernate-none');
-- nor does a superuser take it for him, unless he says so
RESET ROLE;
INSERT INTO bob.part (grp) VALUES (1);
SELECT hilo_attach('bob.invoices', 'id');
SET client_min_messages = error;
SELECT * FROM hilo_resync_all() WHERE rel::text ~ '^bob';
SET client_min_messages = warning;
SET ROLE regress_hilo_bob;
INSERT INTO bob.invoices (id, grp) VALUES (5, 1) RETURNING n;
-- with the schema there is no doubt
SELECT hilo_attach('bob.plain', 'id', follow => true);
SELECT hilo_rename('bob.plain', 'invoices');
ALTER TABLE bob.invoices ALTER id SET DEFAULT hilo_next_tag('bob.invoices.id');
INSERT INTO bob.part (grp) VALUES (1) RETURNING *;
CREATE TABLE bob."Inv.1" (id bigint DEFAULT hilo_next_tag('bob.inv.1'));
INSERT INTO bob."Inv.1" DEFAULT VALUES;
ALTER TABLE bob."Inv.1" ALTER id SET DEFAULT hilo_next_tag('bob."Inv.1"');
INSERT INTO bob."Inv.1" DEFAULT VALUES RETURNING id;
CREATE TABLE bob.inv (id bigint DEFAULT hilo_next_tag('bob.inv_1'));
INSERT INTO bob.inv DEFAULT VALUES;
CREATE TEMP TABLE plain (id bigint DEFAULT hilo_next_tag('pg_temp.plain'));
INSERT INTO plain DEFAULT VALUES;
DROP TABLE plain;
SELECT hilo_adopt_sequence('bob.seq', 'bob.seq', 'hibernate-none');
-- nor a name that differs only in case from that of another's table beside it
RESET ROLE;
SELECT set_config('search_path', nspname, false) AS public FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE extname = 'hilo' \gset
SELECT has_schema_privilege('regress_hilo_bob', :'public', 'CREATE') AS may_create \gset
GRANT CREATE ON SCHEMA :"public" TO regress_hilo_bob, regress_hilo_alice;
SET ROLE regress_hilo_alice;
CREATE TABLE users (id bigint DEFAULT hilo_next_tag('users'), n int);
SET ROLE regress_hilo_bob;
CREATE TABLE "USERS" (id bigint DEFAULT hilo_next_tag('users'), n int);
INSERT INTO "USERS" DEFAULT VALUES;
SET ROLE regress_hilo_alice;
INSERT INTO users DEFAULT VALUES RETURNING id;
RESET ROLE;
SELECT name, owner FROM state WHERE name = 'users';
DROP TABLE users, "USERS";
SELECT hilo_drop('users');
-- whichever of them is in lower case, also with the schema; nor one that goes on behind his table's
SET ROLE regress_hilo_alice;
CREATE TABLE "Users" (id bigint DEFAULT hilo_next_tag('Users'), n int);
CREATE TABLE "users 2" (id bigint DEFAULT hilo_next_tag('users 2'), n int);
SET ROLE regress_hilo_bob;
CREATE TABLE users (id bigint DEFAULT hilo_next_tag('users'), n int);
\set VERBOSITY terse
INSERT INTO users DEFAULT VALUES;
ALTER TABLE users ALTER id SET DEFAULT hilo_next_tag('users 2');
INSERT INTO users DEFAULT VALUES;
\set VERBOSITY default
CREATE TABLE "uSERS" (id bigint);
DO $$ BEGIN PERFORM hilo_attach('"uSERS"', 'id'); EXCEPTION WHEN insufficient_privilege THEN RAISE WARNING 'refused'; END $$;
SET ROLE regress_hilo_alice;
INSERT INTO "Users" DEFAULT VALUES RETURNING id;
INSERT INTO "users 2" DEFAULT VALUES RETURNING id;
RESET ROLE;
SELECT name, owner FROM state WHERE name ~* '^users';
DROP TABLE users, "Users", "uSERS", "users 2";
SELECT hilo_drop(name) FROM state WHERE name ~* '^users';
-- nor that of the identity that another's table has
SET ROLE regress_hilo_alice;
CREATE TABLE users (id text DEFAULT identity_next_id('users'));
SET ROLE regress_hilo_bob;
CREATE TABLE "users|" (id bigint DEFAULT hilo_next_tag('users|'));
\set VERBOSITY terse
INSERT INTO "users|" DEFAULT VALUES;
\set VERBOSITY default
SET ROLE regress_hilo_alice;
INSERT INTO users DEFAULT VALUES RETURNING id;
RESET ROLE;
DROP TABLE users, "users|";
SELECT hilo_drop('users|');
REVOKE CREATE ON SCHEMA :"public" FROM regress_hilo_alice;
\if :may_create
\else
	REVOKE CREATE ON SCHEMA :"public" FROM regress_hilo_bob;
\endif
RESET search_path;
-- whatever the schema is called
ALTER SCHEMA bob RENAME TO hilo;
CREATE TABLE hilo.launch (id bigint);
ALTER TABLE hilo.launch OWNER TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SELECT hilo_attach('hilo.launch', 'id');
RESET ROLE;
SELECT hilo_attach('hilo.launch', 'id');
ALTER TABLE hilo.launch ALTER id SET DEFAULT hilo_next_tag('hilo.launch');
INSERT INTO hilo.launch DEFAULT VALUES;
-- also where there is such a generator, and the superuser has it
SELECT hilo_create('##hilo.launch');
INSERT INTO hilo.launch DEFAULT VALUES;
ALTER SCHEMA hilo RENAME TO "Bob";
SET ROLE regress_hilo_bob;
SELECT hilo_attach('"Bob".launch', 'id');
INSERT INTO "Bob".invoices (grp) VALUES (1) RETURNING id;
RESET ROLE;
ALTER SCHEMA "Bob" RENAME TO bob;
SELECT regexp_replace(name, '#.*', '#') AS name, owner::text ^@ 'regress' AS is_his FROM hilo_generators() WHERE name ~ 'bob|inv|launch|users' ORDER BY name COLLATE "C";
DROP TABLE bob.invoices, bob.plain, bob.users, bob."Inv.1", bob.inv, bob.launch;
DROP SEQUENCE bob.seq;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name ~ 'bob|inv|launch|users';

-- GRANT ALL on a table of a superuser, or of the owner of generators
CREATE TABLE shop.log (id bigint, a text, b text, c text);
GRANT ALL ON shop.log TO regress_hilo_web;
SELECT hilo_create('secret'), hilo_create('secret|', 'gapless'), hilo_create('##hilo.launch');
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
-- nor on a table that has a generator's name in another schema
CREATE SCHEMA audit CREATE TABLE log (id bigint);
CREATE TABLE shop.log (id bigint, a text);
GRANT ALL ON shop.log TO regress_hilo_web;
SELECT hilo_attach('audit.log', 'id');
SET ROLE regress_hilo_web;
CREATE TRIGGER a BEFORE INSERT ON shop.log FOR EACH ROW EXECUTE FUNCTION document_id_assign('a', 'log');
INSERT INTO shop.log (id) VALUES (1);
SELECT hilo_next_tag('log');
RESET ROLE;
DROP SCHEMA audit CASCADE;
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

-- 200 columns of others, among them one of an expression that is too long for a call
SET ROLE regress_hilo_alice;
CREATE TABLE shop.planted (id bigint DEFAULT hilo_next_tag('planted'), n text);
INSERT INTO shop.planted DEFAULT VALUES;
GRANT INSERT ON shop.planted TO regress_hilo_web;
SET ROLE regress_hilo_bob;
DO $$
BEGIN
	EXECUTE format('CREATE TABLE bob.p (%s, long bigint DEFAULT hilo_next_tag(''planted'')%s, word text DEFAULT hilo_next_tag(%L)::text)',
		(SELECT string_agg(format('p%s bigint DEFAULT hilo_next_tag(''planted'')', n), ', ') FROM generate_series(1, 200) n),
		repeat('+1', 1000), repeat('x', 100000));
END $$;
GRANT INSERT ON bob.p TO PUBLIC;
\c -
SET client_min_messages = warning;
SET ROLE regress_hilo_web;
BEGIN;
INSERT INTO shop.planted (n) VALUES ('web');
SELECT seq_scan + idx_scan < 20 AS reads_no_others FROM pg_stat_xact_sys_tables WHERE relname = 'pg_attrdef';
COMMIT;
RESET ROLE;
SELECT hilo_generator_of('bob.p', 'long'), hilo_generator_of('bob.p', 'word'), hilo_generator_of('bob.p', 'p200');
SELECT count(*) FROM hilo_check('bob.p') WHERE generator IS NULL;

-- names and arguments that are too long, tables that inherit many columns, groups of a table with parts
SET ROLE regress_hilo_bob;
CREATE TABLE bob.p1 () INHERITS (bob.p);
CREATE TABLE bob.p2 () INHERITS (bob.p);
DO $$
BEGIN
	EXECUTE format('CREATE TABLE bob.q (id text, name bigint DEFAULT hilo_next_tag(%L), grp int, n int)', repeat('x', 600));
	EXECUTE format('CREATE TRIGGER id BEFORE INSERT ON bob.q FOR EACH ROW EXECUTE FUNCTION document_id_assign(''id'', %L)', repeat('x', 100000));
END $$;
SELECT hilo_generator_of('bob.q', 'id') IS NULL AS id, hilo_generator_of('bob.q', 'name') IS NULL AS name;
DROP TRIGGER id ON bob.q;
CREATE TRIGGER number BEFORE INSERT ON bob.q FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('n', 'gapless', 'grp');
INSERT INTO bob.q (name, grp) SELECT 1, g FROM generate_series(1, 50) g;
CREATE TABLE bob.q1 () INHERITS (bob.q);
-- two tables with parts, whose generators take turns in the order of their names
DO $$
BEGIN
	FOR i IN 0 .. 1 LOOP
		EXECUTE format('CREATE TABLE bob.turn (%s)',
			(SELECT string_agg(format('c%1$s bigint DEFAULT hilo_next_tag(''bob.turn.%1$s'')', n), ', ') FROM generate_series(10 + i, 29, 2) n));
		INSERT INTO bob.turn DEFAULT VALUES;
		EXECUTE format('CREATE TABLE bob.turn_%1$s () INHERITS (bob.turn); ALTER TABLE bob.turn RENAME TO turned_%1$s', i);
	END LOOP;
END $$;
\c -
SET client_min_messages = warning;
SET ROLE regress_hilo_alice;
BEGIN;
SELECT count(*) FROM hilo_stats();
SELECT idx_scan < 20 AS looks_once FROM pg_stat_xact_sys_tables WHERE relname = 'pg_inherits';
SELECT count(columns) FROM hilo_generators();
SELECT idx_tup_fetch < 5000 AS reads_each_default_once FROM pg_stat_xact_sys_tables WHERE relname = 'pg_attrdef';
COMMIT;
-- tables without generators yet of who takes only their names
SET ROLE regress_hilo_bob;
DO $$
BEGIN
	FOR i IN 1 .. 30 LOOP
		EXECUTE format('CREATE TABLE bob.unused_%s (id bigint DEFAULT hilo_next_tag(''bob.unused_%1$s''))', i);
	END LOOP;
END $$;
RESET ROLE;
BEGIN;
SELECT count(*) FROM hilo_check() WHERE generator ~ 'unused';
SELECT seq_scan < 30 AS looks_at_all_relations_once FROM pg_stat_xact_sys_tables WHERE relname = 'pg_class';
COMMIT;
DO $$
BEGIN
	FOR i IN 1 .. 30 LOOP
		EXECUTE format('DROP TABLE bob.unused_%s', i);
	END LOOP;
END $$;
-- triggers that parts of a table have from the whole
SET ROLE regress_hilo_bob;
CREATE TABLE bob.deep_0 (id text, n int) PARTITION BY RANGE (n);
DO $$
BEGIN
	FOR i IN 1 .. 15 LOOP
		EXECUTE format('CREATE TABLE bob.deep_%s PARTITION OF bob.deep_%s FOR VALUES FROM (0) TO (%s) PARTITION BY RANGE (n)', i, i - 1, 100 - i);
	END LOOP;
	FOR i IN 1 .. 15 LOOP
		EXECUTE format('CREATE TRIGGER id_%s BEFORE INSERT ON bob.deep_0 FOR EACH ROW EXECUTE FUNCTION document_id_assign(''id'')', i);
	END LOOP;
END $$;
\c -
SET client_min_messages = warning;
SET ROLE regress_hilo_alice;
BEGIN;
SELECT count(columns) FROM hilo_generators();
SELECT idx_scan < 1000 AS climbs_from_none FROM pg_stat_xact_sys_tables WHERE relname = 'pg_inherits';
COMMIT;
SET ROLE regress_hilo_bob;
DROP TABLE bob.deep_0;
SET ROLE regress_hilo_alice;
-- views that show each other in more and more ways
SET ROLE regress_hilo_bob;
CREATE TABLE bob.seen (id bigint DEFAULT hilo_next_tag('bob.seen'));
CREATE VIEW bob.view_0 AS TABLE bob.seen;
DO $$
BEGIN
	FOR i IN 1 .. 40 LOOP
		EXECUTE format('CREATE VIEW bob.view_%s AS SELECT a.* FROM bob.view_%s a, bob.view_%2$s b', i, i - 1);
	END LOOP;
END $$;
ALTER VIEW bob.view_40 ALTER id SET DEFAULT hilo_next_tag('bob.seen');
RESET ROLE;
SET statement_timeout = '60s';
SELECT hilo_resync('bob.seen', 'id');
RESET statement_timeout;
DROP TABLE bob.seen CASCADE;
SELECT hilo_drop('bob.seen');
SET ROLE regress_hilo_alice;
-- columns of others in which nothing is hidden by this transaction
CREATE TABLE shop.numbered (grp int, n int);
CREATE TRIGGER number BEFORE INSERT ON shop.numbered FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('n', 'global', 'grp');
BEGIN;
INSERT INTO shop.numbered VALUES (1), (2), (3);
SELECT seq_scan FROM pg_stat_xact_sys_tables WHERE relname = 'pg_attrdef';
COMMIT;
DROP TABLE shop.planted, shop.numbered;
-- what another table that is written to draws from is no reason to refuse a first use
SET ROLE regress_hilo_bob;
CREATE TABLE bob.log (t text, id bigint DEFAULT hilo_next_tag('shop.both'));
GRANT INSERT ON bob.log TO regress_hilo_web;
SET ROLE regress_hilo_alice;
CREATE TABLE shop.both (t text, id bigint DEFAULT hilo_next_tag('shop.both'));
GRANT INSERT ON shop.both TO regress_hilo_web;
SET ROLE regress_hilo_web;
BEGIN;
INSERT INTO bob.log VALUES ('before', 0);
INSERT INTO shop.both VALUES ('web');
COMMIT;
-- who attaches a table by no name does not put it on another's generator that has its name
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
SELECT hilo_next_for('shop.orders');
DROP TABLE shop.orders;
SELECT hilo_drop('orders');
-- nor does the condition of a trigger of his keep her table from a generator
SET ROLE regress_hilo_alice;
CREATE TABLE shop.orders (id bigserial, n int);
GRANT TRIGGER ON shop.orders TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
DO $$
BEGIN
	EXECUTE format('CREATE TRIGGER deep BEFORE UPDATE ON shop.orders FOR EACH ROW WHEN (OLD.n = 0%s) EXECUTE FUNCTION suppress_redundant_updates_trigger()', repeat('+1', 2000));
END $$;
RESET ROLE;
SET max_stack_depth = '300kB';
SELECT hilo_attach('shop.orders', 'id');
RESET max_stack_depth;
DROP TABLE shop.orders;
SELECT hilo_drop('orders');
-- a look at the sequences of ORMs leaves no lock
SET ROLE regress_hilo_bob;
CREATE SEQUENCE bob.taken;
SELECT hilo_adopt_sequence('bob.taken', 'bob.taken', 'hibernate-none');
ALTER TABLE bob.log ALTER id SET DEFAULT hilo_next_tag('bob.taken');
RESET ROLE;
BEGIN;
SELECT problem FROM hilo_check('bob.log');
SELECT count(*) FROM pg_locks WHERE relation = 'bob.taken'::regclass;
COMMIT;
DROP TABLE bob.log, shop.both;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name IN ('log', 'bob.log', 'bob.taken', 'shop.both');
SET ROLE regress_hilo_alice;
-- a sequence that is not the table owner's, whoever attaches the table
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
SELECT hilo_drop('whole');
-- nor does who moves a column off a generator keep its owner from it
SET ROLE regress_hilo_alice;
SELECT hilo_create('shop.left');
SELECT hilo_grant('shop.left', 'regress_hilo_bob');
SET ROLE regress_hilo_bob;
CREATE TABLE bob.leaves (id bigint DEFAULT hilo_next_tag('shop.left'));
BEGIN;
SELECT hilo_detach('bob.leaves', 'id');
SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'object' AND mode = 'ShareUpdateExclusiveLock';
COMMIT;
RESET ROLE;
DROP TABLE bob.leaves;
SELECT hilo_drop('shop.left');
-- nor does a hint lead to the rights, or to the numbers, of who planted the column
CREATE TABLE shop.victim (id int DEFAULT hilo_next_tag('shop.victim'));
ALTER TABLE shop.victim OWNER TO regress_hilo_alice;
INSERT INTO shop.victim DEFAULT VALUES;
SET ROLE regress_hilo_bob;
CREATE TABLE bob.v (id bigint DEFAULT hilo_next_tag('shop.victim'));
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
SELECT hilo_drop('shop.victim');
TRUNCATE bob.s;
-- nor does who may use it lock it, and then run code of his
GRANT USAGE ON SEQUENCE shop.seq TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SET client_min_messages = error;
CREATE INDEX ON bob.s (id) WHERE bob.tell();
SET client_min_messages = warning;
SELECT hilo_attach('bob.s', 'id');
RESET ROLE;
DROP TABLE bob.s, bob.q, bob.turned_0, bob.turned_1 CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name ~ '#|turn';
SELECT hilo_drop('planted'), hilo_drop('hilo.launch');

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

-- in the schema of the functions the table's name is enough, and is nobody's with a schema
SELECT extnamespace::regnamespace AS public FROM pg_extension WHERE extname = 'hilo' \gset
GRANT CREATE ON SCHEMA :public TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
CREATE TABLE :public.planted_plain (id bigint DEFAULT hilo_next_tag('planted_plain'), n bigint DEFAULT hilo_next_tag('planted_plain_n'));
INSERT INTO :public.planted_plain (n) VALUES (1) RETURNING id;
INSERT INTO :public.planted_plain (id) VALUES (2);
CREATE TABLE :public.shop (id bigint DEFAULT hilo_next_tag('shop.users'));
INSERT INTO :public.shop DEFAULT VALUES;
CREATE TABLE :public."shop.users" (id bigint DEFAULT hilo_next_tag('shop.users'));
INSERT INTO :public."shop.users" DEFAULT VALUES;
RESET ROLE;
TABLE state;
DROP TABLE :public.planted_plain, :public.shop, :public."shop.users";
SELECT hilo_drop('planted_plain');
REVOKE CREATE ON SCHEMA :public FROM regress_hilo_bob;

-- a table that the statement only deletes from
SET ROLE regress_hilo_both;
CREATE TABLE bob.queue (id bigint DEFAULT hilo_next_tag('users'), n int);
INSERT INTO bob.queue VALUES (1, 2);
SET ROLE regress_hilo_alice;
CREATE TABLE shop.kept (id bigint DEFAULT hilo_next_tag('users'), n int);
INSERT INTO shop.kept VALUES (10, 1);
RESET ROLE;
WITH gone AS (DELETE FROM bob.queue RETURNING n) INSERT INTO shop.kept (n) SELECT n FROM gone;
TABLE state;
-- a temporary copy is nobody's table
BEGIN;
CREATE TEMP TABLE stage (LIKE shop.kept INCLUDING DEFAULTS);
INSERT INTO stage VALUES (1, 1);
WITH gone AS (DELETE FROM stage RETURNING n) INSERT INTO shop.kept (n) SELECT n FROM gone RETURNING id;
ROLLBACK;
DROP TABLE bob.queue;
INSERT INTO shop.kept (n) VALUES (3) RETURNING id;
TABLE state;
DROP TABLE shop.kept;
SELECT hilo_drop('users');

-- children of children that each have a sequence of their own, and a trigger
SET ROLE regress_hilo_bob;
CREATE TABLE bob.chain_0 (id serial, code text);
DO $$
BEGIN
	FOR i IN 1 .. 200 LOOP
		EXECUTE format('CREATE TABLE bob.chain_%s (id serial) INHERITS (bob.chain_%s)', i, i - 1);
	END LOOP;
	FOR i IN 0 .. 200 LOOP
		EXECUTE format($t$CREATE TRIGGER coded BEFORE INSERT ON bob.chain_%s
			FOR EACH ROW EXECUTE FUNCTION document_id_assign('code')$t$, i);
	END LOOP;
END $$;
SET ROLE regress_hilo_alice;
CREATE TABLE shop.flat (id serial);
SELECT pg_stat_force_next_flush();
BEGIN;
SELECT hilo_next_tag('shop.flat');
SELECT idx_scan < 1000 AS climbs_no_chain FROM pg_stat_xact_sys_tables WHERE relname = 'pg_inherits';
SELECT count(*) FROM hilo_check('shop.flat');
SELECT idx_scan < 10000 AS climbs_no_chain FROM pg_stat_xact_sys_tables WHERE relname = 'pg_inherits';
COMMIT;
SELECT hilo_drop('shop.flat');
DROP TABLE shop.flat;
SET ROLE regress_hilo_bob;
DROP TABLE bob.chain_0 CASCADE;
RESET ROLE;

DROP VIEW state;
DROP SCHEMA bob CASCADE;
DROP OWNED BY regress_hilo_bob, regress_hilo_alice, regress_hilo_both;
DROP ROLE regress_hilo_bob, regress_hilo_alice, regress_hilo_web, regress_hilo_both;
