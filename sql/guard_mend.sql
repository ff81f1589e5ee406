/*
 * What was done to hilo's tables while event triggers were off: hilo_check
 * names the table, and one statement puts all of them right
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/guard_setup.sql'
\i :setup
SELECT inserts();
CREATE TABLE statement (no int GENERATED ALWAYS AS IDENTITY, text text);
INSERT INTO statement (text) VALUES
	('ALTER TABLE %s DISABLE TRIGGER ALL'),
	('ALTER TABLE %s ENABLE TRIGGER ALL'),
	('ALTER TABLE %s ENABLE REPLICA TRIGGER hilo_guard_truncate'),
	('ALTER TABLE %s REPLICA IDENTITY USING INDEX %s'),
	('ALTER TABLE %s SET UNLOGGED'),
	('DROP TRIGGER hilo_guard_rows ON %s'),
	('ALTER TRIGGER hilo_guard_truncate ON %s RENAME TO renamed'),
	('CREATE TRIGGER audit AFTER INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION loop.audit()'),
	('DROP TRIGGER hilo_guard_rows ON %1$s; ALTER TABLE %1$s SET UNLOGGED, REPLICA IDENTITY FULL;
	CREATE TRIGGER "a ""b" AFTER INSERT ON %1$s FOR EACH ROW EXECUTE FUNCTION loop.audit()');
-- what hilo_check says where it was done to one table, and how inserts work where it was done to all
\set ECHO none
SELECT format('SELECT %L', text), 'ALTER EVENT TRIGGER hilo_join_tables DISABLE', format('SELECT each_own(%L)', text || '; SELECT hilo_check()'),
       format('SELECT each_own(%L)', text), 'SELECT inserts()', 'SELECT hilo_internal.hilo_mend()', 'SELECT inserts()' FROM statement ORDER BY no \gexec
\set ECHO all
-- which the error says
ALTER EVENT TRIGGER hilo_join_tables DISABLE;
ALTER TABLE hilo_internal.hilo_series ENABLE TRIGGER ALL;
SELECT hilo_check();
SELECT hilo_internal.hilo_mend();
SELECT hilo_check('followed');
SELECT evtenabled FROM pg_event_trigger WHERE evtname = 'hilo_join_tables';

DROP SCHEMA loop CASCADE;
DO 'BEGIN PERFORM hilo_drop(name) FROM hilo_generators(); END';
