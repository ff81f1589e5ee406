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
