CREATE FUNCTION @extschema@.trace_id(
	ts pg_catalog.timestamptz,
	node pg_catalog.int4,
	chunk pg_catalog.int4,
	counter pg_catalog.int4)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.trace_id IS
	'the trace id of these parts';

CREATE FUNCTION @extschema@.trace_id_parts(
	id pg_catalog.int8,
	near pg_catalog.timestamptz DEFAULT pg_catalog.now(),
	OUT ts pg_catalog.timestamptz,
	OUT node pg_catalog.int4,
	OUT chunk pg_catalog.int4,
	OUT counter pg_catalog.int4)
RETURNS pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.trace_id_parts IS
	'the parts of a trace id, whose second is known by 25 bits: the nearest such to a moment';

CREATE FUNCTION @extschema@.trace_id_valid(
	id pg_catalog.int8,
	max_skew pg_catalog.interval DEFAULT NULL)
RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.trace_id_valid(pg_catalog.int8, pg_catalog.interval) IS
	'whether it can be a trace id, and one of about now if max_skew is given';

CREATE FUNCTION @extschema@.trace_id_valid(
	id pg_catalog.int8,
	max_skew pg_catalog.interval,
	near pg_catalog.timestamptz)
RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'trace_id_valid_near'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.trace_id_valid(pg_catalog.int8, pg_catalog.interval, pg_catalog.timestamptz) IS
	'whether it can be a trace id of about a moment';

CREATE FUNCTION @extschema@.trace_id_next()
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.trace_id_next IS
	'the next trace id of the node that hilo.node_no says';
