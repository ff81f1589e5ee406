/*
 * No role's code runs with the rights of the owner of a generator when the source of an ORM,
 * a table with triggers, constraints and indexes of others, is changed
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/right_query_setup.sql'
\i :setup
-- where an expression is evaluated
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

-- a role with every right to a superuser's table, and to none
CREATE TABLE shop.hibernate_sequences (sequence_name text PRIMARY KEY, next_val bigint);
INSERT INTO shop.hibernate_sequences VALUES ('orders', 1);
GRANT ALL ON shop.hibernate_sequences TO regress_hilo_bob;
SELECT hilo_adopt_table_tag('orders', 'shop.hibernate_sequences', 'hibernate-table-pooled-lo', 2), hilo_grant('orders', 'regress_hilo_bob');
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
SELECT hilo_next_tag('orders') FROM generate_series(1, 5);
RESET ROLE;
-- a session that takes ids meanwhile, or raises all
CREATE TABLE shop.items (id bigint PRIMARY KEY DEFAULT hilo_next_tag('orders'));
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
SELECT hilo_seed('orders', 2000), hilo_next_tag('orders') > 2000 AS above;
SELECT * FROM who_ran();

-- what would have to be evaluated is refused, when it is adopted and at each take
CREATE TABLE shop.plain (name_ varchar(64) PRIMARY KEY, value_ varchar(300), rev_ integer, other bigint);
CREATE INDEX ON shop.plain (other);
INSERT INTO shop.plain VALUES ('next.dbid', '1', 1, 1);
SELECT hilo_adopt_table_tag('plain', 'shop.plain', 'camunda', 1);
\set take 'TRUNCATE shop.seen; SELECT hilo_next_tag(''plain'') > 0 AS taken; SELECT hilo_adopt_table_tag(''plain too'', ''shop.plain'', ''camunda'', 1); SELECT * FROM who_ran();'
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
ALTER TABLE shop.plain ADD CONSTRAINT checked CHECK (shop.noted(other) > 0);
:take
ALTER TABLE shop.plain DROP CONSTRAINT checked;
ALTER TABLE shop.plain ADD generated bigint GENERATED ALWAYS AS (shop.noted(rev_)) STORED;
:take
ALTER TABLE shop.plain DROP generated;
-- virtual columns, if there are any
SELECT CASE WHEN current_setting('server_version_num')::int < 180000 THEN 'STORED' ELSE 'VIRTUAL' END AS kind \gset
ALTER TABLE shop.plain ADD generated bigint GENERATED ALWAYS AS (rev_ * 2) :kind;
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
SELECT hilo_adopt_table_tag('plain too', 'shop.parts', 'camunda', 1);
ALTER TABLE shop.parts DETACH PARTITION shop.plain;
-- row security if it applies
CREATE POLICY noted ON shop.plain USING (shop.noted(rev_) > 0);
ALTER TABLE shop.plain ENABLE ROW LEVEL SECURITY, OWNER TO regress_hilo_alice;
SELECT hilo_alter('plain', owner => 'regress_hilo_alice');
SELECT hilo_next_tag('plain') > 0 AS taken;
ALTER TABLE shop.plain FORCE ROW LEVEL SECURITY;
SELECT hilo_next_tag('plain') > 0 AS taken;
ALTER TABLE shop.plain DISABLE ROW LEVEL SECURITY;
-- what is not about the columns of the change stays as it is
ALTER TABLE shop.plain ADD planned bigint DEFAULT shop.noted(1);
DELETE FROM shop.seen;
SELECT hilo_next_tag('plain') > 0 AS taken;
-- a row that is missing is made of what the ORM writes alone
DELETE FROM shop.plain;
SELECT hilo_next_tag('plain');
ALTER TABLE shop.plain DROP planned;
SELECT hilo_next_tag('plain') > 0 AS taken;
SELECT * FROM who_ran();
SELECT hilo_drop('plain');

DROP SCHEMA shop CASCADE;
SELECT hilo_drop('orders');
DROP FUNCTION who_ran;
DROP ROLE regress_hilo_alice, regress_hilo_bob, regress_hilo_app;
