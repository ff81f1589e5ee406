/*
 * The matrix of rights: who may use, see and change a generator, by each way that gives
 * a right.  Each part is a session of its own and drops what it made
 */

/*
 * Who may use and who may change a generator, judged at each call by the role
 * of that moment
 */
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_user;
CREATE ROLE regress_hilo_other;
CREATE ROLE regress_hilo_group;
CREATE ROLE regress_hilo_member IN ROLE regress_hilo_group;
CREATE ROLE regress_hilo_noinherit NOINHERIT;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_owner, regress_hilo_other;

-- To create takes CREATE on the database, and so does a first use; a new generator
-- is its owner's alone.
SET ROLE regress_hilo_user;
SELECT hilo_create('privilege');
SELECT hilo_next_tag('privilege');
SELECT hilo_seed('privilege', 10);
SET ROLE regress_hilo_owner;
SELECT hilo_create('privilege');
SELECT hilo_next_tag('privilege_first_use');
SELECT name, owner, is_public FROM hilo_generators() WHERE name LIKE 'privilege%' ORDER BY name;
SELECT hilo_drop('privilege_first_use');
SET ROLE regress_hilo_user;
SELECT hilo_next_tag('privilege');
SELECT count(*) FROM hilo_generators() WHERE name = 'privilege';

-- Alter, drop, seed and grant are the owner's.
SELECT hilo_alter('privilege', range_size => 10);
SELECT hilo_drop('privilege');
SELECT hilo_drop('privilege', if_exists => true);
SELECT hilo_seed('privilege', 1000);
SELECT hilo_seed('privilege', 0, force => true);
SELECT hilo_seed('privilege', NULL);
SELECT hilo_grant('privilege', 'regress_hilo_user');
SELECT hilo_revoke('privilege', 'public');
SET ROLE regress_hilo_other;
SELECT hilo_create('privilege');

-- A grant is for the one role, and for every function.
SET ROLE regress_hilo_owner;
SELECT hilo_grant('privilege', 'regress_hilo_user');
SET ROLE regress_hilo_user;
SELECT hilo_next_tag('privilege'), hilo_current('privilege');
SET ROLE regress_hilo_other;
SELECT hilo_next_tag('privilege');
SELECT * FROM hilo_next_tag('privilege', 2);
SELECT * FROM hilo_next_tag('privilege', 0);
SELECT hilo_next_id('privilege');
SELECT hilo_current('privilege');
SELECT hilo_release('privilege');
SELECT * FROM hilo_next_range('privilege');
SELECT hilo_return_range('privilege', 32, 10);
SELECT hilo_next_hi('privilege', 10);
SELECT hilo_seed('privilege', NULL);
-- It neither sees what it may not use, nor gives it back.
SELECT count(*) FROM hilo_generators() WHERE name = 'privilege';
SELECT count(*) FROM hilo_session() WHERE name = 'privilege';
SELECT hilo_release();
-- The owner and superusers need no grant.
SET ROLE regress_hilo_owner;
SELECT hilo_next_tag('privilege');
RESET ROLE;
SELECT hilo_next_tag('privilege');

-- More grants; the last revoke leaves the owner alone; 'public' opens it.
SET ROLE regress_hilo_owner;
SELECT hilo_grant('privilege', 'regress_hilo_other');
SELECT hilo_grant('privilege', 'regress_hilo_other');
SET ROLE regress_hilo_other;
SELECT hilo_next_tag('privilege');
SET ROLE regress_hilo_owner;
SELECT hilo_revoke('privilege', 'regress_hilo_other');
SELECT hilo_revoke('privilege', 'regress_hilo_other');
SET ROLE regress_hilo_other;
SELECT hilo_next_tag('privilege');
SET ROLE regress_hilo_user;
SELECT hilo_next_tag('privilege');
SET ROLE regress_hilo_owner;
SELECT hilo_revoke('privilege', 'regress_hilo_user');
SELECT hilo_revoke('privilege', 'regress_hilo_owner');
SET ROLE regress_hilo_user;
SELECT hilo_next_tag('privilege');
SET ROLE regress_hilo_owner;
SELECT hilo_next_tag('privilege');
SELECT is_public FROM hilo_generators() WHERE name = 'privilege';
SELECT hilo_grant('privilege', 'public');
SET ROLE regress_hilo_user;
SELECT hilo_next_tag('privilege');
SET ROLE regress_hilo_owner;
SELECT hilo_revoke('privilege', 'public');
SET ROLE regress_hilo_user;
SELECT hilo_next_tag('privilege');
SET ROLE regress_hilo_owner;
SELECT hilo_grant('privilege', 'regress_hilo_none');
SELECT hilo_revoke('privilege', 'regress_hilo_none');
SELECT hilo_grant('privilege', NULL);
SELECT hilo_grant(NULL, 'public');

-- A grant is transactional, and told to the session that made it.
BEGIN;
SELECT hilo_grant('privilege', 'regress_hilo_user');
SET LOCAL ROLE regress_hilo_user;
SELECT hilo_next_tag('privilege');
ROLLBACK;
SET ROLE regress_hilo_user;
SELECT hilo_next_tag('privilege');

-- Roles may have the right of another.
SET ROLE regress_hilo_owner;
SELECT hilo_grant('privilege', 'regress_hilo_group');
SET ROLE regress_hilo_member;
SELECT hilo_next_tag('privilege');
RESET ROLE;
GRANT regress_hilo_group TO regress_hilo_noinherit;
SET ROLE regress_hilo_noinherit;
SELECT hilo_next_tag('privilege');
RESET ROLE;
REVOKE regress_hilo_group FROM regress_hilo_member;
SET ROLE regress_hilo_member;
SELECT hilo_next_tag('privilege');
RESET ROLE;
GRANT regress_hilo_owner TO regress_hilo_member;
SET ROLE regress_hilo_member;
SELECT hilo_seed('privilege', 1000);
SELECT hilo_next_tag('privilege');
RESET ROLE;
REVOKE regress_hilo_owner FROM regress_hilo_member;
SET ROLE regress_hilo_member;
SELECT hilo_seed('privilege', 2000);
RESET ROLE;
ALTER ROLE regress_hilo_member SUPERUSER;
SET ROLE regress_hilo_member;
SELECT hilo_next_tag('privilege');
RESET ROLE;
ALTER ROLE regress_hilo_member NOSUPERUSER;
SET ROLE regress_hilo_member;
SELECT hilo_next_tag('privilege');

-- Another owner.
SET ROLE regress_hilo_owner;
SELECT hilo_alter('privilege', owner => 'regress_hilo_other');
SELECT hilo_alter('privilege', owner => 'regress_hilo_none');
RESET ROLE;
GRANT regress_hilo_other TO regress_hilo_owner;
SET ROLE regress_hilo_owner;
SELECT hilo_alter('privilege', owner => 'regress_hilo_other');
RESET ROLE;
REVOKE regress_hilo_other FROM regress_hilo_owner;
-- as ALTER ... OWNER TO has it: to one that it could become, whether it inherits or not
SELECT hilo_alter('privilege', owner => 'regress_hilo_owner');
ALTER ROLE regress_hilo_owner NOINHERIT;
GRANT regress_hilo_other TO regress_hilo_owner;
SET ROLE regress_hilo_owner;
SELECT hilo_alter('privilege', owner => 'regress_hilo_other');
RESET ROLE;
REVOKE regress_hilo_other FROM regress_hilo_owner;
-- which may create generators, unless a superuser says so
SELECT hilo_alter('privilege', owner => 'regress_hilo_owner');
GRANT regress_hilo_group TO regress_hilo_owner;
SET ROLE regress_hilo_owner;
SELECT hilo_alter('privilege', owner => 'regress_hilo_group');
RESET ROLE;
SELECT hilo_alter('privilege', owner => 'regress_hilo_group'), hilo_alter('privilege', owner => 'regress_hilo_other');
REVOKE regress_hilo_group FROM regress_hilo_owner;
ALTER ROLE regress_hilo_owner INHERIT;
SELECT owner FROM hilo_generators() WHERE name = 'privilege';
SET ROLE regress_hilo_owner;
SELECT hilo_next_tag('privilege');
SELECT hilo_alter('privilege', owner => 'regress_hilo_owner');
SET ROLE regress_hilo_other;
SELECT hilo_grant('privilege', 'regress_hilo_owner');
SET ROLE regress_hilo_owner;
SELECT hilo_next_tag('privilege');
RESET ROLE;
-- to one with a grant, which it needs no more
SELECT hilo_alter('privilege', owner => 'regress_hilo_owner');
SELECT role, is_owner FROM hilo_internal.hilo_privilege WHERE generator = 'privilege' ORDER BY role::text;

-- An owner that is no more leaves its generator to superusers.
SET ROLE regress_hilo_other;
SELECT hilo_create('privilege_orphan');
RESET ROLE;
DROP OWNED BY regress_hilo_other;
DROP ROLE regress_hilo_other;
SET ROLE regress_hilo_user;
SELECT hilo_next_tag('privilege_orphan');
SELECT hilo_drop('privilege_orphan');
RESET ROLE;
SELECT owner FROM hilo_generators() WHERE name = 'privilege_orphan';
SELECT hilo_alter('privilege_orphan', owner => 'regress_hilo_user');
SET ROLE regress_hilo_user;
SELECT hilo_drop('privilege_orphan');

-- Whoever watches the server sees all generators, and can do nothing with them.
RESET ROLE;
SELECT hilo_create('privilege|'), identity_next('privilege');
GRANT pg_monitor TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT name, owner, is_public FROM hilo_generators() WHERE name = 'privilege';
SELECT * FROM hilo_identities() WHERE name = 'privilege|';
SELECT identity_current('privilege');
SELECT hilo_next_tag('privilege');
SELECT hilo_seed('privilege', 1000);
SELECT identity_next('privilege');
RESET ROLE;
REVOKE pg_monitor FROM regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT name FROM hilo_generators() WHERE name = 'privilege';
SELECT * FROM hilo_identities() WHERE name = 'privilege|';
SELECT identity_current('privilege');

-- A grant only adds, a revoke only takes away.
RESET ROLE;
SELECT hilo_create('privilege_again'), hilo_grant('privilege_again', 'regress_hilo_user');
SELECT is_public, grants FROM hilo_generators() WHERE name = 'privilege_again';
SELECT hilo_grant('privilege_again', 'public'), hilo_grant('privilege_again', 'regress_hilo_user'), hilo_grant('privilege_again', 'regress_hilo_group');
SELECT is_public, grants FROM hilo_generators() WHERE name = 'privilege_again';
SELECT hilo_revoke('privilege_again', 'regress_hilo_user'), hilo_revoke('privilege_again', 'regress_hilo_group'), hilo_grant('privilege_again', 'regress_hilo_member');
SELECT is_public, grants FROM hilo_generators() WHERE name = 'privilege_again';
SET ROLE regress_hilo_user;

-- The tables are nobody's, nor is their schema.
SELECT * FROM hilo_internal.hilo_hi;
RESET ROLE;
GRANT USAGE ON SCHEMA hilo_internal TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT * FROM hilo_internal.hilo_hi;
SELECT * FROM hilo_internal.hilo_generator;
SELECT * FROM hilo_internal.hilo_privilege;
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('privilege', 'regress_hilo_user', false);
UPDATE hilo_internal.hilo_generator SET is_public = true;
DELETE FROM hilo_internal.hilo_privilege;
TRUNCATE hilo_internal.hilo_hi;
SELECT reserved FROM hilo_internal.hilo_hi FOR UPDATE;
BEGIN;
LOCK hilo_internal.hilo_hi;
ROLLBACK;
CREATE TRIGGER t BEFORE INSERT ON hilo_internal.hilo_hi FOR EACH ROW EXECUTE FUNCTION hilo_internal.hilo_guard();

RESET ROLE;
REVOKE USAGE ON SCHEMA hilo_internal FROM regress_hilo_user;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'privilege%';
DROP OWNED BY regress_hilo_owner;
DROP ROLE regress_hilo_owner, regress_hilo_user, regress_hilo_group,
          regress_hilo_member, regress_hilo_noinherit;
\c -
\set VERBOSITY default
\set SHOW_CONTEXT errors
\pset format aligned
\pset tuples_only off
/*
 * SET ROLE and SECURITY DEFINER on what another role has cached in the same
 * session
 */
CREATE ROLE regress_hilo_owner;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_owner;
CREATE ROLE regress_hilo_other;
\set SHOW_CONTEXT never
SET hilo.prefetch = off;
SET ROLE regress_hilo_owner;
SELECT hilo_create('privilege_cache');
SELECT hilo_next_tag('privilege_cache'), hilo_next_tag('privilege_cache');

-- in the same transaction, on a range in hand
BEGIN;
SELECT hilo_next_tag('privilege_cache');
SET LOCAL ROLE regress_hilo_other;
SELECT hilo_next_tag('privilege_cache');
ROLLBACK;
SET ROLE regress_hilo_other;
SELECT hilo_next_tag('privilege_cache');
SELECT hilo_next_id('privilege_cache');
SELECT * FROM hilo_next_tag('privilege_cache', 1);
SELECT hilo_current('privilege_cache');
SELECT hilo_release('privilege_cache');
SELECT hilo_release();
SELECT * FROM hilo_session() WHERE name = 'privilege_cache';
SET ROLE regress_hilo_owner;
SELECT name, current, next, high FROM hilo_session() WHERE name = 'privilege_cache';

-- a prepared statement
PREPARE next_id AS SELECT hilo_next_tag('privilege_cache');
EXECUTE next_id;
SET ROLE regress_hilo_other;
EXECUTE next_id;
SET ROLE regress_hilo_owner;
EXECUTE next_id;

-- one call site, the role changing below it
CREATE FUNCTION pg_temp.roles_in_turn() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	role text;
BEGIN
	FOREACH role IN ARRAY '{regress_hilo_owner,regress_hilo_other,regress_hilo_owner,regress_hilo_other}'::text[] LOOP
		BEGIN
			PERFORM set_config('role', role, true);
			RETURN NEXT role || ': ' || hilo_next_tag('privilege_cache');
		EXCEPTION WHEN insufficient_privilege THEN
			RETURN NEXT role || ': ' || SQLERRM;
		END;
	END LOOP;
END $$;
RESET ROLE;
SELECT * FROM pg_temp.roles_in_turn();
-- one statement
BEGIN;
SET LOCAL ROLE regress_hilo_owner;
SELECT hilo_next_tag('privilege_cache'),
       set_config('role', CASE i WHEN 3 THEN 'regress_hilo_other' ELSE 'regress_hilo_owner' END, true)
  FROM generate_series(1, 5) i;
ROLLBACK;
-- a cursor
BEGIN;
SET LOCAL ROLE regress_hilo_owner;
DECLARE c CURSOR FOR SELECT hilo_next_tag('privilege_cache') FROM generate_series(1, 5);
FETCH c;
SET LOCAL ROLE regress_hilo_other;
FETCH c;
ROLLBACK;

-- SECURITY DEFINER lends its owner's right, and no more than that
SET ROLE regress_hilo_owner;
CREATE FUNCTION pg_temp.owners_next() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
	AS 'BEGIN RETURN public.hilo_next_tag(''privilege_cache''); END';
SET ROLE regress_hilo_other;
CREATE FUNCTION pg_temp.others_next() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
	AS 'BEGIN RETURN public.hilo_next_tag(''privilege_cache''); END';
SELECT pg_temp.owners_next() > 0 AS lent;
SELECT hilo_next_tag('privilege_cache');
BEGIN;
SELECT pg_temp.owners_next() > 0 AS lent;
SELECT hilo_next_tag('privilege_cache');
ROLLBACK;
SET ROLE regress_hilo_owner;
BEGIN;
SELECT hilo_next_tag('privilege_cache') > 0 AS own;
SELECT pg_temp.others_next();
ROLLBACK;

-- a right taken away in the middle of a transaction of the same session
RESET ROLE;
SELECT hilo_grant('privilege_cache', 'public');
BEGIN;
SET LOCAL ROLE regress_hilo_other;
SELECT hilo_next_tag('privilege_cache') > 0 AS public;
RESET ROLE;
SELECT hilo_revoke('privilege_cache', 'public');
SET LOCAL ROLE regress_hilo_other;
SELECT hilo_next_tag('privilege_cache');
ROLLBACK;
-- and nothing asked since but what the session holds
SELECT hilo_next_tag('privilege_cache') > 0 AS next;
SELECT hilo_revoke('privilege_cache', 'public');
SET ROLE regress_hilo_other;
SELECT count(*) FROM hilo_session() WHERE name = 'privilege_cache';
SELECT hilo_release();
SELECT hilo_release('privilege_cache');

RESET ROLE;
SELECT hilo_drop('privilege_cache');
DROP FUNCTION pg_temp.owners_next, pg_temp.others_next, pg_temp.roles_in_turn;
DROP OWNED BY regress_hilo_owner;
DROP ROLE regress_hilo_owner, regress_hilo_other;
\c -
\set VERBOSITY default
\set SHOW_CONTEXT errors
\pset format aligned
\pset tuples_only off
/*
 * What a role with nothing, and one with a generator of its own, may do with each
 * function and each relation of hilo: whatever is added shows here
 */
\pset format unaligned
\pset tuples_only on
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_one;
CREATE ROLE regress_hilo_nothing;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_owner, regress_hilo_one;
CREATE VIEW member AS
	SELECT d.classid, d.objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
	 WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'hilo';

-- functions that are not for everybody
SELECT p.oid::regprocedure FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
 WHERE NOT has_function_privilege('regress_hilo_nothing', p.oid, 'EXECUTE') ORDER BY p.oid::regprocedure::text COLLATE "C";
-- none has other rights than its caller's, but those that keep the list of servers
SELECT p.oid::regprocedure FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid WHERE p.prosecdef ORDER BY p.oid::regprocedure::text COLLATE "C";
-- none looks names up by the caller's search_path, but those whose names are all with a schema
SELECT p.oid::regprocedure, p.prosqlbody IS NOT NULL AS parsed, p.proconfig
  FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid JOIN pg_language l ON l.oid = p.prolang
 WHERE l.lanname <> 'c' AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (p.proconfig), false) ORDER BY p.oid::regprocedure::text COLLATE "C";
-- relations, of which other objects are nobody's
SELECT c.relname, c.relkind, string_agg(privilege, ' ' ORDER BY privilege)
  FROM pg_class c JOIN member ON classid = 'pg_class'::regclass AND objid = c.oid
  LEFT JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
	   ON has_table_privilege('regress_hilo_nothing', c.oid, privilege)
	   OR privilege IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege('regress_hilo_nothing', c.oid, privilege)
 WHERE c.relkind IN ('r', 'v', 'S') GROUP BY 1, 2 ORDER BY relname COLLATE "C";
-- nothing of the extension leans on what is not PostgreSQL's or its own
SELECT pg_describe_object(d.classid, d.objid, d.objsubid), pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid)
  FROM pg_depend d JOIN member m ON m.classid = d.classid AND m.objid = d.objid
 WHERE d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass, 'pg_collation'::regclass)
   AND NOT EXISTS (SELECT FROM member o WHERE o.classid = d.refclassid AND o.objid = d.refobjid)
   AND NOT EXISTS (SELECT FROM pg_type t JOIN member o ON o.classid = 'pg_class'::regclass AND o.objid = t.typrelid
					WHERE d.refclassid = 'pg_type'::regclass AND t.oid = d.refobjid);

-- generators of each kind that are one role's alone, and one of the other role's
CREATE FOREIGN DATA WRAPPER regress_hilo;
CREATE SERVER regress_hilo_nowhere FOREIGN DATA WRAPPER regress_hilo OPTIONS (host '/nowhere');
CREATE SEQUENCE secret_seq;
CREATE TABLE secret_hi (next_hi int);
INSERT INTO secret_hi VALUES (1);
GRANT USAGE ON FOREIGN SERVER regress_hilo_nowhere TO regress_hilo_owner;
ALTER TABLE secret_hi OWNER TO regress_hilo_owner;
ALTER SEQUENCE secret_seq OWNER TO regress_hilo_owner;
GRANT ALL ON secret_seq, secret_hi TO PUBLIC;
SET ROLE regress_hilo_owner;
CREATE TEMP TABLE secret (name text);
GRANT SELECT ON secret TO PUBLIC;
INSERT INTO secret VALUES ('secret'), ('secret|'), ('secret gapless'), ('secret sequence'), ('secret table'), ('secret hub');
SELECT hilo_create('secret'), hilo_create('secret|'), hilo_create('secret gapless', 'gapless'),
       hilo_create('secret hub', hub => 'regress_hilo_nowhere'),
       hilo_adopt_sequence('secret sequence', 'secret_seq', 'nhibernate-seqhilo', 10), hilo_adopt_table('secret table', 'secret_hi', 'classic', 10);
SELECT count(hilo_next_tag(name)) FROM secret WHERE name IN ('secret', 'secret|', 'secret gapless');
SET ROLE regress_hilo_one;
SELECT hilo_create('mine');
RESET ROLE;

-- what a superuser lets other servers call
GRANT USAGE ON SCHEMA hilo_internal TO regress_hilo_one, regress_hilo_nothing;
GRANT EXECUTE ON FUNCTION hilo_internal.hilo_hub_take, hilo_internal.hilo_hub_last, hilo_internal.hilo_hub_seed TO PUBLIC;
-- a call of a function for a generator, with something for each of its other arguments
CREATE FUNCTION call_for(function regprocedure, generator text) RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT %s.%I(%s)', pronamespace::regnamespace, proname, string_agg(format('%s::%s',
			CASE WHEN no = 1 AND type = 'text[]'::regtype THEN quote_literal(ARRAY[generator]::text)
				 WHEN no = 1 THEN quote_literal(generator)
				 WHEN type = 'bool'::regtype THEN 'false' WHEN type = 'name'::regtype AND 'hub' = proargnames[no] THEN quote_literal('')
				 WHEN type = 'name'::regtype THEN quote_literal('regress_hilo_nothing')
				 WHEN type = 'timestamptz'::regtype THEN 'now()' WHEN type = 'regclass'::regtype THEN quote_literal('secret_seq')
				 WHEN type = 'text'::regtype AND 'ordering' = proargnames[no] THEN quote_literal('global')
				 WHEN type = 'text'::regtype AND 'style' = proargnames[no] THEN quote_literal('nhibernate-seqhilo')
				 WHEN type = 'text'::regtype THEN quote_literal('x') ELSE '5' END, type::regtype), ', ' ORDER BY no))
	  FROM pg_proc, unnest(proargtypes::oid[]) WITH ORDINALITY a(type, no) WHERE oid = function GROUP BY pronamespace, proname
$$;
CREATE FUNCTION pg_temp.state_of(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE command;
	RAISE SQLSTATE 'DONE0';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
CREATE TEMP TABLE asked AS
	SELECT p.oid::regprocedure AS function, s.name, call_for(p.oid, s.name) AS call
	  FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid, secret s
	 WHERE p.prokind = 'f' AND p.provolatile = 'v' AND p.proargtypes[0] IN ('text'::regtype, 'text[]'::regtype)
	   AND p.proargnames[1] IN ('name', 'names', 'pattern') AND has_function_privilege('public', p.oid, 'EXECUTE')
   AND p.proname NOT IN ('hilo_create', 'hilo_adopt_sequence', 'hilo_adopt_table', 'hilo_raise_counter')
   AND (p.proname NOT LIKE 'identity%' OR s.name = 'secret|') AND (p.proname <> 'hilo_next_id' OR s.name <> 'secret|');
GRANT SELECT ON asked TO PUBLIC;
SELECT string_agg(DISTINCT function::text COLLATE "C", E'\n') FROM asked;
-- all refuse but these: document_id of a whole id is that id, and of what a session does
-- not hold it has nothing to release
SET ROLE regress_hilo_nothing;
SELECT function, name, pg_temp.state_of(call) FROM asked WHERE pg_temp.state_of(call) <> '42501' ORDER BY function::text COLLATE "C", name COLLATE "C";
SELECT call, pg_temp.state_of('SELECT ' || call) FROM (VALUES ($$hilo_create('secret')$$),
	($$hilo_adopt_sequence('secret', 'secret_seq', 'nhibernate-seqhilo', 10)$$), ($$hilo_adopt_table('secret', 'secret_hi', 'classic', 10)$$),
	($$hilo_adopt_sequence('secret table', 'secret_seq', 'nhibernate-seqhilo', 10)$$), ($$hilo_adopt_table('secret table', 'secret_hi', 'classic', 10)$$),
	($$hilo_attach('secret_hi', 'next_hi')$$), ($$hilo_detach('secret_hi', 'next_hi')$$), ($$hilo_resync('secret_hi', 'next_hi')$$),
	($$anchor_partitions('secret_hi', 1)$$),
	($$count(*) FROM hilo_import_ravendb('{"Raven/Hilo/secret": {"Max": 96}}', NULL)$$), ($$count(*) FROM hilo_import_ravendb(NULL, '{"secret|": 96}')$$)) calls (call);
SET ROLE regress_hilo_one;
SELECT call FROM asked WHERE pg_temp.state_of(call) <> '42501' AND call !~ '(document_id|hilo_release)\(';
SELECT hilo_next_tag('mine');
-- and in what shows generators
SELECT name FROM hilo_generators() WHERE name LIKE 'secret%' UNION ALL SELECT name FROM hilo_stats() WHERE name LIKE 'secret%'
UNION ALL SELECT name FROM hilo_session() WHERE name LIKE 'secret%' UNION ALL SELECT name FROM hilo_identities() WHERE name LIKE 'secret%'
UNION ALL SELECT name FROM hilo_sources() WHERE name LIKE 'secret%';
SELECT hilo_release();
SELECT hilo_stats_reset();
-- nothing was moved
RESET ROLE;
SELECT name, last FROM hilo_generators() WHERE name LIKE 'secret%' ORDER BY name COLLATE "C";
-- settings that are superusers'
SET ROLE regress_hilo_one;
SELECT name FROM pg_settings WHERE name LIKE 'hilo.%' AND context = 'user' ORDER BY 1;
SELECT s.name, pg_temp.state_of(format('SELECT set_config(%L, %L, false)', s.name, s.setting))
  FROM pg_settings s WHERE s.name LIKE 'hilo.%' AND context <> 'user' ORDER BY 1;
RESET ROLE;

SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name LIKE 'secret%' OR name = 'mine';
REVOKE USAGE ON SCHEMA hilo_internal FROM regress_hilo_one, regress_hilo_nothing;
REVOKE EXECUTE ON FUNCTION hilo_internal.hilo_hub_take, hilo_internal.hilo_hub_last, hilo_internal.hilo_hub_seed FROM PUBLIC;
DROP FUNCTION pg_temp.state_of, call_for;
DROP TABLE asked, secret, secret_hi;
DROP SEQUENCE secret_seq;
DROP VIEW member;
DROP FOREIGN DATA WRAPPER regress_hilo CASCADE;
DROP OWNED BY regress_hilo_owner, regress_hilo_one;
DROP ROLE regress_hilo_owner, regress_hilo_one, regress_hilo_nothing;
\c -
\set VERBOSITY default
\set SHOW_CONTEXT errors
\pset format aligned
\pset tuples_only off
/*
 * The right to use a generator that comes with the right to insert into a table
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_app;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_group;
GRANT CREATE ON SCHEMA public TO regress_hilo_owner, regress_hilo_bob;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_owner, regress_hilo_bob;
SET ROLE regress_hilo_owner;
CREATE TABLE rights (id bigint DEFAULT hilo_next_tag('rights'), a int, b int);
INSERT INTO rights DEFAULT VALUES;
RESET ROLE;
CREATE FUNCTION may_use(role text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer text;
BEGIN
	PERFORM set_config('role', role, true);
	BEGIN
		PERFORM hilo_next_tag('rights');
		answer := 'yes';
	EXCEPTION WHEN insufficient_privilege THEN
		answer := SQLERRM;
	END;
	PERFORM set_config('role', 'none', true);
	RETURN answer;
END $$;

-- INSERT on the table, on a column, through a group or PUBLIC; and no more when it goes
SELECT may_use('regress_hilo_app');
GRANT SELECT, UPDATE, DELETE, REFERENCES ON rights TO regress_hilo_app;
SELECT may_use('regress_hilo_app');
GRANT INSERT ON rights TO regress_hilo_app;
SELECT may_use('regress_hilo_app');
REVOKE INSERT ON rights FROM regress_hilo_app;
SELECT may_use('regress_hilo_app');
GRANT INSERT (a) ON rights TO regress_hilo_app;
SELECT may_use('regress_hilo_app');
REVOKE INSERT (a) ON rights FROM regress_hilo_app;
SELECT may_use('regress_hilo_app');
GRANT INSERT ON rights TO regress_hilo_group;
GRANT regress_hilo_group TO regress_hilo_app;
SELECT may_use('regress_hilo_app');
REVOKE regress_hilo_group FROM regress_hilo_app;
SELECT may_use('regress_hilo_app');
REVOKE INSERT ON rights FROM regress_hilo_group;
GRANT INSERT ON rights TO PUBLIC;
SELECT may_use('regress_hilo_app');
REVOKE INSERT ON rights FROM PUBLIC;
SELECT may_use('regress_hilo_app');

-- for every function that takes ids, and to see what one may use; not to change it
GRANT INSERT ON rights TO regress_hilo_app;
SET ROLE regress_hilo_app;
SELECT hilo_next_tag('rights') > 0 AS next, hilo_current('rights') > 0 AS current, hilo_next_for('rights') > 0 AS next_for,
	   hilo_next_id('rights') <> '' AS next_id, (SELECT high - low FROM hilo_next_range('rights', 5)) AS range;
SELECT name, grants FROM hilo_generators() WHERE name = 'rights';
SELECT count(*) FROM hilo_session() WHERE name = 'rights';
SELECT hilo_seed('rights', 1000);
SELECT hilo_grant('rights', 'regress_hilo_app');
SELECT hilo_drop('rights');
RESET ROLE;

-- it is the table's, whatever the default is
ALTER TABLE rights ALTER id DROP DEFAULT;
SELECT may_use('regress_hilo_app');
ALTER TABLE rights ALTER id SET DEFAULT hilo_next_tag('RIGHTS');

-- of another table, only where that is written to, and its owner owns the generator or has a grant
CREATE FUNCTION may_insert(role text, rel regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer text;
BEGIN
	PERFORM set_config('role', role, true);
	BEGIN
		EXECUTE format('INSERT INTO %s DEFAULT VALUES', rel);
		answer := 'yes';
	EXCEPTION WHEN insufficient_privilege THEN
		answer := SQLERRM;
	END;
	PERFORM set_config('role', 'none', true);
	RETURN answer;
END $$;
REVOKE INSERT ON rights FROM regress_hilo_app;
SET ROLE regress_hilo_bob;
CREATE TABLE rights_bait (id bigint DEFAULT hilo_next_tag('rights'));
GRANT INSERT ON rights_bait TO regress_hilo_app;
RESET ROLE;
SELECT may_insert('regress_hilo_bob', 'rights_bait'), may_insert('regress_hilo_app', 'rights_bait');
SELECT hilo_grant('rights', 'regress_hilo_bob');
SELECT may_insert('regress_hilo_bob', 'rights_bait'), may_insert('regress_hilo_app', 'rights_bait');
SELECT may_use('regress_hilo_bob'), may_use('regress_hilo_app');
SELECT hilo_revoke('rights', 'regress_hilo_bob');
SELECT may_insert('regress_hilo_bob', 'rights_bait'), may_insert('regress_hilo_app', 'rights_bait');
-- nor by a membership that gives no privileges
GRANT regress_hilo_owner TO regress_hilo_bob;
SELECT may_insert('regress_hilo_bob', 'rights_bait'), may_insert('regress_hilo_app', 'rights_bait');
REVOKE regress_hilo_owner FROM regress_hilo_bob;
ALTER ROLE regress_hilo_bob NOINHERIT;
GRANT regress_hilo_owner TO regress_hilo_bob;
SELECT may_insert('regress_hilo_bob', 'rights_bait'), may_insert('regress_hilo_app', 'rights_bait');
REVOKE regress_hilo_owner FROM regress_hilo_bob;
ALTER ROLE regress_hilo_bob INHERIT;
-- nor by way of one that changes hands, either way
ALTER TABLE rights_bait OWNER TO regress_hilo_owner;
SELECT may_insert('regress_hilo_bob', 'rights_bait'), may_insert('regress_hilo_app', 'rights_bait');
ALTER TABLE rights_bait OWNER TO regress_hilo_bob;
SELECT may_insert('regress_hilo_app', 'rights_bait');
-- that a superuser may use all generators gives nobody a right
RESET ROLE;
ALTER TABLE rights_bait OWNER TO CURRENT_USER;
SELECT may_insert('regress_hilo_app', 'rights_bait');
DROP TABLE rights_bait;

-- a partition, and one of the table that the generator belongs to
SET ROLE regress_hilo_owner;
CREATE TABLE rights_parts (id bigint DEFAULT hilo_next_tag('rights'), part int) PARTITION BY LIST (part);
CREATE TABLE rights_part PARTITION OF rights_parts DEFAULT;
GRANT INSERT ON rights_part TO regress_hilo_app;
RESET ROLE;
SELECT may_insert('regress_hilo_app', 'rights_part'), may_insert('regress_hilo_app', 'rights_parts');
ALTER TABLE rights_part ALTER id DROP DEFAULT;
SELECT may_use('regress_hilo_app');
SET ROLE regress_hilo_owner;
ALTER TABLE rights_parts ALTER id SET DEFAULT hilo_next_tag('rights_parts');
RESET ROLE;
SELECT may_insert('regress_hilo_owner', 'rights_parts');
SELECT hilo_next_tag('rights_parts') > 0 AS made;
SET ROLE regress_hilo_app;
SELECT hilo_next_tag('rights_parts') > 0 AS next;
RESET ROLE;
DROP TABLE rights_parts;
SELECT hilo_drop('rights_parts');

-- in one transaction, on a range in hand: what was taken away by this session
GRANT INSERT ON rights TO regress_hilo_app;
BEGIN;
SET LOCAL ROLE regress_hilo_app;
SELECT hilo_next_tag('rights') > 0 AS before;
RESET ROLE;
REVOKE INSERT ON rights FROM regress_hilo_app;
SET LOCAL ROLE regress_hilo_app;
SELECT hilo_next_tag('rights');
ROLLBACK;
SELECT may_use('regress_hilo_app');
-- a table of another name, one that is gone, and one that has its name
ALTER TABLE rights RENAME TO rights_before;
SELECT may_use('regress_hilo_app');
DROP TABLE rights_before;
SELECT may_use('regress_hilo_app');
SET ROLE regress_hilo_owner;
CREATE TABLE rights (id text DEFAULT hilo_next_id('rights'));
GRANT INSERT ON rights TO regress_hilo_app;
RESET ROLE;
SELECT may_use('regress_hilo_app');
SELECT may_insert('regress_hilo_app', 'rights');
SELECT owner, columns FROM hilo_generators() WHERE name = 'rights';
-- a trigger in the place of a default leads to generators with the name of the table alone
SELECT hilo_alter('rights', owner => 'regress_hilo_owner');
ALTER TABLE rights ALTER id DROP DEFAULT;
SET ROLE regress_hilo_owner;
CREATE TRIGGER id BEFORE INSERT ON rights FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
RESET ROLE;
SELECT may_use('regress_hilo_app');
SELECT may_insert('regress_hilo_app', 'rights');
DROP TRIGGER id ON rights;
SELECT hilo_create('secret'), hilo_alter('secret', owner => 'regress_hilo_owner');
CREATE TRIGGER id BEFORE INSERT ON rights FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'secret');
SELECT may_insert('regress_hilo_app', 'rights'), may_insert('regress_hilo_owner', 'rights');
DROP TRIGGER id ON rights;
SELECT hilo_drop('secret');
DROP FUNCTION may_insert;

-- an adopted sequence's generator is its owner's, whoever adopts it
SET ROLE regress_hilo_owner;
CREATE SEQUENCE rights_seq;
CREATE TABLE adopted_rights (id bigint);
RESET ROLE;
SELECT hilo_adopt_sequence('adopted_rights', 'rights_seq', 'hibernate-pooled', 1);
ALTER TABLE adopted_rights ALTER id SET DEFAULT hilo_next_tag('adopted_rights');
SELECT owner FROM hilo_generators() WHERE name = 'adopted_rights';
SET ROLE regress_hilo_owner;
INSERT INTO adopted_rights DEFAULT VALUES RETURNING id;
RESET ROLE;

DROP TABLE rights, adopted_rights;
SELECT hilo_drop('rights'), hilo_drop('adopted_rights');
DROP FUNCTION may_use;
DROP OWNED BY regress_hilo_owner, regress_hilo_bob;
DROP ROLE regress_hilo_owner, regress_hilo_app, regress_hilo_bob, regress_hilo_group;
\c -
\set VERBOSITY default
\set SHOW_CONTEXT errors
\pset format aligned
\pset tuples_only off
/*
 * By whose rights the source of an ORM is changed: those of the generator's owner at that
 * moment, whoever takes the id; and that nobody's code runs for it
 */
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_app;
CREATE ROLE regress_hilo_deputy IN ROLE regress_hilo_alice;
CREATE SCHEMA shop;
GRANT ALL ON SCHEMA shop TO regress_hilo_alice, regress_hilo_bob;
GRANT USAGE ON SCHEMA shop TO regress_hilo_app;
CREATE TABLE shop.seen (code text, who text);
GRANT INSERT ON shop.seen TO PUBLIC;
-- in a trigger, or where an expression is evaluated
CREATE FUNCTION shop.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO shop.seen VALUES (TG_NAME, current_user);
	RETURN NEW;
END $$;
CREATE FUNCTION shop.write() RETURNS void LANGUAGE sql AS $$
	INSERT INTO shop.seen VALUES ('noted', current_user)
$$;
CREATE FUNCTION shop.noted(value bigint) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	PERFORM shop.write();
	RETURN value;
END $$;
CREATE FUNCTION who_ran() RETURNS TABLE (code text, who text) LANGUAGE sql AS $$
	WITH gone AS (DELETE FROM shop.seen RETURNING *) SELECT DISTINCT code, who FROM gone ORDER BY 1, 2
$$;

-- no source is a system's, or hilo's own, not even for a superuser
CREATE FUNCTION error_of(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE command;
	RETURN 'none';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT error_of(command), command FROM unnest(ARRAY[
	$$SELECT hilo_adopt_table('s', 'pg_auth_members', 'hibernate-table-none', key_column => 'roleid', key_value => '3374', hi_column => 'member')$$,
	$$SELECT hilo_adopt_table('s', 'information_schema.sql_sizing', 'hibernate-table-none', key_column => 'sizing_name', key_value => 'x', hi_column => 'sizing_id')$$,
	$$SELECT hilo_adopt_table('s', 'hilo_internal.hilo_hi', 'hibernate-table-none', key_column => 'name', key_value => 's', hi_column => 'reserved')$$,
	$$SELECT hilo_marten_next_hi('pg_class', 'x')$$]) command;

-- a table is adopted by its owner, whose the generator is
SET ROLE regress_hilo_alice;
CREATE TABLE shop.hi (entity_name text PRIMARY KEY, hi_value bigint);
INSERT INTO shop.hi VALUES ('x', 0);
GRANT ALL ON shop.hi TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SELECT hilo_adopt_table('viaowner', 'shop.hi', 'hibernate-table-pooled-lo', 1000, key_column => 'entity_name', key_value => 'x', hi_column => 'hi_value');
SELECT hilo_marten_next_hi('shop.hi', 'x');
RESET ROLE;
SELECT hilo_adopt_table('shop', 'shop.hi', 'hibernate-table-pooled-lo', 1000, key_column => 'entity_name', key_value => 'x', hi_column => 'hi_value');
SELECT owner FROM hilo_generators() WHERE name = 'shop';
SET ROLE regress_hilo_deputy;
SELECT hilo_adopt_table('shop.hi.deputys', 'shop.hi', 'marten', 10, key_value => 'deputy');
SELECT owner FROM hilo_generators() WHERE name = 'shop.hi.deputys';
SELECT hilo_grant('shop', 'regress_hilo_app');
-- who takes an id needs no right to the table, and lends none
SET ROLE regress_hilo_app;
SELECT low, high FROM hilo_next_range('shop');
RESET ROLE;
SELECT low, high FROM hilo_next_range('shop');
SELECT hilo_seed('shop', 5000);
TABLE shop.hi ORDER BY 1;

-- the owner must have the right now, whoever asks
REVOKE UPDATE ON shop.hi FROM regress_hilo_alice;
SELECT hilo_next_range('shop');
SET ROLE regress_hilo_app;
SELECT hilo_next_range('shop');
RESET ROLE;
SELECT hilo_seed('shop', 9000);
GRANT UPDATE (hi_value) ON shop.hi TO regress_hilo_alice;
SELECT low FROM hilo_next_range('shop');
REVOKE SELECT ON shop.hi FROM regress_hilo_alice;
SELECT hilo_next_range('shop');
GRANT SELECT ON shop.hi TO regress_hilo_alice;
DELETE FROM shop.hi;
REVOKE INSERT ON shop.hi FROM regress_hilo_alice;
SELECT hilo_next_range('shop');
GRANT ALL ON shop.hi TO regress_hilo_alice;
SELECT low FROM hilo_next_range('shop');

-- a table that is another's by now, and a generator that is
ALTER TABLE shop.hi OWNER TO regress_hilo_bob;
SELECT hilo_next_range('shop');
GRANT ALL ON shop.hi TO regress_hilo_alice;
SELECT high - low AS ids FROM hilo_next_range('shop');
SET ROLE regress_hilo_alice;
SELECT hilo_adopt_table('shop', 'shop.hi', 'hibernate-table-pooled-lo', 100, key_column => 'entity_name', key_value => 'x', hi_column => 'hi_value');
RESET ROLE;
SELECT hilo_alter('shop', owner => 'regress_hilo_bob');
SELECT high - low AS ids FROM hilo_next_range('shop');
ALTER TABLE shop.hi OWNER TO regress_hilo_alice;
SELECT hilo_alter('shop', owner => 'regress_hilo_alice');
-- one that is nobody's
CREATE ROLE regress_hilo_leaver;
SELECT hilo_alter('shop', owner => 'regress_hilo_leaver');
DROP ROLE regress_hilo_leaver;
SELECT hilo_next_range('shop');
SELECT hilo_alter('shop', owner => 'regress_hilo_alice');

-- a role with every right to a superuser's table, and to none
CREATE TABLE shop.hibernate_sequences (sequence_name text PRIMARY KEY, next_val bigint);
INSERT INTO shop.hibernate_sequences VALUES ('orders', 1);
GRANT ALL ON shop.hibernate_sequences TO regress_hilo_bob;
SELECT hilo_adopt_table('orders', 'shop.hibernate_sequences', 'hibernate-table-pooled-lo', 2), hilo_grant('orders', 'regress_hilo_bob');
SET ROLE regress_hilo_bob;
CREATE FUNCTION shop.evil() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO shop.seen VALUES ('evil ' || TG_NAME, current_user);
	ALTER ROLE regress_hilo_bob SUPERUSER;
	RETURN NULL;
END $$;
CREATE TABLE shop.queue (i int);
CREATE CONSTRAINT TRIGGER late AFTER INSERT ON shop.queue DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION shop.evil();
CREATE FUNCTION shop.innocent() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	INSERT INTO shop.queue VALUES (1);
	RETURN NEW;
END $$;
CREATE TRIGGER innocent BEFORE UPDATE ON shop.hibernate_sequences FOR EACH ROW EXECUTE FUNCTION shop.innocent();
CREATE TRIGGER after AFTER UPDATE ON shop.hibernate_sequences FOR EACH ROW EXECUTE FUNCTION shop.evil();
CREATE FUNCTION shop.turn() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	ALTER FUNCTION shop.evil SECURITY INVOKER;
	RETURN NEW;
END $$;
CREATE TRIGGER turn BEFORE UPDATE ON shop.hibernate_sequences FOR EACH ROW EXECUTE FUNCTION shop.turn();
ALTER FUNCTION shop.evil SECURITY DEFINER;
CREATE FUNCTION shop.hold() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	EXECUTE 'DECLARE held CURSOR WITH HOLD FOR SELECT shop.noted(1)';
	RETURN NULL;
END $$;
CREATE TRIGGER hold BEFORE UPDATE ON shop.hibernate_sequences FOR EACH STATEMENT EXECUTE FUNCTION shop.hold();
SELECT hilo_next_tag('orders') FROM generate_series(1, 5);
RESET ROLE;
-- who takes ids meanwhile, or raises all
CREATE TABLE shop.items (id bigint PRIMARY KEY DEFAULT hilo_next_tag('orders'));
INSERT INTO shop.items DEFAULT VALUES;
INSERT INTO shop.items VALUES (1000);
SET client_min_messages = error;
SELECT count(*) FROM hilo_resync_all() WHERE rel = 'shop.items'::regclass;
SET client_min_messages = warning;
SELECT * FROM who_ran();
SELECT rolsuper FROM pg_roles WHERE rolname = 'regress_hilo_bob';
SELECT next_val >= 1000 AS raised FROM shop.hibernate_sequences;
-- nor does a row that is made fire any
DELETE FROM shop.hibernate_sequences;
CREATE TRIGGER insertion BEFORE INSERT ON shop.hibernate_sequences FOR EACH ROW EXECUTE FUNCTION shop.note();
SELECT hilo_seed('orders', 2000), hilo_next_tag('orders') > 2000 AS above;
SELECT * FROM who_ran();

-- what would have to be evaluated is refused, when it is adopted and at each take
CREATE TABLE shop.plain (name_ varchar(64) PRIMARY KEY, value_ varchar(300), rev_ integer, other bigint);
CREATE INDEX ON shop.plain (other);
INSERT INTO shop.plain VALUES ('next.dbid', '1', 1, 1);
SELECT hilo_adopt_table('plain', 'shop.plain', 'camunda', 1);
\set take 'TRUNCATE shop.seen; SELECT hilo_next_tag(''plain'') > 0 AS taken; SELECT hilo_adopt_table(''plain too'', ''shop.plain'', ''camunda'', 1); SELECT * FROM who_ran();'
CREATE DOMAIN shop.counter AS varchar(300) CHECK (shop.noted(length(VALUE)) > 0);
ALTER TABLE shop.plain ALTER value_ TYPE shop.counter;
:take
ALTER TABLE shop.plain ALTER value_ TYPE varchar(300);
ALTER TABLE shop.plain ADD CONSTRAINT checked CHECK (shop.noted(length(value_)) > 0);
:take
ALTER TABLE shop.plain DROP CONSTRAINT checked;
ALTER TABLE shop.plain ADD CONSTRAINT checked CHECK (shop.noted(rev_) > 0) NOT VALID;
:take
ALTER TABLE shop.plain DROP CONSTRAINT checked;
ALTER TABLE shop.plain ADD CONSTRAINT checked CHECK (plain IS NOT NULL);
:take
ALTER TABLE shop.plain DROP CONSTRAINT checked;
ALTER TABLE shop.plain ADD CONSTRAINT checked CHECK (shop.noted(other) > 0);
:take
ALTER TABLE shop.plain DROP CONSTRAINT checked;
ALTER TABLE shop.plain ADD generated bigint GENERATED ALWAYS AS (shop.noted(rev_)) STORED;
:take
ALTER TABLE shop.plain DROP generated;
-- virtual where there is that
SELECT CASE WHEN current_setting('server_version_num')::int < 180000 THEN 'STORED' ELSE 'VIRTUAL' END AS kind \gset
ALTER TABLE shop.plain ADD generated bigint GENERATED ALWAYS AS (rev_ * 2) :kind;
:take
ALTER TABLE shop.plain DROP generated;
CREATE INDEX expression ON shop.plain (shop.noted(other));
:take
DROP INDEX shop.expression;
CREATE INDEX predicate ON shop.plain (name_) WHERE shop.noted(other) > 0;
:take
DROP INDEX shop.predicate;
ALTER TABLE shop.plain ADD CONSTRAINT late UNIQUE (other) DEFERRABLE;
:take
ALTER TABLE shop.plain DROP CONSTRAINT late;
ALTER TABLE shop.plain ADD CONSTRAINT excluded EXCLUDE USING btree (other WITH =);
:take
ALTER TABLE shop.plain DROP CONSTRAINT excluded;
CREATE FUNCTION shop.compare(bigint, bigint) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT btint8cmp(shop.noted($1), $2)';
CREATE OPERATOR CLASS shop.noting FOR TYPE bigint USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 shop.compare(bigint, bigint);
CREATE INDEX class ON shop.plain (other shop.noting);
:take
DROP INDEX shop.class;
CREATE FUNCTION shop.distance(bigint, bigint) RETURNS float8 IMMUTABLE LANGUAGE sql AS 'SELECT shop.noted($1 - $2)::float8';
CREATE TYPE shop.span AS RANGE (SUBTYPE = bigint, SUBTYPE_DIFF = shop.distance);
ALTER TABLE shop.plain ADD span shop.span;
CREATE INDEX of_type ON shop.plain USING gist (span);
:take
ALTER TABLE shop.plain DROP span;
CREATE RULE instead AS ON UPDATE TO shop.plain DO INSTEAD INSERT INTO shop.seen VALUES ('rule', current_user);
:take
DROP RULE instead ON shop.plain;
CREATE TABLE shop.child () INHERITS (shop.plain);
:take
DROP TABLE shop.child;
CREATE TABLE shop.parts (LIKE shop.plain) PARTITION BY LIST (name_);
ALTER TABLE shop.parts ATTACH PARTITION shop.plain FOR VALUES IN ('next.dbid');
:take
SELECT hilo_adopt_table('plain too', 'shop.parts', 'camunda', 1);
ALTER TABLE shop.parts DETACH PARTITION shop.plain;
-- row security where it applies
CREATE POLICY noted ON shop.plain USING (shop.noted(rev_) > 0);
ALTER TABLE shop.plain ENABLE ROW LEVEL SECURITY, OWNER TO regress_hilo_alice;
SELECT hilo_alter('plain', owner => 'regress_hilo_alice');
SELECT hilo_next_tag('plain') > 0 AS taken;
ALTER TABLE shop.plain FORCE ROW LEVEL SECURITY;
SELECT hilo_next_tag('plain') > 0 AS taken;
ALTER TABLE shop.plain DISABLE ROW LEVEL SECURITY;
-- what is not about the columns of the change stays as it is
ALTER TABLE shop.plain ADD planned bigint DEFAULT shop.noted(1);
DELETE FROM shop.seen;
SELECT hilo_next_tag('plain') > 0 AS taken;
-- a row that is missing is made of what the ORM writes alone
DELETE FROM shop.plain;
SELECT hilo_next_tag('plain');
ALTER TABLE shop.plain DROP planned;
SELECT hilo_next_tag('plain') > 0 AS taken;
SELECT * FROM who_ran();
SELECT hilo_drop('plain');

-- Marten's function: by the rights of the caller
SET ROLE regress_hilo_alice;
CREATE TABLE shop.mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint);
INSERT INTO shop.mt_hilo VALUES ('a', 0);
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
SET ROLE regress_hilo_app;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
RESET ROLE;
GRANT SELECT, UPDATE ON shop.mt_hilo TO regress_hilo_app;
SET ROLE regress_hilo_app;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
RESET ROLE;
GRANT INSERT ON shop.mt_hilo TO regress_hilo_app;
SET ROLE regress_hilo_app;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'b');
RESET ROLE;
ALTER TABLE shop.mt_hilo ENABLE ROW LEVEL SECURITY;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
SET ROLE regress_hilo_app;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
RESET ROLE;
ALTER TABLE shop.mt_hilo DISABLE ROW LEVEL SECURITY;
-- only who owns the table changes it beside its triggers
CREATE TRIGGER refuse BEFORE UPDATE ON shop.mt_hilo FOR EACH ROW EXECUTE FUNCTION shop.evil();
SET ROLE regress_hilo_app;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
SET ROLE regress_hilo_alice;
SELECT hilo_marten_next_hi('shop.mt_hilo', 'a');
DROP TRIGGER refuse ON shop.mt_hilo;
RESET ROLE;
TABLE shop.mt_hilo ORDER BY 1;

-- what a dump of somebody's has planted is worth no more than its owner's rights
CREATE TABLE shop.balance (who text, amount bigint);
INSERT INTO shop.balance VALUES ('bob', 1);
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, jsonb_build_object('name', n, 'written_name', n))).*
  FROM hilo_internal.hilo_generator g, unnest('{planted,system}'::text[]) n WHERE g.name = 'shop';
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, jsonb_build_object('name', n, 'reserved', 0))).*
  FROM hilo_internal.hilo_hi h, unnest('{planted,system}'::text[]) n WHERE h.name = 'shop';
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('planted', 'regress_hilo_bob', true), ('system', current_role::text::hilo_internal.hilo_role, true);
INSERT INTO hilo_internal.hilo_source (generator, relation, style, block, initial, hi_column, key_column, key_value) VALUES
	('planted', 'shop.balance', 'hibernate-table-pooled-lo', 1000000, 1, 'amount', 'who', 'bob'),
	('system', 'pg_catalog.pg_auth_members', 'hibernate-table-pooled-lo', 13011, 1, 'member', 'roleid', '3374');
SELECT hilo_next_tag('system');
CREATE TABLE shop.bobs (id bigint DEFAULT hilo_next_tag('planted'));
INSERT INTO shop.bobs VALUES (4711);
ALTER TABLE shop.bobs OWNER TO regress_hilo_bob;
SELECT hilo_next_tag('planted');
SELECT hilo_seed('planted', 1000);
SET client_min_messages = error;
SELECT count(*) FROM hilo_resync_all() WHERE rel = 'shop.bobs'::regclass;
SET client_min_messages = warning;
TABLE shop.balance;
DROP TABLE shop.bobs;

-- a source whose row is held keeps nobody's columns from being raised or checked
CREATE TABLE shop.never (entity_name text PRIMARY KEY, hi_value bigint);
INSERT INTO shop.never VALUES ('never', 1);
SELECT hilo_create('after');
CREATE TABLE shop.nevers (id bigint DEFAULT hilo_next_tag('never'), after bigint DEFAULT hilo_next_tag('after'));
INSERT INTO shop.nevers VALUES (4711, 42);
ALTER TABLE shop.never OWNER TO regress_hilo_bob;
ALTER TABLE shop.nevers OWNER TO regress_hilo_bob;
SELECT hilo_adopt_table('never', 'shop.never', 'marten', 10), hilo_alter('after', owner => 'regress_hilo_bob');
SELECT col, problem, detail FROM hilo_check() WHERE rel = 'shop.nevers'::regclass;
BEGIN;
LOCK TABLE shop.never IN SHARE MODE;
DO $$
BEGIN
	IF ARRAY['after'::name] <> ARRAY(SELECT col FROM hilo_resync_all() WHERE rel = 'shop.nevers'::regclass) THEN
		RAISE 'not raised';
	END IF;
END $$;
ROLLBACK;
DROP TABLE shop.nevers, shop.never;
SELECT hilo_drop('after'), hilo_drop('never');

-- a sequence
CREATE SEQUENCE shop.seq INCREMENT 10;
SET ROLE regress_hilo_bob;
SELECT hilo_adopt_sequence('seq', 'shop.seq', 'efcore');
RESET ROLE;
ALTER SEQUENCE shop.seq OWNER TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SELECT hilo_adopt_sequence('seq', 'shop.seq', 'efcore');
RESET ROLE;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SELECT hilo_adopt_sequence('seq', 'shop.seq', 'efcore'), hilo_grant('seq', 'regress_hilo_app');
RESET ROLE;
ALTER SEQUENCE shop.seq OWNER TO CURRENT_USER;
GRANT USAGE ON SEQUENCE shop.seq TO regress_hilo_bob;
SET ROLE regress_hilo_app;
SELECT low FROM hilo_next_range('seq');
SET ROLE regress_hilo_bob;
SELECT hilo_seed('seq', 100);
RESET ROLE;
SELECT hilo_seed('seq', 100);
GRANT UPDATE ON SEQUENCE shop.seq TO regress_hilo_bob;
SELECT hilo_seed('seq', 100);
REVOKE ALL ON SEQUENCE shop.seq FROM regress_hilo_bob;
SELECT low FROM hilo_next_range('seq');
SELECT nextval('shop.seq');

DROP TABLE shop.items;
SELECT hilo_drop(name) FROM unnest('{shop,orders,shop.hi.deputys,seq}'::text[]) name;
SELECT hilo_drop('planted'), hilo_drop('system');
DROP SCHEMA shop CASCADE;
DROP FUNCTION who_ran, error_of;
DROP OWNED BY regress_hilo_bob;
DROP ROLE regress_hilo_deputy, regress_hilo_alice, regress_hilo_bob, regress_hilo_app;
\c -
\set VERBOSITY default
\set SHOW_CONTEXT errors
\pset format aligned
\pset tuples_only off
/*
 * The type hilo_role: a role by its name, or none, and never an error
 */
BEGIN;
CREATE ROLE regress_hilo_user;
CREATE ROLE "Regress Hilo";
CREATE ROLE "regress_""hilo""";
CREATE ROLE U&"regress_hilo\0009\005C\00E9,'";
CREATE ROLE regress_hilo_with_a_name_that_takes_all_of_the_sixty_three_byte;
CREATE ROLE "-";
CREATE ROLE "10";
CREATE TEMP TABLE role (n int, role hilo_internal.hilo_role);
INSERT INTO role VALUES
(1, 'regress_hilo_user'), (2, 'Regress Hilo'), (3, 'regress_"hilo"'), (4, U&'regress_hilo\0009\005C\00E9,'''),
(5, 'regress_hilo_with_a_name_that_takes_all_of_the_sixty_three_byte'), (6, '-'), (7, '10'), (8, NULL);
SELECT n, r.role, rolname = r.role::text AS by_name
  FROM role r LEFT JOIN pg_roles a ON a.oid = r.role ORDER BY n;
SELECT count(DISTINCT r.role) FROM role r;

-- out and in again, in each format
\getenv abs_builddir PG_ABS_BUILDDIR
\set file :abs_builddir '/results/hilo_role.data'
CREATE TEMP TABLE copied (format text DEFAULT 'text', n int, role hilo_internal.hilo_role);
COPY role TO :'file';
COPY copied (n, role) FROM :'file';
ALTER TABLE copied ALTER format SET DEFAULT 'csv';
COPY role TO :'file' (FORMAT csv);
COPY copied (n, role) FROM :'file' (FORMAT csv);
SELECT format, count(*), every(c.role::oid IS NOT DISTINCT FROM r.role::oid) AS same
  FROM copied c JOIN role r USING (n) GROUP BY format ORDER BY format;

-- A name is a name: nothing is folded, unquoted, shortened or taken for an OID.
SELECT name, name::hilo_internal.hilo_role::oid = 0 AS none
  FROM (VALUES ('Regress_Hilo_User'), ('"Regress Hilo"'), (' regress_hilo_user'), ('public'), ('none'), (''),
               ('regress_hilo_with_a_name_that_takes_all_of_the_sixty_three_bytes')) v (name);
SELECT '10'::hilo_internal.hilo_role::oid = 10 AS bootstrap_superuser,
       'regress_hilo_user'::hilo_internal.hilo_role = 'regress_hilo_user'::regrole AS same;

-- A role that is gone is written as an empty name, and read as none.
DROP ROLE "-", regress_hilo_user, "10";
SELECT n, r.role FROM role r WHERE n IN (1, 6, 7) ORDER BY n;
TRUNCATE copied;
COPY copied (n, role) FROM :'file' (FORMAT csv);
SELECT n, c.role::oid = 0 AS none FROM copied c ORDER BY n;
SELECT ''::hilo_internal.hilo_role::oid, 'regress_hilo_user'::hilo_internal.hilo_role;

-- Its row in hilo_privilege is left out, and the others are not.
SELECT hilo_create('role');
COPY hilo_internal.hilo_privilege (generator, role, is_owner) FROM stdin;
role	regress_hilo_user	f
role	Regress Hilo	f
role		f
role	regress_hilo_user	t
\.
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('role', 'regress_hilo_none', false), ('role', 'regress_"hilo"', false);
SELECT p.role, is_owner FROM hilo_internal.hilo_privilege p
 WHERE generator = 'role' AND NOT is_owner ORDER BY p.role::text COLLATE "C";
ROLLBACK;
