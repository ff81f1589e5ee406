/*
 * anchor_ranges and anchor_partitions
 */
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SELECT * FROM anchor_ranges(3);
SELECT n, count(*) = n, min(lower(buckets)) = 0, max(upper(buckets)) = 1048576, sum(upper(buckets) - lower(buckets)) = 1048576
  FROM unnest('{1,2,7,1000,1048576}'::int[]) n, anchor_ranges(n) GROUP BY n ORDER BY n;
SELECT * FROM anchor_ranges(0);
SELECT * FROM anchor_ranges(1048577);
SELECT count(*) FROM anchor_ranges(NULL);

CREATE VIEW part AS
	SELECT i.inhparent::regclass AS rel, c.relname, c.relnamespace::regnamespace AS schema, pg_get_expr(c.relpartbound, c.oid) AS bound,
		   c.relpersistence, c.relowner::regrole::text <> current_user AS by_other
	  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE c.relispartition AND c.relkind = 'r';

-- the ranges are those
CREATE TABLE items (id text NOT NULL, note text) PARTITION BY RANGE (anchor_bucket(id));
CREATE INDEX ON items (note);
SELECT anchor_partitions('items', 3);
SELECT rel, relname, schema, bound FROM part ORDER BY relname;
SELECT indexdef FROM pg_indexes WHERE tablename = 'items_2';
CREATE TABLE many (id varchar(20) COLLATE "C") PARTITION BY RANGE (anchor_bucket(id));
SELECT anchor_partitions('many', 11);
SELECT shard FROM anchor_ranges(11) WHERE NOT EXISTS (
	SELECT FROM part WHERE rel = 'many'::regclass AND relname = 'many_' || shard
	   AND bound = format('FOR VALUES FROM (%s) TO (%s)', lower(buckets), upper(buckets)));
SELECT count(*) FROM part WHERE rel = 'many'::regclass;
DROP TABLE many;

-- each row goes where its bucket is
INSERT INTO items SELECT concat('users/', i, '-A') FROM generate_series(1, 3000) i;
SELECT i.tableoid::regclass, count(*) > 900 AS many, bool_and(anchor_bucket(id) <@ buckets) AS at_home
  FROM items i JOIN anchor_ranges(3) ON i.tableoid::regclass::text = 'items_' || shard GROUP BY 1 ORDER BY 1;
INSERT INTO items VALUES (NULL);
INSERT INTO items VALUES (repeat('x', 513));
-- an id is unique if it is so in each partition
SELECT format('ALTER TABLE %s ADD PRIMARY KEY (id)', inhrelid::regclass) FROM pg_inherits WHERE inhparent = 'items'::regclass \gexec
INSERT INTO items VALUES ('users/7-A');

-- names with anything in them; other schemas, search_path, and tables of one session
CREATE SCHEMA "part Schema";
CREATE TABLE "part Schema"."an ""Item"" %s" ("the 'Id'" docid) PARTITION BY RANGE (anchor_bucket("the 'Id'"));
CREATE TABLE "part Schema".anchor_ranges (id text) PARTITION BY RANGE (anchor_bucket(id));
CREATE TEMP TABLE items (id text) PARTITION BY RANGE (anchor_bucket(id));
SELECT anchor_partitions('"part Schema"."an ""Item"" %s"', 2), anchor_partitions('pg_temp.items', 1);
SET search_path = "part Schema", pg_catalog;
SELECT public.anchor_partitions('anchor_ranges', 2);
RESET search_path;
SELECT relname, schema = '"part Schema"'::regnamespace, relpersistence FROM part WHERE schema <> 'public'::regnamespace ORDER BY 1;
DROP TABLE pg_temp.items;
-- a name is cut, at a character
CREATE TABLE long_ (id text) PARTITION BY RANGE (anchor_bucket(id));
SELECT format('ALTER TABLE long_ RENAME TO %I', 'x' || repeat('ä', 31)) \gexec
SELECT anchor_partitions('xäääääääääääääääääääääääääääääää', 11);
SELECT relname, octet_length(relname::text) FROM part WHERE relname ~ 'ä_\d' ORDER BY bound COLLATE "C" LIMIT 3;

-- what it refuses, and then nothing is made
CREATE TABLE plain (id text);
CREATE TABLE by_list (id text) PARTITION BY LIST (anchor_bucket(id));
CREATE TABLE by_hash (id text) PARTITION BY HASH (anchor_bucket(id));
CREATE TABLE by_id (id text) PARTITION BY RANGE (id);
CREATE TABLE by_two (id text, n int) PARTITION BY RANGE (anchor_bucket(id), n);
CREATE FUNCTION "part Schema".anchor_bucket(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1';
CREATE TABLE by_other (id text) PARTITION BY RANGE ("part Schema".anchor_bucket(id));
-- nor is a cast of the bounds by the table's owner called
CREATE TYPE "part Schema".mark AS ENUM ('a');
CREATE FUNCTION "part Schema".planted(int) RETURNS "part Schema".mark LANGUAGE plpgsql AS $$BEGIN RAISE 'planted'; END$$;
CREATE CAST (int AS "part Schema".mark) WITH FUNCTION "part Schema".planted AS ASSIGNMENT;
CREATE TABLE by_mark (id "part Schema".mark) PARTITION BY RANGE (id);
CREATE VIEW shown AS SELECT 1;
CREATE FUNCTION pg_temp.answer_of(rel text, n int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	PERFORM public.anchor_partitions(to_regclass(rel), n);
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' / ', SQLSTATE, SQLERRM, nullif(hint, ''));
END $$;
SELECT pg_temp.answer_of(rel, 2) FROM unnest('{plain,by_list,by_hash,by_id,by_two,by_other,by_mark,shown,pg_class,part,items,items_0,missing}'::text[]) rel;
SELECT pg_temp.answer_of('items', n) FROM unnest('{0,-1,1048577,NULL}'::int[]) n;
SELECT anchor_partitions(7, 1);
CREATE TABLE taken (id text) PARTITION BY RANGE (anchor_bucket(id));
CREATE TABLE taken_2 ();
SELECT pg_temp.answer_of('taken', 3), (SELECT count(*) FROM part WHERE rel = 'taken'::regclass);
-- one partition is one too many, even if it has no rows
CREATE TABLE taken_3 PARTITION OF taken FOR VALUES FROM (0) TO (1);
SELECT pg_temp.answer_of('taken', 2);
ALTER TABLE taken DETACH PARTITION taken_3;
SELECT pg_temp.answer_of('taken', 2);

-- the caller makes them, with its own rights
CREATE ROLE regress_hilo_user;
CREATE ROLE regress_hilo_member;
CREATE TABLE owned (id text) PARTITION BY RANGE (anchor_bucket(id));
CREATE TABLE anybodys (id text) PARTITION BY RANGE (anchor_bucket(id));
GRANT ALL ON anybodys TO regress_hilo_user;
ALTER TABLE owned OWNER TO regress_hilo_user;
GRANT regress_hilo_user TO regress_hilo_member;
SET ROLE regress_hilo_user;
SELECT pg_temp.answer_of('owned', 2);
RESET ROLE;
GRANT CREATE ON SCHEMA public TO regress_hilo_member;
SET ROLE regress_hilo_member;
SET default_transaction_read_only = on;
SELECT pg_temp.answer_of('owned', 2);
RESET default_transaction_read_only;
SELECT pg_temp.answer_of('owned', 2);
SELECT pg_temp.answer_of('anybodys', 2);
SELECT relname, relowner::regrole FROM pg_class WHERE relname ~ '^owned_\d' ORDER BY 1;
RESET ROLE;
REVOKE CREATE ON SCHEMA public FROM regress_hilo_member;
DROP TABLE owned, anybodys;

DROP VIEW part, shown;
DROP TABLE items, plain, by_list, by_hash, by_id, by_two, by_other, by_mark, taken, taken_2, taken_3,
	"xäääääääääääääääääääääääääääääää";
DROP SCHEMA "part Schema" CASCADE;
DROP ROLE regress_hilo_user, regress_hilo_member;
