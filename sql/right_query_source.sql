/*
 * The rights by which the source of an ORM is changed: those of the generator's owner at that
 * moment, whichever role takes the id
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/right_query_setup.sql'
\i :setup
CREATE ROLE regress_hilo_deputy IN ROLE regress_hilo_alice;

-- no source is a system's, or hilo's own, not even for a superuser
\getenv srcdir PG_ABS_SRCDIR
\set try :srcdir '/sql/include/try.sql'
\i :try
SELECT pg_temp.try(command) AS error_of, command FROM unnest(ARRAY[
	$$SELECT hilo_adopt_table_tag('s', 'pg_auth_members', 'hibernate-table-none', key_column => 'roleid', key_value => '3374', hi_column => 'member')$$,
	$$SELECT hilo_adopt_table_tag('s', 'information_schema.sql_sizing', 'hibernate-table-none', key_column => 'sizing_name', key_value => 'x', hi_column => 'sizing_id')$$,
	$$SELECT hilo_adopt_table_tag('s', 'hilo_internal.hilo_hi', 'hibernate-table-none', key_column => 'name', key_value => 's', hi_column => 'reserved')$$,
	$$SELECT hilo_marten_next_hi('pg_class', 'x')$$]) command;

-- a table is adopted by its owner, who owns the generator
SET ROLE regress_hilo_alice;
CREATE TABLE shop.hi (entity_name text PRIMARY KEY, hi_value bigint);
INSERT INTO shop.hi VALUES ('x', 0), ('deputy', 0);
GRANT ALL ON shop.hi TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SELECT hilo_adopt_table_tag('viaowner', 'shop.hi', 'hibernate-table-pooled-lo', 1000, key_column => 'entity_name', key_value => 'x', hi_column => 'hi_value');
SELECT hilo_marten_next_hi('shop.hi', 'x');
RESET ROLE;
SELECT hilo_adopt_table_tag('shop', 'shop.hi', 'hibernate-table-pooled-lo', 1000, key_column => 'entity_name', key_value => 'x', hi_column => 'hi_value');
SELECT owner FROM hilo_generators() WHERE name = 'shop';
SET ROLE regress_hilo_deputy;
SELECT hilo_adopt_table_tag('shop.hi.deputys', 'shop.hi', 'marten', 10, key_value => 'deputy');
SELECT owner FROM hilo_generators() WHERE name = 'shop.hi.deputys';
SELECT hilo_grant('shop', 'regress_hilo_app');
-- a role that takes an id needs no right to the table, and lends none
SET ROLE regress_hilo_app;
SELECT low, high FROM hilo_next_range('shop');
RESET ROLE;
SELECT low, high FROM hilo_next_range('shop');
SELECT hilo_seed('shop', 5000);
TABLE shop.hi ORDER BY 1;

-- the owner must have the right now, whichever role asks
REVOKE UPDATE ON shop.hi FROM regress_hilo_alice;
SELECT hilo_next_range('shop');
SET ROLE regress_hilo_app;
SELECT hilo_next_range('shop');
RESET ROLE;
SELECT hilo_seed('shop', 9000);
GRANT UPDATE (hi_value) ON shop.hi TO regress_hilo_alice;
SELECT low FROM hilo_next_range('shop');
REVOKE SELECT ON shop.hi FROM regress_hilo_alice;
SELECT hilo_next_range('shop');
GRANT SELECT ON shop.hi TO regress_hilo_alice;
DELETE FROM shop.hi;
REVOKE INSERT ON shop.hi FROM regress_hilo_alice;
SELECT hilo_next_range('shop');
GRANT ALL ON shop.hi TO regress_hilo_alice;
SELECT low FROM hilo_next_range('shop');

-- a table that is another's by now, and a generator that is
ALTER TABLE shop.hi OWNER TO regress_hilo_bob;
SELECT hilo_next_range('shop');
GRANT ALL ON shop.hi TO regress_hilo_alice;
SELECT high - low AS ids FROM hilo_next_range('shop');
SET ROLE regress_hilo_alice;
SELECT hilo_adopt_table_tag('shop', 'shop.hi', 'hibernate-table-pooled-lo', 100, key_column => 'entity_name', key_value => 'x', hi_column => 'hi_value');
RESET ROLE;
SELECT hilo_alter('shop', owner => 'regress_hilo_bob');
SELECT high - low AS ids FROM hilo_next_range('shop');
ALTER TABLE shop.hi OWNER TO regress_hilo_alice;
SELECT hilo_alter('shop', owner => 'regress_hilo_alice');
-- one without an owner
CREATE ROLE regress_hilo_leaver;
SELECT hilo_alter('shop', owner => 'regress_hilo_leaver');
DROP ROLE regress_hilo_leaver;
SELECT hilo_next_range('shop');
SELECT hilo_alter('shop', owner => 'regress_hilo_alice');

-- Marten's function: by the rights of the caller
SET ROLE regress_hilo_alice;
CREATE TABLE shop.mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint);
INSERT INTO shop.mt_hilo VALUES ('a', 0);
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
SET ROLE regress_hilo_app;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
RESET ROLE;
GRANT SELECT, UPDATE ON shop.mt_hilo TO regress_hilo_app;
SET ROLE regress_hilo_app;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
RESET ROLE;
GRANT INSERT ON shop.mt_hilo TO regress_hilo_app;
SET ROLE regress_hilo_app;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'b');
RESET ROLE;
ALTER TABLE shop.mt_hilo ENABLE ROW LEVEL SECURITY;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
SET ROLE regress_hilo_app;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
RESET ROLE;
ALTER TABLE shop.mt_hilo DISABLE ROW LEVEL SECURITY;
-- only the table's owner changes it past its triggers
CREATE TRIGGER refuse BEFORE UPDATE ON shop.mt_hilo FOR EACH ROW EXECUTE FUNCTION shop.note();
SET ROLE regress_hilo_app;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
SET ROLE regress_hilo_alice;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
DROP TRIGGER refuse ON shop.mt_hilo;
RESET ROLE;
TABLE shop.mt_hilo ORDER BY 1;

-- what a role has planted in its dump is worth no more than its owner's rights
CREATE TABLE shop.balance (who text, amount bigint);
INSERT INTO shop.balance VALUES ('bob', 1);
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, jsonb_build_object('name', n, 'written_name', n))).*
  FROM hilo_internal.hilo_generator g, unnest('{planted,system}'::text[]) n WHERE g.name = 'shop';
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, jsonb_build_object('name', n, 'reserved', 0))).*
  FROM hilo_internal.hilo_hi h, unnest('{planted,system}'::text[]) n WHERE h.name = 'shop';
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('planted', 'regress_hilo_bob', true), ('system', current_role::text::hilo_internal.hilo_role, true);
INSERT INTO hilo_internal.hilo_source (generator, relation, style, block, initial, hi_column, key_column, key_value) VALUES
	('planted', 'shop.balance', 'hibernate-table-pooled-lo', 1000000, 1, 'amount', 'who', 'bob'),
	('system', 'pg_catalog.pg_auth_members', 'hibernate-table-pooled-lo', 13011, 1, 'member', 'roleid', '3374');
SELECT hilo_next_tag('system');
CREATE TABLE shop.bobs (id bigint DEFAULT hilo_next_tag('planted'));
INSERT INTO shop.bobs VALUES (4711);
ALTER TABLE shop.bobs OWNER TO regress_hilo_bob;
SELECT hilo_next_tag('planted');
SELECT hilo_seed('planted', 1000);
SET client_min_messages = error;
SELECT count(*) FROM hilo_resync_all() WHERE rel = 'shop.bobs'::regclass;
SET client_min_messages = warning;
TABLE shop.balance;
DROP TABLE shop.bobs;

-- a source with a row that is held keeps no columns from being raised or checked
CREATE TABLE shop.never (entity_name text PRIMARY KEY, hi_value bigint);
INSERT INTO shop.never VALUES ('never', 1);
SELECT hilo_create('after');
CREATE TABLE shop.nevers (id bigint DEFAULT hilo_next_tag('never'), after bigint DEFAULT hilo_next_tag('after'));
INSERT INTO shop.nevers VALUES (4711, 42);
ALTER TABLE shop.never OWNER TO regress_hilo_bob;
ALTER TABLE shop.nevers OWNER TO regress_hilo_bob;
SELECT hilo_adopt_table_tag('never', 'shop.never', 'marten', 10), hilo_alter('after', owner => 'regress_hilo_bob');
SELECT col, problem, detail FROM hilo_check() WHERE rel = 'shop.nevers'::regclass;
BEGIN;
LOCK TABLE shop.never IN SHARE MODE;
DO $$
BEGIN
	IF ARRAY['after'::name] <> ARRAY(SELECT col FROM hilo_resync_all() WHERE rel = 'shop.nevers'::regclass) THEN
		RAISE 'not raised';
	END IF;
END $$;
ROLLBACK;
DROP TABLE shop.nevers, shop.never;
SELECT hilo_drop('after'), hilo_drop('never');

-- a sequence
CREATE SEQUENCE shop.seq INCREMENT 10;
SET ROLE regress_hilo_bob;
SELECT hilo_adopt_sequence_tag('seq', 'shop.seq', 'efcore');
RESET ROLE;
ALTER SEQUENCE shop.seq OWNER TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SELECT hilo_adopt_sequence_tag('seq', 'shop.seq', 'efcore');
RESET ROLE;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SELECT hilo_adopt_sequence_tag('seq', 'shop.seq', 'efcore'), hilo_grant('seq', 'regress_hilo_app');
RESET ROLE;
ALTER SEQUENCE shop.seq OWNER TO CURRENT_USER;
GRANT USAGE ON SEQUENCE shop.seq TO regress_hilo_bob;
SET ROLE regress_hilo_app;
SELECT low FROM hilo_next_range('seq');
SET ROLE regress_hilo_bob;
SELECT hilo_seed('seq', 100);
RESET ROLE;
SELECT hilo_seed('seq', 100);
GRANT UPDATE ON SEQUENCE shop.seq TO regress_hilo_bob;
SELECT hilo_seed('seq', 100);
REVOKE ALL ON SEQUENCE shop.seq FROM regress_hilo_bob;
SELECT low FROM hilo_next_range('seq');
SELECT nextval('shop.seq');

SELECT hilo_drop(name) FROM unnest('{shop,shop.hi.deputys,seq}'::text[]) name;
SELECT hilo_drop('planted'), hilo_drop('system');
DROP SCHEMA shop CASCADE;
DROP OWNED BY regress_hilo_bob;
DROP ROLE regress_hilo_deputy, regress_hilo_alice, regress_hilo_bob, regress_hilo_app;
