/*
 * The rights to use and to change a generator, judged at each call by the role
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
\getenv srcdir PG_ABS_SRCDIR
\set may :srcdir '/sql/include/may.sql'
\i :may
CREATE FUNCTION may(role text) RETURNS text LANGUAGE sql
	RETURN may(role, 'SELECT hilo_next_tag(''privilege'')');

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
SELECT may('regress_hilo_other');
SELECT hilo_revoke('privilege', 'regress_hilo_other');
SELECT hilo_revoke('privilege', 'regress_hilo_other');
SELECT may('regress_hilo_other'), may('regress_hilo_user');
SELECT hilo_revoke('privilege', 'regress_hilo_user');
SELECT hilo_revoke('privilege', 'regress_hilo_owner');
SELECT may('regress_hilo_user');
SELECT hilo_next_tag('privilege');
SELECT is_public FROM hilo_generators() WHERE name = 'privilege';
SELECT hilo_grant('privilege', 'public');
SELECT may('regress_hilo_user');
SELECT hilo_revoke('privilege', 'public');
SELECT may('regress_hilo_user');
SELECT hilo_grant('privilege', 'regress_hilo_none');
SELECT hilo_revoke('privilege', 'regress_hilo_none');
SELECT hilo_grant('privilege', NULL);
SELECT hilo_grant(NULL, 'public');

-- A grant is transactional, and the session that made it sees it at once.
BEGIN;
SELECT hilo_grant('privilege', 'regress_hilo_user');
SET LOCAL ROLE regress_hilo_user;
SELECT hilo_next_tag('privilege');
ROLLBACK;
SELECT may('regress_hilo_user');

-- Roles may have the right of another.
SELECT hilo_grant('privilege', 'regress_hilo_group');
SELECT may('regress_hilo_member');
RESET ROLE;
GRANT regress_hilo_group TO regress_hilo_noinherit;
SELECT may('regress_hilo_noinherit');
REVOKE regress_hilo_group FROM regress_hilo_member;
SELECT may('regress_hilo_member');
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
SELECT may('regress_hilo_member');
ALTER ROLE regress_hilo_member NOSUPERUSER;
SELECT may('regress_hilo_member');

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
SELECT may('regress_hilo_owner');
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

-- A role that watches the server sees all generators, and can do nothing with them.
RESET ROLE;
SELECT hilo_create('privilege|'), identity_next('privilege');
GRANT pg_monitor TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT name, owner, is_public FROM hilo_generators() WHERE name = 'privilege';
SELECT name, last FROM hilo_generators() WHERE name = 'privilege|';
SELECT identity_current('privilege');
SELECT hilo_next_tag('privilege');
SELECT hilo_seed('privilege', 1000);
SELECT identity_next('privilege');
RESET ROLE;
REVOKE pg_monitor FROM regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT name FROM hilo_generators() WHERE name = 'privilege';
SELECT name, last FROM hilo_generators() WHERE name = 'privilege|';
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

-- No role has rights to the tables, or to their schema.
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
DROP FUNCTION may(text), may(text, text);
DROP OWNED BY regress_hilo_owner;
DROP ROLE regress_hilo_owner, regress_hilo_user, regress_hilo_group,
          regress_hilo_member, regress_hilo_noinherit;
