/*
 * hilo_node: the servers that a hub knows
 */
SET client_min_messages = warning;
SELECT count(hilo_node_forget(system_identifier)) >= 0 AS empty FROM hilo_internal.hilo_node;
-- the hub is one of them
SELECT hilo_internal.hilo_hub_register(1, 'B', 0, 'b');
SELECT system_identifier = (SELECT system_identifier FROM pg_control_system()) AS is_hub, node_tag, node_no, CASE name WHEN current_setting('cluster_name') THEN '' ELSE name END AS name, replace(address, coalesce(host(inet_client_addr()), '[local]'), 'this client') AS address, problem
  FROM hilo_nodes() ORDER BY 1;
SELECT hilo_internal.hilo_hub_register(1, 'B', 0, 'b');
SELECT hilo_internal.hilo_hub_register(2, 'C', 7, '');
-- the same tag, the same number, both; those of the hub
SELECT replace(replace(regexp_replace(hilo_internal.hilo_hub_register(3, t, n, ''), 'identifier \d{9,}', 'identifier ...', 'g'), coalesce(host(inet_client_addr()), '[local]'), 'this client'), format('"%s"', current_setting('cluster_name')), '""')
  FROM (VALUES ('B', 1), ('D', 7), ('C', 7), ('A', 0)) marks (t, n);
SELECT node_tag, node_no, problem FROM hilo_nodes() ORDER BY 1, 2;
\c -
SET client_min_messages = warning;
BEGIN;
SELECT count(*) AS nodes, count(problem) FROM hilo_nodes() \gset
SELECT pg_stat_get_xact_tuples_returned('hilo_internal.hilo_node'::regclass) = :nodes AS reads_each_once;
COMMIT;
-- another name is written, the same one not
SELECT ctid AS before FROM hilo_internal.hilo_node WHERE system_identifier = 1 \gset
SELECT hilo_internal.hilo_hub_register(1, 'B', 0, 'b') IS NULL AS alone;
SELECT ctid = :'before' AS is_same FROM hilo_internal.hilo_node WHERE system_identifier = 1;
SELECT hilo_internal.hilo_hub_register(1, 'B', 0, 'bb') IS NULL AS alone;
SELECT name, ctid = :'before' AS is_same, first_seen < last_seen AS seen_again FROM hilo_internal.hilo_node WHERE system_identifier = 1;
-- what is none
\set VERBOSITY terse
SELECT hilo_internal.hilo_hub_register(NULL, 'B', 1, '') IS NULL AS nothing;
SELECT hilo_node_forget(NULL);
\set VERBOSITY default
-- forgotten
SELECT hilo_node_forget(3, 'B'), hilo_node_forget(3), hilo_node_forget(3);
SELECT node_tag, node_no, problem FROM hilo_nodes() ORDER BY 1, 2;
-- rights
CREATE ROLE regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT count(*) FROM hilo_nodes();
SELECT hilo_internal.hilo_hub_register(4, 'E', 0, '');
SELECT hilo_node_forget(1);
INSERT INTO hilo_internal.hilo_node VALUES (4, 'E', 0, '', '', now(), now());
RESET ROLE;
-- the hub's own tag is the server's, and not what a client has set before the library is loaded
SELECT sum(hilo_node_forget(id)) > 0 AS forgotten FROM (SELECT DISTINCT system_identifier AS id FROM hilo_internal.hilo_node) ids;
GRANT USAGE ON SCHEMA hilo_internal TO regress_hilo_user;
GRANT EXECUTE ON FUNCTION hilo_internal.hilo_hub_register TO regress_hilo_user;
\c
SET SESSION AUTHORIZATION regress_hilo_user;
SET client_min_messages = error;
DO $$ BEGIN
	SET hilo.node_tag = 'ZZ';
	SET hilo.node_no = 99;
EXCEPTION WHEN insufficient_privilege THEN -- the library has been loaded with the server
END $$;
SELECT hilo_internal.hilo_hub_register(1, 'B', 0, 'b');
SET hilo.node_tag = 'ZZ';
SELECT node_tag, node_no FROM hilo_nodes() ORDER BY 1;
RESET SESSION AUTHORIZATION;
SET client_min_messages = warning;
DROP OWNED BY regress_hilo_user;
DROP ROLE regress_hilo_user;
-- what is replicated is of the servers of another hub
SET session_replication_role = replica;
INSERT INTO hilo_internal.hilo_node VALUES (1, 'B', 0, 'replicated', '', now(), now()), (5, 'F', 0, 'replicated', '', now(), now());
RESET session_replication_role;
SELECT system_identifier, name FROM hilo_internal.hilo_node WHERE node_tag IN ('B', 'F') ORDER BY 1;
SELECT sum(hilo_node_forget(id)) FROM (SELECT DISTINCT system_identifier AS id FROM hilo_internal.hilo_node) ids;
