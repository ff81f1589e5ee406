CREATE TABLE @extschema@.hilo_node (
	system_identifier pg_catalog.int8 NOT NULL,
	node_tag pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	node_no pg_catalog.int4 NOT NULL,
	name pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	address pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	first_seen pg_catalog.timestamptz NOT NULL,
	last_seen pg_catalog.timestamptz NOT NULL,
	CONSTRAINT hilo_node_pkey PRIMARY KEY (system_identifier, node_tag, node_no)
);

COMMENT ON TABLE @extschema@.hilo_node IS
	'the servers that take ids from this one; they register themselves';

SELECT pg_catalog.pg_extension_config_dump('@extschema@.hilo_node', '');

CREATE VIEW @extschema@.hilo_nodes AS
	SELECT node.*, (
		SELECT pg_catalog.string_agg(DISTINCT problem, ', ' ORDER BY problem)
		FROM @extschema@.hilo_node AS other
			CROSS JOIN LATERAL (VALUES
				('another server has this node_tag', other.node_tag OPERATOR(pg_catalog.=) node.node_tag),
				('another server has this node_no', other.node_no OPERATOR(pg_catalog.=) node.node_no
					AND node.node_no OPERATOR(pg_catalog.<>) 0)
			) AS problems (problem, found)
		WHERE other.system_identifier OPERATOR(pg_catalog.<>) node.system_identifier AND found
	) AS problem
	FROM @extschema@.hilo_node AS node;

COMMENT ON VIEW @extschema@.hilo_nodes IS
	'the servers that take ids from this one, and which of them have one mark in common';

CREATE FUNCTION @extschema@.hilo_hub_register(
	system_identifier pg_catalog.int8,
	node_tag pg_catalog.text,
	node_no pg_catalog.int4,
	name pg_catalog.text)
RETURNS pg_catalog.text
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_hub_register IS
	'notes another server; its hilo calls this';

CREATE FUNCTION @extschema@.hilo_node_forget(
	system_identifier pg_catalog.int8,
	node_tag pg_catalog.text DEFAULT NULL)
RETURNS pg_catalog.int4
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_node_forget IS
	'deletes a server that is gone from hilo_node, or one of its tags';
