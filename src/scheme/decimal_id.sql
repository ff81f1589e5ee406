CREATE FUNCTION @extschema@.decimal_id(
	counter int8, generator_id int4, launch_id int4)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.decimal_id IS
	'compose counter * 10^10 + generator_id * 10^5 + launch_id';

CREATE FUNCTION @extschema@.decimal_id_parts(
	id int8, OUT counter int8, OUT generator_id int4, OUT launch_id int4)
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.decimal_id_parts IS
	'return the parts of a decimal id';

CREATE FUNCTION @extschema@.decimal_id_next()
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.decimal_id_next IS
	'return the next decimal id of the launch';
