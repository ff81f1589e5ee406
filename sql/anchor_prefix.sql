/*
 * Partitions of a table whose ids have prefixes
 */
\set SHOW_CONTEXT never
SET client_min_messages = warning;
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.partitions(rel regclass, OUT partition text, OUT bound text, OUT rows bigint)
RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
	FOR partition, bound IN
		SELECT c.oid::regclass, pg_get_expr(c.relpartbound, c.oid) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		 WHERE i.inhparent = rel ORDER BY c.relname
	LOOP
		EXECUTE format('SELECT count(*) FROM %s', partition) INTO rows;
		RETURN NEXT;
	END LOOP;
END $$;

INSERT INTO hilo_shards SELECT lower(buckets), shard FROM anchor_ranges(3);
SELECT anchor_prefix_set('eu/', '{0}'), anchor_prefix_set('Asia/', '{1,2}');

CREATE ROLE regress_hilo_owner;
CREATE SCHEMA prefixed AUTHORIZATION regress_hilo_owner;
CREATE TABLE prefixed."an Item" (id text PRIMARY KEY, note text);
ALTER TABLE prefixed."an Item" OWNER TO regress_hilo_owner;
INSERT INTO prefixed."an Item" SELECT concat(p, i) FROM unnest(ARRAY['eu/', 'EU/', 'asia/', 'other/']) p, generate_series(1, 200) i;
SELECT anchor_partition('prefixed."an Item"', 2);
SELECT * FROM pg_temp.partitions('prefixed."an Item"');
SELECT pg_get_partkeydef('prefixed."an Item"'::regclass);
SELECT pg_get_functiondef('prefixed."an Item_bucket"'::regproc);
SELECT pg_get_functiondef('prefixed."an Item_match"'::regproc);
SELECT proname, proowner::regrole FROM pg_proc WHERE pronamespace = 'prefixed'::regnamespace ORDER BY 1;
SELECT count(*) FROM prefixed."an Item" WHERE prefixed."an Item_bucket"(id) <> anchor_bucket_prefixed(id);
SELECT tableoid::regclass, id FROM prefixed."an Item" WHERE prefixed."an Item_match"(id, 'asia/2');
EXPLAIN (COSTS off) SELECT id FROM prefixed."an Item" WHERE prefixed."an Item_match"(id, 'asia/2');
INSERT INTO prefixed."an Item" VALUES ('eu/7$asia/2') RETURNING tableoid::regclass;

-- with a column for the bucket, in steps
CREATE TABLE prefixed.line (id text PRIMARY KEY, note text);
INSERT INTO prefixed.line SELECT id FROM prefixed."an Item";
CALL anchor_partition_in_steps('prefixed.line', 2, bucket_column => 'bucket');
SELECT * FROM pg_temp.partitions('prefixed.line');
SELECT count(*), count(*) FILTER (WHERE bucket = anchor_bucket_prefixed(id)) FROM prefixed.line;
INSERT INTO prefixed.line_anchored (id) VALUES ('asia/2$eu/1') RETURNING id, bucket = anchor_bucket_prefixed(id);
EXPLAIN (COSTS off) SELECT id FROM prefixed.line WHERE prefixed.line_match(bucket, id, 'asia/2');

-- a prefix does not change while rows have it
SELECT anchor_prefix_set('eu/', '{1}');
SELECT anchor_prefix_drop('eu/');
SELECT anchor_prefix_set('asia/1', '{1}');
SELECT anchor_prefix_set('other/', '{1}');
SELECT anchor_prefix_set('OTHER/', '{1}');
SELECT count(*), max(bucket_start) FROM hilo_prefixes;
-- but it does when there are none: the tables follow
DELETE FROM prefixed."an Item" WHERE id ILIKE 'eu/%';
SELECT anchor_prefix_set('eu/', '{1,2}');
DELETE FROM prefixed.line WHERE id ILIKE 'eu/%';
SELECT anchor_prefix_set('eu/', '{1,2}');
SET array_nulls = off;
SELECT anchor_prefix_set('eu/north-', '{0}');
RESET array_nulls;
SELECT * FROM pg_temp.partitions('prefixed."an Item"');
SELECT * FROM pg_temp.partitions('prefixed.line') WHERE partition ~ '_p';
INSERT INTO prefixed."an Item" VALUES ('eu/north-1'), ('EU/1') RETURNING tableoid::regclass, id;
INSERT INTO prefixed.line_anchored (id) VALUES ('eu/north-1'), ('EU/1') RETURNING id, bucket / 1048576;
SELECT count(*) FROM prefixed."an Item" WHERE prefixed."an Item_bucket"(id) <> anchor_bucket_prefixed(id);
SELECT anchor_prefix_drop('EU/north-');
DELETE FROM prefixed."an Item" WHERE id LIKE 'eu/%';
DELETE FROM prefixed.line WHERE id LIKE 'eu/%';
SELECT anchor_prefix_drop('EU/north-');
SELECT * FROM pg_temp.partitions('prefixed.line') WHERE partition ~ '_p';
INSERT INTO prefixed."an Item" VALUES ('eu/north-1') RETURNING tableoid::regclass, id;
-- another session's plans and its partition keys change as well
PREPARE find(text) AS SELECT tableoid::regclass, id FROM prefixed."an Item" WHERE prefixed."an Item_match"(id, $1);
SET plan_cache_mode = force_generic_plan;
EXECUTE find('africa/1');
SELECT anchor_prefix_set('africa/', '{0}');
INSERT INTO prefixed."an Item" VALUES ('africa/1');
EXECUTE find('africa/1');
EXPLAIN (COSTS off) EXECUTE find('africa/1');
RESET plan_cache_mode;

-- a function that is there already
CREATE TABLE prefixed.again (id text);
CREATE FUNCTION prefixed.again_bucket(text) RETURNS int LANGUAGE sql AS 'SELECT 1';
SELECT anchor_partition('prefixed.again', 2);
-- a role that does not own the tables
GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON hilo_prefixes, hilo_shards TO regress_hilo_owner;
SET ROLE regress_hilo_owner;
SELECT anchor_prefix_set('africa/', '{1}');
RESET ROLE;
SELECT bucket_start, prefix FROM hilo_prefixes ORDER BY 1;

-- a prefix that has lost its shards: rows with it are not lost as well
DELETE FROM hilo_shards WHERE bucket_start / 1048576 = 3;
DROP FUNCTION prefixed.again_bucket;
INSERT INTO prefixed.again SELECT id FROM prefixed."an Item";
SELECT anchor_partition('prefixed.again', 2);
CALL anchor_partition_in_steps('prefixed.again', 2);
SELECT count(*) = (SELECT count(*) FROM prefixed."an Item") FROM prefixed.again;
INSERT INTO hilo_shards VALUES (3 * 1048576, 2);
CALL anchor_partition_in_steps('prefixed.again', 2);
SELECT * FROM pg_temp.partitions('prefixed.again') WHERE partition !~ '_p[12]_';

-- a table whose rows have not moved yet, and one that has no partitions at all
CREATE TABLE prefixed.steps (id text PRIMARY KEY, note text);
INSERT INTO prefixed.steps SELECT id FROM prefixed."an Item";
SELECT anchor_partition_first_step('prefixed.steps', 20, NULL, 'bucket');
CREATE TABLE prefixed.none (id text) PARTITION BY RANGE (prefixed.line_bucket(id));
SELECT anchor_prefix_set('gone/', '{1}'), anchor_prefix_set('afr/', '{1,2}');
SELECT anchor_prefix_set('afr/', '{0,1}');
SELECT anchor_prefix_drop('gone/');
SELECT * FROM pg_temp.partitions('prefixed.steps');
SELECT pg_temp.partitions('prefixed.none');
INSERT INTO prefixed.steps_anchored (id) VALUES ('afr/1'), ('AFR/2'), ('gone/1') RETURNING id, bucket / 1048576;
CALL anchor_partition_in_steps('prefixed.steps', 20, bucket_column => 'bucket');
SELECT partition, bound, rows FROM pg_temp.partitions('prefixed.steps') WHERE partition ~ '_p|_1$';
SELECT count(*), count(*) FILTER (WHERE bucket = anchor_bucket_prefixed(id)) FROM prefixed.steps;
DELETE FROM prefixed.steps WHERE id ILIKE 'afr/%';
SELECT anchor_prefix_drop('afr/');
DROP TABLE prefixed.steps CASCADE;

-- a table that came without its map: nothing of it changes
BEGIN;
CREATE TEMP TABLE map AS SELECT bucket_start, prefix FROM hilo_prefixes;
DELETE FROM hilo_prefixes;
DELETE FROM hilo_shards WHERE bucket_start >= 1048576;
SAVEPOINT s;
SELECT anchor_prefix_set('us/', '{1}');
ROLLBACK TO s;
SELECT anchor_prefix_set('us/', '{1}', 2145386496);
ROLLBACK TO s;
INSERT INTO hilo_prefixes SELECT 7340032, prefix FROM map WHERE prefix = 'eu/';
SELECT anchor_prefix_drop('eu/');
ROLLBACK TO s;
INSERT INTO hilo_prefixes SELECT * FROM map;
SELECT anchor_prefix_set('us/', '{1}');
SELECT anchor_prefix_drop('us/');
ROLLBACK;
SELECT count(*) = (SELECT count(*) FROM prefixed."an Item") FROM prefixed.again;
-- rows that came by another function than the table has
SELECT pg_get_functiondef('prefixed.again_bucket'::regproc) AS definition \gset
CREATE OR REPLACE FUNCTION prefixed.again_bucket(id text) RETURNS int LANGUAGE sql IMMUTABLE STRICT
	RETURN anchor_bucket_prefixed(id, '{lost/}'::text[], '{5242880}'::int[]);
CREATE TABLE prefixed.again_lost PARTITION OF prefixed.again FOR VALUES FROM (5242880) TO (6291456);
INSERT INTO prefixed.again VALUES ('lost/1') RETURNING tableoid::regclass;
SELECT anchor_prefix_set('us/', '{1}', 7340032);
:definition;
SELECT anchor_prefix_set('us/', '{1}', 5242880);
SELECT * FROM prefixed.again_lost;
DELETE FROM prefixed.again_lost;
SELECT anchor_prefix_set('us/', '{1}', 5242880);
SELECT to_regclass('prefixed.again_lost'), to_regclass('prefixed.again_p5_0');
-- with backslashes and quotes
SELECT anchor_prefix_set($$o'hara "\ {,}/$$, '{2}');
-- settings of the session change nothing; one has one value only since 19
DO $$ BEGIN SET standard_conforming_strings = off; EXCEPTION WHEN OTHERS THEN NULL; END $$;
SET quote_all_identifiers = on;
SELECT anchor_prefix_set('set/', '{2}');
INSERT INTO prefixed.again VALUES ('set/1') RETURNING split_part(tableoid::regclass::text, '_', 2);
DELETE FROM prefixed.again WHERE id = 'set/1';
SELECT anchor_prefix_drop('set/');
RESET quote_all_identifiers;
RESET standard_conforming_strings;
SELECT anchor_prefix_drop($$O'Hara "\ {,}/$$);
-- in the transaction that sets it, the table's key has it too
BEGIN;
SELECT anchor_prefix_set('at/', '{1}');
INSERT INTO prefixed.again VALUES ('at/1') RETURNING tableoid::regclass, id;
CREATE TABLE prefixed.once (id text PRIMARY KEY);
SELECT anchor_partition('prefixed.once', 2);
INSERT INTO prefixed.once VALUES ('at/1'), ('be/1') RETURNING tableoid::regclass, id;
DELETE FROM prefixed.once;
SELECT anchor_prefix_set('be/', '{2}');
INSERT INTO prefixed.once VALUES ('at/1'), ('be/1') RETURNING tableoid::regclass, id;
DELETE FROM prefixed.once;
DELETE FROM prefixed.again WHERE id = 'at/1';
SELECT anchor_prefix_drop('at/');
INSERT INTO prefixed.once VALUES ('at/1'), ('be/1') RETURNING tableoid::regclass, id;
INSERT INTO prefixed.again VALUES ('at/1') RETURNING tableoid::regclass, id;
SAVEPOINT s;
DECLARE reads CURSOR FOR SELECT * FROM prefixed.again_0;
MOVE reads;
SELECT anchor_prefix_set('ce/', '{1}');
ROLLBACK TO s;
INSERT INTO prefixed.again VALUES ('ce/1') RETURNING tableoid::regclass, id;
-- which keeps it, if the table is younger than the transaction, but the change is rolled back
RELEASE s;
SELECT anchor_prefix_set('le/', '{1}');
SAVEPOINT s;
SELECT anchor_prefix_set('me/', '{1}');
INSERT INTO prefixed.once VALUES ('me/1');
ROLLBACK TO s;
INSERT INTO prefixed.once VALUES ('me/1') RETURNING tableoid::regclass, id;
DELETE FROM prefixed.once;
RELEASE s;
SELECT anchor_prefix_set('me/', '{1}');
DO $$ BEGIN PERFORM anchor_prefix_set('ne/', '{1}'); EXCEPTION WHEN object_not_in_prerequisite_state THEN RAISE WARNING '%', SQLERRM; END $$;
INSERT INTO prefixed.once VALUES ('me/1'), ('ne/1') RETURNING tableoid::regclass, id;
DROP TABLE prefixed.once;
SAVEPOINT s;
CREATE TABLE prefixed.later (id text PRIMARY KEY);
SELECT anchor_partition('prefixed.later', 2);
SELECT anchor_prefix_set('ne/', '{1}');
RELEASE s;
SELECT anchor_prefix_set('pe/', '{1}');
INSERT INTO prefixed.later VALUES ('ne/1'), ('pe/1') RETURNING tableoid::regclass, id;
ROLLBACK;
INSERT INTO prefixed.again VALUES ('be/1') RETURNING tableoid::regclass, id;
-- indexes by the bucket find all rows, also where the transaction has made them
SELECT anchor_prefix_set('fe/', '{1}');
CREATE TABLE prefixed.found (id text PRIMARY KEY);
SELECT anchor_partition('prefixed.found', 1);
BEGIN;
CREATE INDEX ON prefixed.found (prefixed.found_bucket(id));
CREATE INDEX ON prefixed.found (id) WHERE prefixed.found_bucket(id) < 1048576;
INSERT INTO prefixed.found VALUES ('other');
SELECT anchor_prefix_drop('fe/');
INSERT INTO prefixed.found VALUES ('fe/1');
COMMIT;
BEGIN;
SET LOCAL enable_seqscan = off;
SELECT id FROM prefixed.found WHERE prefixed.found_bucket(id) BETWEEN 0 AND 1048575;
SELECT count(*) FROM prefixed.found WHERE prefixed.found_bucket(id) < 1048576 AND id > '';
-- which they would not after a rollback of the change, but not of theirs
REINDEX INDEX prefixed.found_0_found_bucket_idx;
SAVEPOINT s;
SELECT anchor_prefix_set('fi/', '{1}');
ROLLBACK;
DROP TABLE prefixed.found;
-- a default partition of the user's own is not what the others are like
CREATE TABLE prefixed.rest (id text PRIMARY KEY);
SELECT anchor_partition('prefixed.rest', 2);
CREATE TABLE prefixed.rest_others PARTITION OF prefixed.rest DEFAULT;
SELECT anchor_prefix_set('ce/', '{1}');
INSERT INTO prefixed.rest VALUES ('ce/1') RETURNING tableoid::regclass;
INSERT INTO prefixed.rest VALUES ('ce/1');
-- and one that is partitioned cannot be copied
DROP TABLE prefixed.rest_others;
CREATE TABLE prefixed.rest_others PARTITION OF prefixed.rest DEFAULT PARTITION BY LIST (id);
SELECT anchor_prefix_set('de/', '{1}');
INSERT INTO prefixed.rest VALUES ('de/1') RETURNING tableoid::regclass;
INSERT INTO prefixed.rest VALUES ('de/1');
DROP TABLE prefixed.rest;
-- default privileges neither shut out who may use the table nor let others in
CREATE ROLE regress_hilo_user;
CREATE ROLE regress_hilo_other;
GRANT USAGE ON SCHEMA prefixed TO regress_hilo_user;
CREATE TABLE prefixed.secret (id text PRIMARY KEY);
GRANT SELECT, INSERT ON prefixed.secret TO regress_hilo_user;
ALTER TABLE prefixed.secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON prefixed.secret TO regress_hilo_user USING (true);
ALTER TABLE prefixed.secret OWNER TO regress_hilo_owner;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE regress_hilo_owner, CURRENT_USER GRANT ALL ON TABLES TO regress_hilo_other;
SELECT anchor_partition('prefixed.secret', 1);
SELECT anchor_prefix_set('ge/', '{1}', 1073741824);
ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE regress_hilo_owner, CURRENT_USER REVOKE ALL ON TABLES FROM regress_hilo_other;
SET ROLE regress_hilo_user;
INSERT INTO prefixed.secret VALUES ('ge/1');
SELECT count(*) FROM prefixed.secret WHERE prefixed.secret_match(id, 'ge/1');
RESET ROLE;
SELECT relname, relrowsecurity, has_table_privilege('regress_hilo_other', oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
  FROM pg_class WHERE relname ~ '^secret' AND relkind IN ('r', 'p') ORDER BY relname COLLATE "C";
DROP TABLE prefixed.secret;
SELECT anchor_prefix_drop('ge/');
REVOKE USAGE ON SCHEMA prefixed FROM regress_hilo_user;
DROP ROLE regress_hilo_user, regress_hilo_other;
-- row security that holds the owner too does not keep prefixes from changing, nor rows from being seen
CREATE TABLE prefixed.forced (id text PRIMARY KEY);
ALTER TABLE prefixed.forced ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE prefixed.forced OWNER TO regress_hilo_owner;
SELECT anchor_partition('prefixed.forced', 1);
INSERT INTO prefixed.forced VALUES ('he/1');
SELECT anchor_prefix_set('he/', '{1}', 1073741824);
DELETE FROM prefixed.forced;
SELECT anchor_prefix_set('he/', '{1}', 1073741824);
INSERT INTO prefixed.forced VALUES ('he/1') RETURNING tableoid::regclass;
DELETE FROM prefixed.forced;
SELECT anchor_prefix_drop('he/');
DROP TABLE prefixed.forced;
-- without any prefix
DELETE FROM prefixed."an Item";
DELETE FROM prefixed.line;
DELETE FROM prefixed.again;
SELECT anchor_prefix_drop(prefix) FROM hilo_prefixes;
SELECT anchor_prefix_set('us/', '{1}');
INSERT INTO prefixed.again VALUES ('us/1'), ('eu/2') RETURNING tableoid::regclass, id;

DROP SCHEMA prefixed CASCADE;
REVOKE ALL ON hilo_prefixes, hilo_shards FROM regress_hilo_owner;
DROP ROLE regress_hilo_owner;
SELECT anchor_prefix_drop(prefix) FROM hilo_prefixes;
DELETE FROM hilo_shards;
