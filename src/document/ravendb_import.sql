CREATE FUNCTION @extschema@.hilo_import_ravendb(
	hilo jsonb, identities jsonb, OUT name text, OUT last int8)
RETURNS SETOF record AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION @extschema@.hilo_import_ravendb IS
	'raises generators to where the HiLo documents and identities of a RavenDB database are, and says which';
