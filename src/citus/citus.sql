CREATE FUNCTION @extschema@.hilo_citus_setup(OUT node text, OUT node_tag text)
RETURNS SETOF record LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	coordinator record;
	worker record;
BEGIN
	IF (SELECT groupid FROM pg_dist_local_group) <> 0 THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = 'this server is not the coordinator of a Citus cluster',
			HINT = 'Run hilo_citus_setup() on the coordinator.';
	END IF;
	SELECT nodename, nodeport INTO coordinator FROM pg_dist_node
		WHERE groupid = 0 AND noderole = 'primary';
	IF NOT FOUND THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = 'the workers do not know the coordinator',
			HINT = 'Run citus_set_coordinator_host with the name by which they reach it.';
	END IF;

	node := concat(coordinator.nodename, ':', coordinator.nodeport);
	node_tag := hilo_internal.hilo_setting('hilo.node_tag');
	RETURN NEXT;
	FOR worker IN
		SELECT * FROM run_command_on_workers(format(
			'SELECT hilo_internal.hilo_citus_join(%L, %s, %L, %L, %L)',
			coordinator.nodename, coordinator.nodeport, current_database(),
			current_user, node_tag))
	LOOP
		node := concat(worker.nodename, ':', worker.nodeport);
		node_tag := worker.result;
		IF NOT worker.success THEN
			RAISE object_not_in_prerequisite_state USING
				MESSAGE = format('Citus worker %s could not be set up', node),
				DETAIL = worker.result,
				HINT = 'Correct that, and run hilo_citus_setup() again.';
		END IF;
		RETURN NEXT;
	END LOOP;
END $$;
COMMENT ON FUNCTION @extschema@.hilo_citus_setup IS
	'let the workers of a Citus cluster get their ids from the coordinator';

-- Let this worker get its ids from the coordinator, with its own node tag.  No
-- foreign table can use the wrapper, because it has no handler.
CREATE FUNCTION hilo_internal.hilo_citus_join(
	host text, port int4, dbname text, role text, tag_of_coordinator text)
RETURNS text LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
SET citus.enable_ddl_propagation = off
AS $$
DECLARE
	tag text := hilo_internal.hilo_setting('hilo.node_tag');
	own text := (
		SELECT string_agg(quote_literal(written_name), ', ' ORDER BY name)
		  FROM hilo_internal.hilo_generator
		 WHERE hub = '' AND name !~ '^(#|hilo[.])');
BEGIN
	IF own IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('ids of generators on this worker would repeat those of other nodes: %s', own),
			HINT = 'On the coordinator, raise each of them with hilo_seed above its ids on the worker. Then, on the worker, drop the defaults that draw from it, and run hilo_drop. Set the defaults again after hilo_citus_setup().';
	END IF;
	-- those of a time before this worker was away
	PERFORM hilo_internal.hilo_citus_forget(name)
		FROM hilo_internal.hilo_generator WHERE hub = 'hilo_coordinator';
	DROP FOREIGN DATA WRAPPER IF EXISTS hilo_coordinator CASCADE;
	CREATE FOREIGN DATA WRAPPER hilo_coordinator;
	EXECUTE format('CREATE SERVER hilo_coordinator FOREIGN DATA WRAPPER hilo_coordinator OPTIONS (host %L, port %L, dbname %L%s)',
		host, port, dbname, (
		SELECT string_agg(format(', %I %L', option[1], option[2]), '')
			FROM regexp_matches(current_setting('citus.node_conninfo'),
				'([[:alnum:]_]+)=([^[:space:]]+)', 'g') AS option));
	EXECUTE format('CREATE USER MAPPING FOR %I SERVER hilo_coordinator OPTIONS (user %L)',
		(SELECT rolname FROM pg_roles WHERE oid = 10), role);

	IF tag = tag_of_coordinator THEN
		tag := translate((SELECT to_hex(groupid) FROM pg_dist_local_group),
			'0123456789abcdef', 'ABCDEFGHIJKLMNOP');
		tag := coalesce(nullif(tag, tag_of_coordinator), 'A');
		EXECUTE format('ALTER DATABASE %I SET hilo.node_tag = %L',
			current_database(), tag);
	END IF;
	RETURN tag;
END $$;

-- Have the workers delete their copies of a tag, inactive ones, too: they may
-- draw.  A worker without hilo has none, and code of a role that is no superuser
-- is not run there.
CREATE FUNCTION hilo_internal.hilo_citus_recall(tag text, is_raised bool)
RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	command text := format('DO %L', format($do$
BEGIN
	SET LOCAL search_path = pg_catalog, pg_temp;
	SET LOCAL lock_timeout = '5s';
	IF to_regclass('hilo_internal.hilo_node') IS NULL THEN
		RETURN;
	END IF;
	LOCK TABLE hilo_internal.hilo_node IN ACCESS SHARE MODE;
	IF EXISTS (SELECT FROM pg_namespace JOIN pg_roles r ON r.oid = nspowner
				WHERE nspname = 'hilo_internal' AND rolsuper) THEN
		PERFORM hilo_internal.hilo_citus_forget(%L);
	END IF;
END $do$, tag));
	worker record;
BEGIN
	IF (SELECT groupid FROM pg_dist_local_group) <> 0 THEN
		RETURN;
	END IF;
	FOR worker IN
		SELECT answer.* FROM (
			SELECT array_agg(nodename) AS names, array_agg(nodeport) AS ports,
				   array_agg(command) AS commands
			  FROM pg_dist_node WHERE groupid <> 0 AND noderole = 'primary'
			HAVING count(*) > 0) AS node,
			master_run_on_worker(names, ports, commands, true) AS answer
		 WHERE NOT success
	LOOP
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('Citus worker %s:%s has not given up its ids of generator "%s"',
				worker.node_name, worker.node_port, tag),
			DETAIL = concat(worker.result, CASE WHEN is_raised
				THEN E'\nThe generator has been raised, but the worker may hand out lower ids.' END),
			HINT = 'Call it again when the worker answers. If it is gone for good, remove it with citus_remove_node.';
	END LOOP;
END $$;

-- Delete the copy of a tag on this worker.
CREATE FUNCTION hilo_internal.hilo_citus_forget(tag text)
RETURNS void LANGUAGE C STRICT AS 'MODULE_PATHNAME';
