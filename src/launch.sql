CREATE TABLE @extschema@.hilo_launches (
	id pg_catalog.int4 NOT NULL,
	note pg_catalog.text,
	role pg_catalog.name NOT NULL,
	time pg_catalog.timestamptz NOT NULL,
	CONSTRAINT hilo_launches_pkey PRIMARY KEY (id)
);

COMMENT ON TABLE @extschema@.hilo_launches IS
	'the launches that decimal_launch has given numbers to';

SELECT pg_catalog.pg_extension_config_dump('@extschema@.hilo_launches', '');

CREATE FUNCTION @extschema@.decimal_launch(
	note pg_catalog.text)
RETURNS pg_catalog.int4
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.decimal_launch IS
	'the next number of a launch, for hilo.launch_id; it stands in hilo_launches';
