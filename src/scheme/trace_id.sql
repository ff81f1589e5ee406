CREATE FUNCTION @extschema@.trace_id(ts timestamptz, node_no int4, chunk int4, counter int4)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.trace_id IS 'compose a trace id in elfo''s layout';

CREATE FUNCTION @extschema@.trace_id_parts(
	id int8, near timestamptz DEFAULT now(), OUT ts timestamptz, OUT node_no int4,
	OUT chunk int4, OUT counter int4)
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.trace_id_parts IS 'return the parts of a trace id';

CREATE FUNCTION @extschema@.trace_id_valid(
	id int8, max_skew interval DEFAULT NULL,
	near timestamptz DEFAULT statement_timestamp())
RETURNS bool LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN near IS NOT NULL AND (max_skew IS NULL OR id < 1) THEN id >= 1
	ELSE abs(ceil(extract(epoch FROM (@extschema@.trace_id_parts(id, near)).ts - near))) <= extract(epoch FROM max_skew) END;
COMMENT ON FUNCTION @extschema@.trace_id_valid IS
	'check whether a number can be a trace id, like elfo''s validator';

CREATE FUNCTION @extschema@.trace_id_next()
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.trace_id_next IS
	'return the next trace id of this server, above all earlier ones until the seconds wrap';
