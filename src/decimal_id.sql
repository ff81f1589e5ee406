CREATE FUNCTION @extschema@.decimal_id(
	counter int8,
	generator_id int4,
	launch_id int4)
RETURNS int8
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.decimal_id IS
	'the id of these parts: counter * 10^10 + generator_id * 10^5 + launch_id';

CREATE FUNCTION @extschema@.decimal_id_parts(
	id int8,
	OUT counter int8,
	OUT generator_id int4,
	OUT launch_id int4)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.decimal_id_parts IS
	'the parts of a decimal id';

CREATE FUNCTION @extschema@.decimal_id_next()
RETURNS int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.decimal_id_next IS
	'the next decimal id in the launch that hilo.launch_id says';
