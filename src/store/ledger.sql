CREATE TABLE hilo_internal.hilo_ledger (
	incarnation int8 NOT NULL,
	low int8 NOT NULL,
	high int8 NOT NULL,
	taken_at timestamptz NOT NULL,
	backend int4 NOT NULL,
	role_id oid NOT NULL,
	role text COLLATE "C" NOT NULL,
	application text COLLATE "C" NOT NULL,
	node text COLLATE "C" NOT NULL
);

CREATE INDEX hilo_ledger_ids ON hilo_internal.hilo_ledger (incarnation, high);

-- There is no policy: a role that may read all tables sees no row, nor whose
-- they are among the statistics of ANALYZE.
ALTER TABLE hilo_internal.hilo_ledger
	ENABLE ROW LEVEL SECURITY,
	ALTER COLUMN backend SET STATISTICS 0,
	ALTER COLUMN role_id SET STATISTICS 0,
	ALTER COLUMN role SET STATISTICS 0,
	ALTER COLUMN application SET STATISTICS 0;

CREATE FUNCTION @extschema@.hilo_ledger_prune(before timestamptz DEFAULT NULL)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_ledger_prune IS
	'delete the rows older than before, or by default older than hilo.ledger_keep, and return their number';
