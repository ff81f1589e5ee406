/*
 * A loop over the tables of all schemas: what it runs passes on hilo's own
 * tables, is undone at once, or is refused, and the next insert works
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/guard_setup.sql'
\i :setup
CREATE ROLE regress_hilo_owner;
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_hilo_space LOCATION '';
-- whether inserts work after it, and after its rollback
CREATE FUNCTION rolled_back(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM each_own(statement);
	RAISE EXCEPTION USING ERRCODE = 'PH001', MESSAGE = inserts();
EXCEPTION WHEN SQLSTATE 'PH001' THEN
	RETURN concat_ws(', rolled back: ', SQLERRM, inserts());
END $$;
CREATE TABLE statement (no int GENERATED ALWAYS AS IDENTITY, text text);
INSERT INTO statement (text) VALUES
	('ALTER TABLE %s DISABLE TRIGGER ALL'),
	('ALTER TABLE %s ENABLE TRIGGER ALL'),
	('ALTER TABLE %1$s DISABLE TRIGGER ALL; ALTER TABLE %1$s ENABLE TRIGGER ALL'),
	('ALTER TABLE %s DISABLE TRIGGER USER'),
	('ALTER TABLE %s ENABLE TRIGGER USER'),
	('ALTER TABLE %s ENABLE REPLICA TRIGGER hilo_guard_rows'),
	('ALTER TABLE %s ENABLE ALWAYS TRIGGER hilo_guard_rows'),
	('SET LOCAL session_replication_role = replica; ALTER TABLE %s DISABLE TRIGGER ALL'),
	('ALTER TABLE %s REPLICA IDENTITY FULL'),
	('ALTER TABLE %s REPLICA IDENTITY DEFAULT'),
	('ALTER TABLE %s REPLICA IDENTITY NOTHING'),
	('ALTER TABLE %s REPLICA IDENTITY USING INDEX %s'),
	('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY'),
	('ALTER TABLE %s DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY'),
	('ALTER TABLE %s SET (fillfactor = 90)'),
	('ALTER TABLE %s RESET (fillfactor)'),
	('ALTER TABLE %s SET TABLESPACE regress_hilo_space'),
	('ALTER TABLE %s SET TABLESPACE pg_default'),
	('CLUSTER %s USING %s'),
	('ALTER TABLE %s SET WITHOUT CLUSTER'),
	('CREATE TRIGGER audit AFTER INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION loop.audit()'),
	('DROP TRIGGER hilo_guard_rows ON %s'),
	('ALTER TRIGGER hilo_guard_rows ON %s RENAME TO renamed'),
	('ALTER TABLE %s SET UNLOGGED'),
	('ALTER TABLE %s ADD COLUMN tenant int DEFAULT 0'),
	('ALTER TABLE %1$s ADD COLUMN tenant int; ALTER TABLE %1$s DROP COLUMN tenant'),
	('ALTER TABLE %1$s DROP COLUMN %3$I'),
	('ALTER TABLE hilo_internal.hilo_hi DROP COLUMN reserved CASCADE'),
	('ALTER TABLE %1$s ALTER COLUMN %3$I TYPE text'),
	('ALTER TABLE %s DROP CONSTRAINT %s'),
	('ALTER TABLE %s RENAME TO renamed'),
	('ALTER TABLE %s SET SCHEMA loop');
-- each statement; in a transaction; committed
\set ECHO none
SELECT format('SELECT %L', text), format('SELECT rolled_back(%L)', text), format('SELECT each_own(%L)', text), 'SELECT inserts()' FROM statement ORDER BY no \gexec
\set ECHO all

-- by the owner of the database, who owns none of them, and if they are given to that role
SELECT current_user AS superuser \gset
ALTER DATABASE :DBNAME OWNER TO regress_hilo_owner;
SELECT each_own('ALTER TABLE %s DISABLE TRIGGER ALL', 'regress_hilo_owner');
SELECT each_own('ALTER TABLE %s OWNER TO regress_hilo_owner');
SELECT each_own('ALTER TABLE %s DISABLE TRIGGER ALL', 'regress_hilo_owner');
SELECT inserts();
SELECT each_own('ALTER TABLE %s ENABLE TRIGGER ALL, REPLICA IDENTITY FULL', 'regress_hilo_owner');
SELECT inserts();
SELECT each_own('DROP TRIGGER hilo_guard_rows ON %s', 'regress_hilo_owner');
SELECT each_own(format('ALTER TABLE %%s OWNER TO %I', :'superuser'));
ALTER DATABASE :DBNAME OWNER TO :superuser;

-- a publication of all tables needs a replica identity for updates
SET client_min_messages = error;
CREATE PUBLICATION regress_hilo_all FOR ALL TABLES;
SELECT inserts();
SELECT each_own('ALTER TABLE %s REPLICA IDENTITY NOTHING');
SELECT inserts();
DROP PUBLICATION regress_hilo_all;

-- whoever undoes something is told
SET client_min_messages = notice;
ALTER TABLE hilo_internal.hilo_hi ENABLE TRIGGER ALL;
CREATE TRIGGER audit AFTER INSERT ON hilo_internal.hilo_hi FOR EACH ROW EXECUTE FUNCTION audit();
-- a table of that name is nobody's but its owner's
CREATE TABLE hilo_hi (id int);
ALTER TABLE hilo_hi ADD COLUMN a int, REPLICA IDENTITY FULL;

SET client_min_messages = warning;
DROP SCHEMA loop CASCADE;
DO 'BEGIN PERFORM hilo_drop(name) FROM hilo_generators(); END';
DROP TABLESPACE regress_hilo_space;
DROP ROLE regress_hilo_owner;
