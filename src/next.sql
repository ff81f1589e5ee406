CREATE FUNCTION @extschema@.hilo_next(
	name pg_catalog.text)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_next(pg_catalog.text) IS
	'the next id of a generator';

CREATE FUNCTION @extschema@.hilo_next(
	name pg_catalog.text,
	count pg_catalog.int8)
RETURNS SETOF pg_catalog.int8
AS 'MODULE_PATHNAME', 'hilo_next_count'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_next(pg_catalog.text, pg_catalog.int8) IS
	'the next ids of a generator, that many';

CREATE FUNCTION @extschema@.hilo_next_id(
	name pg_catalog.text)
RETURNS pg_catalog.text
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_next_id IS
	'the next id of a generator as text: its name, the number and the node tag, orders/54-B';

CREATE FUNCTION @extschema@.hilo_current(
	name pg_catalog.text)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_current IS
	'the id that this session got last from a generator';
