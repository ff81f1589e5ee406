/*
 * The view of a table with a bucket column: it writes what it reads
 */
\set SHOW_CONTEXT never
SET client_min_messages = warning;
-- whatever its table is called
CREATE TABLE anchored_ord (id text PRIMARY KEY, "a note" text DEFAULT 'none', twice text GENERATED ALWAYS AS ("a note" || "a note") STORED, n int);
SELECT anchor_partition('anchored_ord', 2, bucket_column => 'bucket');
ALTER TABLE anchored_ord RENAME TO "anchored Ord 2025";
CREATE TABLE anchored_ord (LIKE "anchored Ord 2025" INCLUDING ALL);
INSERT INTO anchored_ord_anchored (id, n) VALUES ('o/1', 1) RETURNING *;
CREATE SCHEMA anchored_schema;
ALTER TABLE "anchored Ord 2025" SET SCHEMA anchored_schema;
ALTER VIEW anchored_ord_anchored RENAME TO anchored_view;
ALTER TABLE anchored_schema."anchored Ord 2025" RENAME "a note" TO other;
ALTER TABLE anchored_schema."anchored Ord 2025" RENAME n TO "a note";
INSERT INTO anchored_view (id, n) VALUES ('o/2', 2) RETURNING *;
ALTER TABLE anchored_schema."anchored Ord 2025" ADD COLUMN dropped int, ADD COLUMN extra text DEFAULT 'extra';
ALTER TABLE anchored_schema."anchored Ord 2025" DROP COLUMN dropped;
INSERT INTO anchored_view (id, n) VALUES ('o/3', 3) RETURNING *;
CREATE OR REPLACE VIEW anchored_view WITH (security_invoker = true) AS SELECT id, other AS "a note", twice, "a note" AS n, bucket, extra FROM anchored_schema."anchored Ord 2025";
INSERT INTO anchored_view (id, n, extra) VALUES ('o/4', 4, 'precious') RETURNING *;
SELECT tableoid::regclass, * FROM anchored_schema."anchored Ord 2025" ORDER BY id;
SELECT count(*) FROM anchored_ord;
-- whatever it is sorted by
CREATE OR REPLACE VIEW anchored_view WITH (security_invoker = true) AS SELECT id, other AS "a note", twice, "a note" AS n, bucket, extra FROM anchored_schema."anchored Ord 2025" ORDER BY lower(other), 4;
INSERT INTO anchored_view (id, n) VALUES ('o/sorted', 9) RETURNING *;
-- and nothing where a trigger skips the row
CREATE FUNCTION anchored_skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER skip BEFORE INSERT ON anchored_schema."anchored Ord 2025" FOR EACH ROW WHEN (NEW."a note" = 5) EXECUTE FUNCTION anchored_skip();
INSERT INTO anchored_view (id, n) VALUES ('o/5', 5), ('o/6', 6) RETURNING *;
-- one that reads something else is refused
CREATE OR REPLACE VIEW anchored_view AS SELECT id, other AS "a note", twice, "a note" + 1 AS n, bucket, extra FROM anchored_schema."anchored Ord 2025";
INSERT INTO anchored_view (id) VALUES ('o/7');
CREATE OR REPLACE VIEW anchored_view AS SELECT o.id, o.other AS "a note", o.twice, o."a note" AS n, o.bucket, o.extra FROM anchored_schema."anchored Ord 2025" o, anchored_schema."anchored Ord 2025";
INSERT INTO anchored_view (id) VALUES ('o/7');
SELECT anchor_view_insert('anchored_ord');
SELECT anchor_view_insert(0);
DROP TABLE anchored_ord, anchored_schema."anchored Ord 2025" CASCADE;
DROP SCHEMA anchored_schema;
DROP FUNCTION anchored_skip, anchored_ord_anchored;
