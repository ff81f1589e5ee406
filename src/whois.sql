CREATE FUNCTION @extschema@.hilo_whois(
	generator pg_catalog.text,
	id pg_catalog.int8,
	OUT status pg_catalog.text,
	OUT low pg_catalog.int8,
	OUT high pg_catalog.int8,
	OUT taken_at pg_catalog.timestamptz,
	OUT role pg_catalog.text,
	OUT application pg_catalog.text,
	OUT node pg_catalog.text,
	OUT backend pg_catalog.int4)
RETURNS pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_whois IS
	'when, by whom and where the range of an id was taken, as far as the ledger knows';
