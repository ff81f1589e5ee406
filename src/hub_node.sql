CREATE TABLE hilo_internal.hilo_node (
	system_identifier int8 NOT NULL,
	node_tag text COLLATE "C" NOT NULL,
	node_no int4 NOT NULL,
	name text COLLATE "C" NOT NULL,
	address text COLLATE "C" NOT NULL,
	first_seen timestamptz NOT NULL,
	last_seen timestamptz NOT NULL,
	CONSTRAINT hilo_node_pkey PRIMARY KEY (system_identifier, node_tag, node_no)
);

COMMENT ON TABLE hilo_internal.hilo_node IS
	'the servers that take ids from this one; they register themselves';

SELECT pg_extension_config_dump('hilo_internal.hilo_node', '');

CREATE FUNCTION @extschema@.hilo_nodes(
	OUT system_identifier int8,
	OUT node_tag text,
	OUT node_no int4,
	OUT name text,
	OUT address text,
	OUT first_seen timestamptz,
	OUT last_seen timestamptz,
	OUT problem text)
RETURNS SETOF record
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT node.*, (
		SELECT string_agg(DISTINCT problem, ', ' ORDER BY problem)
		FROM hilo_internal.hilo_node AS other
			CROSS JOIN LATERAL (VALUES
				('another server has this node_tag', other.node_tag = node.node_tag),
				('another server has this node_no', other.node_no = node.node_no AND node.node_no <> 0)
			) AS problems (problem, found)
		WHERE other.system_identifier <> node.system_identifier AND found
	) AS problem
	FROM hilo_internal.hilo_node AS node;
END;

COMMENT ON FUNCTION @extschema@.hilo_nodes IS
	'the servers that take ids from this one, and which of them have one mark in common';

CREATE FUNCTION hilo_internal.hilo_hub_register(
	system_identifier int8,
	node_tag text,
	node_no int4,
	name text)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION hilo_internal.hilo_hub_register IS
	'notes another server; its hilo calls this';

CREATE FUNCTION @extschema@.hilo_node_forget(
	system_identifier int8,
	node_tag text DEFAULT NULL)
RETURNS int4
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_node_forget IS
	'deletes a server that is gone from hilo_node, or one of its tags';
