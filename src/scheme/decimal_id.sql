CREATE FUNCTION @extschema@.decimal_id(
	counter int8, generator_id int4, launch_id int4)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.decimal_id IS
	'the id of these parts: counter * 10^10 + generator_id * 10^5 + launch_id';

CREATE FUNCTION @extschema@.decimal_id_parts(
	id int8, OUT counter int8, OUT generator_id int4, OUT launch_id int4)
RETURNS record LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.decimal_id_parts IS 'the parts of a decimal id';

CREATE FUNCTION @extschema@.decimal_id_next()
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.decimal_id_next IS
	'the next decimal id in the launch that hilo.launch_id says';

CREATE FUNCTION @extschema@.decimal_launch(note text)
RETURNS int4 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.decimal_launch IS
	'the next number of a launch, for hilo.launch_id; it stands in the server''s log';

CREATE FUNCTION hilo_internal.hilo_hub_launch(note text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';

CREATE FUNCTION hilo_internal.hilo_hub_generator_id(
	launch_id int4, at_least int8)
RETURNS int8 LANGUAGE C STRICT AS 'MODULE_PATHNAME';
