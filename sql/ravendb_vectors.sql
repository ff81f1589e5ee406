/*
 * Vectors from RavenDB's own tests of HiLo, by the names they have there
 */
SET hilo.prefetch = off;
CREATE FUNCTION last_of(generator text) RETURNS bigint LANGUAGE sql
	AS 'SELECT last FROM hilo_generators() WHERE name = generator';
\getenv srcdir PG_ABS_SRCDIR
\set wait :srcdir '/sql/include/wait_for_exit.sql'
\i :wait

-- HiLo_Async_MultiDb: last 64 gives users/65-A, last 128 products/129-A
SELECT hilo_create('users'), hilo_seed('users', 64);
SELECT hilo_create('products'), hilo_seed('products', 128);
SELECT hilo_next_id('users'), hilo_next_id('products');
SELECT hilo_next_tag('users'), hilo_next_tag('products');

-- a fresh generator: 1, 2
SELECT hilo_create('fresh');
SELECT hilo_next_id('fresh'), hilo_next_id('fresh');

-- Capacity_Should_Double: from last 64, 32 ids leave it at 96, one more at 160
SELECT hilo_drop('users'), hilo_create('users'), hilo_seed('users', 64);
SELECT min(id), max(id) FROM hilo_next_tag('users', 1) id;
SELECT count(*) FROM generate_series(1, 31) WHERE hilo_next_tag('users') > 0;
SELECT last_of('users');
SELECT hilo_next_tag('users'), last_of('users');
-- by the protocol, as a client asks
SELECT hilo_drop('users'), hilo_create('users'), hilo_seed('users', 64);
SELECT low, high, last_size, last_range_at FROM hilo_next_range('users') \gset
SELECT :low AS low, :high AS high, :last_size AS last_size;
SELECT low, high, last_size
  FROM hilo_next_range('users', NULL, :last_size, :'last_range_at', :high);

-- Return_Unused_Range_On_Dispose: from last 32, two ids and a release leave 34
SELECT hilo_drop('users'), hilo_create('users'), hilo_seed('users', 32);
SELECT hilo_next_id('users'), hilo_next_id('users');
SELECT last_of('users');
SELECT hilo_release('users'), last_of('users');
-- by the protocol
SELECT hilo_seed('users', 32, force => true);
SELECT low, high FROM hilo_next_range('users');
SELECT hilo_return_range('users', 64, 34), last_of('users');
-- by the end of the session: one id, disconnect, last is 1, the next range is 2 … 33
SELECT hilo_drop('users'), hilo_create('users');
SELECT hilo_next_tag('users'), pg_backend_pid() AS pid \gset
SELECT last_of('users');
\c -
SET hilo.prefetch = off;
SELECT wait_for_exit(:pid);
SELECT last_of('users');
SELECT low, high FROM hilo_next_range('users');

-- Hilo_Cannot_Go_Down: a client holds 33 to 64, last is set to 12 by force; it
-- sends last_max, and none of 128 more ids repeats
SELECT hilo_drop('users'), hilo_create('users'), hilo_seed('users', 32);
CREATE TEMP TABLE seen (id bigint PRIMARY KEY);
DO $$
DECLARE
	r record;
	n int := 0;
	id bigint;
BEGIN
	r := hilo_next_range('users');
	id := r.low;
	INSERT INTO seen VALUES (id);
	PERFORM hilo_seed('users', 12, force => true);
	WHILE n < 128 LOOP
		IF id = r.high THEN
			r := hilo_next_range('users', NULL, r.last_size, r.last_range_at, r.high);
			id := r.low - 1;
		END IF;
		id := id + 1;
		n := n + 1;
		INSERT INTO seen VALUES (id);
	END LOOP;
END $$;
SELECT count(*), min(id), max(id) FROM seen;
-- SQL does not send what it holds, and need not: its sessions forget
SELECT hilo_seed('users', 32, force => true), hilo_next_tag('users');
SELECT hilo_seed('users', 12, force => true), hilo_next_tag('users');
DROP TABLE seen;

-- Sharded HiLo: Max 32 after 20 ids, then 21 to 40, and Max is 96
SELECT hilo_drop('users'), hilo_create('users');
SELECT count(*), max(id) FROM (SELECT hilo_next_tag('users') AS id FROM generate_series(1, 20)) t;
SELECT last_of('users');
SELECT count(*), min(id), max(id) FROM (SELECT hilo_next_tag('users') AS id FROM generate_series(1, 20)) t;
SELECT last_of('users');

-- ParallelGeneration_NoClashesOrGaps, in one session: exactly 1 … 200000
SELECT hilo_create('parallel');
SELECT (count(DISTINCT id), min(id), max(id)) = (200000, 1, 200000) AS exactly
  FROM (SELECT hilo_next_tag('parallel') AS id FROM generate_series(1, 200000)) t;

-- Conflict: of two nodes' values the highest wins, as a seed has it
SELECT hilo_create('conflict'), hilo_seed('conflict', 128), hilo_seed('conflict', 64);
SELECT hilo_next_tag('conflict');

-- tags differ by case only: one generator, the prefix as asked for
SELECT hilo_drop('users'), hilo_create('users');
SELECT prefix, low, high, server_tag FROM hilo_next_range('Users');
SELECT prefix, low, high, server_tag FROM hilo_next_range('USERS');

-- RavenDB-19659: the tag of the range, not of the server as it is now
SET hilo.node_tag = 'B';
SELECT hilo_create('orders', range_size => 10), hilo_seed('orders', 53);
SELECT hilo_next_id('orders');
SET hilo.node_tag = 'C';
SELECT hilo_next_id('orders');
RESET hilo.node_tag;

-- Hi/Lo algorithm: hi 2 of 1000 is 2000, 2001, 2002, …
SELECT hilo_create('hilo');
SELECT hilo_next_hi('hilo', 1000) * 1000 AS first_key;
SELECT hilo_next_hi('hilo', 1000) * 1000 + lo AS key FROM generate_series(0, 0) lo;
SELECT last_of('hilo');

DROP FUNCTION last_of, wait_for_exit;
SELECT hilo_drop(name) FROM hilo_generators()
 WHERE name IN ('users', 'products', 'fresh', 'parallel', 'conflict', 'orders', 'hilo');
