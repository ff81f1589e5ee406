CREATE FUNCTION @extschema@.trace_id(
	ts timestamptz, node_no int4, chunk int4, counter int4)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.trace_id IS 'the trace id of these parts';

CREATE FUNCTION @extschema@.trace_id_parts(
	id int8, near timestamptz DEFAULT now(), OUT ts timestamptz, OUT node_no int4,
	OUT chunk int4, OUT counter int4)
RETURNS record LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.trace_id_parts IS
	'the parts of a trace id, whose second is known by 25 bits: the nearest such to a moment';

CREATE FUNCTION @extschema@.trace_id_valid(
	id int8, max_skew interval DEFAULT NULL)
RETURNS bool LANGUAGE C STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.trace_id_valid(int8, interval) IS
	'whether it can be a trace id, and one of about now if max_skew is given';

CREATE FUNCTION @extschema@.trace_id_valid(
	id int8, max_skew interval, near timestamptz)
RETURNS bool LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'trace_id_valid';
COMMENT ON FUNCTION @extschema@.trace_id_valid(int8, interval, timestamptz) IS
	'whether it can be a trace id of about a moment';

CREATE FUNCTION @extschema@.trace_id_next()
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.trace_id_next IS
	'the next trace id of the node that hilo.node_no says';
