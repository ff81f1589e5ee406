/*
 * Code that one role puts into its tables, or into those of others, runs for no other role,
 * and keeps no other role waiting
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/right_planted_setup.sql'
\i :setup

-- code of the owner of a part, whichever role checks the whole
CREATE TABLE shop.numbered (n int, g int) PARTITION BY LIST (g);
CREATE TABLE bob.numbered PARTITION OF shop.numbered FOR VALUES IN (1);
ALTER TABLE bob.numbered OWNER TO regress_hilo_bob;
CREATE TRIGGER number BEFORE INSERT ON shop.numbered FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('n', 'gapless', 'g');
SET ROLE regress_hilo_bob;
CREATE FUNCTION bob.tell() RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE WARNING 'as %', current_user; RETURN true; END$$;
CREATE INDEX ON bob.numbered (n) WHERE bob.tell();
INSERT INTO bob.numbered (g) VALUES (1);
RESET ROLE;
SELECT rel, col, problem FROM hilo_check('shop.numbered');
DROP TABLE shop.numbered;
-- nor does what it says, or a trigger for each of many columns, make a check larger
SET ROLE regress_hilo_bob;
CREATE TABLE bob.loud (n int DEFAULT hilo_next('bob.loud'), g int);
INSERT INTO bob.loud DEFAULT VALUES;
DO $$
BEGIN
	EXECUTE 'ALTER TABLE bob.loud ' || (SELECT string_agg(format('ADD c%s int', n), ', ') FROM generate_series(1, 200) n);
	FOR n IN 1 .. 50 LOOP
		EXECUTE format('CREATE TRIGGER t%s BEFORE INSERT ON bob.loud FOR EACH ROW EXECUTE FUNCTION hilo_number_assign(''c1'', ''global'', ''g'')', n);
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
SET ROLE regress_hilo_bob;
SELECT bob.tell();
RESET ROLE;
-- nor by code of his that keeps others waiting for a name
SET ROLE regress_hilo_bob;
CREATE TABLE bob.slow (id bigint DEFAULT hilo_next('bob.slow'));
SET client_min_messages = error;
CREATE INDEX ON bob.slow (id) WHERE bob.tell();
SET client_min_messages = warning;
SELECT hilo_next('bob.slow');
INSERT INTO bob.slow DEFAULT VALUES;
DROP TABLE bob.slow;
RESET ROLE;
-- nor by a cast from a type of his, when he makes a first use for her
SET ROLE regress_hilo_bob;
CREATE TYPE bob.pair AS (n bigint);
SET ROLE regress_hilo_alice;
CREATE TABLE shop.keyed (id bob.pair DEFAULT ROW(hilo_next('shop.keyed'))::bob.pair, k int);
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
-- nor does a setting of his, by which an index leaves most of them out
SELECT count(*) > 0 AS has_gin FROM pg_available_extensions WHERE name = 'btree_gin' \gset
CREATE TABLE shop.found (id bigint DEFAULT hilo_next('shop.found'), n int);
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

DROP SCHEMA bob, shop CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators();
DROP OWNED BY regress_hilo_bob, regress_hilo_alice, regress_hilo_both;
DROP ROLE regress_hilo_bob, regress_hilo_alice, regress_hilo_web, regress_hilo_both;
