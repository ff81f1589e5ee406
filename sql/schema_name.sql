/*
 * Names with anything in them: that of the extension's schema, and those of columns
 */
SET client_min_messages = warning;
BEGIN;
DROP EXTENSION hilo CASCADE;
CREATE SCHEMA "100% %s";
CREATE EXTENSION hilo SCHEMA "100% %s";
SET LOCAL search_path = "100% %s", public;
INSERT INTO hilo_shards VALUES (0, 0), (524288, 1);
CREATE TABLE named (id text PRIMARY KEY, "%s" int);
CREATE UNIQUE INDEX ON named (docid_fold(id));
INSERT INTO named SELECT 'named/' || n, n FROM generate_series(1, 100) n;
SELECT buckets, rows, shard FROM anchor_report('named', 'id', 524288);
SELECT anchor_partition('named', 2);
SELECT tableoid::regclass, count(*) FROM named GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM named WHERE anchor_match(id, 'named/1');
SELECT anchor_prefix_set('orders/', '{0,1}');
CREATE TABLE prefixed (id text PRIMARY KEY);
INSERT INTO prefixed SELECT 'orders/' || n FROM generate_series(1, 100) n;
SELECT anchor_partition('prefixed', 2);
SELECT tableoid::regclass, count(*) FROM prefixed GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM prefixed WHERE prefixed_match(id, 'orders/1');
SELECT sum(rows) FROM anchor_report('prefixed', 'id', 524288);
SELECT anchor_prefix_set('users/', '{1}');
SELECT anchor_prefix_drop('users/');
\set VERBOSITY terse
SELECT anchor_prefix_drop('orders/');
\set VERBOSITY default
ROLLBACK;

-- nothing ends the text of a function that is made for a table
BEGIN;
CREATE TABLE quoted (id text PRIMARY KEY, "$body$; CREATE TABLE injected (); SELECT $body$" int, "$$ ' \ %s" int);
SELECT anchor_partition('quoted', 1, bucket_column => 'bucket');
INSERT INTO quoted_anchored (id, "$$ ' \ %s") VALUES ('quoted/1', 1);
SELECT id, bucket = anchor_bucket(id) AS filled, "$$ ' \ %s" AS value FROM quoted;
SELECT to_regclass('injected');
ROLLBACK;
