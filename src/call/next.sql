CREATE FUNCTION @extschema@.hilo_next(name text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_next(text) IS 'the next id of a generator';

CREATE FUNCTION @extschema@.hilo_next(name text, count int8)
RETURNS SETOF int8 LANGUAGE C AS 'MODULE_PATHNAME', 'hilo_next_count';
COMMENT ON FUNCTION @extschema@.hilo_next(text, int8) IS
	'the next ids of a generator, that many';

CREATE FUNCTION @extschema@.hilo_next_id(name text)
RETURNS text LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_next_id IS
	'the next id of a generator as text: its name, the number and the node tag, orders/54-B';

CREATE FUNCTION @extschema@.hilo_current(name text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_current IS
	'the id that this session got last from a generator';
