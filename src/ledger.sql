CREATE TABLE @extschema@.hilo_ledger (
	incarnation pg_catalog.int8 NOT NULL,
	low pg_catalog.int8 NOT NULL,
	high pg_catalog.int8 NOT NULL,
	taken_at pg_catalog.timestamptz NOT NULL,
	backend pg_catalog.int4 NOT NULL,
	role_id pg_catalog.oid NOT NULL,
	role pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	application pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	node pg_catalog.text COLLATE pg_catalog."C" NOT NULL
);

CREATE INDEX hilo_ledger_ids ON @extschema@.hilo_ledger (incarnation, high);

COMMENT ON TABLE @extschema@.hilo_ledger IS
	'who has taken which ranges while hilo.ledger was on; see hilo_whois';

-- There is no policy: a role that may read all tables sees no row, nor whose they
-- are among the statistics of ANALYZE.
ALTER TABLE @extschema@.hilo_ledger
	ENABLE ROW LEVEL SECURITY,
	ALTER COLUMN backend SET STATISTICS 0,
	ALTER COLUMN role_id SET STATISTICS 0,
	ALTER COLUMN role SET STATISTICS 0,
	ALTER COLUMN application SET STATISTICS 0;

CREATE FUNCTION @extschema@.hilo_ledger_prune(
	before pg_catalog.timestamptz DEFAULT NULL)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_ledger_prune IS
	'deletes from the ledger what is older than hilo.ledger_keep, or than that moment; gives how many rows';
