CREATE FUNCTION @extschema@.hilo_attach(
	rel pg_catalog.regclass,
	col pg_catalog.name,
	generator pg_catalog.text DEFAULT NULL)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_attach IS
	'makes a generator the default of a column, above all ids in use';

CREATE FUNCTION @extschema@.hilo_detach(
	rel pg_catalog.regclass,
	col pg_catalog.name)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_detach IS
	'makes a sequence the default of a column again, above all ids in use';

CREATE FUNCTION @extschema@.hilo_resync(
	rel pg_catalog.regclass,
	col pg_catalog.name)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_resync IS
	'raises the generator of a column to what the column holds, and gives its last id';

CREATE FUNCTION @extschema@.hilo_resync_all(
	OUT rel pg_catalog.regclass,
	OUT col pg_catalog.name,
	OUT generator pg_catalog.text,
	OUT last pg_catalog.int8)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_resync_all IS
	'does hilo_resync for every column whose default is a generator';
