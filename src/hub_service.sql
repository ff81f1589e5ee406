CREATE FUNCTION hilo_internal.hilo_hub_take(
	name text,
	ordering text,
	size int8,
	is_exact bool,
	whole_block bool,
	last_max int8,
	max_value int8,
	OUT low int8,
	OUT high int8)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION hilo_internal.hilo_hub_take IS
	'reserves a range of ids for another server; its hilo calls this';

CREATE FUNCTION hilo_internal.hilo_hub_last(
	name text)
RETURNS int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION hilo_internal.hilo_hub_last IS
	'the last id that anybody got, for another server; its hilo calls this';

CREATE FUNCTION hilo_internal.hilo_hub_seed(
	name text,
	value int8)
RETURNS int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION hilo_internal.hilo_hub_seed IS
	'raises the last id of a generator for another server; its hilo calls this';

CREATE FUNCTION hilo_internal.hilo_hub_launch(
	note text)
RETURNS int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION hilo_internal.hilo_hub_launch IS
	'the next number of a launch for another server; its hilo calls this';

CREATE FUNCTION hilo_internal.hilo_hub_generator_id(
	launch_id int4,
	at_least int8)
RETURNS int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION hilo_internal.hilo_hub_generator_id IS
	'the next generator_id of a launch for another server; its hilo calls this';
