/*
 * The password of a hub: a connection without one is not for every role.  The rest
 * needs a server that a superuser can reach without a password.
 */
\set home :DBNAME
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/hub_error_setup.sql'
\i :setup
\if :hub_has_password
DROP ROLE regress_hilo_hub;
DROP FUNCTION error_of;
\quit
\endif
SET client_min_messages = warning;
CREATE FOREIGN DATA WRAPPER regress_hilo;
CREATE SERVER regress_hilo_self FOREIGN DATA WRAPPER regress_hilo OPTIONS (:hub_place, dbname :'home');
CREATE ROLE regress_hilo_user;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_user;
GRANT USAGE ON FOREIGN SERVER regress_hilo_self TO regress_hilo_user;

-- a password for which the hub does not ask
CREATE USER MAPPING FOR regress_hilo_user SERVER regress_hilo_self :hub_user;
ALTER USER MAPPING FOR regress_hilo_user SERVER regress_hilo_self OPTIONS (ADD password 'x', ADD password_required 'false');
SET ROLE regress_hilo_user;
SELECT hilo_create('theirs', hub => 'regress_hilo_self');
SELECT * FROM error_of($$SELECT hilo_next_tag('theirs')$$);
RESET ROLE;

-- PUBLIC's mapping: a connection that a superuser's generator has needs no password, and is
-- not for those of others; each is asked for USAGE
CREATE DATABASE regress_hilo_shared;
\c regress_hilo_shared
CREATE EXTENSION hilo;
\c :home
SET client_min_messages = warning;
CREATE SERVER regress_hilo_shared FOREIGN DATA WRAPPER regress_hilo OPTIONS (:hub_place, dbname 'regress_hilo_shared');
CREATE USER MAPPING FOR PUBLIC SERVER regress_hilo_shared :hub_user;
GRANT USAGE ON FOREIGN SERVER regress_hilo_shared TO regress_hilo_user;
SELECT hilo_create('ours', hub => 'regress_hilo_shared'), hilo_grant('ours', 'public');
SET ROLE regress_hilo_user;
SELECT hilo_create('shared', hub => 'regress_hilo_shared');
SELECT * FROM error_of($$SELECT low FROM hilo_next_range('shared')$$);
SELECT low FROM hilo_next_range('ours');
SELECT * FROM error_of($$SELECT low FROM hilo_next_range('shared')$$);
RESET ROLE;
REVOKE USAGE ON FOREIGN SERVER regress_hilo_shared FROM regress_hilo_user;
SELECT low > 0 AS reached FROM hilo_next_range('ours');
SELECT * FROM error_of($$SELECT low FROM hilo_next_range('shared')$$);
SELECT low > 0 AS reached FROM hilo_next_range('ours');

-- without a password only if a superuser owns the foreign server, which says where the hub is
ALTER SERVER regress_hilo_shared OWNER TO regress_hilo_user;
SELECT * FROM error_of($$SELECT low FROM hilo_next_range('ours', 1000000)$$);
ALTER USER MAPPING FOR PUBLIC SERVER regress_hilo_shared OPTIONS (ADD password 'x');
SELECT * FROM error_of($$SELECT low FROM hilo_next_range('ours', 1000000)$$);
DO $$ BEGIN EXECUTE format('ALTER SERVER regress_hilo_shared OWNER TO %I', current_user); END $$;
SELECT low > 0 AS reached FROM hilo_next_range('ours');

SELECT hilo_drop(name) FROM hilo_generators() WHERE hub <> '';
DROP FOREIGN DATA WRAPPER regress_hilo CASCADE;
DROP DATABASE regress_hilo_shared WITH (FORCE);
DROP OWNED BY regress_hilo_user;
DROP ROLE regress_hilo_user, regress_hilo_hub;
DROP FUNCTION error_of;
