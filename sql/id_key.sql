/*
 * Keys with names: whose they are, who sees them, and what they seal
 */
CREATE ROLE regress_hilo_keeper;
CREATE ROLE regress_hilo_member IN ROLE regress_hilo_keeper;
CREATE ROLE regress_hilo_other;
SET ROLE regress_hilo_keeper;
SELECT id_key_create('orders'), id_key_create('Orders'), id_key_create(repeat('k', 63));
RESET ROLE;
-- a key is random, and no other key
SELECT key_name, owner, length(key), count(*) OVER (PARTITION BY key) FROM hilo_id_key ORDER BY 1;

-- onto itself, by a key and a tweak
SELECT count(DISTINCT id_seal(id, 'orders')), bool_and(id_seal(id, 'orders') > 0) AS above_0,
       bool_and(id_unseal(id_seal(id, 'orders'), 'orders') = id AND id_seal(id_unseal(id, 'orders'), 'orders') = id) AS back,
       bool_or(id_seal(id, 'orders') IN (id, id_seal(id, 'Orders'), id_seal(id, 'orders', 1))) AS same
  FROM generate_series(1, 1000) id;
SELECT id_unseal(id_seal(id, 'orders', tweak), 'orders', tweak) = id AS back
  FROM unnest(ARRAY[1, 9223372036854775807]) id, unnest(ARRAY[-1, 9223372036854775807]) tweak;
-- what id_encrypt does with it
SELECT id_seal(7, 'orders', 5) = id_encrypt(7, key, 63, 5) AS is, id_unseal(7, 'orders', 5) = id_decrypt(7, key, 63, 5) AS is
  FROM hilo_id_key WHERE key_name = 'orders';
-- by a name that changes, in one call
SELECT count(*) FROM generate_series(1, 100) id, unnest(ARRAY['orders', 'Orders', repeat('k', 63)]) name, hilo_id_key k
 WHERE k.key_name = name AND id_seal(id, name::name) = id_encrypt(id, k.key);
SELECT id_seal(NULL, 'orders'), id_seal(1, NULL), id_seal(1, 'orders', NULL), id_unseal(NULL, 'orders');

-- its owner may use it, members of that role, and superusers
SET ROLE regress_hilo_member;
SELECT id_unseal(id_seal(1, 'orders'), 'orders');
SET ROLE regress_hilo_other;
SELECT id_seal(1, 'orders');
SELECT id_unseal(1, 'orders');
SELECT id_key_drop('orders');
SELECT id_key_create('orders');
-- and only superusers see it
SELECT key FROM hilo_id_key;
COPY hilo_id_key TO stdout;
SET ROLE regress_hilo_keeper;
SELECT key FROM hilo_id_key;
INSERT INTO hilo_id_key VALUES ('mine', 'regress_hilo_keeper', '\x000102030405060708090a0b0c0d0e0f');
RESET ROLE;
-- not who may read all tables, neither there nor in statistics
CREATE ROLE regress_hilo_reader IN ROLE pg_read_all_data;
ANALYZE hilo_id_key;
SET ROLE regress_hilo_reader;
SELECT key FROM hilo_id_key;
COPY hilo_id_key TO stdout;
SELECT a.attname FROM pg_statistic s, pg_attribute a
 WHERE s.starelid = 'hilo_id_key'::regclass AND a.attrelid = s.starelid AND a.attnum = s.staattnum ORDER BY 1;
RESET ROLE;
DROP ROLE regress_hilo_reader;
SET ROLE regress_hilo_keeper;
-- a function of the owner's lends it
CREATE FUNCTION pg_temp.seal_order(id bigint) RETURNS bigint LANGUAGE plpgsql STABLE SECURITY DEFINER
	AS $$ BEGIN RETURN public.id_seal(id, 'orders'); END $$;
SET ROLE regress_hilo_other;
SELECT pg_temp.seal_order(1) > 0 AS lent;
SELECT id_seal(1, 'orders');
-- a session goes by the rights of the moment
RESET ROLE;
SELECT id_seal(1, 'orders') > 0 AS superuser;
SET ROLE regress_hilo_other;
SELECT id_seal(1, 'orders');
RESET ROLE;
GRANT regress_hilo_keeper TO regress_hilo_other;
SET ROLE regress_hilo_other;
SELECT id_seal(1, 'orders') > 0 AS member;
RESET ROLE;
REVOKE regress_hilo_keeper FROM regress_hilo_other;
SET ROLE regress_hilo_other;
SELECT id_seal(1, 'orders');
RESET ROLE;

-- changes are transactional, and sessions that remember the key see them
SELECT id_seal(1, 'orders') AS sealed \gset
BEGIN;
SELECT id_key_drop('orders');
SAVEPOINT s;
SELECT id_seal(1, 'orders');
ROLLBACK TO s;
SELECT id_key_create('orders');
SELECT id_seal(1, 'orders') = :sealed AS same;
ROLLBACK;
SELECT id_seal(1, 'orders') = :sealed AS same;
BEGIN;
SELECT id_key_create('rolled back'), id_seal(1, 'rolled back') > 0 AS there;
ROLLBACK;
SELECT id_seal(1, 'rolled back');
SET ROLE regress_hilo_keeper;
SELECT id_key_drop('orders'), id_key_create('orders');
RESET ROLE;
SELECT id_seal(1, 'orders') = :sealed AS same;
BEGIN READ ONLY;
SELECT id_unseal(id_seal(1, 'orders'), 'orders');
SELECT id_key_create('read only');
ROLLBACK;
BEGIN READ ONLY;
SELECT id_key_drop('orders');
ROLLBACK;

-- in a parallel query
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
CREATE TABLE id_key_rows AS SELECT id FROM generate_series(1, 20000) id;
ANALYZE id_key_rows;
EXPLAIN (COSTS OFF) SELECT count(*) FROM id_key_rows WHERE id_unseal(id_seal(id, 'Orders'), 'Orders') = id;
SELECT count(*) FROM id_key_rows WHERE id_unseal(id_seal(id, 'Orders'), 'Orders') = id;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
DROP TABLE id_key_rows;

-- a superuser carries keys over by COPY; what is there stays, and nothing else changes the table
CREATE TEMP TABLE carried AS SELECT * FROM hilo_id_key;
SELECT id_seal(1, 'orders') AS sealed, id_key_drop('Orders') \gset
INSERT INTO hilo_id_key SELECT key_name, owner, '\x000102030405060708090a0b0c0d0e0f' FROM carried;
SELECT id_seal(1, 'orders') = :sealed AS same, id_seal(1, 'Orders') FROM generate_series(1, 1);
\set VERBOSITY terse
INSERT INTO hilo_id_key VALUES ('short', 'regress_hilo_keeper', '\x736563726574');
INSERT INTO hilo_id_key VALUES ('gone', 'regress_hilo_gone', '\x000102030405060708090a0b0c0d0e0f');
SET ROLE regress_hilo_keeper;
SELECT id_seal(1, 'gone');
RESET ROLE;
SELECT id_seal(1, 'gone');
\set VERBOSITY default
UPDATE hilo_id_key SET key = '\x000102030405060708090a0b0c0d0e0f';
DELETE FROM hilo_id_key;
TRUNCATE hilo_id_key;
BEGIN;
SET LOCAL session_replication_role = replica;
DELETE FROM hilo_id_key;
INSERT INTO hilo_id_key VALUES ('replica', 'regress_hilo_keeper', '\x000102030405060708090a0b0c0d0e0f');
COMMIT;
SELECT count(*) FROM hilo_id_key;

SELECT id_key_create(NULL);
SELECT id_key_create('');
SELECT id_key_create('orders');
SELECT id_key_drop(NULL);
SELECT id_key_drop('nobody made it');
SELECT id_seal(1, 'nobody made it');
SELECT id_unseal(1, '');
SELECT id_seal(0, 'orders');
SELECT id_unseal(-1, 'orders');

-- the owner drops it; one whose owner is gone belongs to superusers
SET ROLE regress_hilo_keeper;
SELECT id_key_drop('orders');
RESET ROLE;
DROP FUNCTION pg_temp.seal_order;
DROP ROLE regress_hilo_member, regress_hilo_keeper;
SET ROLE regress_hilo_other;
SELECT id_key_drop('Orders');
RESET ROLE;
SELECT key_name, owner FROM hilo_id_key WHERE key_name IN ('Orders', 'gone') ORDER BY 1;
SELECT id_key_drop(key_name::name) FROM hilo_id_key;
SELECT count(*) FROM hilo_id_key;
DROP ROLE regress_hilo_other;
