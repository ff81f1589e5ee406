/*
 * What the owner of a database may do without being a superuser
 */
\set database :DBNAME
\set SHOW_CONTEXT never
CREATE ROLE regress_hilo_dbowner;
CREATE ROLE regress_hilo_user;
CREATE ROLE "regress_hilo a, b";
CREATE DATABASE regress_hilo_owned OWNER regress_hilo_dbowner ENCODING 'UTF8' TEMPLATE template0;
\c regress_hilo_owned
-- a superuser installs it
SET SESSION AUTHORIZATION regress_hilo_dbowner;
CREATE EXTENSION hilo;
RESET SESSION AUTHORIZATION;

-- every right on what the extension has
CREATE TEMP VIEW granted AS
SELECT pg_describe_object(d.classid, d.objid, 0) AS object, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee,
       a.privilege_type, a.is_grantable
  FROM pg_extension e JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e',
       LATERAL (SELECT nspacl, 'n'::"char", nspowner FROM pg_namespace WHERE d.classid = 'pg_namespace'::regclass AND oid = d.objid
				UNION ALL
				SELECT relacl, CASE relkind WHEN 'S' THEN 's'::"char" ELSE 'r' END, relowner
				  FROM pg_class WHERE d.classid = 'pg_class'::regclass AND oid = d.objid
				UNION ALL
				SELECT proacl, 'f', proowner FROM pg_proc WHERE d.classid = 'pg_proc'::regclass AND oid = d.objid
				UNION ALL
				SELECT typacl, 'T', typowner FROM pg_type WHERE d.classid = 'pg_type'::regclass AND oid = d.objid) o (acl, kind, owner),
       aclexplode(coalesce(o.acl, acldefault(o.kind, o.owner))) a
 WHERE e.extname = 'hilo';
CREATE EXTENSION hilo;
CREATE TEMP TABLE granted_by_hilo AS TABLE granted;
DROP EXTENSION hilo;
ALTER DEFAULT PRIVILEGES GRANT ALL ON SCHEMAS TO PUBLIC;
ALTER DEFAULT PRIVILEGES GRANT ALL ON SCHEMAS TO regress_hilo_user, "regress_hilo a, b", regress_hilo_dbowner WITH GRANT OPTION;
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC;
ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO PUBLIC;
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO regress_hilo_user, "regress_hilo a, b", regress_hilo_dbowner WITH GRANT OPTION;
ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO regress_hilo_user, "regress_hilo a, b", regress_hilo_dbowner WITH GRANT OPTION;
ALTER DEFAULT PRIVILEGES GRANT ALL ON FUNCTIONS TO regress_hilo_user, "regress_hilo a, b", regress_hilo_dbowner WITH GRANT OPTION;
ALTER DEFAULT PRIVILEGES GRANT ALL ON TYPES TO regress_hilo_user, "regress_hilo a, b", regress_hilo_dbowner WITH GRANT OPTION;
CREATE EXTENSION hilo;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_user;
SELECT (SELECT rolsuper FROM pg_roles WHERE oid = extowner) AS superusers, extversion, extrelocatable FROM pg_extension WHERE extname = 'hilo';

-- what a database gives by default is not given on these, but what every role may do anyway
SELECT * FROM granted g
 WHERE NOT EXISTS (SELECT FROM granted_by_hilo h WHERE h = g)
   AND NOT EXISTS (SELECT FROM granted_by_hilo h
					WHERE (h.object, h.grantee, h.privilege_type) = (g.object, 'PUBLIC', g.privilege_type) AND g.object ~ '^(function|type) ')
 ORDER BY g.object COLLATE "C", g.grantee COLLATE "C", g.privilege_type;
TABLE granted_by_hilo EXCEPT TABLE granted;
SET SESSION AUTHORIZATION regress_hilo_dbowner;

-- uses it
SELECT hilo_create('trusted', range_size => 10);
SELECT hilo_next_tag('trusted'), hilo_next_id('trusted'), hilo_current('trusted');
SELECT hilo_alter('trusted', range_size => 20), hilo_seed('trusted', 100);
SELECT hilo_next_tag('trusted');
SELECT hilo_next_tag('trusted_first_use');
SELECT name, owner, last FROM hilo_generators() ORDER BY name;
SET hilo.node_tag = 'B';
SET hilo.failover_skip = 0;
-- these are superusers' to give
SELECT hilo_node_forget(1);

-- has of the tables what a dump and a restore need, and no more
SELECT c.relname, (SELECT rolsuper FROM pg_roles WHERE oid = c.relowner) AS superusers, p.privilege,
       has_table_privilege(c.oid, p.privilege) AS mine,
       has_table_privilege('regress_hilo_user', c.oid, p.privilege) AS users
  FROM pg_class c, unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) p (privilege)
 WHERE c.relname IN ('hilo_hi', 'hilo_generator', 'hilo_privilege')
   AND has_table_privilege(c.oid, p.privilege)
 ORDER BY c.relname COLLATE "C", p.privilege COLLATE "C";
SELECT count(*) AS rows FROM hilo_internal.hilo_hi;
UPDATE hilo_internal.hilo_hi SET reserved = 0;
DELETE FROM hilo_internal.hilo_privilege;
TRUNCATE hilo_internal.hilo_generator;
ALTER TABLE hilo_internal.hilo_hi DISABLE TRIGGER ALL;
ALTER TABLE hilo_internal.hilo_hi SET UNLOGGED;
DROP TRIGGER hilo_guard_rows ON hilo_internal.hilo_hi;
DROP TABLE hilo_internal.hilo_hi;
SELECT reserved FROM hilo_internal.hilo_hi FOR UPDATE;
CREATE TABLE t (a int);
CREATE TRIGGER t BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION hilo_internal.hilo_guard();
SET session_replication_role = replica;
ALTER EXTENSION hilo SET SCHEMA pg_temp;
-- an insert merges, as a restore does
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, '{"reserved": 5}')).*
  FROM hilo_internal.hilo_hi h WHERE name = 'trusted';
SELECT last FROM hilo_generators() WHERE name = 'trusted';

-- what no dump holds does no harm
RESET SESSION AUTHORIZATION;
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, jsonb_build_object('name', 'trusted_long', 'written_name', repeat('long', 1000)))).*
  FROM hilo_internal.hilo_generator g WHERE name = 'trusted';
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, jsonb_build_object('name', 'trusted_source', 'ordering', 'adopted'))).*
  FROM hilo_internal.hilo_generator g WHERE name = 'trusted';
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, jsonb_build_object('name', new, 'reserved', 0))).*
  FROM hilo_internal.hilo_hi h, unnest('{trusted_long,trusted_source}'::text[]) new WHERE h.name = 'trusted';
SELECT hilo_next_tag('trusted_long');
SELECT hilo_next_id('trusted_long');
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) SELECT 'trusted_source', current_user::text::hilo_internal.hilo_role, true;
CREATE FUNCTION pg_temp.next_of(source text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'INSERT INTO hilo_internal.hilo_source (generator, relation, style, block, initial, hi_column, key_column, key_value) VALUES (''trusted_source'', ' || source || ')';
	PERFORM hilo_next_tag('trusted_source');
	RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
CREATE TABLE source (hi bigint, k text);
CREATE SEQUENCE sequence;
SELECT pg_temp.next_of(source), source FROM unnest(ARRAY[
	$$'public.source', 'none', 1, 0, '', '', ''$$,
	$$'public.source', 'nhibernate-enhanced-table-hilo', 1, 1, 'hi', '', ''$$,
	$$'public.source', 'camunda', 1, 0, '', '', ''$$,
	$$'public.source', 'camunda', 0, 1, 'hi', 'k', 'a'$$,
	$$'public.source', 'camunda', 1, 1, 'hi', '', ''$$,
	$$'public.source', 'camunda', 1, 1, 'hi', 'k', ''$$,
	$$'public.source', 'camunda', 1, 1, 'hi', NULL, NULL$$,
	$$'public.source', 'camunda', 1, 1, 'hi', 'k', repeat('a', 513)$$,
	$$'public.source', 'doctrine', 1, 0, '', '', ''$$,
	$$'public.sequence', 'classic', 1, 1, 'hi', '', ''$$,
	$$'public.sequence', 'doctrine', 1, 0, '', '', ''$$]) source;
DROP TABLE source;
DROP SEQUENCE sequence;

-- the owner of the database is a member of pg_database_owner as long as that is so
SET SESSION AUTHORIZATION regress_hilo_user;
SELECT hilo_create('trusted_owners'), hilo_grant('trusted_owners', 'pg_database_owner');
SET SESSION AUTHORIZATION regress_hilo_dbowner;
SELECT hilo_next_tag('trusted_owners');
RESET SESSION AUTHORIZATION;
ALTER DATABASE regress_hilo_owned OWNER TO CURRENT_USER;
SET SESSION AUTHORIZATION regress_hilo_dbowner;
SELECT hilo_next_tag('trusted_owners');
RESET SESSION AUTHORIZATION;
ALTER DATABASE regress_hilo_owned OWNER TO regress_hilo_dbowner;

-- the generators of others are theirs
SET SESSION AUTHORIZATION regress_hilo_user;
SELECT hilo_create('trusted_other');
SELECT * FROM hilo_internal.hilo_hi;
SET SESSION AUTHORIZATION regress_hilo_dbowner;
SELECT hilo_next_tag('trusted_other');
SELECT hilo_drop('trusted_other');
-- nor can it take the extension away, or what is in it apart
DROP EXTENSION hilo;
ALTER SCHEMA hilo_internal RENAME TO mine;
DROP SCHEMA hilo_internal CASCADE;
CREATE TABLE hilo_internal.mine ();
ALTER FUNCTION hilo_next_tag(text) OWNER TO regress_hilo_dbowner;
RESET SESSION AUTHORIZATION;
DROP EXTENSION hilo;

-- a database may mean functions for some roles only
RESET SESSION AUTHORIZATION;
ALTER DEFAULT PRIVILEGES REVOKE ALL ON FUNCTIONS FROM PUBLIC;
CREATE SCHEMA "100% %s";
CREATE EXTENSION hilo SCHEMA "100% %s";
SET SESSION AUTHORIZATION regress_hilo_dbowner;
SELECT "100% %s".hilo_next_tag('trusted');
RESET SESSION AUTHORIZATION;
SELECT count(*) FROM granted WHERE object ~ '^function ' AND grantee = 'PUBLIC';
SELECT DISTINCT object COLLATE "C" FROM granted g WHERE object ~ '^function '
   AND NOT EXISTS (SELECT FROM granted h WHERE h.object = g.object AND h.grantee = 'regress_hilo_user') ORDER BY 1;

\c :database
DROP DATABASE regress_hilo_owned WITH (FORCE);
DROP ROLE regress_hilo_dbowner, regress_hilo_user, "regress_hilo a, b";
