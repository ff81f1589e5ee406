/*
 * The roles that reach a hub, and what is said if none does
 */
\set home :DBNAME
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/hub_error_setup.sql'
\i :setup
SET client_min_messages = warning;
CREATE FOREIGN DATA WRAPPER regress_hilo;
CREATE SERVER regress_hilo_self FOREIGN DATA WRAPPER regress_hilo OPTIONS (:hub_place, dbname :'home');
CREATE SERVER regress_hilo_nowhere FOREIGN DATA WRAPPER regress_hilo OPTIONS (host '/nowhere,/nowhere/else', port '1,2');
CREATE SERVER regress_hilo_timeout FOREIGN DATA WRAPPER regress_hilo OPTIONS (host '/nowhere', port '1', connect_timeout 'soon');
SELECT hilo_create('self', hub => 'regress_hilo_self'), hilo_create('self|', hub => 'regress_hilo_self'),
       hilo_create('nowhere', hub => 'regress_hilo_nowhere'), hilo_create('nowhere|', hub => 'regress_hilo_nowhere');

-- no mapping, then one for PUBLIC, then one's own
SELECT state FROM error_of($$SELECT hilo_next_tag('nowhere')$$);
CREATE USER MAPPING FOR PUBLIC SERVER regress_hilo_nowhere;
SELECT * FROM error_of($$SELECT hilo_next_tag('nowhere')$$);
CREATE USER MAPPING FOR CURRENT_ROLE SERVER regress_hilo_nowhere OPTIONS (user 'x', password 'y', nonsense 'z');
SELECT * FROM error_of($$SELECT hilo_next_tag('nowhere')$$);

-- everything that asks the hub
SELECT e.state, call FROM (VALUES ($$SELECT identity_next('nowhere')$$), ($$SELECT identity_next('nowhere', 3)$$),
	($$SELECT identity_next_id('nowhere|')$$), ($$SELECT identity_current('nowhere')$$),
	($$SELECT identity_seed('nowhere', 5)$$), ($$SELECT hilo_next_id('nowhere')$$), ($$SELECT hilo_next_tag('nowhere', 10)$$),
	($$SELECT hilo_next_range('nowhere')$$), ($$SELECT hilo_next_hi('nowhere', 10)$$), ($$SELECT hilo_seed('nowhere', 5)$$),
	($$SELECT document_id('nowhere|')$$)) calls (call), error_of(call) e;
-- and what does not
SELECT hilo_seed('nowhere', NULL), hilo_release('nowhere'), hilo_return_range('nowhere', 1, 1, 1);
SELECT name, last FROM hilo_generators() WHERE name = 'nowhere|';
SELECT document_id('nowhere/1');

-- a role that may only see reaches nothing
CREATE ROLE regress_hilo_monitor IN ROLE pg_monitor;
SET ROLE regress_hilo_monitor;
SELECT * FROM error_of($$SELECT identity_current('nowhere')$$);
SELECT * FROM error_of($$SELECT hilo_import_ravendb('[]', '{"nowhere|": 5}')$$);
SELECT name, last FROM hilo_generators() WHERE name = 'nowhere|';
RESET ROLE;
DROP ROLE regress_hilo_monitor;

-- an error is caught, and the next call is as good as any
DO $$ BEGIN PERFORM hilo_next_tag('nowhere'); EXCEPTION WHEN sqlclient_unable_to_establish_sqlconnection THEN RAISE WARNING 'caught'; END $$;
SELECT state FROM error_of($$SELECT hilo_next_tag('nowhere')$$);

-- its own hub
CREATE USER MAPPING FOR CURRENT_ROLE SERVER regress_hilo_self :hub_user;
SELECT e.*, call FROM (VALUES ($$SELECT hilo_next_tag('self')$$), ($$SELECT identity_next('self')$$), ($$SELECT identity_current('self')$$),
	($$SELECT hilo_seed('self', 5)$$)) calls (call), error_of(call) e;

-- owners that are no superusers
CREATE ROLE regress_hilo_user;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_user;
GRANT USAGE ON FOREIGN SERVER regress_hilo_self TO regress_hilo_user;
CREATE USER MAPPING FOR regress_hilo_user SERVER regress_hilo_self OPTIONS (password_required 'false');
SET ROLE regress_hilo_user;
SELECT * FROM error_of($$SELECT hilo_create('theirs', hub => 'regress_hilo_nowhere')$$);
SELECT hilo_create('theirs', hub => 'regress_hilo_self');
RESET ROLE;
SELECT * FROM error_of($$SELECT hilo_next_tag('theirs')$$);
ALTER USER MAPPING FOR regress_hilo_user SERVER regress_hilo_self OPTIONS (ADD password 'x', ADD user 'nobody_of_that_name');
SELECT state FROM error_of($$SELECT hilo_next_tag('theirs')$$);
REVOKE USAGE ON FOREIGN SERVER regress_hilo_self FROM regress_hilo_user;
SELECT * FROM error_of($$SELECT hilo_next_tag('theirs')$$);

-- what others have on the hub is not called: neither by its search_path, nor in a schema of theirs
CREATE DATABASE regress_hilo_shared;
\c regress_hilo_shared
CREATE EXTENSION hilo;
\c :home
SET client_min_messages = warning;
CREATE SERVER regress_hilo_shared FOREIGN DATA WRAPPER regress_hilo OPTIONS (:hub_place, dbname 'regress_hilo_shared');
CREATE USER MAPPING FOR PUBLIC SERVER regress_hilo_shared :hub_user;
SELECT hilo_create('ours', hub => 'regress_hilo_shared');
\c regress_hilo_shared
CREATE SCHEMA trap;
CREATE FUNCTION trap.trapped() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
CREATE VIEW trap.pg_namespace AS SELECT trap.trapped() AS nspname, 10::oid AS nspowner;
ALTER DATABASE regress_hilo_shared SET search_path = trap, pg_catalog;
\c :home
SET client_min_messages = warning;
SELECT hilo_next_tag('ours') > 0 AS took, hilo_seed('ours', 1000000);
\c regress_hilo_shared
DROP EXTENSION hilo;
CREATE SCHEMA hilo_internal AUTHORIZATION regress_hilo_user;
CREATE FUNCTION hilo_internal.hilo_hub_take(text, text, bigint, boolean, boolean, bigint, bigint, OUT low bigint, OUT high bigint)
	LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
\c :home
SET client_min_messages = warning;
SELECT * FROM error_of($$SELECT low FROM hilo_next_range('ours')$$);
SELECT hilo_drop('ours');
\c :home
SET client_min_messages = warning;
DROP DATABASE regress_hilo_shared WITH (FORCE);

-- without the server
DROP SERVER regress_hilo_nowhere CASCADE;
SELECT * FROM error_of($$SELECT hilo_next_tag('nowhere')$$);
SELECT hilo_drop(name) FROM hilo_generators() WHERE hub <> '';
SET client_min_messages = warning;
DROP FOREIGN DATA WRAPPER regress_hilo CASCADE;
DROP OWNED BY regress_hilo_user;
DROP ROLE regress_hilo_user, regress_hilo_hub;
DROP FUNCTION error_of;
