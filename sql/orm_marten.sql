/*
 * mt_hilo and mt_get_next_hi, as Marten expects them
 */
CREATE SCHEMA store;
SELECT hilo_provide_marten('store');
\d store.mt_hilo
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
-- beside a generator that takes from the same row
SELECT hilo_adopt_table('users', 'store.mt_hilo', 'marten', 10, key_value => 'users');
SELECT low, high FROM hilo_next_range('users');
SELECT store.mt_get_next_hi('users');
SELECT low, high FROM hilo_next_range('users');
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
