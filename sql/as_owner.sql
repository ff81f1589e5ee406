/*
 * A query as the owner of a relation: as_owner_ask
 */
SET client_min_messages = warning;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_member IN ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_other;
CREATE TABLE owned (id int);
ALTER TABLE owned OWNER TO regress_hilo_owner;
CREATE VIEW owned_view AS SELECT * FROM owned;
ALTER VIEW owned_view OWNER TO regress_hilo_owner;
CREATE TABLE noted (who name, path text);
GRANT INSERT, SELECT ON noted TO PUBLIC;
CREATE FUNCTION note() RETURNS void LANGUAGE sql
	AS $$ INSERT INTO public.noted VALUES (current_user, current_setting('search_path')) $$;
CREATE FUNCTION state_of(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE command;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END $$;

-- a row or none
SELECT as_owner_ask('owned', 'SELECT'), as_owner_ask('owned', 'SELECT FROM public.owned'), as_owner_ask('owned_view', 'SELECT WHERE NULL'),
       as_owner_ask(NULL, 'SELECT') AS no_relation, as_owner_ask('owned', NULL) AS no_query;

-- as whom, and where names are looked up; afterwards all is as it was
SET search_path = public, pg_catalog;
SELECT as_owner_ask('owned', 'SELECT public.note()'), current_user = session_user AS same_role, current_setting('search_path') AS path;
SET ROLE regress_hilo_member;
SELECT as_owner_ask('owned_view', 'SELECT public.note()'), current_user, current_setting('search_path') AS path;
RESET ROLE;
SELECT * FROM noted;
RESET search_path;

-- by who can become the owner
SET ROLE regress_hilo_other;
SELECT state_of($$SELECT as_owner_ask('owned', 'SELECT')$$);
SELECT left(state_of($$SELECT as_owner_ask('pg_class', 'SELECT')$$), 5) AS state_of;
RESET ROLE;
SET ROLE regress_hilo_member;
SELECT left(state_of($$SELECT as_owner_ask('pg_class', 'SELECT')$$), 5) AS state_of;
RESET ROLE;

-- nothing that outlasts it, no other role, and only a query
SELECT state_of($$SELECT as_owner_ask('owned', 'SELECT set_config(''role'', ''none'', false)')$$);
SELECT state_of($$SELECT as_owner_ask('owned', 'SELECT set_config(''session_authorization'', ''regress_hilo_other'', false)')$$);
SELECT state_of(format($$SELECT as_owner_ask('owned', %L)$$, command))
  FROM unnest(ARRAY['CREATE TEMP TABLE left_behind ()', 'INSERT INTO public.owned VALUES (1)', 'UPDATE public.owned SET id = 1',
                    'DO $_$ BEGIN END $_$', 'COMMIT', '', 'SELECT FROM public.noted; INSERT INTO public.owned VALUES (1)']) command;
SELECT * FROM owned;
SELECT state_of('SELECT as_owner_ask(0, ''SELECT'')');

-- an error in it takes the role and the path back
BEGIN;
SET LOCAL ROLE regress_hilo_member;
SAVEPOINT before;
SELECT as_owner_ask('owned', 'SELECT 1 / 0');
ROLLBACK TO before;
SELECT current_user, current_setting('search_path') AS path;
SELECT state_of($$SELECT as_owner_ask('owned', 'SELECT 1 / 0')$$), current_user, current_setting('search_path') AS path;
ROLLBACK;

-- the session's own objects do not stand in front of what is named
CREATE TEMP TABLE pg_class (oid oid);
SELECT as_owner_ask('owned', 'SELECT FROM pg_class');
DROP TABLE pg_temp.pg_class;

DROP FUNCTION state_of, note;
DROP VIEW owned_view;
DROP TABLE noted, owned;
DROP ROLE regress_hilo_owner, regress_hilo_member, regress_hilo_other;
