/*
 * hilo_shards, anchor_ranges, anchor_shard, and prefixes
 */
\set SHOW_CONTEXT never

-- RavenDB's ranges
SELECT * FROM anchor_ranges(1);
SELECT * FROM anchor_ranges(3);
SELECT * FROM anchor_ranges(5);
SELECT n, count(*) = n AS shards, min(lower(buckets)) AS low, max(upper(buckets)) AS high,
       sum(upper(buckets) - lower(buckets)) AS buckets, max(upper(buckets) - lower(buckets)) - min(upper(buckets) - lower(buckets)) AS rest
  FROM unnest(ARRAY[2, 7, 16, 1000, 1048575, 1048576]) n, anchor_ranges(n) GROUP BY n ORDER BY n;
SELECT * FROM anchor_ranges(0);
SELECT * FROM anchor_ranges(-1);
SELECT * FROM anchor_ranges(1048577);
SELECT * FROM anchor_ranges(NULL);

-- without a map there is no shard
SELECT anchor_shard('users/1');
INSERT INTO hilo_shards SELECT lower(buckets), shard FROM anchor_ranges(3);
SELECT id, anchor_bucket(id), anchor_shard(id) FROM unnest(ARRAY['users/1', 'asia/1', 'orders/54-B', 'invoices/1$orders/54-B']) id;
SELECT anchor_shard(NULL);
-- each border
SELECT shard, min(bucket), max(bucket), count(DISTINCT bucket) > 1000 AS many
  FROM (SELECT anchor_shard(id) AS shard, anchor_bucket(id) AS bucket FROM generate_series(1, 20000) i, concat('users/', i) id) t
 GROUP BY shard ORDER BY shard;

-- a map with a hole, or with neighbors of the same shard, never commits
BEGIN;
DELETE FROM hilo_shards WHERE bucket_start = 0;
COMMIT;
BEGIN;
UPDATE hilo_shards SET bucket_start = 1 WHERE bucket_start = 0;
COMMIT;
BEGIN;
INSERT INTO hilo_shards VALUES (400000, 1);
COMMIT;
INSERT INTO hilo_shards VALUES (300000, 0);
INSERT INTO hilo_shards VALUES (300000, 1);
UPDATE hilo_shards SET shard = 0 WHERE shard = 1;
DELETE FROM hilo_shards WHERE shard = 1;
UPDATE hilo_shards SET shard = 0 WHERE shard = 2;
DELETE FROM hilo_shards WHERE shard = 1;
INSERT INTO hilo_shards VALUES (-1, 1);
INSERT INTO hilo_shards VALUES (5, -1);
INSERT INTO hilo_shards VALUES (5, NULL);
INSERT INTO hilo_shards VALUES (0, 5);
SELECT * FROM hilo_shards ORDER BY 1;
-- what is whole in the end may be changed row by row
BEGIN;
DELETE FROM hilo_shards;
INSERT INTO hilo_shards VALUES (1048575, 2);
INSERT INTO hilo_shards VALUES (0, 1);
COMMIT;
SELECT * FROM hilo_shards ORDER BY 1;
BEGIN;
SET CONSTRAINTS ALL IMMEDIATE;
DELETE FROM hilo_shards WHERE bucket_start = 0;
ROLLBACK;
BEGIN;
SET CONSTRAINTS ALL IMMEDIATE;
UPDATE hilo_shards SET bucket_start = bucket_start - 10 WHERE bucket_start > 0;
UPDATE hilo_shards SET shard = 3 - shard;
COMMIT;
SELECT * FROM hilo_shards ORDER BY 1;
DELETE FROM hilo_shards;
INSERT INTO hilo_shards SELECT lower(buckets), shard FROM anchor_ranges(3);

-- prefixes, as RavenDB has them at creation: in descending order
SELECT anchor_prefix_set('eu/', '{0}'), anchor_prefix_set('Asia/', '{2,1}');
SELECT bucket_start, prefix FROM hilo_prefixes ORDER BY 1;
SELECT * FROM hilo_shards ORDER BY 1;
SELECT id, anchor_bucket(id), anchor_bucket_prefixed(id), anchor_shard(id)
  FROM unnest(ARRAY['eu/0', 'EU/0', 'asia/1', 'asia/2', 'eu', 'users/1', 'eu/1$asia/2', 'x$eu/1', 'Asia/$', 'asia-1']) id;
-- one that is added later has the next million
SELECT anchor_prefix_set('asia/japan-', '{2,0,1}');
SELECT anchor_prefix_set('zz/', '{1}', bucket_start => 10 * 1048576), anchor_prefix_set('last/', '{1}');
SELECT anchor_prefix_set('top/', '{1}', bucket_start => 2145386496);
INSERT INTO hilo_shards VALUES (2146435072, 0);
SELECT anchor_prefix_set('below the top/', '{1}');
DELETE FROM hilo_shards WHERE bucket_start = 2146435072;
SELECT anchor_prefix_drop('TOP/'), anchor_prefix_drop('below the top/');
SELECT anchor_prefix_drop('zz/'), anchor_prefix_drop('last/');
-- the most specific one counts
SELECT id, anchor_bucket_prefixed(id) / 1048576 AS million, anchor_bucket_prefixed(id) % 1048576 = anchor_bucket(id) AS bucket, anchor_shard(id)
  FROM unnest(ARRAY['asia/1', 'asia/japan-1', 'ASIA/JAPAN-1', 'asia/japan', 'asia/japan-', 'asia/japan-1$eu/1']) id;
SELECT id, anchor_bucket_prefixed(id) = anchor_bucket_prefixed(id, ARRAY['asia/', 'asia/japan-', 'eu/'], ARRAY[2097152, 3145728, 1048576]) AS same
  FROM unnest(ARRAY['asia/1', 'Asia/Japan-1', 'asia/japan', 'EU/1$asia/2', 'users/1', '']) id;
SELECT anchor_bucket_prefixed('eu/1', '{}', '{}') = anchor_bucket('eu/1') AS none, anchor_bucket_prefixed(NULL);
SELECT anchor_bucket_prefixed('eu/1', '{eu/}', '{}');
SELECT anchor_bucket_prefixed('eu/1', '{eu/,NULL}', '{1,2}');
SELECT anchor_bucket_prefixed('eu/1', '{eu/}', '{2147483647}');
SELECT anchor_bucket_prefixed(repeat('x', 513));
-- other shards for a prefix; its buckets stay
SELECT anchor_prefix_set('eu/', '{1,2}');
SELECT * FROM hilo_shards WHERE bucket_start / 1048576 = 1 ORDER BY 1;
SELECT anchor_prefix_set('eu/', '{0}');

-- bad input
SELECT anchor_prefix_set('africa', '{0}');
SELECT anchor_prefix_set('', '{0}');
SELECT anchor_prefix_set(NULL, '{0}');
SELECT anchor_prefix_set('africa/', NULL);
SELECT anchor_prefix_set('africa/', '{}');
SELECT anchor_prefix_set('africa/', '{0,NULL}');
SELECT anchor_prefix_set('africa/', '{0,1,0}');
SELECT anchor_prefix_set('africa/', '{0,7}');
SELECT anchor_prefix_set('EU/', '{1}');
SELECT anchor_prefix_set('africa/', '{0}', bucket_start => 1048576);
SELECT anchor_prefix_set('africa/', '{0}', bucket_start => 5);
SELECT anchor_prefix_set('africa/', '{0}', bucket_start => 0);
SELECT anchor_prefix_drop('africa/');
INSERT INTO hilo_prefixes VALUES (8 * 1048576, 'Eu/');
INSERT INTO hilo_prefixes VALUES (8 * 1048576, 'africa');
INSERT INTO hilo_prefixes VALUES (7, 'africa/');
SELECT bucket_start, prefix, folded FROM hilo_prefixes ORDER BY 1;
SELECT * FROM hilo_shards ORDER BY 1;

-- rows of the map that no prefix has are passed over, and not replaced
INSERT INTO hilo_shards VALUES (1000 * 1048576, 0);
SELECT anchor_prefix_set('africa/', '{0}', bucket_start => 1000 * 1048576);
SELECT anchor_prefix_set('eu/', '{0}', bucket_start => 1000 * 1048576);
DELETE FROM hilo_shards WHERE bucket_start = 1000 * 1048576;
BEGIN;
INSERT INTO hilo_shards VALUES (1000 * 1048576, 0), (1000 * 1048576 + 500, 1);
SELECT anchor_prefix_set('africa/', '{0}') / 1048576 AS million;
ROLLBACK;

-- the millions of prefixes are maps of their own
INSERT INTO hilo_shards VALUES (1048576 + 1000, 0);
INSERT INTO hilo_shards VALUES (1048576 + 1000, 2);
SELECT anchor_shard('eu/0');
DELETE FROM hilo_shards WHERE bucket_start = 1048576;
DELETE FROM hilo_shards WHERE bucket_start / 1048576 = 1;
SELECT anchor_shard('eu/0');

-- anyone may look, the owner of the extension may change
CREATE ROLE regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT anchor_shard('users/1'), anchor_bucket_prefixed('users/1');
SELECT count(*) FROM hilo_shards;
SELECT count(*) FROM hilo_prefixes;
INSERT INTO hilo_shards VALUES (1000, 1);
UPDATE hilo_shards SET shard = 1;
DELETE FROM hilo_shards;
TRUNCATE hilo_shards;
SELECT anchor_prefix_set('africa/', '{0}');
SELECT anchor_prefix_drop('eu/');
CREATE TEMP TABLE astray (bucket_start int, shard int);
CREATE CONSTRAINT TRIGGER c AFTER INSERT ON astray FOR EACH ROW EXECUTE FUNCTION hilo_shards_check();
RESET ROLE;
DROP TABLE astray;
DROP ROLE regress_hilo_user;
CREATE FUNCTION astray() RETURNS void LANGUAGE c AS '$libdir/hilo', 'hilo_shards_check';
SELECT astray();
DROP FUNCTION astray;
-- as a trigger of another table, whatever it is like
CREATE TABLE astray (a int, b int);
CREATE TRIGGER c AFTER INSERT ON astray FOR EACH ROW EXECUTE FUNCTION hilo_shards_check();
INSERT INTO astray VALUES (1, 1);
ALTER TABLE astray ADD PRIMARY KEY (a);
INSERT INTO astray VALUES (1, 1);
DROP TABLE astray;

SELECT anchor_prefix_drop('eu/'), anchor_prefix_drop('asia/'), anchor_prefix_drop('asia/japan-');
DELETE FROM hilo_shards;
SELECT count(*) FROM hilo_shards;
