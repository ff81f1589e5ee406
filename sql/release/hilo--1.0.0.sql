\echo Use "CREATE EXTENSION hilo" to load this file. \quit

SET LOCAL search_path TO pg_catalog, pg_temp;
SET LOCAL default_table_access_method TO heap;

-- Fails if the schema exists: all that is in it must be hilo's.
CREATE SCHEMA hilo_internal;

-- The name of a generator: a text; or the OID of a table, which a dump writes as its name.
CREATE TYPE hilo_internal.hilo_key;
CREATE FUNCTION hilo_internal.hilo_key_in(cstring) RETURNS hilo_internal.hilo_key
	LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION hilo_internal.hilo_key_out(hilo_internal.hilo_key) RETURNS cstring
	LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE TYPE hilo_internal.hilo_key (
	INPUT = hilo_internal.hilo_key_in, OUTPUT = hilo_internal.hilo_key_out, LIKE = text, COLLATABLE = true);
CREATE CAST (hilo_internal.hilo_key AS text) WITHOUT FUNCTION AS IMPLICIT;
CREATE TABLE hilo_internal.hilo_hi (
	reserved int8 NOT NULL,
	last_size int8 NOT NULL,
	incarnation int8 NOT NULL,
	system_identifier int8 NOT NULL,
	timeline int8 NOT NULL,
	name hilo_internal.hilo_key COLLATE "C" NOT NULL,
	CONSTRAINT hilo_hi_pkey PRIMARY KEY (name)
);
CREATE TABLE hilo_internal.hilo_gapless (
	last int8 NOT NULL,
	name hilo_internal.hilo_key COLLATE "C" NOT NULL,
	CONSTRAINT hilo_gapless_pkey PRIMARY KEY (name)
) WITH (fillfactor = 50);
-- A table and a role that a dump writes by their names, and that may be missing.
DO $$
DECLARE
	type text;
BEGIN
	FOREACH type IN ARRAY '{hilo_table, hilo_role}'::text[] LOOP
		EXECUTE format('
			CREATE TYPE hilo_internal.%1$I;
			CREATE FUNCTION hilo_internal.%1$s_in(cstring) RETURNS hilo_internal.%1$I
				LANGUAGE C STABLE STRICT PARALLEL SAFE AS ''MODULE_PATHNAME'';
			CREATE FUNCTION hilo_internal.%1$s_out(hilo_internal.%1$I) RETURNS cstring
				LANGUAGE C STABLE STRICT PARALLEL SAFE AS ''MODULE_PATHNAME'';
			CREATE TYPE hilo_internal.%1$I (
				INPUT = hilo_internal.%1$s_in, OUTPUT = hilo_internal.%1$s_out, LIKE = oid);
			CREATE CAST (hilo_internal.%1$I AS oid) WITHOUT FUNCTION AS IMPLICIT', type);
	END LOOP;
END $$;

-- the columns from first to ordering are read as a struct
CREATE TABLE hilo_internal.hilo_generator (
	first int8 NOT NULL,
	max_value int8 NOT NULL,
	range_size int8 NOT NULL,
	max_range_size int8 NOT NULL,
	created timestamptz NOT NULL,
	is_public bool NOT NULL,
	domain_bits int4 NOT NULL,
	hub name NOT NULL,
	ordering name NOT NULL,
	written_name text COLLATE "C" NOT NULL,
	name hilo_internal.hilo_key COLLATE "C" NOT NULL,
	CONSTRAINT hilo_generator_pkey PRIMARY KEY (name)
);
CREATE TABLE hilo_internal.hilo_series (
	last int8 NOT NULL,
	rel hilo_internal.hilo_table NOT NULL,
	columns int4 NOT NULL,
	grp text COLLATE "C" NOT NULL,
	CONSTRAINT hilo_series_pkey PRIMARY KEY (rel, columns, grp)
) WITH (fillfactor = 90);
CREATE TABLE hilo_internal.hilo_privilege (
	role hilo_internal.hilo_role NOT NULL,
	is_owner bool NOT NULL,
	generator hilo_internal.hilo_key COLLATE "C" NOT NULL,
	CONSTRAINT hilo_privilege_pkey PRIMARY KEY (generator, role)
);
-- A column that a dump writes by the names of its table and its own, and that may be missing.
CREATE TYPE hilo_internal.hilo_column;
CREATE FUNCTION hilo_internal.hilo_column_in(cstring) RETURNS hilo_internal.hilo_column
	LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION hilo_internal.hilo_column_out(hilo_internal.hilo_column) RETURNS cstring
	LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE TYPE hilo_internal.hilo_column (
	INPUT = hilo_internal.hilo_column_in, OUTPUT = hilo_internal.hilo_column_out, LIKE = int8);
CREATE CAST (hilo_internal.hilo_column AS int8) WITHOUT FUNCTION AS IMPLICIT;

-- the columns up to is_unlogged are read as a struct
CREATE TABLE hilo_internal.hilo_taken (
	col hilo_internal.hilo_column NOT NULL,
	start int8 NOT NULL,
	min_value int8 NOT NULL,
	max_value int8 NOT NULL,
	cache int8 NOT NULL,
	type regtype NOT NULL,
	schema name NOT NULL,
	sequence name NOT NULL,
	kind "char" NOT NULL,
	is_unlogged bool NOT NULL,
	rights text[] NOT NULL,
	comment text NOT NULL,
	CONSTRAINT hilo_taken_pkey PRIMARY KEY (col)
);
-- the columns from relation to key_column are read as a struct
CREATE TABLE hilo_internal.hilo_source (
	relation hilo_internal.hilo_table NOT NULL,
	block int8 NOT NULL,
	initial int8 NOT NULL DEFAULT 0,
	style name NOT NULL,
	hi_column name NOT NULL DEFAULT '',
	key_column name NOT NULL DEFAULT '',
	key_value text COLLATE "C" NOT NULL DEFAULT '',
	generator hilo_internal.hilo_key COLLATE "C" NOT NULL,
	CONSTRAINT hilo_source_pkey PRIMARY KEY (generator)
);
CREATE FUNCTION @extschema@.decimal_id(counter int8, generator_id int4, launch_id int4)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.decimal_id IS 'compose counter * 10^10 + generator_id * 10^5 + launch_id';

CREATE FUNCTION @extschema@.decimal_id_parts(
	id int8, OUT counter int8, OUT generator_id int4, OUT launch_id int4)
RETURNS record LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.decimal_id_parts IS 'return the parts of a decimal id';

CREATE FUNCTION @extschema@.decimal_id_next()
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.decimal_id_next IS 'return the next decimal id of this server';

CREATE FUNCTION hilo_internal.hilo_hub_number(launch_id int4, at_least int8)
RETURNS int8 LANGUAGE C STRICT AS 'MODULE_PATHNAME';
CREATE FUNCTION @extschema@.docid_fold(id text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.docid_fold IS 'return an id in lower case, as RavenDB compares names';
CREATE TABLE hilo_internal.hilo_node (
	system_identifier int8 NOT NULL,
	node_tag text COLLATE "C" NOT NULL,
	node_no int4 NOT NULL,
	name text COLLATE "C" NOT NULL,
	address text COLLATE "C" NOT NULL,
	first_seen timestamptz NOT NULL,
	last_seen timestamptz NOT NULL,
	CONSTRAINT hilo_node_pkey PRIMARY KEY (system_identifier, node_tag, node_no),
	CONSTRAINT hilo_node_tag CHECK (node_tag ~ '^[A-Z]{1,4}$'),
	CONSTRAINT hilo_node_no CHECK (node_no BETWEEN 0 AND 65535),
	CONSTRAINT hilo_node_name CHECK (octet_length(name) < 64)
);

CREATE FUNCTION @extschema@.hilo_nodes(
	OUT system_identifier int8, OUT node_tag text, OUT node_no int4, OUT name text, OUT address text,
	OUT first_seen timestamptz, OUT last_seen timestamptz, OUT problem text)
RETURNS SETOF record LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT node.*, nullif(concat_ws(', ',
		CASE WHEN min(node.system_identifier) OVER same_no <> max(node.system_identifier) OVER same_no AND node.node_no <> 0
			THEN 'another server has this node_no' END,
		CASE WHEN min(node.system_identifier) OVER same_tag <> max(node.system_identifier) OVER same_tag
			THEN 'another server has this node_tag' END), '') AS problem
	FROM hilo_internal.hilo_node AS node
	WINDOW same_no AS (PARTITION BY node.node_no), same_tag AS (PARTITION BY node.node_tag);
END;
COMMENT ON FUNCTION @extschema@.hilo_nodes IS
	'list, on the hub, the hub itself and the servers that have asked it for ids';

CREATE FUNCTION hilo_internal.hilo_setting(name text)
RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	-- load the library; before that, a setting is what anybody has set
	SELECT @extschema@.docid_fold(''::text);
	SELECT current_setting($1);
END;

-- Servers that make ids by the same mark cannot know of each other; the hub tells them.  A server stays known
-- by a mark that it once used, as there may be ids with it, until it is forgotten.
CREATE FUNCTION hilo_internal.hilo_hub_register(
	system_identifier int8, node_tag text, node_no int4, name text)
RETURNS text LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE SECURITY DEFINER
BEGIN ATOMIC
	WITH seen (system_identifier, node_tag, node_no, name, address) AS (
		SELECT control.system_identifier, hilo_internal.hilo_setting('hilo.node_tag'),
			   hilo_internal.hilo_setting('hilo.node_no')::int4, current_setting('cluster_name'), 'the hub'
		  FROM pg_control_system() AS control
		UNION ALL
		SELECT $1, $2, $3, $4, coalesce(host(inet_client_addr()), '[local]')
	), changed AS (
		-- last_seen is exact to an hour, so that not every connection writes
		UPDATE hilo_internal.hilo_node AS node
		   SET name = seen.name, address = seen.address, last_seen = clock_timestamp()
		  FROM seen
		 WHERE node.system_identifier = seen.system_identifier AND node.node_tag = seen.node_tag
		   AND node.node_no = seen.node_no
		   AND (node.name <> seen.name OR node.last_seen < clock_timestamp() - interval '1 hour')
	)
	INSERT INTO hilo_internal.hilo_node
		SELECT seen.*, clock_timestamp(), clock_timestamp() FROM seen ON CONFLICT DO NOTHING;
	-- no more than a server reads of it
	SELECT left(string_agg(format('Server "%s" at %s with system identifier %s has node tag %s and node_no %s.',
			node.name, node.address, node.system_identifier, node.node_tag, node.node_no), E'\n'
			ORDER BY node.system_identifier, node.node_tag, node.node_no), 1000)
		FROM hilo_internal.hilo_node AS node
		WHERE node.system_identifier <> $1 AND (node.node_tag = $2 OR node.node_no = $3 AND $3 <> 0);
END;

CREATE FUNCTION @extschema@.hilo_node_forget(system_identifier int8, node_tag text DEFAULT NULL)
RETURNS int4 LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
BEGIN ATOMIC
	WITH gone AS (
		DELETE FROM hilo_internal.hilo_node AS node
		WHERE node.system_identifier = $1 AND (node.node_tag = $2 OR $2 IS NULL)
		RETURNING 1
	)
	SELECT count(*)::int4 FROM gone;
END;
COMMENT ON FUNCTION @extschema@.hilo_node_forget IS
	'delete a server that is gone for good, or one of its tags, from hilo_nodes()';
CREATE FUNCTION @extschema@.hilo_create(
	name text, ordering text DEFAULT 'session', first int8 DEFAULT 1,
	max_value int8 DEFAULT 9223372036854775807, range_size int8 DEFAULT 32,
	max_range_size int8 DEFAULT 1048576, domain_bits int4 DEFAULT 63,
	hub name DEFAULT NULL, if_not_exists bool DEFAULT false)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_create IS 'create a generator';

CREATE FUNCTION @extschema@.hilo_alter(
	name text, ordering text DEFAULT NULL, first int8 DEFAULT NULL, max_value int8 DEFAULT NULL,
	range_size int8 DEFAULT NULL, max_range_size int8 DEFAULT NULL, domain_bits int4 DEFAULT NULL,
	hub name DEFAULT NULL, owner name DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_alter IS 'change the options that are not null';

CREATE FUNCTION @extschema@.hilo_drop(name text, if_exists bool DEFAULT false)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_drop IS 'drop a generator';

CREATE FUNCTION hilo_internal.hilo_forget_tables()
RETURNS event_trigger LANGUAGE C AS 'MODULE_PATHNAME';
CREATE EVENT TRIGGER hilo_forget_tables ON sql_drop EXECUTE FUNCTION hilo_internal.hilo_forget_tables();
ALTER EVENT TRIGGER hilo_forget_tables ENABLE ALWAYS;

CREATE FUNCTION @extschema@.hilo_grant(name text, role name)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_grant IS 'let a role, or everybody with ''public'', use the generator';

CREATE FUNCTION @extschema@.hilo_revoke(name text, role name)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_revoke IS 'remove a grant of hilo_grant';
CREATE FUNCTION @extschema@.hilo_seed(name text, value int8, force bool DEFAULT false)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_seed IS
	'raise last to value, so that the next id lies above it, and return the resulting last';
CREATE FUNCTION hilo_internal.hilo_columns(OUT rel oid, OUT attnum int2, OUT generator text, OUT folded text)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';

CREATE FUNCTION hilo_internal.hilo_generator_list(
	OUT folded text, OUT name text, OUT ordering text, OUT owner regrole, OUT is_public bool,
	OUT first int8, OUT last int8, OUT max_value int8, OUT range_size int8, OUT max_range_size int8,
	OUT domain_bits int4, OUT created timestamptz, OUT used_ratio float8, OUT grants name[], OUT hub name)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';

CREATE FUNCTION @extschema@.hilo_generators(
	OUT name text, OUT ordering text, OUT owner regrole, OUT is_public bool, OUT first int8, OUT last int8,
	OUT max_value int8, OUT range_size int8, OUT max_range_size int8, OUT domain_bits int4,
	OUT created timestamptz, OUT used_ratio float8, OUT grants name[], OUT hub name, OUT columns text[])
RETURNS SETOF record LANGUAGE sql
BEGIN ATOMIC
	SELECT g.name, g.ordering, g.owner, g.is_public, g.first, g.last, g.max_value, g.range_size, g.max_range_size,
		   g.domain_bits, g.created, g.used_ratio, g.grants, g.hub, coalesce(c.columns, '{}')
	  FROM hilo_internal.hilo_generator_list() g
	  LEFT JOIN (
		SELECT d.folded, array_agg(d.rel::regclass || '.' || quote_ident(a.attname) ORDER BY d.rel, d.attnum) AS columns
		  FROM hilo_internal.hilo_columns() d JOIN pg_attribute a ON a.attrelid = d.rel AND a.attnum = d.attnum
		 GROUP BY d.folded) c ON c.folded = g.folded
	 WHERE g.last IS NOT NULL
	 ORDER BY g.folded COLLATE "C";
END;
COMMENT ON FUNCTION @extschema@.hilo_generators IS 'list the generators that the current role may use';

CREATE FUNCTION @extschema@.hilo_stats(
	OUT name text, OUT ranges int8, OUT ids int8, OUT handed_out int8, OUT prefetched int8,
	OUT prefetch_hits int8, OUT prefetch_misses int8, OUT prefetch_busy int8, OUT returned int8,
	OUT lost int8, OUT windows int8, OUT flush_waits int8, OUT flush_time float8, OUT stats_reset timestamptz)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_stats IS
	'return counters of each generator of this database that the current role may use';

CREATE FUNCTION @extschema@.hilo_stats_server(
	OUT ranges int8, OUT ids int8, OUT handed_out int8, OUT prefetched int8, OUT prefetch_hits int8,
	OUT prefetch_misses int8, OUT prefetch_busy int8, OUT returned int8, OUT lost int8, OUT windows int8,
	OUT flush_waits int8, OUT flush_time float8, OUT stats_reset timestamptz)
RETURNS record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_stats_server IS
	'return one row with the same counters for all generators of all databases of the server';

CREATE FUNCTION @extschema@.hilo_stats_reset()
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_stats_reset IS 'set the counters to zero';
CREATE FUNCTION @extschema@.hilo_next(rel regclass)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_next(regclass) IS 'return the next id of a table';

CREATE FUNCTION @extschema@.hilo_next(rel regclass, count int8)
RETURNS SETOF int8 LANGUAGE C AS 'MODULE_PATHNAME', 'hilo_next_count';
COMMENT ON FUNCTION @extschema@.hilo_next(regclass, int8) IS
	'return count ids of a table, in this session''s order';

CREATE FUNCTION @extschema@.hilo_next_tag(tag text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_next_tag(text) IS 'return the next id of a tag';

CREATE FUNCTION @extschema@.hilo_next_tag(tag text, count int8)
RETURNS SETOF int8 LANGUAGE C AS 'MODULE_PATHNAME', 'hilo_next_tag_count';
COMMENT ON FUNCTION @extschema@.hilo_next_tag(text, int8) IS
	'return count ids of a tag, in this session''s order';

CREATE FUNCTION @extschema@.hilo_next_id(name text)
RETURNS text LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_next_id IS 'return the next id as text, as RavenDB writes it';

CREATE FUNCTION @extschema@.hilo_current(name text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_current IS 'return the id that this session took last from a generator';

CREATE FUNCTION @extschema@.hilo_release(name text DEFAULT NULL)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_release IS
	'return what this session holds of a generator, or of all generators, at once';

CREATE FUNCTION @extschema@.hilo_session(
	OUT name text, OUT current int8, OUT next int8, OUT high int8, OUT node_tag text)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_session IS 'list what this session holds';
CREATE FUNCTION @extschema@.hilo_next_range(
	name text, size int8 DEFAULT NULL, last_size int8 DEFAULT 0, last_range_at timestamptz DEFAULT NULL,
	last_max int8 DEFAULT 0, separator text DEFAULT NULL, OUT prefix text, OUT low int8, OUT high int8,
	OUT last_size int8, OUT server_tag text, OUT last_range_at timestamptz, OUT range_no int8)
RETURNS record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_next_range IS
	'take a range of ids for a client that hands them out itself';

CREATE FUNCTION @extschema@.hilo_return_range(
	name text, high int8, last_used int8, range_no int8 DEFAULT NULL)
RETURNS bool LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_return_range IS 'return the ids above last_used';

CREATE FUNCTION @extschema@.hilo_next_hi(name text, max_lo int8)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_next_hi IS
	'return the next hi of the Hi/Lo algorithm: the keys hi * max_lo to hi * max_lo + max_lo - 1 are the caller''s';

CREATE FUNCTION hilo_internal.hilo_hub_define(
	name text, act_as name DEFAULT '', OUT is_global int8, OUT max_value int8, OUT range_size int8,
	OUT max_range_size int8, OUT owner text)
RETURNS record LANGUAGE C STRICT AS 'MODULE_PATHNAME';

CREATE FUNCTION hilo_internal.hilo_hub_take(
	name text, ordering text, size int8, is_exact bool, whole_block bool,
	last_max int8, max_value int8, act_as name DEFAULT '', OUT low int8, OUT high int8)
RETURNS record LANGUAGE C STRICT AS 'MODULE_PATHNAME';

CREATE FUNCTION hilo_internal.hilo_hub_last(name text, act_as name DEFAULT '')
RETURNS int8 LANGUAGE C STRICT AS 'MODULE_PATHNAME';

CREATE FUNCTION hilo_internal.hilo_hub_seed(name text, value int8, act_as name DEFAULT '')
RETURNS int8 LANGUAGE C STRICT AS 'MODULE_PATHNAME';
CREATE FUNCTION @extschema@.hilo_citus_setup(OUT node text, OUT node_tag text)
RETURNS SETOF record LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	is_coordinator bool := false;
	coordinator record;
	worker record;
BEGIN
	IF to_regclass('pg_dist_local_group') IS NOT NULL THEN
		is_coordinator := (SELECT groupid = 0 FROM pg_dist_local_group);
	END IF;
	IF NOT is_coordinator THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = 'this server is not the coordinator of a Citus cluster',
			HINT = 'Run hilo_citus_setup() on the coordinator.';
	END IF;
	SELECT n.nodename, n.nodeport INTO coordinator FROM pg_dist_node AS n WHERE n.groupid = 0 AND n.noderole = 'primary';
	IF NOT FOUND THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = 'the workers do not know the coordinator',
			HINT = 'Run citus_set_coordinator_host with the name by which they reach it.';
	END IF;

	node := concat(coordinator.nodename, ':', coordinator.nodeport);
	node_tag := hilo_internal.hilo_setting('hilo.node_tag');
	RETURN NEXT;
	FOR worker IN
		SELECT * FROM run_command_on_workers(format('SELECT hilo_internal.hilo_citus_join(%L, %s, %L, %L, %L)',
			coordinator.nodename, coordinator.nodeport, current_database(), current_user, node_tag))
	LOOP
		node := concat(worker.nodename, ':', worker.nodeport);
		node_tag := worker.result;
		IF NOT worker.success THEN
			RAISE object_not_in_prerequisite_state USING
				MESSAGE = format('Citus worker %s could not be set up', node),
				DETAIL = worker.result,
				HINT = 'Run hilo_citus_setup() again when that has changed.';
		END IF;
		RETURN NEXT;
	END LOOP;
END $$;
COMMENT ON FUNCTION @extschema@.hilo_citus_setup IS
	'let the workers of a Citus cluster take their ids from the coordinator';

-- Make this worker take its ids from the coordinator, as that role there, and give it a node tag of its own.
-- A wrapper without a handler makes no foreign table.
CREATE FUNCTION hilo_internal.hilo_citus_join(
	host text, port int4, dbname text, role text, tag_of_coordinator text)
RETURNS text LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
SET citus.enable_ddl_propagation = off
AS $$
DECLARE
	tag text := hilo_internal.hilo_setting('hilo.node_tag');
	own text := (SELECT string_agg(quote_literal(written_name), ', ' ORDER BY name)
		FROM hilo_internal.hilo_generator WHERE hub = '' AND name NOT LIKE 'hilo.%');
BEGIN
	IF own IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('this worker has generators whose ids would repeat those of other nodes: %s', own),
			HINT = 'Raise each above its ids on the coordinator with hilo_seed, then drop it on the worker.';
	END IF;
	DROP FOREIGN DATA WRAPPER IF EXISTS hilo_coordinator CASCADE;
	CREATE FOREIGN DATA WRAPPER hilo_coordinator;
	EXECUTE format('CREATE SERVER hilo_coordinator FOREIGN DATA WRAPPER hilo_coordinator OPTIONS (host %L, port %L, dbname %L%s)',
		host, port, dbname, (
		SELECT string_agg(format(', %I %L', option[1], option[2]), '')
			FROM regexp_matches(current_setting('citus.node_conninfo'), '([[:alnum:]_]+)=([^[:space:]]+)', 'g') AS option));
	EXECUTE format('CREATE USER MAPPING FOR %I SERVER hilo_coordinator OPTIONS (user %L)',
		(SELECT rolname FROM pg_roles WHERE oid = 10), role);

	IF tag = tag_of_coordinator THEN
		tag := translate((SELECT to_hex(groupid) FROM pg_dist_local_group), '0123456789abcdef', 'ABCDEFGHIJKLMNOP');
		tag := coalesce(nullif(tag, tag_of_coordinator), 'A');
		EXECUTE format('ALTER DATABASE %I SET hilo.node_tag = %L', current_database(), tag);
	END IF;
	RETURN tag;
END $$;
CREATE FUNCTION @extschema@.hilo_generator_of(rel regclass, col name)
RETURNS SETOF text LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_generator_of IS 'list the generators that a column draws from';
CREATE FUNCTION @extschema@.hilo_attach(
	rel regclass, col name, generator text DEFAULT NULL, follow bool DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_attach IS
	'make a generator the source of a column''s ids, above all ids in use';

CREATE FUNCTION @extschema@.hilo_detach(rel regclass, col name)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_detach IS 'move a column back to a sequence, above all ids in use';

CREATE FUNCTION @extschema@.hilo_resync(rel regclass, col name)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_resync IS
	'raise each generator of a column to the column''s greatest value, and return the greatest last one';

CREATE FUNCTION hilo_internal.hilo_try_resync(rel oid, col name, folded text)
RETURNS int8 LANGUAGE C STRICT AS 'MODULE_PATHNAME';

CREATE FUNCTION @extschema@.hilo_resync_all(OUT rel regclass, OUT col name, OUT generator text, OUT last int8)
RETURNS SETOF record LANGUAGE sql
BEGIN ATOMIC
	-- a view has no rows of its own
	SELECT c.rel, a.attname, c.generator, r.last
	  FROM hilo_internal.hilo_columns() c JOIN pg_attribute a ON a.attrelid = c.rel AND a.attnum = c.attnum
		   JOIN pg_class t ON t.oid = c.rel AND t.relkind IN ('r', 'p', 'f') AND NOT pg_is_other_temp_schema(t.relnamespace)
	 CROSS JOIN LATERAL (SELECT hilo_internal.hilo_try_resync(c.rel, a.attname, c.folded) AS last) r
	 WHERE c.generator IS NOT NULL AND r.last IS NOT NULL
	 ORDER BY c.rel, c.attnum, c.folded;
END;
COMMENT ON FUNCTION @extschema@.hilo_resync_all IS
	'resync every column that draws from a generator, one table after the other';
CREATE FUNCTION @extschema@.hilo_follow()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_follow IS 'keep a generator above the ids that rows bring';
CREATE FUNCTION @extschema@.hilo_number_assign()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_number_assign IS
	'number the rows of each group';

CREATE FUNCTION @extschema@.hilo_group_last(rel regclass, col name)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
CREATE FUNCTION @extschema@.hilo_group_last(rel regclass, col name, VARIADIC group_values "any")
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_group_last(regclass, name) IS
	'return the last number of a group, or null if it has none';
COMMENT ON FUNCTION @extschema@.hilo_group_last(regclass, name, "any") IS
	'return the last number of a group, or null if it has none';

CREATE FUNCTION @extschema@.hilo_group_seed(rel regclass, col name, value int8)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
CREATE FUNCTION @extschema@.hilo_group_seed(rel regclass, col name, value int8, VARIADIC group_values "any")
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_group_seed(regclass, name, int8) IS
	'set the last number of a group, so that the next one follows it';
COMMENT ON FUNCTION @extschema@.hilo_group_seed(regclass, name, int8, "any") IS
	'set the last number of a group, so that the next one follows it';
CREATE FUNCTION hilo_internal.hilo_join_tables()
RETURNS event_trigger LANGUAGE C AS 'MODULE_PATHNAME';
CREATE EVENT TRIGGER hilo_join_tables ON ddl_command_end WHEN TAG IN ('ALTER TABLE', 'ALTER DOMAIN')
	EXECUTE FUNCTION hilo_internal.hilo_join_tables();
ALTER EVENT TRIGGER hilo_join_tables ENABLE ALWAYS;
CREATE FUNCTION @extschema@.hilo_rename(name text, new_name text)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_rename IS 'give a generator another name';
CREATE FUNCTION @extschema@.hilo_adopt_sequence_tag(
	tag text, sequence regclass, style text, block int8 DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_adopt_sequence_tag IS 'create a generator whose ranges come from a sequence';

CREATE FUNCTION @extschema@.hilo_adopt_table_tag(
	tag text, source regclass, style text, block int8 DEFAULT NULL, key_column name DEFAULT NULL,
	key_value text DEFAULT NULL, hi_column name DEFAULT NULL, initial int8 DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_adopt_table_tag IS
	'create a generator whose ranges come from a row of a table';

CREATE FUNCTION @extschema@.hilo_sources(
	OUT name text, OUT source regclass, OUT style text, OUT block int8, OUT initial int8, OUT hi_column name,
	OUT key_column name, OUT key_value text)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_sources IS 'list the adopted generators that the role may use';

CREATE FUNCTION @extschema@.hilo_provide_marten(schema name)
RETURNS void LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('CREATE TABLE IF NOT EXISTS %I.mt_hilo (entity_name varchar CONSTRAINT pk_mt_hilo PRIMARY KEY, hi_value int8 DEFAULT 0)', schema);
	-- that of older Martens returns another type
	EXECUTE format('DROP FUNCTION IF EXISTS %I.mt_get_next_hi(varchar)', schema);
	-- by its OID, whatever has its name later, and not through the table
	EXECUTE format('CREATE FUNCTION %I.mt_get_next_hi(entity varchar) RETURNS int8 LANGUAGE sql RETURN %s.hilo_marten_next_hi(%L::text::regclass, entity::text)',
		schema, (SELECT extnamespace FROM pg_extension WHERE extname = 'hilo')::regnamespace, format('%I.mt_hilo', schema));
END $$;
COMMENT ON FUNCTION @extschema@.hilo_provide_marten IS
	'create Marten''s table mt_hilo, unless it exists, and its function mt_get_next_hi';

CREATE FUNCTION @extschema@.hilo_marten_next_hi(mt_hilo regclass, entity text)
RETURNS int8 LANGUAGE C STRICT AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_marten_next_hi IS
	'return the next hi of an entity, from 0 on, as mt_get_next_hi does';
CREATE FUNCTION @extschema@.hilo_adopt_sequence(
	rel regclass, col name, sequence regclass, style text, block int8 DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_adopt_sequence IS
	'put a column on a generator whose ranges come from a sequence';

CREATE FUNCTION @extschema@.hilo_adopt_table(
	rel regclass, col name, source regclass, style text, block int8 DEFAULT NULL, key_column name DEFAULT NULL,
	key_value text DEFAULT NULL, hi_column name DEFAULT NULL, initial int8 DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_adopt_table IS
	'put a column on a generator whose ranges come from a row of a table';

CREATE FUNCTION @extschema@.hilo_move("from" regclass, "to" regclass)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_move IS 'give a table''s generator to another table';
CREATE FUNCTION hilo_internal.hilo_look(
	rel oid, attnum int2, folded text, sequence oid, trigger oid, OUT state text, OUT detail text, OUT unchecked text,
	OUT type_max int8, OUT highest int8, OUT last int8, OUT max_value int8, OUT used_ratio float8, OUT limit_hint text,
	OUT lowest int8, OUT ordering text, OUT is_foreign bool, OUT may_use bool, OUT may_raise bool, OUT grp text)
RETURNS record LANGUAGE C AS 'MODULE_PATHNAME';

CREATE FUNCTION @extschema@.hilo_check(
	rel regclass DEFAULT NULL, OUT rel regclass, OUT col name, OUT generator text, OUT problem text,
	OUT detail text, OUT hint text, OUT used_ratio float8)
RETURNS SETOF record LANGUAGE sql SET jit = off
BEGIN ATOMIC
	WITH drawing AS MATERIALIZED (
		SELECT * FROM hilo_internal.hilo_columns()
	), listed AS MATERIALIZED (
		SELECT g.folded, g.name, g.owner FROM hilo_internal.hilo_generator_list() g
	), adopted AS MATERIALIZED (
		SELECT h.source::oid AS adopted, l.folded FROM @extschema@.hilo_sources() h JOIN listed l ON l.name = h.name
	), sequence AS (
		-- those of a default, be it a domain's, that is just nextval, with or without casts; of an identity; owned
		SELECT coalesce(a.attrelid, f.adrelid) AS rel, coalesce(a.attnum, f.adnum) AS attnum,
			   q.seqrelid AS sequence, false AS is_owned
		  FROM pg_sequence q JOIN pg_depend d ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, q.seqrelid)
			   LEFT JOIN pg_attrdef f ON (d.classid, d.objid) = ('pg_attrdef'::regclass, f.oid)
			   LEFT JOIN (pg_type t
				   JOIN pg_depend u ON (u.refclassid, u.refobjid, u.classid) = ('pg_type'::regclass, t.oid, 'pg_class'::regclass)
				   JOIN pg_attribute a ON (a.attrelid, a.attnum) = (u.objid, u.objsubid) AND NOT a.atthasdef
				   JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p', 'f'))
			   ON (d.classid, d.objid) = ('pg_type'::regclass, t.oid)
		 -- its length first, which takes no memory; so below
		 WHERE CASE WHEN octet_length(coalesce(f.adbin, t.typdefaultbin)::text) < 2000
			   THEN coalesce(f.adbin, t.typdefaultbin)::text ~ ('^[{]((FUNCEXPR [^{]*:funcformat [12] [^{]*:args [(]|'
				   || '(RELABELTYPE|COERCEVIAIO|COERCETODOMAIN) :arg )[{])*FUNCEXPR :funcid 1574 ') END
		UNION ALL
		SELECT d.refobjid, d.refobjsubid::int2, d.objid, d.deptype = 'a'
		  FROM pg_depend d JOIN pg_sequence q ON (d.classid, d.objid) = ('pg_class'::regclass, q.seqrelid)
		 WHERE d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
	), source AS MATERIALIZED (
		SELECT u.*, d.generator, d.folded, CASE WHEN d.rel IS NULL THEN s.sequences[1] END AS sequence,
			   CASE WHEN d.rel IS NULL THEN nullif(s.sequences[array_length(s.sequences, 1)], s.sequences[1])
				   ELSE s.sequences[1] END AS other,
			   NULL::oid AS trigger, NULL::oid AS owner, a.attname, a.attidentity, a.atthasdef, coalesce(d.folded, '') AS key
		  FROM drawing d FULL JOIN (
			SELECT q.rel, q.attnum, array_agg(q.sequence ORDER BY q.is_owned) AS sequences
			  FROM sequence q GROUP BY q.rel, q.attnum) s USING (rel, attnum) AS u
			   -- OFFSET 0 keeps it a look by index, whatever a plan expects; so below
			   CROSS JOIN LATERAL (
			SELECT a.attname, a.attidentity, a.atthasdef FROM pg_attribute a
			 WHERE (a.attrelid, a.attnum) = (coalesce(d.rel, s.rel), coalesce(d.attnum, s.attnum)) OFFSET 0) a
		UNION ALL
		SELECT t.tgrelid, a.attnum, NULL, NULL, NULL, NULL, t.oid, NULL, a.attname, a.attidentity, a.atthasdef, ''
		  FROM pg_trigger t CROSS JOIN LATERAL (
			SELECT a.attnum, a.attname, a.attidentity, a.atthasdef FROM pg_attribute a
			 WHERE (a.attrelid, a.attname) = (t.tgrelid, CASE WHEN octet_length(t.tgargs) < 2000
				   THEN convert_from(substring(t.tgargs FROM 1 FOR position(decode('00', 'hex') IN t.tgargs) - 1),
					   getdatabaseencoding())::name END)
			OFFSET 0) a
		 WHERE t.tgfoid = '@extschema@.hilo_number_assign'::regproc AND t.tgnargs > 0 AND NOT EXISTS (
			-- of which it is a copy
			SELECT FROM pg_inherits i JOIN pg_trigger p ON p.tgrelid = i.inhparent
			 WHERE i.inhrelid = t.tgrelid AND (p.tgfoid, p.tgargs) = (t.tgfoid, t.tgargs))
		UNION ALL
		SELECT NULL, NULL, g.name, g.folded, NULL, NULL, NULL, g.owner, NULL, NULL, NULL, ''
		  FROM listed g WHERE NOT EXISTS (SELECT FROM drawing d WHERE d.folded = g.folded) AND g.folded !~ '^hilo[.]|[|]$'
	), apart AS (
		-- parts of a table that has another source; of the one asked for alone, as others may plant many
		SELECT s.rel, s.attnum, s.key, min(whole.rel) AS whole, bool_or(whole.is_numbered) AS is_numbered
		  FROM (SELECT s.*, above FROM source s CROSS JOIN LATERAL (WITH RECURSIVE up AS (SELECT s.rel AS above
				UNION SELECT unnest(ARRAY(SELECT i.inhparent FROM pg_inherits i WHERE i.inhrelid = above)) FROM up)
				SELECT above FROM up) p WHERE $1 IS NULL OR s.rel = $1 OFFSET 0) s
			   JOIN (SELECT t.rel, t.attname, t.trigger IS NOT NULL AS is_numbered, bool_or(t.atthasdef) AS has_default,
					  array_agg(concat(t.folded, ' ', t.sequence)) AS sources FROM source t GROUP BY 1, 2, 3) whole
			   ON (whole.rel, whole.attname) = (s.above, s.attname) AND whole.rel <> s.rel
		 WHERE CASE WHEN s.trigger IS NOT NULL THEN pg_partition_root(s.rel) IS NOT NULL WHEN NOT whole.is_numbered
			   THEN concat(s.folded, ' ', s.sequence) <> ALL (whole.sources)
			   ELSE s.atthasdef AND NOT whole.has_default END
		 GROUP BY s.rel, s.attnum, s.key
	), beside AS MATERIALIZED (
		-- for a table with a sequence: a generator of no column, the table's own, or a tag of its name and owner
		SELECT DISTINCT ON (c.oid) c.oid AS rel, g.generator
		  FROM pg_class c CROSS JOIN LATERAL (VALUES ('#' || c.oid), (c.relname::text),
				(c.relnamespace::regnamespace || '.' || quote_ident(c.relname))) n (name)
			   JOIN source g ON g.rel IS NULL AND g.folded = CASE getdatabaseencoding()
			   WHEN 'UTF8' THEN @extschema@.docid_fold(n.name) ELSE lower(n.name) END
		 WHERE c.oid IN (SELECT s.rel FROM source s WHERE s.sequence IS NOT NULL)
		   AND (g.folded ~ '^#' OR pg_has_role(g.owner, c.relowner, 'USAGE'))
		 ORDER BY c.oid, g.folded
	), subject AS (
		-- FULL JOIN is no loop
		SELECT s.*, c.relowner, c.relkind IN ('r', 'p') AS is_table,
			   c.relnamespace::regnamespace || '.' || quote_ident(c.relname) AS called, beside.generator AS beside,
			   count(*) OVER (PARTITION BY s.folded, s.sequence) AS users, apart.whole, q.seqmax, q.seqincrement,
			   coalesce(
				   CASE WHEN (s.other, coalesce(s.folded, '')) NOT IN (SELECT l.adopted, l.folded FROM adopted l) THEN s.other END,
				   -- or the owner's, called as ORMs do, which is no column's, and which no default or the like uses
				   (SELECT min(o.oid) FROM pg_class o
					 WHERE s.generator IS NOT NULL AND o.relkind = 'S' AND o.relnamespace = c.relnamespace
					   AND pg_has_role(o.relowner, c.relowner, 'USAGE')
					   AND o.relname IN (c.relname || '_seq', c.relname || 'Sequence', c.relname || '_' || s.attname || '_seq')
					   AND o.oid NOT IN (SELECT l.adopted FROM adopted l)
					   AND NOT EXISTS (SELECT FROM pg_depend d
						 WHERE (d.classid, d.objid) = ('pg_class'::regclass, o.oid) AND d.deptype IN ('a', 'i')
							OR (d.refclassid, d.refobjid) = ('pg_class'::regclass, o.oid) AND d.deptype = 'n'))) AS second,
			   CASE WHEN s.trigger IS NULL AND apart.is_numbered IS NOT TRUE THEN NULL
				   WHEN s.attidentity <> '' THEN 'IDENTITY' WHEN s.atthasdef THEN 'DEFAULT' END AS given
		  FROM source s FULL JOIN apart USING (rel, attnum, key)
			   LEFT JOIN pg_sequence q ON q.seqrelid = s.sequence LEFT JOIN pg_class c ON c.oid = rel
			   -- where the ids of the primary key are the question
			   LEFT JOIN (beside JOIN pg_index i ON i.indrelid = beside.rel AND i.indisprimary AND i.indnkeyatts = 1)
			   ON beside.rel = s.rel AND i.indkey[0] = s.attnum AND s.sequence IS NOT NULL
		 WHERE pg_is_other_temp_schema(c.relnamespace) IS NOT TRUE AND NOT EXISTS (
			SELECT FROM pg_inherits i JOIN source p ON p.rel = i.inhparent WHERE (i.inhrelid, p.sequence) = (s.rel, s.sequence))
	)
	SELECT s.rel::regclass, s.attname, s.generator, p.problem, p.detail,
		   CASE WHEN v.may THEN '' ELSE format('If role %I is to be trusted with the %s: ', pg_get_userbyid(s.relowner), v.what) END
			   || p.hint, l.used_ratio
	  FROM subject s
	 CROSS JOIN LATERAL hilo_internal.hilo_look(s.rel, s.attnum, CASE WHEN s.generator IS NOT NULL THEN s.folded END, s.sequence, s.trigger) l
	 CROSS JOIN LATERAL (
		SELECT s.sequence IS NULL AS is_generator, CASE WHEN s.sequence IS NOT NULL THEN 'sequence' WHEN s.trigger IS NULL THEN 'generator' ELSE 'group' END AS what,
			   CASE WHEN s.sequence IS NULL THEN 'id' ELSE 'value' END AS number, l.highest >= 0.75 * l.max_value AS is_high,
			   -- a default of anybody's may name it
			   coalesce(l.may_raise AND NOT l.is_foreign, has_sequence_privilege(s.relowner, s.sequence, 'UPDATE'), true) AS may,
			   l.max_value = l.type_max AND l.type_max < 9223372036854775807 AS ends_with_type,
			   format('hilo_resync(%L, %L)', s.called, s.attname) AS resync,
			   format('hilo_group_seed(%L, %L, %s%s)', s.called, s.attname, l.highest, l.grp) AS group_seed,
			   format('A group of rows holds numbers up to %s, its last number is %s.', l.highest, l.last) AS group_last,
			   -- the next value from there on that the sequence steps on
			   least(greatest(l.last + div(l.highest::numeric - l.last + s.seqincrement - 1, s.seqincrement) * s.seqincrement,
				   l.lowest), s.seqmax) AS step) v
	 CROSS JOIN LATERAL (
		SELECT t.*, bool_or(t.found) OVER () AS is_told
		  FROM (VALUES
			-- where there are no rows, a first use makes it
			(1, l.state <> 'fine' AND (l.state <> 'no generator' OR coalesce(l.highest::text, l.unchecked, s.second::text) IS NOT NULL), l.state,
				CASE l.state WHEN 'no generator' THEN 'There is no such generator.'
					WHEN 'incomplete generator'
					THEN 'Only some tables of hilo have rows of it: a restore has not finished, has failed for the others, or has left them out.'
					ELSE l.detail END,
				CASE WHEN l.state = 'incomplete generator'
					THEN format('Restore the other tables, or define the generator again as it was, with hilo_create, hilo_adopt_sequence%1$s or hilo_adopt_table%1$s, after hilo_drop if hilo_hi has no row of it.',
						CASE WHEN s.folded ~ '^#' THEN '' ELSE '_tag' END)
					WHEN l.detail ~ '^permission denied (to create|for sequence)|^the source of generator|does not fit style|^tag "|has a generator of its own$'
					THEN 'An INSERT without an id fails with this error. Follow its hint.'
					WHEN l.state <> 'no generator' THEN NULL
					WHEN s.is_table AND (l.unchecked ~ 'neither whole numbers|foreign table') IS NOT TRUE
					THEN format('Run %s, after hilo_create if its ordering was not the default', v.resync)
						|| coalesce(CASE WHEN s.folded ~ '^#' THEN ', or hilo_adopt_sequence' ELSE ', or after hilo_adopt_sequence_tag' END
							|| ' if an ORM calls nextval for ' || s.second::regclass, '') || '.'
					ELSE 'Create it with hilo_create, and raise it with hilo_seed.' END),
			(2, l.highest > l.last + coalesce(s.seqincrement::numeric - 1, 0), 'rows above last',
				CASE WHEN l.grp IS NOT NULL THEN v.group_last
					ELSE format('The column holds ids up to %s, the %s''s last %s is %s.', l.highest, v.what, v.number, l.last) END,
				-- as hilo_resync, which refuses that
				CASE WHEN l.max_value - l.highest <= (l.max_value::numeric - l.last) / 10
				THEN 'Correct the row, or give it another id. If it is no mistake, widen the type of the column, and raise the end of the sequence with ALTER SEQUENCE ... AS bigint or MAXVALUE, or that of the generator with hilo_alter.'
				ELSE CASE WHEN v.is_high AND l.used_ratio < 0.75 THEN 'If that id is a mistake, correct its row. Otherwise run '
					ELSE 'Run ' END
				|| CASE WHEN l.grp IS NOT NULL THEN v.group_seed || '.'
					WHEN v.is_generator
						AND (NOT l.may_raise OR l.max_value < l.type_max OR v.is_high AND l.used_ratio < 0.75)
					THEN format('hilo_seed(%L, %s).', s.generator, l.highest)
					WHEN v.is_generator THEN v.resync || '.'
					ELSE format('setval(%1$L, greatest(%2$s, nextval(%1$L))).', s.sequence::regclass, v.step)
						|| CASE WHEN (s.rel, s.attnum, false) NOT IN (SELECT q.rel, q.attnum, q.is_owned FROM sequence q)
							OR s.users > 1 OR s.seqincrement > 1 OR s.whole IS NOT NULL OR s.sequence IN (SELECT l.adopted FROM adopted l)
							OR NOT pg_has_role(s.relowner, (SELECT o.relowner FROM pg_class o WHERE o.oid = s.sequence), 'USAGE') OR EXISTS (
							SELECT FROM pg_depend d WHERE (d.refclassid, d.refobjid) = ('pg_class'::regclass, s.sequence)
							   AND d.classid <> 'pg_attrdef'::regclass AND d.deptype = 'n') THEN ''
						ELSE format(' With hilo_attach(%L, %L) the ids stay above such rows.', s.called, s.attname) END
					END END),
			(3, l.used_ratio >= 0.75, CASE WHEN v.ends_with_type THEN 'type' ELSE v.what END || ' nearly used up',
				format('The last %s is %s, the last one possible is %s.', v.number, l.last, l.max_value),
				CASE WHEN s.trigger IS NOT NULL AND v.ends_with_type
					THEN 'Drop the trigger, change the type of the column to bigint, and create the trigger again.'
					WHEN s.trigger IS NOT NULL THEN 'No integer type goes further.'
					WHEN v.ends_with_type THEN CASE WHEN EXISTS (SELECT FROM pg_trigger g WHERE (g.tgrelid, g.tgfoid) = (s.rel, '@extschema@.hilo_follow'::regproc) AND s.attnum = ANY (g.tgattr))
						THEN 'Call hilo_attach with follow => false, change the type of the column to bigint, call hilo_attach again, then raise '
						ELSE 'Change the type of the column to bigint, then raise ' END || CASE WHEN v.is_generator THEN 'max_value with hilo_alter.'
						ELSE 'the limit of the sequence with ALTER SEQUENCE ... AS bigint.' END
					WHEN v.is_generator THEN l.limit_hint
					WHEN l.max_value = 9223372036854775807 THEN 'No integer type goes further.'
					ELSE 'Raise its limit with ALTER SEQUENCE ... AS bigint or MAXVALUE.' END
				|| CASE WHEN l.highest < 0.5 * l.max_value AND (s.users = 1 AND l.lowest IS NOT NULL OR l.grp IS NOT NULL)
					THEN format(' If a mistake took it there, and no id above %s is in use, run %s.', l.highest, CASE WHEN l.grp IS NOT NULL THEN v.group_seed
						WHEN v.is_generator
						THEN format('hilo_seed(%L, %s, force => true)', s.generator, greatest(l.highest, l.lowest))
						ELSE format('setval(%L, %s)', s.sequence::regclass, v.step) END)
					WHEN coalesce(v.is_high, true) AND (v.ends_with_type OR l.max_value = s.seqmax)
					THEN ' If a single row took it there by mistake, correct the row and set the ' || v.what || ' back instead.'
					ELSE '' END),
			(3, l.grp IS NOT NULL AND l.highest <= l.last AND l.used_ratio < 0.75, 'last above rows', v.group_last,
				'If a mistake took it there, run ' || v.group_seed || '. Deleted rows leave such a gap, too.'),
			(4, s.seqmax > l.type_max, 'type too small',
				format('The type of the column ends at %s, the sequence at %s.', l.type_max, s.seqmax),
				'Change the type of the column to bigint, or lower the MAXVALUE of the sequence.'),
			(5, l.is_foreign, 'foreign owner',
				'The generator belongs to a role without the rights of the table''s owner. '
				'That role could drop the generator, or set it back so that its ids repeat.',
				format(CASE WHEN s.folded ~ '^#' THEN 'Run ALTER TABLE %3$s OWNER TO %4$s if both tables are to have one owner'
						ELSE 'Run hilo_alter(%1$L, owner => %2$L) if no other column draws from it' END
					|| ', or let the column draw from another generator.', s.generator, pg_get_userbyid(s.relowner),
					CASE WHEN s.folded ~ '^#' THEN substr(s.folded, 2)::oid::regclass END, quote_ident(pg_get_userbyid(s.relowner)))),
			(6, coalesce(NOT l.may_use, s.attidentity = '' AND NOT has_sequence_privilege(s.relowner, s.sequence, 'USAGE, UPDATE')), 'no right',
				format('The table''s owner may not use the %s, so an INSERT without an id fails.', v.what),
				CASE WHEN v.is_generator THEN format('Run hilo_grant(%L, %L).', s.generator, pg_get_userbyid(s.relowner))
					ELSE format('Run GRANT USAGE ON SEQUENCE %s TO %I.', s.sequence::regclass, pg_get_userbyid(s.relowner)) END),
			(7, coalesce(s.given, s.whole::text, s.beside) IS NOT NULL
					OR s.second IS NOT NULL AND coalesce(l.ordering, s.sequence::text) IS NOT NULL, 'second source',
				coalesce('Table ' || s.whole::regclass || ', which it is a part of, has its ids from elsewhere.',
					'The trigger hilo_number_assign keeps the numbers of the column''s ' || lower(s.given) || '.',
					'Sequence ' || s.second::regclass || ' may hand out the same ids.',
					'Generator ' || s.beside || ', which no column draws from, hands out the same ids.'),
				CASE WHEN s.whole IS NOT NULL AND s.trigger IS NOT NULL THEN 'Drop the trigger of the part.'
					WHEN s.whole IS NOT NULL AND s.given IS NULL AND l.type_max IS NULL
					THEN 'Give the column the default of that table, then call hilo_resync.'
					WHEN s.whole IS NOT NULL AND s.given IS NULL THEN format('Run hilo_attach(%L, %L).', s.whole::regclass, s.attname)
					WHEN s.given IS NOT NULL
					THEN CASE WHEN s.whole IS NULL THEN 'Drop the trigger, or run ' ELSE 'Run ' END || format(
						'ALTER TABLE %s ALTER %I DROP %s. Drop a sequence that the column still owns.', s.called, s.attname, s.given)
					WHEN s.second IS NULL
					THEN format('Run hilo_attach(%L, %L, %L), or hilo_drop(%3$L) if nothing takes ids of it.', s.called, s.attname, s.beside)
					WHEN s.second IN (SELECT l.adopted FROM adopted l) OR EXISTS (SELECT FROM pg_depend d
						WHERE (d.refclassid, d.refobjid) = ('pg_class'::regclass, s.second) AND d.deptype = 'n')
					THEN 'Other objects use it. Put all of them on one generator, or adopt the sequence with hilo_adopt_sequence.'
					ELSE 'If no function or program calls nextval for it, drop it. '
						'If an ORM does, as before a restore without hilo''s rows, drop the column''s default and its generator, '
						'if it has one, run hilo_adopt_sequence, and run hilo_resync.' END),
			(8, l.unchecked IS NOT NULL AND s.rel IS NOT NULL, NULL, 'rows not checked: ' || l.unchecked, NULL),
			(9, s.rel IS NULL AND s.folded ~ '^#' AND s.owner IS NULL, 'table is gone',
				'The table was dropped while event triggers were off. A new table with its OID would get its ids and its grants.',
				format('Run hilo_drop(%L).', s.generator)),
			(9, s.sequence IS NOT NULL AND s.users > 1, NULL, format('%s columns draw from sequence %s.', s.users, s.sequence::regclass), NULL),
			(10, NULL, NULL, CASE WHEN s.rel IS NULL THEN 'No column draws from the generator.'
					WHEN l.state <> 'fine' THEN 'The generator is made by its first use.' END,
				CASE WHEN s.rel IS NULL AND s.owner IS NULL AND s.folded !~ '^#' AND l.state = 'fine'
					THEN format('Its owner was dropped. Run hilo_alter(%1$L, owner => ...), or hilo_drop(%1$L) if no function or program takes ids of it.', s.generator)
					WHEN s.folded ~ '.[|]$' AND l.ordering = 'global' AND l.lowest IS NOT NULL
					THEN format('If its numbers must have no gaps, run hilo_alter(%L, ''gapless''): '
						'a restore without hilo''s rows forgets that.', s.generator) END)
		  ) t (no, found, problem, detail, hint)
	 ) p
	 WHERE coalesce(p.found, p.no = 10 AND (p.is_told IS NOT TRUE OR s.rel IS NULL AND p.hint IS NOT NULL))
	   AND l.state IS NOT NULL AND ($1 IS NULL OR s.rel = $1)
	 ORDER BY s.rel, s.attnum, s.folded, p.no;
END;
COMMENT ON FUNCTION @extschema@.hilo_check IS
	'list every column that has its ids from a generator or a sequence, or those of one table, with a row for each problem';
CREATE FUNCTION @extschema@.identity_next(name text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_next(text) IS
	'return the next value, above all values that anybody got before';

CREATE FUNCTION @extschema@.identity_next(name text, count int8, OUT low int8, OUT high int8)
LANGUAGE C AS 'MODULE_PATHNAME', 'identity_next_count';
COMMENT ON FUNCTION @extschema@.identity_next(text, int8) IS 'return the next count values in a row';

CREATE FUNCTION @extschema@.identity_next_id(pattern text)
RETURNS text LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_next_id IS 'return the next value as an id: users| gives users/1';

CREATE FUNCTION @extschema@.identity_current(name text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_current IS
	'return the last value that anybody got, 0 before the first';

CREATE FUNCTION @extschema@.identity_seed(name text, value int8, force bool DEFAULT false)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_seed IS
	'raise the identity as hilo_seed and RavenDB do, and return the resulting value; with force, set it';

CREATE FUNCTION @extschema@.hilo_identities(OUT name text, OUT last int8)
RETURNS SETOF record LANGUAGE sql VOLATILE PARALLEL UNSAFE
BEGIN ATOMIC
	SELECT g.name, CASE WHEN g.last < g.first THEN 0 ELSE g.last END
	FROM hilo_internal.hilo_generator_list() g
	WHERE right(g.name, 1) = '|' AND length(g.name) > 1 AND g.last IS NOT NULL;
END;
COMMENT ON FUNCTION @extschema@.hilo_identities IS 'list the identities that the current role may use';
CREATE FUNCTION @extschema@.document_id(pattern text DEFAULT NULL)
RETURNS text LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id IS 'return the id that a pattern asks for, as RavenDB does';

CREATE FUNCTION @extschema@.document_id_strategy(pattern text)
RETURNS text LANGUAGE C STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id_strategy IS 'return what document_id would do with a pattern';

CREATE FUNCTION @extschema@.document_id_valid(id text, separator text DEFAULT '/')
RETURNS bool LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id_valid IS
	'check whether a document may have an id: 1 to 512 bytes, no control characters, neither | nor the separator at the end';

CREATE FUNCTION @extschema@.hilo_tag(collection text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_tag IS 'return the prefix of a collection by RavenDB''s convention';

CREATE DOMAIN @extschema@.docid AS text
	CONSTRAINT docid_valid CHECK (@extschema@.document_id_valid(VALUE, '/'::text));
COMMENT ON DOMAIN @extschema@.docid IS
	'text with that check and the separator /, for columns of finished ids';

CREATE FUNCTION @extschema@.document_id_parts(
	id text, OUT prefix text, OUT number int8, OUT node_tag text, OUT anchor text, OUT strategy text)
RETURNS record LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id_parts IS 'return the parts of an id by the current separator';
CREATE FUNCTION @extschema@.document_id_assign()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id_assign IS 'give rows their ids on the way into the table';
CREATE FUNCTION @extschema@.artificial_id(collection text, VARIADIC key "any")
RETURNS text LANGUAGE C STABLE PARALLEL SAFE
-- what output functions look at
SET datestyle = 'ISO, MDY' SET intervalstyle = 'postgres' SET timezone = 'UTC'
SET extra_float_digits = 1 SET bytea_output = 'hex' SET lc_monetary = 'C'
SET quote_all_identifiers = off SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.artificial_id IS 'return an id computed from a key';
-- Returns the counters in documents and identities of RavenDB.  How far a collection's HiLo ids are reserved is
-- the property Max of the document Raven/Hilo/<tag>.  The documents come as an array, as RavenDB's answer with
-- such an array in it, as one document, or as an object of documents by their ids.
CREATE FUNCTION hilo_internal.hilo_ravendb_counters(
	hilo jsonb, identities jsonb, OUT name text, OUT value int8)
RETURNS SETOF record LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	documents CONSTANT jsonb := CASE
		WHEN jsonb_typeof(hilo) = 'array' THEN hilo
		WHEN jsonb_typeof(hilo->'Results') = 'array' THEN hilo->'Results'
		WHEN hilo ? '@metadata' THEN jsonb_build_array(hilo) END;
	fault CONSTANT text := CASE
		WHEN jsonb_typeof(hilo) NOT IN ('array', 'object') THEN
			'HiLo documents are an array of documents, or an object of documents by their ids.'
		WHEN EXISTS (SELECT FROM jsonb_array_elements(documents) d
					  WHERE jsonb_typeof(d) <> 'object' OR jsonb_typeof(d #> '{@metadata,@id}') IS DISTINCT FROM 'string') THEN
			'A document in an array must be an object with its id in @metadata.@id.'
		WHEN jsonb_typeof(identities) <> 'object' THEN
			'Identities are an object of names and values, {"users|": 5}.' END;
	is_identity bool;
	counter jsonb;
BEGIN
	IF fault IS NOT NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = 'invalid HiLo documents or identities', DETAIL = fault;
	END IF;
	FOR name, counter, is_identity IN
		SELECT d #>> '{@metadata,@id}', d->'Max', false FROM jsonb_array_elements(documents) d
		UNION ALL
		SELECT key, CASE jsonb_typeof(m.value) WHEN 'object' THEN m.value->'Max' ELSE m.value END, false
		  FROM jsonb_each(CASE WHEN documents IS NULL THEN hilo END) m
		UNION ALL
		SELECT CASE WHEN key LIKE '%|' THEN key ELSE key || '|' END, m.value, true FROM jsonb_each(identities) m
	LOOP
		IF NOT is_identity AND name !~* '^Raven/Hilo/.' THEN
			RAISE invalid_parameter_value USING
				MESSAGE = format('document "%s" is not a HiLo document', name),
				DETAIL = 'The id of a HiLo document is "Raven/Hilo/" and the tag of the collection.';
		END IF;
		name := substr(name, CASE WHEN is_identity THEN 1 ELSE 12 END);
		IF coalesce(counter::text !~ '^[0-9]{1,19}$', true) OR counter::numeric > 9223372036854775807 THEN
			RAISE invalid_parameter_value USING
				MESSAGE = format('invalid value for generator "%s"', name),
				DETAIL = 'The Max of a HiLo document and the value of an identity are whole numbers, at least 0.';
		END IF;
		value := counter;
		RETURN NEXT;
	END LOOP;
END $$;

CREATE FUNCTION hilo_internal.hilo_raise_counter(INOUT name text, value int8, only_check bool, OUT last int8)
RETURNS record LANGUAGE C STRICT SET client_min_messages = warning
AS 'MODULE_PATHNAME';

CREATE FUNCTION @extschema@.hilo_import_ravendb(hilo jsonb, identities jsonb, OUT name text, OUT last int8)
RETURNS SETOF record LANGUAGE sql VOLATILE PARALLEL UNSAFE
BEGIN ATOMIC
	WITH counter AS MATERIALIZED (
		-- a name in upper and in lower case is one generator
		SELECT (array_agg(c.name ORDER BY c.no))[1] AS name, max(c.value) AS value, min(c.no) AS no
		  FROM hilo_internal.hilo_ravendb_counters(hilo, identities) WITH ORDINALITY c (name, value, no)
		 GROUP BY @extschema@.docid_fold(c.name)
		 ORDER BY no
	), checked AS MATERIALIZED (
		-- all of them before the first is raised, as raising is not undone by a rollback
		SELECT count(r.last) AS none
		  FROM counter c, LATERAL hilo_internal.hilo_raise_counter(c.name, c.value, true) r
	)
	SELECT r.*
	  FROM checked, LATERAL (SELECT c.name, c.value FROM counter c WHERE c.value > checked.none OFFSET 0) c,
		   LATERAL hilo_internal.hilo_raise_counter(c.name, c.value, false) r
	 WHERE r.last IS NOT NULL;
END;
COMMENT ON FUNCTION @extschema@.hilo_import_ravendb IS 'raise generators to RavenDB''s counters';
CREATE FUNCTION @extschema@.anchor_bucket(id text)
RETURNS int4 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.anchor_bucket IS 'return the bucket of an id, 0 to 1048575';

CREATE FUNCTION @extschema@.anchor_of(id text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.anchor_of IS 'return the hashed part of an id, as written';

CREATE FUNCTION @extschema@.anchor_to(id text, target text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.anchor_to IS 'return the id, anchored to the bucket of the target';

CREATE FUNCTION @extschema@.anchor_match(row_id text, id text)
RETURNS bool LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN @extschema@.anchor_bucket(row_id) = @extschema@.anchor_bucket(id) AND row_id = id;
COMMENT ON FUNCTION @extschema@.anchor_match IS
	'check whether a row has an id, in a form that the planner uses to find the row''s partition';

CREATE FUNCTION @extschema@.anchor_match(row_bucket int4, row_id text, id text)
RETURNS bool LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN row_bucket = @extschema@.anchor_bucket(id) AND row_id = id;
COMMENT ON FUNCTION @extschema@.anchor_match(int4, text, text) IS
	'check whether a row has an id, in a form that the planner uses to find the row''s partition';

CREATE FUNCTION @extschema@.anchor_ranges(shards int4, OUT shard int4, OUT buckets int4range)
RETURNS SETOF record LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF shards NOT BETWEEN 1 AND 1048576 THEN
		RAISE invalid_parameter_value USING MESSAGE = 'shards must be between 1 and 1048576';
	END IF;
	RETURN QUERY
		SELECT i, int4range(i * (1048576 / shards), CASE WHEN i = shards - 1 THEN 1048576 ELSE (i + 1) * (1048576 / shards) END)
		  FROM generate_series(0, shards - 1) i;
END $$;
COMMENT ON FUNCTION @extschema@.anchor_ranges IS
	'return the buckets of each shard, in equal parts, as a new RavenDB database has them';

-- The statements run as the current role.
CREATE FUNCTION @extschema@.anchor_partitions(rel regclass, n int4)
RETURNS void LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	parent record;
	suffix text;
BEGIN
	IF rel IS NULL THEN
		RAISE null_value_not_allowed USING MESSAGE = 'rel must not be null';
	ELSIF n BETWEEN 1 AND 1048576 IS NOT TRUE THEN
		RAISE invalid_parameter_value USING
			MESSAGE = 'n must be between 1 and 1048576', HINT = 'Each partition has at least one of the buckets.';
	END IF;
	SELECT c.relname, s.nspname,
		   pg_get_partkeydef(rel) LIKE format('RANGE (%sanchor_bucket(%%))', nullif(e.extnamespace::regnamespace || '.', 'pg_catalog.')) AS is_by_bucket
	  INTO parent
	  FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace, pg_extension e WHERE c.oid = rel AND e.extname = 'hilo';
	IF parent.is_by_bucket IS NOT TRUE THEN
		RAISE wrong_object_type USING
			MESSAGE = format('"%s" is not a table partitioned by buckets', coalesce(parent.relname, rel::text)),
			HINT = 'Create it with PARTITION BY RANGE (anchor_bucket(id)).';
	END IF;

	FOR i IN 0 .. n - 1 LOOP
		suffix := '_' || i;
		-- the cast cuts a long name, at a character, so that there is room for the suffix
		EXECUTE format('CREATE TABLE %I.%I PARTITION OF %s FOR VALUES FROM (%s) TO (%s)',
			parent.nspname, substr((suffix || parent.relname)::name, length(suffix) + 1) || suffix, rel,
			i * (1048576 / n), CASE i WHEN n - 1 THEN 1048576 ELSE (i + 1) * (1048576 / n) END);
	END LOOP;
END $$;
COMMENT ON FUNCTION @extschema@.anchor_partitions IS
	'create the n partitions of a table with the ranges of anchor_ranges(n)';
-- Return what anchor_report reads, or raise an error if an argument is invalid.
CREATE FUNCTION hilo_internal.anchor_report_rows(
	rel regclass, col name, step int4, warn_share float8, warn_bytes int8, OUT id text, OUT bytes int8)
RETURNS SETOF record LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	size text;
	missing text := CASE WHEN rel IS NULL THEN 'rel' WHEN col IS NULL THEN 'col' WHEN step IS NULL THEN 'step'
		WHEN warn_share IS NULL THEN 'warn_share' WHEN warn_bytes IS NULL THEN 'warn_bytes' END;
BEGIN
	IF missing IS NOT NULL THEN
		RAISE null_value_not_allowed USING MESSAGE = missing || ' must not be null';
	ELSIF step NOT BETWEEN 1 AND 1048576 THEN
		RAISE invalid_parameter_value USING MESSAGE = 'step must be between 1 and 1048576';
	ELSIF NOT EXISTS (SELECT FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
					   WHERE a.attrelid = rel AND a.attname = col AND a.attnum > 0 AND t.typcategory = 'S') THEN
		RAISE undefined_column USING MESSAGE = format('table %s has no column "%s" of type text', rel, col);
	END IF;

	-- without fetching what is stored out of line: a row's header and pointer, and its columns
	size := '28' || (SELECT string_agg(format(' + coalesce(pg_column_size(t.%I), 0)', attname), '')
					   FROM pg_attribute
					  WHERE attrelid = rel AND attnum > 0 AND NOT attisdropped AND attgenerated <> 'v');
	RETURN QUERY EXECUTE
		format('SELECT t.%1$I::text, (%2$s)::int8 FROM %3$s t WHERE t.%1$I IS NOT NULL', col, size, rel);
END $$;

-- The names in the body are resolved when it is created.
CREATE FUNCTION @extschema@.anchor_report(
	rel regclass, col name, step int4 DEFAULT 32768, warn_share float8 DEFAULT 0.01,
	warn_bytes int8 DEFAULT 1073741824, OUT buckets int4range, OUT rows int8, OUT bytes int8,
	OUT oversized bool, OUT largest_bucket int4, OUT largest_anchor text, OUT largest_rows int8,
	OUT largest_bytes int8)
RETURNS SETOF record LANGUAGE sql STABLE
BEGIN ATOMIC
	WITH anchored AS (
		SELECT @extschema@.anchor_bucket(r.id) AS bucket, r.bytes, @extschema@.anchor_of(r.id) AS anchor,
			   @extschema@.anchor_of(r.id) <> r.id AS is_anchored
		  FROM hilo_internal.anchor_report_rows(rel, col, step, warn_share, warn_bytes) r
	), anchor AS (
		-- those of a bucket that are anchored to the same id, and those that are not
		SELECT bucket, count(*) AS rows, sum(bytes) AS bytes, min(anchor) AS anchor, is_anchored
		  FROM anchored
		 GROUP BY bucket, is_anchored, CASE WHEN is_anchored THEN @extschema@.docid_fold(anchor) END
	), bucket AS (
		SELECT bucket, sum(rows)::int8 AS rows, sum(bytes)::int8 AS bytes,
			   (array_agg(anchor ORDER BY is_anchored DESC, rows DESC, anchor))[1] AS anchor
		  FROM anchor GROUP BY bucket
	), sized AS (
		SELECT *, rows > 1 AND greatest(rows / sum(rows) OVER (), bytes / sum(bytes) OVER ()) > warn_share
				  OR bytes > warn_bytes AS oversized
		  FROM bucket
	), ranked AS (
		SELECT *, 1 = row_number() OVER (
			   PARTITION BY bucket / greatest(step, 1) ORDER BY oversized DESC, bytes DESC, bucket) AS is_largest
		  FROM sized
	)
	SELECT int4range(i * step, least((i + 1) * step, 1048576)),
		   coalesce(sum(rows), 0)::int8, coalesce(sum(bytes), 0)::int8, coalesce(bool_or(oversized), false),
		   max(bucket) FILTER (WHERE is_largest), max(anchor) FILTER (WHERE is_largest),
		   max(rows) FILTER (WHERE is_largest), max(bytes) FILTER (WHERE is_largest)
	  FROM generate_series(0, 1048575 / greatest(step, 1)) i LEFT JOIN ranked ON bucket / greatest(step, 1) = i
	 GROUP BY i ORDER BY i;
END;
COMMENT ON FUNCTION @extschema@.anchor_report IS
	'return how the rows of a table spread over the buckets of the ids in a column';
CREATE FUNCTION hilo_internal.hilo_guard()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';

DO $$
DECLARE
	t record;
BEGIN
	-- What follows the changes of a table in the WAL while it rewrites it, and would miss
	-- some, refuses replica identities FULL and NOTHING.  FULL is for those with rows that
	-- are updated; NOTHING keeps what is deleted to itself.
	FOR t IN
		SELECT * FROM (VALUES
			('hilo_hi', 'NOTHING'), ('hilo_privilege', 'NOTHING'), ('hilo_source', 'NOTHING'), ('hilo_taken', 'NOTHING'),
			('hilo_generator', 'FULL'), ('hilo_gapless', 'FULL'), ('hilo_series', 'FULL')
		) AS guarded (name, identity)
	LOOP
		EXECUTE format('
			CREATE TRIGGER hilo_guard_rows
				BEFORE INSERT OR UPDATE OR DELETE ON hilo_internal.%1$I
				FOR EACH ROW EXECUTE FUNCTION hilo_internal.hilo_guard();
			CREATE TRIGGER hilo_guard_truncate
				BEFORE TRUNCATE ON hilo_internal.%1$I
				FOR EACH STATEMENT EXECUTE FUNCTION hilo_internal.hilo_guard();
			ALTER TABLE hilo_internal.%1$I
				ENABLE ALWAYS TRIGGER hilo_guard_rows, ENABLE ALWAYS TRIGGER hilo_guard_truncate,
				REPLICA IDENTITY %2$s',
			t.name, t.identity);
		-- a table that was dropped while event triggers were off has no name
		PERFORM pg_extension_config_dump(format('hilo_internal.%I', t.name)::regclass,
			CASE t.name WHEN 'hilo_series' THEN 'WHERE rel IN (SELECT oid FROM pg_catalog.pg_class)' ELSE '' END);
	END LOOP;
END $$;

-- A dump has no servers, which register again; nor has a subscriber those of its publisher.
CREATE TRIGGER hilo_guard_rows BEFORE INSERT OR UPDATE OR DELETE ON hilo_internal.hilo_node
	FOR EACH ROW EXECUTE FUNCTION hilo_internal.hilo_guard();
ALTER TABLE hilo_internal.hilo_node ENABLE ALWAYS TRIGGER hilo_guard_rows;
CREATE FUNCTION @extschema@.id_text(id int8, with_check bool DEFAULT false)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_text IS 'return the id in 13 digits of Crockford''s base32, in upper case';

CREATE FUNCTION @extschema@.id_from_text(id text, with_check bool DEFAULT false)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_from_text IS 'the inverse of id_text';
CREATE FUNCTION @extschema@.id_scatter(id int8, bits int4 DEFAULT 63)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_scatter IS
	'map the ids of so many bits, 1 to 2^bits - 1, onto themselves, so that neighbors do not stay neighbors';

CREATE FUNCTION @extschema@.id_gather(id int8, bits int4 DEFAULT 63)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_gather IS 'the inverse of id_scatter';

CREATE DOMAIN @extschema@.id63 AS int8 CHECK (VALUE >= 1);
COMMENT ON DOMAIN @extschema@.id63 IS 'bigint from 1 to 2^63-1';

CREATE DOMAIN @extschema@.id53 AS int8 CHECK (VALUE BETWEEN 1 AND 9007199254740991);
COMMENT ON DOMAIN @extschema@.id53 IS 'bigint from 1 to 2^53-1';
CREATE FUNCTION @extschema@.id_encrypt(id int8, key bytea, bits int4 DEFAULT 63, tweak int8 DEFAULT 0)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_encrypt IS 'map ids as id_scatter does, but with a key of 16 bytes';

CREATE FUNCTION @extschema@.id_decrypt(id int8, key bytea, bits int4 DEFAULT 63, tweak int8 DEFAULT 0)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_decrypt IS 'the inverse of id_encrypt';
CREATE FUNCTION @extschema@.trace_id(ts timestamptz, node_no int4, chunk int4, counter int4)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.trace_id IS 'compose a trace id in elfo''s layout';

CREATE FUNCTION @extschema@.trace_id_parts(
	id int8, near timestamptz DEFAULT now(), OUT ts timestamptz, OUT node_no int4,
	OUT chunk int4, OUT counter int4)
RETURNS record LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.trace_id_parts IS 'return the parts of a trace id';

CREATE FUNCTION @extschema@.trace_id_valid(
	id int8, max_skew interval DEFAULT NULL,
	near timestamptz DEFAULT statement_timestamp())
RETURNS bool LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN near IS NOT NULL AND (max_skew IS NULL OR id < 1) THEN id >= 1
	ELSE abs(ceil(extract(epoch FROM (@extschema@.trace_id_parts(id, near)).ts - near))) <= extract(epoch FROM max_skew) END;
COMMENT ON FUNCTION @extschema@.trace_id_valid IS
	'check whether a number can be a trace id, as elfo''s validator does';

CREATE FUNCTION @extschema@.trace_id_next()
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.trace_id_next IS
	'return the next trace id of this server, above all before it until the seconds wrap';
-- Who may do what with hilo: what stands here, and no more.

-- ALTER DEFAULT PRIVILEGES may have given more, as TRIGGER on a relation, by which code of one role runs as
-- another.  Functions of the user's schema that are not here keep what the database gives by default, which
-- may mean them for some roles only.
DO $$
DECLARE
	roles text := concat_ws(', ', 'PUBLIC', (
		SELECT string_agg(DISTINCT a.grantee::regrole::text, ', ')
		  FROM pg_default_acl d, aclexplode(d.defaclacl) a
		 WHERE d.defaclrole = quote_ident(current_user)::regrole AND a.grantee <> ALL (ARRAY[0, d.defaclrole])));
BEGIN
	EXECUTE 'REVOKE ALL ON SCHEMA hilo_internal FROM ' || roles;
	EXECUTE 'REVOKE ALL ON ALL TABLES IN SCHEMA hilo_internal FROM ' || roles;
	EXECUTE 'REVOKE ALL ON ALL ROUTINES IN SCHEMA hilo_internal FROM ' || roles;
	EXECUTE 'REVOKE ALL ON FUNCTION @extschema@.hilo_citus_setup, @extschema@.hilo_node_forget, @extschema@.hilo_stats_reset FROM ' || roles;
END $$;

-- The database's owner can dump and restore these; guard.c says which rows.
GRANT USAGE ON SCHEMA hilo_internal TO pg_database_owner;
GRANT SELECT, INSERT ON hilo_internal.hilo_generator, hilo_internal.hilo_hi, hilo_internal.hilo_gapless,
	hilo_internal.hilo_privilege, hilo_internal.hilo_source, hilo_internal.hilo_series,
	hilo_internal.hilo_taken TO pg_database_owner;

-- hilo_nodes() reads it with the rights of the caller.
GRANT SELECT ON hilo_internal.hilo_node TO PUBLIC;

-- Functions of SQL call them with the rights of the caller.
GRANT EXECUTE ON FUNCTION hilo_internal.hilo_ravendb_counters, hilo_internal.hilo_raise_counter, hilo_internal.hilo_columns,
	hilo_internal.hilo_generator_list, hilo_internal.hilo_look, hilo_internal.hilo_try_resync,
	hilo_internal.anchor_report_rows TO PUBLIC;
