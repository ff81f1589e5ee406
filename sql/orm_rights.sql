/*
 * By whose rights the source of an ORM is changed: those of the generator's owner at that
 * moment, whoever takes the id; and that nobody's code runs for it
 */
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_app;
CREATE ROLE regress_hilo_deputy IN ROLE regress_hilo_alice;
CREATE SCHEMA shop;
GRANT ALL ON SCHEMA shop TO regress_hilo_alice, regress_hilo_bob;
GRANT USAGE ON SCHEMA shop TO regress_hilo_app;
CREATE TABLE shop.seen (code text, who text);
GRANT INSERT ON shop.seen TO PUBLIC;
-- in a trigger, or where an expression is evaluated
CREATE FUNCTION shop.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO shop.seen VALUES (TG_NAME, current_user);
	RETURN NEW;
END $$;
CREATE FUNCTION shop.write() RETURNS void LANGUAGE sql AS $$
	INSERT INTO shop.seen VALUES ('noted', current_user)
$$;
CREATE FUNCTION shop.noted(value bigint) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	PERFORM shop.write();
	RETURN value;
END $$;
CREATE FUNCTION who_ran() RETURNS TABLE (code text, who text) LANGUAGE sql AS $$
	WITH gone AS (DELETE FROM shop.seen RETURNING *) SELECT DISTINCT code, who FROM gone ORDER BY 1, 2
$$;

-- no source is a system's, or hilo's own, not even for a superuser
CREATE FUNCTION error_of(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE command;
	RETURN 'none';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT error_of(command), command FROM unnest(ARRAY[
	$$SELECT hilo_adopt_table('s', 'pg_auth_members', 'hibernate-table-none', key_column => 'roleid', key_value => '3374', hi_column => 'member')$$,
	$$SELECT hilo_adopt_table('s', 'information_schema.sql_sizing', 'hibernate-table-none', key_column => 'sizing_name', key_value => 'x', hi_column => 'sizing_id')$$,
	$$SELECT hilo_adopt_table('s', 'hilo_internal.hilo_hi', 'hibernate-table-none', key_column => 'name', key_value => 's', hi_column => 'reserved')$$,
	$$SELECT hilo_marten_next_hi('pg_class', 'x')$$]) command;

-- a table is adopted by its owner, whose the generator is
SET ROLE regress_hilo_alice;
CREATE TABLE shop.hi (entity_name text PRIMARY KEY, hi_value bigint);
INSERT INTO shop.hi VALUES ('x', 0);
GRANT ALL ON shop.hi TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SELECT hilo_adopt_table('viaowner', 'shop.hi', 'hibernate-table-pooled-lo', 1000, key_column => 'entity_name', key_value => 'x', hi_column => 'hi_value');
SELECT hilo_marten_next_hi('shop.hi', 'x');
RESET ROLE;
SELECT hilo_adopt_table('shop', 'shop.hi', 'hibernate-table-pooled-lo', 1000, key_column => 'entity_name', key_value => 'x', hi_column => 'hi_value');
SELECT owner FROM hilo_generators() WHERE name = 'shop';
SET ROLE regress_hilo_deputy;
SELECT hilo_adopt_table('deputys', 'shop.hi', 'marten', 10, key_value => 'deputy');
SELECT owner FROM hilo_generators() WHERE name = 'deputys';
SELECT hilo_grant('shop', 'regress_hilo_app');
-- who takes an id needs no right to the table, and lends none
SET ROLE regress_hilo_app;
SELECT low, high FROM hilo_next_range('shop');
RESET ROLE;
SELECT low, high FROM hilo_next_range('shop');
SELECT hilo_seed('shop', 5000);
TABLE shop.hi ORDER BY 1;

-- the owner must have the right now, whoever asks
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
SELECT hilo_adopt_table('shop', 'shop.hi', 'hibernate-table-pooled-lo', 100, key_column => 'entity_name', key_value => 'x', hi_column => 'hi_value');
RESET ROLE;
SELECT hilo_alter('shop', owner => 'regress_hilo_bob');
SELECT high - low AS ids FROM hilo_next_range('shop');
ALTER TABLE shop.hi OWNER TO regress_hilo_alice;
SELECT hilo_alter('shop', owner => 'regress_hilo_alice');
-- one that is nobody's
CREATE ROLE regress_hilo_leaver;
SELECT hilo_alter('shop', owner => 'regress_hilo_leaver');
DROP ROLE regress_hilo_leaver;
SELECT hilo_next_range('shop');
SELECT hilo_alter('shop', owner => 'regress_hilo_alice');

-- a role with every right to a superuser's table, and to none
CREATE TABLE shop.hibernate_sequences (sequence_name text PRIMARY KEY, next_val bigint);
INSERT INTO shop.hibernate_sequences VALUES ('orders', 1);
GRANT ALL ON shop.hibernate_sequences TO regress_hilo_bob;
SELECT hilo_adopt_table('orders', 'shop.hibernate_sequences', 'hibernate-table-pooled-lo', 2), hilo_grant('orders', 'regress_hilo_bob');
SET ROLE regress_hilo_bob;
CREATE FUNCTION shop.evil() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO shop.seen VALUES ('evil ' || TG_NAME, current_user);
	ALTER ROLE regress_hilo_bob SUPERUSER;
	RETURN NULL;
END $$;
CREATE TABLE shop.queue (i int);
CREATE CONSTRAINT TRIGGER late AFTER INSERT ON shop.queue DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION shop.evil();
CREATE FUNCTION shop.innocent() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	INSERT INTO shop.queue VALUES (1);
	RETURN NEW;
END $$;
CREATE TRIGGER innocent BEFORE UPDATE ON shop.hibernate_sequences FOR EACH ROW EXECUTE FUNCTION shop.innocent();
CREATE TRIGGER after AFTER UPDATE ON shop.hibernate_sequences FOR EACH ROW EXECUTE FUNCTION shop.evil();
CREATE FUNCTION shop.turn() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	ALTER FUNCTION shop.evil SECURITY INVOKER;
	RETURN NEW;
END $$;
CREATE TRIGGER turn BEFORE UPDATE ON shop.hibernate_sequences FOR EACH ROW EXECUTE FUNCTION shop.turn();
ALTER FUNCTION shop.evil SECURITY DEFINER;
CREATE FUNCTION shop.hold() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	EXECUTE 'DECLARE held CURSOR WITH HOLD FOR SELECT shop.noted(1)';
	RETURN NULL;
END $$;
CREATE TRIGGER hold BEFORE UPDATE ON shop.hibernate_sequences FOR EACH STATEMENT EXECUTE FUNCTION shop.hold();
SELECT hilo_next('orders') FROM generate_series(1, 5);
RESET ROLE;
-- who takes ids meanwhile, or raises all
CREATE TABLE shop.items (id bigint PRIMARY KEY DEFAULT hilo_next('orders'));
INSERT INTO shop.items DEFAULT VALUES;
INSERT INTO shop.items VALUES (1000);
SET client_min_messages = error;
SELECT count(*) FROM hilo_resync_all() WHERE rel = 'shop.items'::regclass;
SET client_min_messages = warning;
SELECT * FROM who_ran();
SELECT rolsuper FROM pg_roles WHERE rolname = 'regress_hilo_bob';
SELECT next_val >= 1000 AS raised FROM shop.hibernate_sequences;
-- nor does a row that is made fire any
DELETE FROM shop.hibernate_sequences;
CREATE TRIGGER insertion BEFORE INSERT ON shop.hibernate_sequences FOR EACH ROW EXECUTE FUNCTION shop.note();
SELECT hilo_seed('orders', 2000), hilo_next('orders') > 2000 AS above;
SELECT * FROM who_ran();

-- what would have to be evaluated is refused, when it is adopted and at each take
CREATE TABLE shop.plain (name_ varchar(64) PRIMARY KEY, value_ varchar(300), rev_ integer, other bigint);
CREATE INDEX ON shop.plain (other);
INSERT INTO shop.plain VALUES ('next.dbid', '1', 1, 1);
SELECT hilo_adopt_table('plain', 'shop.plain', 'camunda', 1);
\set take 'TRUNCATE shop.seen; SELECT hilo_next(''plain'') > 0 AS taken; SELECT hilo_adopt_table(''plain too'', ''shop.plain'', ''camunda'', 1); SELECT * FROM who_ran();'
CREATE DOMAIN shop.counter AS varchar(300) CHECK (shop.noted(length(VALUE)) > 0);
ALTER TABLE shop.plain ALTER value_ TYPE shop.counter;
:take
ALTER TABLE shop.plain ALTER value_ TYPE varchar(300);
ALTER TABLE shop.plain ADD CONSTRAINT checked CHECK (shop.noted(length(value_)) > 0);
:take
ALTER TABLE shop.plain DROP CONSTRAINT checked;
ALTER TABLE shop.plain ADD CONSTRAINT checked CHECK (shop.noted(rev_) > 0) NOT VALID;
:take
ALTER TABLE shop.plain DROP CONSTRAINT checked;
ALTER TABLE shop.plain ADD CONSTRAINT checked CHECK (plain IS NOT NULL);
:take
ALTER TABLE shop.plain DROP CONSTRAINT checked;
ALTER TABLE shop.plain ADD generated bigint GENERATED ALWAYS AS (shop.noted(rev_)) STORED;
:take
ALTER TABLE shop.plain DROP generated;
-- virtual where there is that: a CHECK of it depends on the change, too
SELECT CASE WHEN current_setting('server_version_num')::int < 180000 THEN 'STORED' ELSE 'VIRTUAL' END AS kind \gset
ALTER TABLE shop.plain ADD generated bigint GENERATED ALWAYS AS (rev_ * 2) :kind CHECK (generated < 1000);
:take
ALTER TABLE shop.plain DROP generated;
CREATE INDEX expression ON shop.plain (shop.noted(other));
:take
DROP INDEX shop.expression;
CREATE INDEX predicate ON shop.plain (name_) WHERE shop.noted(other) > 0;
:take
DROP INDEX shop.predicate;
ALTER TABLE shop.plain ADD CONSTRAINT late UNIQUE (other) DEFERRABLE;
:take
ALTER TABLE shop.plain DROP CONSTRAINT late;
ALTER TABLE shop.plain ADD CONSTRAINT excluded EXCLUDE USING btree (other WITH =);
:take
ALTER TABLE shop.plain DROP CONSTRAINT excluded;
CREATE FUNCTION shop.compare(bigint, bigint) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT btint8cmp(shop.noted($1), $2)';
CREATE OPERATOR CLASS shop.noting FOR TYPE bigint USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 shop.compare(bigint, bigint);
CREATE INDEX class ON shop.plain (other shop.noting);
:take
DROP INDEX shop.class;
CREATE FUNCTION shop.distance(bigint, bigint) RETURNS float8 IMMUTABLE LANGUAGE sql AS 'SELECT shop.noted($1 - $2)::float8';
CREATE TYPE shop.span AS RANGE (SUBTYPE = bigint, SUBTYPE_DIFF = shop.distance);
ALTER TABLE shop.plain ADD span shop.span;
CREATE INDEX of_type ON shop.plain USING gist (span);
:take
ALTER TABLE shop.plain DROP span;
CREATE RULE instead AS ON UPDATE TO shop.plain DO INSTEAD INSERT INTO shop.seen VALUES ('rule', current_user);
:take
DROP RULE instead ON shop.plain;
CREATE TABLE shop.child () INHERITS (shop.plain);
:take
DROP TABLE shop.child;
CREATE TABLE shop.parts (LIKE shop.plain) PARTITION BY LIST (name_);
ALTER TABLE shop.parts ATTACH PARTITION shop.plain FOR VALUES IN ('next.dbid');
:take
SELECT hilo_adopt_table('plain too', 'shop.parts', 'camunda', 1);
ALTER TABLE shop.parts DETACH PARTITION shop.plain;
-- row security where it applies
CREATE POLICY noted ON shop.plain USING (shop.noted(rev_) > 0);
ALTER TABLE shop.plain ENABLE ROW LEVEL SECURITY, OWNER TO regress_hilo_alice;
SELECT hilo_alter('plain', owner => 'regress_hilo_alice');
SELECT hilo_next('plain') > 0 AS taken;
ALTER TABLE shop.plain FORCE ROW LEVEL SECURITY;
SELECT hilo_next('plain') > 0 AS taken;
ALTER TABLE shop.plain DISABLE ROW LEVEL SECURITY;
-- what is not about the columns of the change stays as it is
ALTER TABLE shop.plain ADD CONSTRAINT other CHECK (shop.noted(other) > 0), ADD planned bigint DEFAULT shop.noted(1);
DELETE FROM shop.seen;
SELECT hilo_next('plain') > 0 AS taken;
-- a row that is missing is made of what the ORM writes alone
DELETE FROM shop.plain;
SELECT hilo_next('plain');
ALTER TABLE shop.plain DROP CONSTRAINT other;
SELECT hilo_next('plain');
ALTER TABLE shop.plain DROP planned;
SELECT hilo_next('plain') > 0 AS taken;
SELECT * FROM who_ran();
SELECT hilo_drop('plain');

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
TABLE shop.mt_hilo ORDER BY 1;

-- what a dump of somebody's has planted is worth no more than its owner's rights
CREATE TABLE shop.balance (who text, amount bigint);
INSERT INTO shop.balance VALUES ('bob', 1);
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, jsonb_build_object('name', n, 'written_name', n))).*
  FROM hilo_internal.hilo_generator g, unnest('{planted,system}'::text[]) n WHERE g.name = 'shop';
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, jsonb_build_object('name', n, 'reserved', 0))).*
  FROM hilo_internal.hilo_hi h, unnest('{planted,system}'::text[]) n WHERE h.name = 'shop';
INSERT INTO hilo_internal.hilo_privilege VALUES ('planted', 'regress_hilo_bob', true), ('system', current_role::text::hilo_internal.hilo_role, true);
INSERT INTO hilo_internal.hilo_source (generator, relation, style, block, initial, hi_column, key_column, key_value) VALUES
	('planted', 'shop.balance', 'hibernate-table-pooled-lo', 1000000, 1, 'amount', 'who', 'bob'),
	('system', 'pg_catalog.pg_auth_members', 'hibernate-table-pooled-lo', 13011, 1, 'member', 'roleid', '3374');
SELECT hilo_next('system');
CREATE TABLE shop.bobs (id bigint DEFAULT hilo_next('planted'));
INSERT INTO shop.bobs VALUES (4711);
ALTER TABLE shop.bobs OWNER TO regress_hilo_bob;
SELECT hilo_next('planted');
SELECT hilo_seed('planted', 1000);
SET client_min_messages = error;
SELECT count(*) FROM hilo_resync_all() WHERE rel = 'shop.bobs'::regclass;
SET client_min_messages = warning;
TABLE shop.balance;
DROP TABLE shop.bobs;

-- a source whose row is held keeps nobody's columns from being raised or checked
CREATE TABLE shop.never (entity_name text PRIMARY KEY, hi_value bigint);
INSERT INTO shop.never VALUES ('never', 1);
SELECT hilo_create('after');
CREATE TABLE shop.nevers (id bigint DEFAULT hilo_next('never'), after bigint DEFAULT hilo_next('after'));
INSERT INTO shop.nevers VALUES (4711, 42);
ALTER TABLE shop.never OWNER TO regress_hilo_bob;
ALTER TABLE shop.nevers OWNER TO regress_hilo_bob;
SELECT hilo_adopt_table('never', 'shop.never', 'marten', 10), hilo_alter('after', owner => 'regress_hilo_bob');
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
SELECT hilo_adopt_sequence('seq', 'shop.seq', 'efcore');
RESET ROLE;
GRANT USAGE ON SEQUENCE shop.seq TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SELECT hilo_adopt_sequence('seq', 'shop.seq', 'efcore');
RESET ROLE;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SELECT hilo_adopt_sequence('seq', 'shop.seq', 'efcore'), hilo_grant('seq', 'regress_hilo_app');
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

DROP TABLE shop.items;
SELECT hilo_drop(name) FROM unnest('{shop,orders,deputys,seq}'::text[]) name;
SELECT hilo_drop('planted'), hilo_drop('system');
DROP SCHEMA shop CASCADE;
DROP FUNCTION who_ran, error_of;
DROP OWNED BY regress_hilo_bob;
DROP ROLE regress_hilo_deputy, regress_hilo_alice, regress_hilo_bob, regress_hilo_app;
