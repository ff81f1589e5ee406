/*
 * Settings: defaults, what is valid, which roles may set them
 */
SELECT hilo_release() AS loads_the_library;
SELECT name, setting, context, vartype, boot_val, min_val, max_val
  FROM pg_settings WHERE name LIKE 'hilo.%' AND context <> 'postmaster' ORDER BY name COLLATE "C";
SELECT count(*) FROM pg_settings WHERE name LIKE 'hilo.%' AND short_desc = '';

-- node_tag: one to four letters, A to Z
SET hilo.node_tag = 'Z';
SET hilo.node_tag = 'WXYZ';
SHOW hilo.node_tag;
SET hilo.node_tag = '';
SET hilo.node_tag = 'ABCDE';
SET hilo.node_tag = 'a';
SET hilo.node_tag = 'A1';
SET hilo.node_tag = 'A-';
SET hilo.node_tag = ' A';
SET hilo.node_tag = U&'\00C4';
SHOW hilo.node_tag;
RESET hilo.node_tag;

-- identity_parts_separator: one character, but none of the other parts of an id
SET hilo.identity_parts_separator = '-';
SET hilo.identity_parts_separator = U&'\20AC';
SET hilo.identity_parts_separator = U&'\+01F600';
SET hilo.identity_parts_separator = ' ';
SET hilo.identity_parts_separator = '''';
SHOW hilo.identity_parts_separator;
SET hilo.identity_parts_separator = '|';
SET hilo.identity_parts_separator = '';
SET hilo.identity_parts_separator = '//';
SET hilo.identity_parts_separator = U&'\00E9\00E9';
SET hilo.identity_parts_separator = '$';
DO $$
DECLARE
	c text;
BEGIN
	FOREACH c IN ARRAY ARRAY[E'\t', E'\n', E'\x1f', E'\x7f', '$', 'A', 'z', '0', '9'] LOOP
		BEGIN
			PERFORM set_config('hilo.identity_parts_separator', c, false);
			RAISE NOTICE 'taken: %', to_hex(ascii(c));
		EXCEPTION WHEN invalid_parameter_value THEN
			NULL;
		END;
	END LOOP;
END $$;
SHOW hilo.identity_parts_separator;
RESET hilo.identity_parts_separator;

-- the others
SET hilo.auto_create = maybe;
SET hilo.prefetch = 2;
SET hilo.return_on_exit = '';
SET hilo.hub_window = '1h';
RESET hilo.hub_window;
SET hilo.failover_skip = -1;
SET hilo.failover_skip = 0;
SET hilo.failover_skip = 2147483647;
SET hilo.failover_skip = -2;
SET hilo.failover_skip = 2147483648;
SHOW hilo.failover_skip;
RESET hilo.failover_skip;

-- a misspelt one
SET hilo.nod_tag = 'B';
SET hilo.anything = 'on';

-- A plain role sets its own.
SELECT hilo_create('settings'), hilo_grant('settings', 'public');
CREATE ROLE regress_hilo_user;
SET ROLE regress_hilo_user;
SET hilo.node_tag = 'B';
SET hilo.failover_skip = 0;
SET hilo.auto_create = off;
SET hilo.prefetch = off;
SET hilo.return_on_exit = off;
SET hilo.identity_parts_separator = '-';
SELECT name, setting FROM pg_settings WHERE name LIKE 'hilo.%' AND context <> 'postmaster' ORDER BY name COLLATE "C";
CREATE FUNCTION pg_temp.tagged() RETURNS text LANGUAGE sql SET hilo.node_tag = 'B' AS 'SELECT 1';
RESET ROLE;
-- unless it is given the right
GRANT SET ON PARAMETER hilo.node_tag TO regress_hilo_user;
SET ROLE regress_hilo_user;
SET hilo.node_tag = 'B';
SELECT hilo_next_id('settings');
RESET ROLE;
REVOKE SET ON PARAMETER hilo.node_tag FROM regress_hilo_user;
RESET hilo.node_tag;
RESET hilo.identity_parts_separator;

-- for a role, a database, a function, a transaction
ALTER ROLE regress_hilo_user SET hilo.identity_parts_separator = '|';
ALTER ROLE regress_hilo_user SET hilo.identity_parts_separator = '-';
CREATE FUNCTION pg_temp.dashed(name text) RETURNS text LANGUAGE sql
	SET hilo.identity_parts_separator = '-' AS 'SELECT hilo_next_id(name)';
SELECT pg_temp.dashed('settings'), hilo_next_id('settings');
BEGIN;
SET LOCAL hilo.identity_parts_separator = ':';
SELECT hilo_next_id('settings');
ROLLBACK;
SELECT hilo_next_id('settings');

-- return_on_exit: what is unused when the session ends
\c -
\getenv srcdir PG_ABS_SRCDIR
\set wait :srcdir '/sql/include/wait_for_exit.sql'
\i :wait
SELECT hilo_drop('settings'), hilo_create('settings');
SET hilo.return_on_exit = off;
SELECT hilo_next_tag('settings'), pg_backend_pid() AS pid \gset
\c -
SELECT wait_for_exit(:pid);
SELECT last FROM hilo_generators() WHERE name = 'settings';
SELECT hilo_next_tag('settings'), pg_backend_pid() AS pid \gset
\c -
SELECT wait_for_exit(:pid);
SELECT last FROM hilo_generators() WHERE name = 'settings';

DROP FUNCTION wait_for_exit;
SELECT hilo_drop('settings');
DROP ROLE regress_hilo_user;
