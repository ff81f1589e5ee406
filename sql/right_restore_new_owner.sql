/*
 * A database that gets another owner: what the owner may do with hilo's tables goes with
 * the database, and no former owner keeps or hands on any of it
 */
\set database :DBNAME
CREATE ROLE regress_hilo_old;
CREATE ROLE regress_hilo_new;
CREATE ROLE regress_hilo_friend;
CREATE DATABASE regress_hilo_reassigned OWNER regress_hilo_old ENCODING 'UTF8' TEMPLATE template0;
\c regress_hilo_reassigned
CREATE EXTENSION hilo;
SET ROLE regress_hilo_old;
SELECT hilo_create('old');
-- nothing that could be handed on
SET client_min_messages = error;
GRANT ALL ON SCHEMA hilo_internal TO regress_hilo_friend;
GRANT ALL ON ALL TABLES IN SCHEMA hilo_internal TO regress_hilo_friend;
GRANT ALL ON FUNCTION hilo_stats_reset, hilo_node_forget TO regress_hilo_friend;
RESET client_min_messages;
RESET ROLE;
SELECT has_schema_privilege('regress_hilo_friend', 'hilo_internal', 'USAGE') AS usage,
	   count(*) FILTER (WHERE has_table_privilege('regress_hilo_friend', oid, 'SELECT,INSERT') AND relname <> 'hilo_node') AS tables,
	   has_function_privilege('regress_hilo_friend', 'hilo_node_forget(bigint, text)', 'EXECUTE') AS forget
  FROM pg_class WHERE relnamespace = 'hilo_internal'::regnamespace AND relkind = 'r';

-- what each may, before and after
CREATE TEMP VIEW may AS
	SELECT role, has_schema_privilege(role, 'hilo_internal', 'USAGE') AS usage, string_agg(relname, ' ' ORDER BY relname COLLATE "C") AS dumps_and_restores
	  FROM unnest('{regress_hilo_new,regress_hilo_old}'::name[]) role
	  LEFT JOIN pg_class ON relnamespace = 'hilo_internal'::regnamespace AND relkind = 'r'
							AND has_table_privilege(role, oid, 'SELECT') AND has_table_privilege(role, oid, 'INSERT')
	 GROUP BY role ORDER BY role;
TABLE may;
REASSIGN OWNED BY regress_hilo_old TO regress_hilo_new;
TABLE may;
SET ROLE regress_hilo_old;
SELECT count(*) FROM hilo_internal.hilo_hi;
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('old', 'regress_hilo_friend', false);
SELECT hilo_stats_reset();
SET ROLE regress_hilo_new;
SELECT count(*) FROM hilo_internal.hilo_hi;
-- a generator keeps its owner
SELECT hilo_drop('old');
RESET ROLE;

\c :database
DROP DATABASE regress_hilo_reassigned WITH (FORCE);
DROP ROLE regress_hilo_old, regress_hilo_new, regress_hilo_friend;
