CREATE FUNCTION @extschema@.hilo_hub_take(
	name pg_catalog.text,
	ordering pg_catalog.text,
	size pg_catalog.int8,
	is_exact pg_catalog.bool,
	whole_block pg_catalog.bool,
	last_max pg_catalog.int8,
	max_value pg_catalog.int8,
	OUT low pg_catalog.int8,
	OUT high pg_catalog.int8)
RETURNS pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_hub_take IS
	'reserves a range of ids for another server; its hilo calls this';

CREATE FUNCTION @extschema@.hilo_hub_last(
	name pg_catalog.text)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_hub_last IS
	'the last id that anybody got, for another server; its hilo calls this';

CREATE FUNCTION @extschema@.hilo_hub_seed(
	name pg_catalog.text,
	value pg_catalog.int8)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_hub_seed IS
	'raises the last id of a generator for another server; its hilo calls this';

CREATE FUNCTION @extschema@.hilo_hub_launch(
	note pg_catalog.text)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_hub_launch IS
	'the next number of a launch for another server; its hilo calls this';

CREATE FUNCTION @extschema@.hilo_hub_generator_id(
	launch_id pg_catalog.int4,
	at_least pg_catalog.int8)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_hub_generator_id IS
	'the next generator_id of a launch for another server; its hilo calls this';
