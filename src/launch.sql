CREATE TABLE @extschema@.hilo_launches (
	id pg_catalog.int4 NOT NULL,
	note pg_catalog.text,
	role pg_catalog.name NOT NULL,
	time pg_catalog.timestamptz NOT NULL,
	CONSTRAINT hilo_launches_pkey PRIMARY KEY (id)
);

REVOKE ALL ON @extschema@.hilo_launches FROM PUBLIC;
GRANT SELECT ON @extschema@.hilo_launches TO PUBLIC;
GRANT SELECT, INSERT ON @extschema@.hilo_launches TO @extowner@;

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

-- There are not many launches.
REVOKE ALL ON FUNCTION @extschema@.decimal_launch FROM PUBLIC;
GRANT EXECUTE ON FUNCTION @extschema@.decimal_launch TO @extowner@ WITH GRANT OPTION;
