CREATE FUNCTION @extschema@.hilo_guard()
RETURNS pg_catalog.trigger
AS 'MODULE_PATHNAME'
LANGUAGE C;

COMMENT ON FUNCTION @extschema@.hilo_guard IS
	'keeps the tables of hilo from being changed but by hilo, and merges the rows of a dump';

REVOKE ALL ON FUNCTION @extschema@.hilo_guard FROM PUBLIC;

CREATE TRIGGER hilo_guard_rows
	BEFORE INSERT OR UPDATE OR DELETE ON @extschema@.hilo_hi
	FOR EACH ROW EXECUTE FUNCTION @extschema@.hilo_guard();
CREATE TRIGGER hilo_guard_truncate
	BEFORE TRUNCATE ON @extschema@.hilo_hi
	FOR EACH STATEMENT EXECUTE FUNCTION @extschema@.hilo_guard();
ALTER TABLE @extschema@.hilo_hi ENABLE ALWAYS TRIGGER hilo_guard_rows;
ALTER TABLE @extschema@.hilo_hi ENABLE ALWAYS TRIGGER hilo_guard_truncate;

CREATE TRIGGER hilo_guard_rows
	BEFORE INSERT OR UPDATE OR DELETE ON @extschema@.hilo_generator
	FOR EACH ROW EXECUTE FUNCTION @extschema@.hilo_guard();
CREATE TRIGGER hilo_guard_truncate
	BEFORE TRUNCATE ON @extschema@.hilo_generator
	FOR EACH STATEMENT EXECUTE FUNCTION @extschema@.hilo_guard();
ALTER TABLE @extschema@.hilo_generator ENABLE ALWAYS TRIGGER hilo_guard_rows;
ALTER TABLE @extschema@.hilo_generator ENABLE ALWAYS TRIGGER hilo_guard_truncate;

CREATE TRIGGER hilo_guard_rows
	BEFORE INSERT OR UPDATE OR DELETE ON @extschema@.hilo_gapless
	FOR EACH ROW EXECUTE FUNCTION @extschema@.hilo_guard();
CREATE TRIGGER hilo_guard_truncate
	BEFORE TRUNCATE ON @extschema@.hilo_gapless
	FOR EACH STATEMENT EXECUTE FUNCTION @extschema@.hilo_guard();
ALTER TABLE @extschema@.hilo_gapless ENABLE ALWAYS TRIGGER hilo_guard_rows;
ALTER TABLE @extschema@.hilo_gapless ENABLE ALWAYS TRIGGER hilo_guard_truncate;

CREATE TRIGGER hilo_guard_rows
	BEFORE INSERT OR UPDATE OR DELETE ON @extschema@.hilo_privilege
	FOR EACH ROW EXECUTE FUNCTION @extschema@.hilo_guard();
CREATE TRIGGER hilo_guard_truncate
	BEFORE TRUNCATE ON @extschema@.hilo_privilege
	FOR EACH STATEMENT EXECUTE FUNCTION @extschema@.hilo_guard();
ALTER TABLE @extschema@.hilo_privilege ENABLE ALWAYS TRIGGER hilo_guard_rows;
ALTER TABLE @extschema@.hilo_privilege ENABLE ALWAYS TRIGGER hilo_guard_truncate;

CREATE TRIGGER hilo_guard_rows
	BEFORE INSERT OR UPDATE OR DELETE ON @extschema@.hilo_source
	FOR EACH ROW EXECUTE FUNCTION @extschema@.hilo_guard();
CREATE TRIGGER hilo_guard_truncate
	BEFORE TRUNCATE ON @extschema@.hilo_source
	FOR EACH STATEMENT EXECUTE FUNCTION @extschema@.hilo_guard();
ALTER TABLE @extschema@.hilo_source ENABLE ALWAYS TRIGGER hilo_guard_rows;
ALTER TABLE @extschema@.hilo_source ENABLE ALWAYS TRIGGER hilo_guard_truncate;

CREATE TRIGGER hilo_guard_rows
	BEFORE INSERT OR UPDATE OR DELETE ON @extschema@.hilo_id_key
	FOR EACH ROW EXECUTE FUNCTION @extschema@.hilo_guard();
CREATE TRIGGER hilo_guard_truncate
	BEFORE TRUNCATE ON @extschema@.hilo_id_key
	FOR EACH STATEMENT EXECUTE FUNCTION @extschema@.hilo_guard();
ALTER TABLE @extschema@.hilo_id_key ENABLE ALWAYS TRIGGER hilo_guard_rows;
ALTER TABLE @extschema@.hilo_id_key ENABLE ALWAYS TRIGGER hilo_guard_truncate;

CREATE TRIGGER hilo_guard_rows
	BEFORE INSERT OR UPDATE OR DELETE ON @extschema@.hilo_launches
	FOR EACH ROW EXECUTE FUNCTION @extschema@.hilo_guard();
CREATE TRIGGER hilo_guard_truncate
	BEFORE TRUNCATE ON @extschema@.hilo_launches
	FOR EACH STATEMENT EXECUTE FUNCTION @extschema@.hilo_guard();
ALTER TABLE @extschema@.hilo_launches ENABLE ALWAYS TRIGGER hilo_guard_rows;
ALTER TABLE @extschema@.hilo_launches ENABLE ALWAYS TRIGGER hilo_guard_truncate;
