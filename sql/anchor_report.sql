/*
 * anchor_report, and the script that draws it
 */
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET default_toast_compression = pglz;
CREATE TABLE report_item (id text, note text);
-- 400 ids on their own, 100 anchored to one of them, in other casing, too
INSERT INTO report_item SELECT concat('orders/', i, '-A'), 'x' FROM generate_series(1, 400) i;
INSERT INTO report_item SELECT concat('invoices/', i, CASE WHEN i % 2 = 0 THEN '$orders/54-A' ELSE '$Orders/54-A' END), 'x' FROM generate_series(1, 100) i;
INSERT INTO report_item VALUES (NULL, 'without an id');
SELECT anchor_bucket('orders/54-A');

SELECT * FROM anchor_report('report_item', 'id', 131072);
SELECT count(*), sum(rows), count(*) FILTER (WHERE oversized), min(lower(buckets)), max(upper(buckets)) FROM anchor_report('report_item', 'id');
-- the last range may be a shorter one
SELECT buckets, rows FROM anchor_report('report_item', 'id', 300000);
SELECT buckets, rows FROM anchor_report('report_item', 'id', 1048576);
SELECT count(*), count(DISTINCT buckets), sum(upper(buckets) - lower(buckets)), sum(rows) FROM anchor_report('report_item', 'id', 4);
-- each row is where its bucket is
SELECT count(*) FROM anchor_report('report_item', 'id', 20000) r
 WHERE rows <> (SELECT count(*) FROM report_item WHERE anchor_bucket(id) <@ r.buckets)
    OR bytes <> (SELECT coalesce(sum(28 + pg_column_size(id) + pg_column_size(note)), 0) FROM report_item WHERE anchor_bucket(id) <@ r.buckets);

-- what is too much
SELECT largest_rows, largest_anchor, oversized FROM anchor_report('report_item', 'id', 1048576, 0.2);
SELECT count(*) FROM anchor_report('report_item', 'id', warn_share => 0.21) WHERE oversized;
SELECT count(*) FROM anchor_report('report_item', 'id', warn_share => 1, warn_bytes => 4000) WHERE oversized;
-- a row by itself is never a large share, but it may be large
SELECT count(*) FROM anchor_report('report_item', 'id', warn_share => 0) WHERE oversized AND largest_rows = 1;
INSERT INTO report_item VALUES ('large', repeat('0123456789', 1000));
ALTER TABLE report_item ALTER note SET STORAGE EXTERNAL;
INSERT INTO report_item VALUES ('large', repeat('0123456789', 10000));
SELECT rows, bytes, largest_bucket = anchor_bucket('large') AS large, largest_anchor, oversized
  FROM anchor_report('report_item', 'id', warn_bytes => 100000) WHERE oversized AND largest_anchor = 'large';
DELETE FROM report_item WHERE id = 'large';
-- of several anchors in a bucket, the one with most rows
SELECT anchor_bucket('Bills/374679');
INSERT INTO report_item SELECT concat('few/', i, '$Bills/374679') FROM generate_series(1, 3) i;
SELECT largest_anchor, largest_rows FROM anchor_report('report_item', 'id') WHERE oversized;

-- partitioned and inherited tables, and an empty one
CREATE TABLE report_part (LIKE report_item) PARTITION BY RANGE (anchor_bucket(id));
SELECT anchor_partitions('report_part', 3);
SELECT count(*), sum(rows), sum(bytes), bool_or(oversized), count(largest_anchor) FROM anchor_report('report_part', 'id');
INSERT INTO report_part SELECT * FROM report_item WHERE id IS NOT NULL;
SELECT * FROM anchor_report('report_item', 'id') EXCEPT ALL SELECT * FROM anchor_report('report_part', 'id');

-- one pass
CREATE TABLE report_large AS SELECT concat('orders/', i % 1000) AS id FROM generate_series(1, 30000) i;
ANALYZE report_large;
SELECT count(*), sum(rows) FROM anchor_report('report_large', 'id');
SELECT pg_stat_force_next_flush();
SELECT seq_scan, seq_tup_read / 30000 AS passes FROM pg_stat_user_tables WHERE relname = 'report_large';

\setenv PGDATABASE :DBNAME
\! psql -Xq -v rel=report_item -v step=262144 -f "$PG_ABS_SRCDIR/doc/hilo_anchor_histogram.sql"
\! psql -Xq -v rel=report_part -v col=id -v step=262144 -f "$PG_ABS_SRCDIR/doc/hilo_anchor_histogram.sql"
\! psql -Xq -f "$PG_ABS_SRCDIR/doc/hilo_anchor_histogram.sql"

-- rights, and row security
CREATE ROLE regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT * FROM anchor_report('report_item', 'id');
RESET ROLE;
GRANT SELECT ON report_item TO regress_hilo_user;
ALTER TABLE report_item ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON report_item USING (id LIKE 'orders%');
SET ROLE regress_hilo_user;
SELECT sum(rows) FROM anchor_report('report_item', 'id');
RESET ROLE;

-- bad input
SELECT * FROM anchor_report(NULL, 'id');
SELECT * FROM anchor_report('report_item', NULL);
SELECT * FROM anchor_report('report_item', 'id', 0);
SELECT * FROM anchor_report('report_item', 'no');
SELECT * FROM anchor_report('report_item', 'id; SELECT 1');
SELECT * FROM anchor_report(0, 'id');
INSERT INTO report_item VALUES (repeat('x', 513));
SELECT * FROM anchor_report('report_item', 'id');

-- names that need quotes, and a search_path that leads astray
CREATE SCHEMA "Report";
CREATE TABLE "Report"."an Item" ("the 'Id'" varchar(20), dropped int, "ünïcode $1 %I" int);
ALTER TABLE "Report"."an Item" DROP COLUMN dropped;
INSERT INTO "Report"."an Item" VALUES ('a', 1);
CREATE FUNCTION "Report".anchor_bucket(text) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 7';
SET search_path = "Report", public, pg_catalog;
SELECT rows, bytes, largest_bucket = public.anchor_bucket('a') AS right FROM anchor_report('"an Item"', 'the ''Id''') WHERE rows > 0;
RESET search_path;

-- a cast to text by the table's owner is not called
CREATE TYPE "Report".mark AS ENUM ('a');
CREATE FUNCTION "Report".planted("Report".mark) RETURNS text LANGUAGE plpgsql AS $$BEGIN RAISE 'planted'; END$$;
CREATE CAST ("Report".mark AS text) WITH FUNCTION "Report".planted;
CREATE TABLE "Report".marked AS SELECT 'a'::"Report".mark AS id;
SELECT rows, largest_anchor FROM anchor_report('"Report".marked', 'id') WHERE rows > 0;

DROP SCHEMA "Report" CASCADE;
DROP TABLE report_item, report_part, report_large;
DROP ROLE regress_hilo_user;
