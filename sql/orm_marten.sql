/*
 * mt_hilo and mt_get_next_hi, as Marten expects them
 */
CREATE SCHEMA store;
SELECT hilo_provide_marten('store');
\pset tuples_only off
\d store.mt_hilo
\pset tuples_only on
SELECT pg_get_function_identity_arguments(oid), prorettype::regtype FROM pg_proc WHERE oid = 'store.mt_get_next_hi'::regproc;
-- from 0 on for each entity, never -1
SELECT store.mt_get_next_hi('users'), store.mt_get_next_hi('users'), store.mt_get_next_hi('orders');
TABLE store.mt_hilo;
-- a rollback brings nothing back, and there is no 40001
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT count(*) FROM store.mt_hilo;
SELECT store.mt_get_next_hi('users');
ROLLBACK;
SELECT store.mt_get_next_hi('users');
-- again: what there is stays
SELECT hilo_provide_marten('store');
SELECT store.mt_get_next_hi('users');
-- the function of an older Marten gives another type
CREATE SCHEMA "Old Store";
CREATE TABLE "Old Store".mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint DEFAULT 0);
INSERT INTO "Old Store".mt_hilo VALUES ('users', 7);
CREATE FUNCTION "Old Store".mt_get_next_hi(entity varchar) RETURNS int LANGUAGE sql AS 'SELECT -1';
SELECT hilo_provide_marten('Old Store');
SELECT "Old Store".mt_get_next_hi('users');
-- alongside a generator that takes from the same row
SELECT hilo_adopt_table_tag('users', 'store.mt_hilo', 'marten', 10, key_value => 'users');
SELECT low, high FROM hilo_next_range('users');
SELECT store.mt_get_next_hi('users');
SELECT low, high FROM hilo_next_range('users');
-- whatever was done to the row, none of what SQL has
CREATE TABLE sets (n serial, set text);
INSERT INTO sets (set) VALUES ('DELETE FROM store.mt_hilo'), ('UPDATE store.mt_hilo SET hi_value = 0'), ('UPDATE store.mt_hilo SET hi_value = -7'),
	('UPDATE store.mt_hilo SET hi_value = 5'), ('TRUNCATE store.mt_hilo'), ('DELETE FROM store.mt_hilo; INSERT INTO store.mt_hilo VALUES (''Users'', 3), (''users'', 0)');
CREATE TABLE had (by_marten boolean, id bigint PRIMARY KEY, set text);
CREATE PROCEDURE sets_back(set text) LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO had SELECT false, hilo_next_tag('users'), set FROM generate_series(1, 3);
	COMMIT;
	EXECUTE set;
	COMMIT;
	-- what Marten had is its own affair
	DELETE FROM had WHERE by_marten;
	FOR i IN 1 .. 20 LOOP
		INSERT INTO had SELECT true, generate_series(hi * 10 + 1, hi * 10 + 10), set FROM store.mt_get_next_hi('users') hi;
	END LOOP;
	INSERT INTO had SELECT false, hilo_next_tag('users'), set FROM generate_series(1, 25);
	INSERT INTO had SELECT true, generate_series(hi * 10 + 1, hi * 10 + 10), set FROM store.mt_get_next_hi('users') hi;
END $$;
SELECT format('CALL sets_back(%L)', set) FROM sets ORDER BY n \gexec
SELECT set, count(*) FROM had JOIN sets USING (set) WHERE NOT by_marten GROUP BY n, set ORDER BY n;
-- in a transaction that has set it back, it is still the row of that
BEGIN;
UPDATE store.mt_hilo SET hi_value = 0;
SELECT store.mt_get_next_hi('users');
ROLLBACK;
-- that of another entity, or of a generator that has had nothing yet, is its own
UPDATE store.mt_hilo SET hi_value = 0;
SELECT store.mt_get_next_hi('Users');
INSERT INTO store.mt_hilo VALUES ('fresh', -1);
SELECT hilo_adopt_table_tag('fresh', 'store.mt_hilo', 'marten', 10, key_value => 'fresh');
SELECT store.mt_get_next_hi('fresh'), hilo_next_tag('fresh');
-- of several generators, the highest counts
SELECT hilo_adopt_table_tag('also', 'store.mt_hilo', 'marten', 10, key_value => 'fresh');
SELECT hilo_next_tag('also'), hilo_next_tag('fresh');
DELETE FROM store.mt_hilo;
SELECT store.mt_get_next_hi('fresh');
-- at the end of all ids
INSERT INTO store.mt_hilo VALUES ('last', -1);
SELECT hilo_adopt_table_tag('last', 'store.mt_hilo', 'marten', 1, key_value => 'last'), hilo_seed('last', 9223372036854775806);
SELECT hilo_next_tag('last');
DELETE FROM store.mt_hilo;
SELECT store.mt_get_next_hi('last');
SELECT hilo_drop('fresh'), hilo_drop('also'), hilo_drop('last');
DROP PROCEDURE sets_back;
DROP TABLE sets, had;
-- refused
SELECT hilo_provide_marten('nowhere');
SELECT hilo_provide_marten(NULL) IS NULL;
BEGIN READ ONLY;
SELECT store.mt_get_next_hi('users');
ROLLBACK;
CREATE VIEW store.view AS TABLE store.mt_hilo;
SELECT hilo_marten_next_hi('store.view', 'users');
CREATE UNLOGGED TABLE store.unlogged (LIKE store.mt_hilo INCLUDING ALL);
SELECT hilo_marten_next_hi('store.unlogged', 'users');
CREATE TABLE store.parted (LIKE store.mt_hilo INCLUDING ALL) PARTITION BY LIST (entity_name);
SELECT hilo_marten_next_hi('store.parted', 'users');
CREATE ROLE regress_hilo_user;
GRANT USAGE ON SCHEMA store TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT hilo_provide_marten('store');
SELECT store.mt_get_next_hi('users');
RESET ROLE;
-- nothing of it needs search_path
SET search_path = '';
SELECT store.mt_get_next_hi('orders');
RESET search_path;

SELECT hilo_drop('users');
SET client_min_messages = warning;
DROP SCHEMA store, "Old Store" CASCADE;
DROP ROLE regress_hilo_user;
