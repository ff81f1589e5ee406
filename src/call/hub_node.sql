-- The servers that have asked this one for ids.
CREATE TABLE hilo_internal.hilo_node (
	system_identifier int8 NOT NULL,
	node_tag text COLLATE "C" NOT NULL,
	node_no int4 NOT NULL,
	name text COLLATE "C" NOT NULL,
	address text COLLATE "C" NOT NULL,
	first_seen timestamptz NOT NULL,
	last_seen timestamptz NOT NULL,
	CONSTRAINT hilo_node_pkey
		PRIMARY KEY (system_identifier, node_tag, node_no)
);

CREATE FUNCTION @extschema@.hilo_nodes(
	OUT system_identifier int8, OUT node_tag text, OUT node_no int4,
	OUT name text, OUT address text,
	OUT first_seen timestamptz, OUT last_seen timestamptz, OUT problem text)
RETURNS SETOF record LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT *, nullif(concat_ws(', ',
		CASE WHEN node_no <> 0
				AND min(system_identifier) OVER same_no
					<> max(system_identifier) OVER same_no
			THEN 'another server has this node_no' END,
		CASE WHEN min(system_identifier) OVER same_tag
				<> max(system_identifier) OVER same_tag
			THEN 'another server has this node_tag' END), '')
	FROM hilo_internal.hilo_node
	WINDOW same_no AS (PARTITION BY node_no),
		same_tag AS (PARTITION BY node_tag);
END;
COMMENT ON FUNCTION @extschema@.hilo_nodes IS
	'list the hub itself and the servers that have asked it for ids';

CREATE FUNCTION hilo_internal.hilo_setting(name text)
RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	-- load the library: until then, any role can set a setting of that name
	SELECT @extschema@.docid_fold(''::text);
	SELECT current_setting($1);
END;

-- Record a server that asks this one for ids.  Return other servers with the
-- same node tag or node_no, which do not know each other.  A server keeps the
-- rows of its former marks until it is forgotten, because there may be ids with
-- them.
CREATE FUNCTION hilo_internal.hilo_hub_register(
	system_identifier int8, node_tag text, node_no int4, name text)
RETURNS text LANGUAGE sql STRICT SECURITY DEFINER
BEGIN ATOMIC
	WITH seen (system_identifier, node_tag, node_no, name, address) AS (
		SELECT control.system_identifier,
			   hilo_internal.hilo_setting('hilo.node_tag'),
			   hilo_internal.hilo_setting('hilo.node_no')::int4,
			   current_setting('cluster_name'), 'the hub'
		  FROM pg_control_system() AS control
		UNION ALL
		SELECT $1, $2, $3, $4, coalesce(host(inet_client_addr()), '[local]')
	), changed AS (
		-- last_seen is exact to an hour, so that not every connection writes
		UPDATE hilo_internal.hilo_node AS node
		   SET name = seen.name, address = seen.address,
			   last_seen = clock_timestamp()
		  FROM seen
		 WHERE node.system_identifier = seen.system_identifier
		   AND node.node_tag = seen.node_tag
		   AND node.node_no = seen.node_no
		   AND (node.name <> seen.name
				OR node.last_seen < clock_timestamp() - interval '1 hour')
	)
	INSERT INTO hilo_internal.hilo_node
		SELECT seen.*, clock_timestamp(), clock_timestamp()
			FROM seen ON CONFLICT DO NOTHING;
	-- the server reads no more than 1000 characters
	SELECT left(string_agg(format(
			'Server "%s" at %s with system identifier %s '
			'has node tag %s and node_no %s.',
			name, address, system_identifier, node_tag, node_no), E'\n'
			ORDER BY system_identifier, node_tag, node_no), 1000)
		FROM hilo_internal.hilo_node
		WHERE system_identifier <> $1
			AND (node_tag = $2 OR node_no = $3 AND $3 <> 0);
END;

CREATE FUNCTION @extschema@.hilo_node_forget(system_identifier int8,
	node_tag text DEFAULT NULL)
RETURNS int4 LANGUAGE sql SECURITY DEFINER
BEGIN ATOMIC
	WITH gone AS (
		DELETE FROM hilo_internal.hilo_node
		WHERE system_identifier = $1 AND (node_tag = $2 OR $2 IS NULL)
		RETURNING 1
	)
	SELECT count(*)::int4 FROM gone;
END;
COMMENT ON FUNCTION @extschema@.hilo_node_forget IS
	'remove a server that is gone for good, or one of its node tags, from hilo_nodes()';
