-- A session's first insert reads and locks nothing of tables that it does not write to.
SET client_min_messages = warning;
CREATE ROLE regress_hilo_writer;
CREATE ROLE regress_hilo_many;
CREATE SCHEMA few;
CREATE SCHEMA many AUTHORIZATION regress_hilo_many;
GRANT USAGE ON SCHEMA few TO regress_hilo_writer;
CREATE TABLE few.orders (id bigint PRIMARY KEY DEFAULT hilo_next('few.orders'), note text);
CREATE TABLE few.bills (tenant int, number int);
CREATE TRIGGER number BEFORE INSERT ON few.bills FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
-- a session that ends gives nothing back, which the next one might find or not
SELECT hilo_create('few.orders', 'global');
GRANT INSERT ON few.orders, few.bills TO regress_hilo_writer;
INSERT INTO few.orders (note) VALUES ('the generator is there');
INSERT INTO few.bills VALUES (1);
-- what a session reads of catalogs in which tables have rows, and what it locks
CREATE FUNCTION few.cost(OUT scans bigint, OUT rows bigint, OUT locks bigint) LANGUAGE sql SECURITY DEFINER AS $$
	SELECT sum(pg_stat_get_xact_numscans(c)), sum(pg_stat_get_xact_tuples_returned(c)),
		   (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid())
	  FROM pg_index, LATERAL (VALUES (indrelid), (indexrelid)) AS r (c)
	 WHERE indrelid = ANY ('{pg_attrdef, pg_depend, pg_inherits, pg_trigger}'::regclass[])
$$;
CREATE TABLE few.costs (state text, scans bigint, rows bigint, locks bigint);
GRANT INSERT ON few.costs TO regress_hilo_writer;
VACUUM pg_attrdef, pg_depend, pg_inherits, pg_trigger, pg_class, pg_attribute;
\c -
BEGIN;
SET LOCAL ROLE regress_hilo_writer;
INSERT INTO few.orders (note) VALUES ('first of a session');
INSERT INTO few.bills VALUES (1), (2);
INSERT INTO few.costs SELECT 'alone', * FROM few.cost();
COMMIT;

SET ROLE regress_hilo_many;
CREATE TABLE many.parts (id bigint DEFAULT hilo_next_tag('orders'), part int, number int) PARTITION BY LIST (part);
DO $$ BEGIN
	FOR i IN 1..500 LOOP
		EXECUTE format('CREATE TABLE many.part_%s PARTITION OF many.parts (id DEFAULT hilo_next_tag(%L)) FOR VALUES IN (%s)', i, 'orders', i);
	END LOOP;
END $$;
CREATE TRIGGER number BEFORE INSERT ON many.parts FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'part');
RESET ROLE;
VACUUM pg_attrdef, pg_depend, pg_inherits, pg_trigger, pg_class, pg_attribute;
\c -
BEGIN;
SET LOCAL ROLE regress_hilo_writer;
INSERT INTO few.orders (note) VALUES ('first of a session');
INSERT INTO few.bills VALUES (1), (3);
INSERT INTO few.costs SELECT 'beside 500 partitions', * FROM few.cost();
COMMIT;
SELECT b.scans - a.scans AS scans, b.rows - a.rows AS rows, b.locks - a.locks AS locks, a.rows > 0 AS counts
	FROM few.costs a, few.costs b WHERE a.state = 'alone' AND b.state LIKE 'beside%';

SET client_min_messages = warning;
DROP SCHEMA few, many CASCADE;
DROP ROLE regress_hilo_writer, regress_hilo_many;
