CREATE FUNCTION @extschema@.hilo_import_ravendb(
	hilo pg_catalog.jsonb,
	identities pg_catalog.jsonb,
	OUT name pg_catalog.text,
	OUT last pg_catalog.int8)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_import_ravendb IS
	'raises generators to where the HiLo documents and identities of a RavenDB database are, and says which';
