/*
 * Code that a role has put into a table or a view never gets the rights of the role that
 * takes ids or looks at generators, and shows nothing that they hide
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_app;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_owner;
CREATE SCHEMA bait;
GRANT ALL ON SCHEMA bait TO regress_hilo_owner;
GRANT USAGE ON SCHEMA bait TO regress_hilo_app;
CREATE TABLE bait.seen (code text, who text);
GRANT INSERT ON bait.seen TO PUBLIC;
-- the role with the rights of which the owner's code has run
CREATE FUNCTION who_ran() RETURNS TABLE (code text, who text) LANGUAGE sql AS $$
	WITH gone AS (DELETE FROM bait.seen RETURNING *)
	SELECT DISTINCT code, CASE who WHEN current_user THEN 'superuser' ELSE who END FROM gone ORDER BY 1, 2
$$;

-- a table that ids come from
SET ROLE regress_hilo_owner;
-- IMMUTABLE, to be allowed everywhere
CREATE FUNCTION bait.write(code text) RETURNS void LANGUAGE sql AS 'INSERT INTO bait.seen VALUES (code, current_user)';
CREATE FUNCTION bait.note(code text) RETURNS bool LANGUAGE plpgsql IMMUTABLE
	AS $$ BEGIN PERFORM bait.write(code); RETURN true; END $$;
CREATE FUNCTION bait.note_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM bait.note('trigger');
	RETURN NEW;
END $$;
CREATE TABLE bait.hi (entity_name text PRIMARY KEY, hi_value bigint);
CREATE TRIGGER note BEFORE INSERT OR UPDATE ON bait.hi FOR EACH ROW EXECUTE FUNCTION bait.note_row();
CREATE CONSTRAINT TRIGGER note_late AFTER UPDATE ON bait.hi DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION bait.note_row();
INSERT INTO bait.hi VALUES ('bait', 0);
SELECT hilo_adopt_table_tag('bait', 'bait.hi', 'marten', 10), hilo_grant('bait', 'public');
CREATE TABLE bait.rows (id bigint PRIMARY KEY DEFAULT hilo_next_tag('bait'));
RESET ROLE;
SELECT count(*) > 0 AS by_the_owner FROM who_ran();
SELECT hilo_next_tag('bait');
SELECT * FROM who_ran();
SELECT hilo_seed('bait', 100);
SELECT * FROM who_ran();
SELECT hilo_marten_next_hi('bait.hi', 'bait');
SELECT * FROM who_ran();
SELECT count(*) FROM hilo_resync_all() WHERE rel = 'bait.rows'::regclass;
SELECT * FROM who_ran();
SELECT problem FROM hilo_check() WHERE rel = 'bait.rows'::regclass;
SELECT * FROM who_ran();
SELECT count(*) FROM hilo_sources() WHERE name = 'bait';
SELECT ordering FROM hilo_generators() WHERE name = 'bait';
SELECT * FROM who_ran();
SELECT current_user = session_user AS is_who_it_was, current_setting('search_path') AS search_path;

-- nor the rights of a plain role that takes ids
SET ROLE regress_hilo_app;
SELECT hilo_next_tag('bait') > 0 AS taken;
SELECT high - low AS ids FROM hilo_next_range('bait');
RESET ROLE;
SELECT * FROM who_ran();
-- policies are the owner's code, too
ALTER TABLE bait.hi ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY note ON bait.hi USING (bait.note('policy'));
SELECT high - low AS ids FROM hilo_next_range('bait');
SELECT * FROM who_ran();
ALTER TABLE bait.hi DISABLE ROW LEVEL SECURITY;

-- views with a generator in a default
SET ROLE regress_hilo_owner;
CREATE VIEW bait.view AS SELECT 1::bigint AS id WHERE bait.note('view');
ALTER VIEW bait.view ALTER id SET DEFAULT hilo_next_tag('bait_view');
RESET ROLE;
SELECT count(*) FROM hilo_resync_all() WHERE rel = 'bait.view'::regclass;
SELECT problem FROM hilo_check() WHERE rel = 'bait.view'::regclass;
SELECT hilo_resync('bait.view', 'id');
SELECT * FROM who_ran();

-- a condition that says what it sees is asked about nothing that a view hides
SET ROLE regress_hilo_owner;
INSERT INTO bait.hi VALUES ('my secret', 0);
SELECT hilo_adopt_table_tag('secret', 'bait.hi', 'marten', 10, key_value => 'my secret');
SELECT hilo_grant('secret', 'regress_hilo_owner');
SET ROLE regress_hilo_app;
CREATE FUNCTION pg_temp.tell(value text) RETURNS bool LANGUAGE plpgsql COST 0.0000001
	AS $$ BEGIN RAISE WARNING 'told: %', value; RETURN true; END $$;
SELECT count(*) FROM hilo_sources() WHERE pg_temp.tell(key_value) AND key_value LIKE 'my%';
RESET ROLE;

DROP FUNCTION pg_temp.tell;
DROP SCHEMA bait CASCADE;
SELECT hilo_drop('bait'), hilo_drop('secret');
DROP FUNCTION who_ran;
DROP OWNED BY regress_hilo_owner;
DROP ROLE regress_hilo_owner, regress_hilo_app;
