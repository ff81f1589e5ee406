/*
 * A hostile search_path: a schema with tables, functions, operators, types and
 * casts of the names that hilo uses
 */
\set SHOW_CONTEXT never
SET hilo.prefetch = off;
CREATE SCHEMA hostile;
CREATE FUNCTION hostile.trap() RETURNS bool LANGUAGE plpgsql
	AS 'BEGIN RAISE EXCEPTION ''trapped''; END';
-- our tables
CREATE TABLE hostile.hilo_hi (LIKE hilo_internal.hilo_hi);
CREATE TABLE hostile.hilo_generator (LIKE hilo_internal.hilo_generator);
CREATE TABLE hostile.hilo_privilege (LIKE hilo_internal.hilo_privilege);
-- our functions, as good a match or a better one
CREATE FUNCTION hostile.hilo_next_tag(text) RETURNS bigint LANGUAGE sql AS 'SELECT hostile.trap()::int::bigint';
CREATE FUNCTION hostile.hilo_guard() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE FUNCTION hostile.hilo_generators() RETURNS SETOF int LANGUAGE sql AS 'SELECT 1 WHERE hostile.trap()';
-- what comparisons and look-ups could hit
CREATE FUNCTION hostile.texteq(text, text) RETURNS bool LANGUAGE sql AS 'SELECT hostile.trap()';
CREATE FUNCTION hostile.oideq(oid, oid) RETURNS bool LANGUAGE sql AS 'SELECT hostile.trap()';
CREATE OPERATOR hostile.= (LEFTARG = text, RIGHTARG = text, FUNCTION = hostile.texteq);
CREATE OPERATOR hostile.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = hostile.oideq);
-- for what PostgreSQL's own take only after a conversion
CREATE FUNCTION hostile.eq(oid, regclass) RETURNS bool LANGUAGE sql AS 'SELECT hostile.trap()';
CREATE OPERATOR hostile.= (LEFTARG = oid, RIGHTARG = regclass, FUNCTION = hostile.eq);
CREATE FUNCTION hostile.eq(name, text) RETURNS bool LANGUAGE sql AS 'SELECT hostile.trap()';
CREATE OPERATOR hostile.= (LEFTARG = name, RIGHTARG = text, FUNCTION = hostile.eq);
CREATE FUNCTION hostile.lower(text) RETURNS text LANGUAGE sql AS 'SELECT hostile.trap()::text';
CREATE FUNCTION hostile.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT NULL::pg_catalog.timestamptz WHERE hostile.trap()';
CREATE DOMAIN hostile.int8 AS pg_catalog.int8 CHECK (hostile.trap());
CREATE DOMAIN hostile.text AS pg_catalog.text CHECK (hostile.trap());
CREATE DOMAIN hostile.regrole AS pg_catalog.oid CHECK (hostile.trap());
CREATE COLLATION hostile."C" FROM "POSIX";

CREATE ROLE regress_hilo_user;
SELECT public.hilo_create('hostile');
\c -
SET hilo.prefetch = off;
SET search_path = hostile, pg_catalog, public;
SELECT public.hilo_next_tag('hostile'), public.hilo_next_tag('HOSTILE');
SELECT * FROM public.hilo_next_tag('hostile', 2);
SELECT public.hilo_next_id('hostile'), public.hilo_current('hostile');
SELECT public.hilo_release('hostile'), public.hilo_release();
SELECT prefix, low, high FROM public.hilo_next_range('hostile', 10);
SELECT public.hilo_return_range('hostile', 15, 6);
SELECT public.hilo_next_hi('hostile', 10);
SELECT public.hilo_seed('hostile', 100), public.hilo_seed('hostile', 50, true);
SELECT public.hilo_alter('hostile', range_size => 10, owner => 'regress_hilo_user');
SELECT public.hilo_grant('hostile', 'regress_hilo_user'), public.hilo_revoke('hostile', 'public');
SELECT public.hilo_next_tag('hostile_first_use');
SELECT name, pg_catalog.replace(owner::pg_catalog.text, pg_catalog.quote_ident(session_user), 'superuser') AS owner, last
  FROM public.hilo_generators() WHERE name OPERATOR(pg_catalog.~~) 'hostile%';
SELECT name, next FROM public.hilo_session() ORDER BY name;
SELECT ranges > 0 AS counted FROM public.hilo_stats() WHERE name OPERATOR(pg_catalog.=) 'hostile';
SELECT ranges > 0 AS counted FROM public.hilo_stats_server();
-- the guard
UPDATE hilo_internal.hilo_hi SET reserved = 0;
INSERT INTO hilo_internal.hilo_hi SELECT * FROM hilo_internal.hilo_hi WHERE name OPERATOR(pg_catalog.=) 'hostile';
SELECT count(*) FROM hilo_internal.hilo_hi WHERE name OPERATOR(pg_catalog.=) 'hostile';
-- nothing went to the other tables
SELECT (SELECT count(*) FROM hostile.hilo_hi) + (SELECT count(*) FROM hostile.hilo_generator)
     + (SELECT count(*) FROM hostile.hilo_privilege) AS rows;
SELECT public.hilo_drop('hostile'), public.hilo_drop('hostile_first_use');
-- temporary tables come before all others
CREATE TEMP TABLE hilo_hi (LIKE hilo_internal.hilo_hi);
CREATE TEMP TABLE hilo_generator (LIKE hilo_internal.hilo_generator);
SELECT public.hilo_next_tag('hostile');
SELECT count(*) FROM pg_temp.hilo_hi;
SELECT public.hilo_drop('hostile');
DROP TABLE pg_temp.hilo_hi, pg_temp.hilo_generator;

-- installed into that schema: refused where a name is taken, for nothing of
-- another owner's may become ours
RESET search_path;
BEGIN;
DROP EXTENSION hilo CASCADE;
SAVEPOINT s;
CREATE SCHEMA hilo_internal;
CREATE EXTENSION hilo SCHEMA hostile;
ROLLBACK TO s;
CREATE EXTENSION hilo SCHEMA hostile;
ROLLBACK TO s;
DROP FUNCTION hostile.hilo_next_tag, hostile.hilo_guard, hostile.hilo_generators;
-- what is left cannot be in the way, nor a setting
CREATE ACCESS METHOD hostile TYPE TABLE HANDLER heap_tableam_handler;
SET LOCAL default_table_access_method = hostile;
DO $$ BEGIN SET LOCAL standard_conforming_strings = off; EXCEPTION WHEN OTHERS THEN NULL; END $$;
CREATE EXTENSION hilo SCHEMA hostile;
SELECT amname, count(*) FROM pg_class c JOIN pg_am a ON a.oid = c.relam WHERE c.relkind = 'r' AND c.relnamespace = 'hilo_internal'::regnamespace GROUP BY 1;
SELECT count(*) FROM hostile.hilo_check();
SET LOCAL standard_conforming_strings = on;
SET search_path = hostile, pg_catalog;
SELECT hostile.hilo_next_tag('hostile'), hostile.hilo_next_id('hostile');
SELECT name, last FROM hostile.hilo_generators();
RESET search_path;
-- nothing of the extension leans on it
SELECT pg_describe_object(d.classid, d.objid, d.objsubid) AS object, pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid) AS leans_on
  FROM pg_depend d
 WHERE d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass, 'pg_collation'::regclass) AND d.deptype = 'n'
   AND NOT EXISTS (SELECT FROM pg_constraint c WHERE d.classid = 'pg_constraint'::regclass AND c.oid = d.objid AND c.contypid <> 0)
   AND EXISTS (SELECT FROM pg_depend e WHERE e.classid = d.refclassid AND e.objid = d.refobjid AND e.refobjid = 'hostile'::regnamespace)
   AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = d.refclassid AND e.objid = d.refobjid AND e.deptype = 'e')
   AND NOT EXISTS (SELECT FROM pg_depend h WHERE h.classid = d.classid AND h.objid = d.objid AND h.refobjid = 'hostile'::regnamespace
					  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = h.classid AND e.objid = h.objid AND e.deptype = 'e'));
SELECT attname, atttypid::regtype, attcollation::regcollation
  FROM pg_attribute
 WHERE attrelid = 'hilo_internal.hilo_hi'::regclass AND attname IN ('reserved', 'name')
 ORDER BY attnum;
ROLLBACK;

SET client_min_messages = warning;
DROP SCHEMA hostile CASCADE;
DROP ROLE regress_hilo_user;
