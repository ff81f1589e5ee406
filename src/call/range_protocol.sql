CREATE FUNCTION @extschema@.hilo_next_range(
	name text, size int8 DEFAULT NULL, last_size int8 DEFAULT 0,
	last_range_at timestamptz DEFAULT NULL,
	last_max int8 DEFAULT 0, separator text DEFAULT NULL, OUT prefix text,
	OUT low int8, OUT high int8,
	OUT last_size int8, OUT server_tag text, OUT last_range_at timestamptz,
	OUT range_no int8)
LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_next_range IS
	'reserve a range of ids for a client that hands them out itself';

CREATE FUNCTION @extschema@.hilo_return_range(
	name text, high int8, last_used int8, range_no int8 DEFAULT NULL)
RETURNS bool LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_return_range IS
	'give back the ids of a range above last_used';

CREATE FUNCTION @extschema@.hilo_next_hi(name text, max_lo int8)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_next_hi IS
	'return the next hi of the Hi/Lo algorithm: the keys hi * max_lo to hi * max_lo + max_lo - 1 are the caller''s';

-- Servers call these on their hub.
CREATE FUNCTION hilo_internal.hilo_hub_define(
	name text, act_as name DEFAULT '', OUT is_global int8, OUT max_value int8,
	OUT range_size int8,
	OUT max_range_size int8, OUT owner text)
LANGUAGE C STRICT AS 'MODULE_PATHNAME';

CREATE FUNCTION hilo_internal.hilo_hub_take(
	name text, ordering text, size int8, is_exact bool, whole_block bool,
	last_max int8, max_value int8, act_as name DEFAULT '', OUT low int8,
	OUT high int8)
LANGUAGE C STRICT AS 'MODULE_PATHNAME';

CREATE FUNCTION hilo_internal.hilo_hub_last(name text, act_as name DEFAULT '')
RETURNS int8 LANGUAGE C STRICT AS 'MODULE_PATHNAME';

CREATE FUNCTION hilo_internal.hilo_hub_seed(name text, value int8,
	act_as name DEFAULT '')
RETURNS int8 LANGUAGE C STRICT AS 'MODULE_PATHNAME';
