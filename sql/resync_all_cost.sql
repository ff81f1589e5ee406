-- hilo_check and hilo_resync_all read the catalogs once for all tags that have not been used.
CREATE ROLE regress_hilo_cost;
SELECT format('GRANT CREATE ON DATABASE %I TO regress_hilo_cost', current_database()) \gexec
CREATE SCHEMA cost AUTHORIZATION regress_hilo_cost;
SET ROLE regress_hilo_cost;
DO $$
BEGIN
	FOR i IN 1 .. 60 LOOP
		EXECUTE format('CREATE TABLE cost.t%s (id bigint PRIMARY KEY DEFAULT hilo_next_tag(''cost %1$s''))', i);
		EXECUTE format('INSERT INTO cost.t%s VALUES (%s)', i, 1000 + i);
	END LOOP;
END $$;
CREATE TABLE cost.odd (id bigint DEFAULT 1 + hilo_next_tag('cost odd'));
RESET ROLE;
-- a connection has its own counters
\c -
BEGIN;
SELECT count(*) FROM hilo_check() WHERE rel::text ~ '^cost[.]';
SELECT seq_scan < 60 AS reads_relations_once FROM pg_stat_xact_sys_tables WHERE relname = 'pg_class';
COMMIT;
BEGIN;
SELECT count(*), min(last), max(last) FROM hilo_resync_all() WHERE rel::text ~ '^cost[.]';
SELECT relname, seq_scan < 60 AND idx_tup_fetch < 60 * 30 AS reads_once FROM pg_stat_xact_sys_tables
WHERE relname IN ('pg_attrdef', 'pg_class') ORDER BY relname;
COMMIT;
SELECT owner, count(*) FROM hilo_generators() WHERE name ~ '^cost ' GROUP BY owner;

-- but a new tag of several columns begins above all of them, or is not made
SET ROLE regress_hilo_cost;
CREATE TABLE cost.one (id bigint DEFAULT hilo_next_tag('cost both'));
CREATE TABLE cost.two (id bigint DEFAULT hilo_next_tag('Cost both'));
INSERT INTO cost.two VALUES (5000);
RESET ROLE;
SELECT rel, last FROM hilo_resync_all() WHERE generator ~* 'cost both';
SET ROLE regress_hilo_cost;
CREATE TABLE cost.three (id bigint DEFAULT hilo_next_tag('cost wrapped'));
CREATE TABLE cost.four (id bigint DEFAULT hilo_next_tag('cost wrapped') + 1);
INSERT INTO cost.four VALUES (5000);
RESET ROLE;
SELECT rel, last FROM hilo_resync_all() WHERE generator = 'cost wrapped';
SELECT count(*) FROM hilo_generators() WHERE name = 'cost wrapped';

SET client_min_messages = warning;
DROP SCHEMA cost CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name ~ '^cost ';
DROP OWNED BY regress_hilo_cost;
DROP ROLE regress_hilo_cost;
