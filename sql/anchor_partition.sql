/*
 * Tables that are partitioned by the buckets of their ids
 */
\set SHOW_CONTEXT never
SET client_min_messages = warning;
-- the partitions of a table, their rows, and whether each row is where it belongs
CREATE FUNCTION pg_temp.partitions(rel regclass, OUT partition text, OUT bound text, OUT rows bigint)
RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
	FOR partition, bound IN
		SELECT c.relname, pg_get_expr(c.relpartbound, c.oid) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		 WHERE i.inhparent = rel ORDER BY c.relname COLLATE "C"
	LOOP
		EXECUTE format('SELECT count(*) FROM %I', partition) INTO rows;
		RETURN NEXT;
	END LOOP;
END $$;

-- all that a table has
CREATE FUNCTION pg_temp.described(rel regclass) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT concat_ws(' ', relkind, relispartition, pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid), pg_get_userbyid(relowner),
					 reloptions, relrowsecurity, relforcerowsecurity, obj_description(oid)) FROM pg_class WHERE oid = rel
	UNION ALL SELECT * FROM (
		SELECT concat_ws(' ', '  column', attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
						 attgenerated, pg_get_expr(adbin, adrelid), col_description(attrelid, attnum))
		  FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
		 WHERE attrelid = rel AND attnum > 0 AND NOT attisdropped ORDER BY attnum) c
	UNION ALL SELECT '  ' || l FROM (
		SELECT pg_get_indexdef(indexrelid) COLLATE "C" AS l FROM pg_index WHERE indrelid = rel
		UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = rel AND contype <> 'n'
		UNION ALL SELECT concat_ws(' ', tgenabled, pg_get_triggerdef(oid)) FROM pg_trigger WHERE tgrelid = rel AND NOT tgisinternal
		UNION ALL SELECT concat_ws(' ', 'policy', polname, polpermissive, polcmd, polroles::regrole[], pg_get_expr(polqual, rel), pg_get_expr(polwithcheck, rel)) FROM pg_policy WHERE polrelid = rel
		UNION ALL SELECT concat_ws(' ', 'comment', conname, tgname, polname, x.indexrelid::regclass, description)
		  FROM pg_description
		  LEFT JOIN pg_constraint o ON classoid = 'pg_constraint'::regclass AND o.oid = objoid AND conrelid = rel
		  LEFT JOIN pg_trigger t ON classoid = 'pg_trigger'::regclass AND t.oid = objoid AND tgrelid = rel
		  LEFT JOIN pg_policy p ON classoid = 'pg_policy'::regclass AND p.oid = objoid AND polrelid = rel
		  LEFT JOIN pg_index x ON classoid = 'pg_class'::regclass AND x.indexrelid = objoid AND x.indrelid = rel
		 WHERE coalesce(o.oid, t.oid, p.oid, x.indexrelid) IS NOT NULL
		UNION ALL SELECT concat_ws(' ', 'statistics on', pg_get_statisticsobjdef_columns(oid)) FROM pg_statistic_ext WHERE stxrelid = rel
		UNION ALL SELECT concat_ws(' ', 'grant', CASE grantee WHEN 0 THEN 'public' ELSE grantee::regrole::text END, privilege_type, is_grantable)
		  FROM pg_class, aclexplode(relacl) WHERE oid = rel AND privilege_type <> 'MAINTAIN'
		UNION ALL SELECT concat_ws(' ', 'grant', attname, CASE grantee WHEN 0 THEN 'public' ELSE grantee::regrole::text END, privilege_type, is_grantable)
		  FROM pg_attribute, aclexplode(attacl) WHERE attrelid = rel
		ORDER BY l) l
$$;
\pset format unaligned
\pset tuples_only on

-- an empty table
CREATE TABLE part_empty (id text PRIMARY KEY, note text);
SELECT anchor_partition('part_empty', 3);
SELECT pg_temp.described('part_empty');
SELECT pg_temp.described('part_empty_0');
INSERT INTO part_empty SELECT concat('users/', i, '-A') FROM generate_series(1, 3000) i;
SELECT * FROM pg_temp.partitions('part_empty');
SELECT tableoid::regclass, min(anchor_bucket(id)) >= 349525 AS low, max(anchor_bucket(id)) < 699050 AS high FROM part_empty WHERE tableoid = 'part_empty_1'::regclass GROUP BY 1;
INSERT INTO part_empty VALUES ('users/7-A');
INSERT INTO part_empty VALUES (NULL);
INSERT INTO part_empty VALUES (repeat('x', 513));
SELECT anchor_partition('part_empty', 3);
DROP TABLE part_empty;

-- whatever a table has stays
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_user;
CREATE ROLE regress_hilo_other;
CREATE SCHEMA "part Schema" AUTHORIZATION regress_hilo_owner;
SET ROLE regress_hilo_owner;
SET search_path = "part Schema", public;
CREATE TABLE customer (id text PRIMARY KEY);
INSERT INTO customer VALUES ('customers/1');
CREATE FUNCTION part_trigger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.seen := TG_NAME; RETURN NEW; END $$;
CREATE FUNCTION part_noise() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING '% % %', TG_NAME, TG_OP, TG_LEVEL; RETURN NULL; END $$;
CREATE TABLE "an Order" (
	dropped int,
	id varchar(100) PRIMARY KEY,
	"No" serial,
	customer text DEFAULT 'customers/1' REFERENCES customer ON DELETE CASCADE,
	amount int CHECK (amount > 0),
	twice int GENERATED ALWAYS AS (amount * 2) STORED,
	seen text,
	UNIQUE (amount, id)
) WITH (fillfactor = 70);
ALTER TABLE "an Order" DROP COLUMN dropped;
CREATE INDEX "by Customer" ON "an Order" (customer) WHERE amount > 1;
CREATE UNIQUE INDEX part_folded ON "an Order" (docid_fold(id));
CREATE STATISTICS part_statistics ON customer, amount FROM "an Order";
COMMENT ON TABLE "an Order" IS 'what''s ordered';
COMMENT ON COLUMN "an Order".amount IS 'how much';
GRANT SELECT, INSERT ON "an Order" TO regress_hilo_user WITH GRANT OPTION;
GRANT UPDATE (amount) ON "an Order" TO PUBLIC;
ALTER TABLE "an Order" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY mine ON "an Order" AS RESTRICTIVE FOR SELECT TO regress_hilo_user, regress_hilo_other USING (amount < 900);
CREATE POLICY all_of_it ON "an Order" USING (true) WITH CHECK (amount < 1000);
INSERT INTO "an Order" (id, amount) SELECT concat('orders/', i, '-A'), i FROM generate_series(1, 999) i;
CREATE TRIGGER before_row BEFORE INSERT ON "an Order" FOR EACH ROW EXECUTE FUNCTION part_trigger();
CREATE TRIGGER after_row AFTER DELETE ON "an Order" FOR EACH ROW WHEN (OLD.amount > 1) EXECUTE FUNCTION part_noise();
CREATE TRIGGER after_statement AFTER INSERT OR DELETE ON "an Order" FOR EACH STATEMENT EXECUTE FUNCTION part_noise();
CREATE TRIGGER switched_off AFTER INSERT ON "an Order" FOR EACH ROW EXECUTE FUNCTION part_noise();
ALTER TABLE "an Order" DISABLE TRIGGER switched_off;
COMMENT ON CONSTRAINT "an Order_customer_fkey" ON "an Order" IS 'who ordered';
COMMENT ON CONSTRAINT "an Order_amount_check" ON "an Order" IS 'no gifts';
COMMENT ON TRIGGER before_row ON "an Order" IS 'sees it''s there';
COMMENT ON POLICY mine ON "an Order" IS 'not the big ones';
COMMENT ON INDEX "by Customer" IS 'for those who buy';
COMMENT ON INDEX part_folded IS 'as RavenDB has it';
-- a copy that goes the other way
CREATE TABLE "a Step" (LIKE "an Order" INCLUDING ALL);
ALTER TABLE "a Step" ADD FOREIGN KEY (customer) REFERENCES customer;
ALTER TABLE "a Step" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY all_of_it ON "a Step" USING (true) WITH CHECK (amount < 1000);
INSERT INTO "a Step" (id, amount) SELECT concat('orders/', i, '-A'), i FROM generate_series(1, 999) i;
CREATE TRIGGER before_row BEFORE INSERT ON "a Step" FOR EACH ROW EXECUTE FUNCTION part_trigger();
CREATE TRIGGER after_row AFTER DELETE ON "a Step" FOR EACH ROW WHEN (OLD.amount > 1) EXECUTE FUNCTION part_noise();
CREATE TRIGGER switched_off AFTER INSERT ON "a Step" FOR EACH ROW EXECUTE FUNCTION part_noise();
ALTER TABLE "a Step" DISABLE TRIGGER switched_off;
CREATE TEMP TABLE before AS SELECT rel::text, pg_temp.described(rel) AS line FROM unnest(ARRAY['"an Order"', '"a Step"']::regclass[]) rel;
SELECT line FROM before WHERE rel = '"an Order"';
-- by the owner, whom row security holds, too
SELECT anchor_partition('"an Order"', 2);
CALL anchor_partition_in_steps('"a Step"', 20);
-- what is on one side only
CREATE TEMP VIEW after AS SELECT rel, pg_temp.described(rel::regclass) AS line FROM unnest(ARRAY['"an Order"', '"a Step"']) rel;
(SELECT rel, '-' AS side, line FROM before EXCEPT ALL SELECT rel, '-', line FROM after)
UNION ALL (SELECT rel, '+', line FROM after EXCEPT ALL SELECT rel, '+', line FROM before) ORDER BY 1, 2 DESC, 3;
SELECT pg_temp.described('"an Order_1"');
SELECT pg_temp.described('"a Step_7"');
SELECT count(*), sum(amount), count(DISTINCT tableoid), count(seen) FROM "an Order";
SELECT count(*), sum(amount), count(DISTINCT tableoid), count(seen) FROM "a Step";
SELECT relname, pg_get_userbyid(relowner) FROM pg_class
 WHERE relnamespace = '"part Schema"'::regnamespace AND relowner <> 'regress_hilo_owner'::regrole;
SELECT pg_get_serial_sequence('"an Order"', 'No');
INSERT INTO "an Order" (id, amount) VALUES ('orders/new', 5) RETURNING "No", customer, twice, seen;
INSERT INTO "a Step" (id, amount) VALUES ('orders/new', 5) RETURNING customer, twice, seen;
INSERT INTO "an Order" (id, amount) VALUES ('ORDERS/1-A', 5);
INSERT INTO "an Order" (id, amount) VALUES ('orders/new2', 0);
INSERT INTO "an Order" (id, amount) VALUES ('orders/new2', 1000);
INSERT INTO "an Order" (id, amount, customer) VALUES ('orders/new2', 1, 'customers/2');
DELETE FROM "an Order" WHERE anchor_match(id, 'orders/7-A');
DELETE FROM "a Step" WHERE anchor_match(id, 'orders/7-A');
SET ROLE regress_hilo_user;
SELECT count(*), max(amount) FROM "part Schema"."an Order";
RESET ROLE;
GRANT USAGE ON SCHEMA "part Schema" TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT count(*), max(amount) FROM "part Schema"."an Order";
SELECT count(*) FROM "part Schema"."an Order_0";
RESET ROLE;
RESET search_path;

-- what default privileges give, nobody gets
GRANT USAGE ON SCHEMA "part Schema" TO regress_hilo_other;
SET ROLE regress_hilo_owner;
SET search_path = "part Schema", public;
CREATE TABLE secret (id text PRIMARY KEY, who text);
GRANT SELECT ON secret TO regress_hilo_user;
REVOKE UPDATE, DELETE ON secret FROM regress_hilo_owner;
ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON secret USING (who = current_user);
INSERT INTO secret SELECT concat('secrets/', i), CASE i % 2 WHEN 0 THEN 'regress_hilo_user' ELSE 'regress_hilo_other' END FROM generate_series(1, 10) i;
CREATE TABLE "secret Step" (LIKE secret INCLUDING ALL);
GRANT SELECT ON "secret Step" TO regress_hilo_user;
ALTER TABLE "secret Step" ENABLE ROW LEVEL SECURITY;
INSERT INTO "secret Step" SELECT * FROM secret;
CREATE TABLE "secret Bucket" (LIKE secret INCLUDING ALL);
ALTER DEFAULT PRIVILEGES IN SCHEMA "part Schema" GRANT ALL ON TABLES TO regress_hilo_other WITH GRANT OPTION;
ALTER DEFAULT PRIVILEGES IN SCHEMA "part Schema" GRANT EXECUTE ON FUNCTIONS TO regress_hilo_other WITH GRANT OPTION;
ALTER DEFAULT PRIVILEGES REVOKE SELECT ON TABLES FROM regress_hilo_owner;
ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
SELECT anchor_partition('secret', 2);
CALL anchor_partition_in_steps('"secret Step"', 17);
SELECT anchor_partition('"secret Bucket"', 1, bucket_column => 'bucket');
SELECT relname, relrowsecurity, relforcerowsecurity,
	   (SELECT string_agg(who || ':' || what, ' ' ORDER BY who COLLATE "C") FROM (
			SELECT CASE grantee WHEN 0 THEN 'public' ELSE grantee::regrole::text END AS who, string_agg(privilege_type, ',' ORDER BY privilege_type COLLATE "C") AS what
			  FROM aclexplode(relacl) WHERE privilege_type <> 'MAINTAIN' GROUP BY 1) g)
  FROM pg_class WHERE relkind IN ('r', 'p', 'v') AND (relname ~ '^secret(_|$| B)' OR relname ~ '^secret Step(_0|_16)?$') ORDER BY relname COLLATE "C";
SELECT proname, proacl FROM pg_proc WHERE proname ~ '^secret';
SET ROLE regress_hilo_user;
SELECT count(*) FROM secret;
SELECT count(*) FROM secret_0;
-- nor what reads all tables, by the partitions' names
RESET ROLE;
GRANT pg_read_all_data TO regress_hilo_other;
SET ROLE regress_hilo_other;
SELECT count(*) FROM secret;
SELECT count(*) FROM (TABLE secret_0 UNION ALL TABLE secret_1) s;
SELECT count(*) FROM "secret Step_0";
RESET ROLE;
REVOKE pg_read_all_data FROM regress_hilo_other;
-- what the owner does goes on
SET ROLE regress_hilo_owner;
SELECT count(*) FROM (TABLE secret_0 UNION ALL TABLE secret_1) s;
INSERT INTO secret VALUES ('secrets/11');
DELETE FROM secret;
ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO regress_hilo_owner;
RESET ROLE;
RESET search_path;

-- also where the caller is a member of the owner, and of a role that may grant
CREATE ROLE "regress_hilo Boss";
CREATE ROLE "regress_hilo Caller";
GRANT regress_hilo_other, "regress_hilo Boss" TO "regress_hilo Caller";
GRANT ALL ON SCHEMA "part Schema" TO PUBLIC;
SET ROLE "regress_hilo Boss";
SET search_path = "part Schema", public;
CREATE TABLE given (id text PRIMARY KEY, note text, other text);
GRANT SELECT ON given TO regress_hilo_other, "regress_hilo Caller" WITH GRANT OPTION;
GRANT SELECT ON given TO regress_hilo_user;
GRANT UPDATE (id) ON given TO regress_hilo_other WITH GRANT OPTION;
GRANT UPDATE (note) ON given TO regress_hilo_user;
GRANT INSERT ON given TO regress_hilo_other WITH GRANT OPTION;
GRANT INSERT (note) ON given TO regress_hilo_user;
CREATE TABLE "given Step" (LIKE given INCLUDING ALL);
SET ROLE "regress_hilo Caller";
ALTER DEFAULT PRIVILEGES IN SCHEMA "part Schema" GRANT ALL ON TABLES TO regress_hilo_other WITH GRANT OPTION;
ALTER DEFAULT PRIVILEGES IN SCHEMA "part Schema" GRANT SELECT ON TABLES TO regress_hilo_user;
ALTER DEFAULT PRIVILEGES IN SCHEMA "part Schema" GRANT EXECUTE ON FUNCTIONS TO regress_hilo_other WITH GRANT OPTION;
SELECT anchor_partition('given', 1, bucket_column => 'bucket');
CALL anchor_partition_in_steps('"given Step"', 1);
CREATE TEMP VIEW acl AS
	SELECT relname AS name, a.* FROM pg_class, aclexplode(relacl) a WHERE relkind IN ('r', 'p', 'v') AND relname ~ '^given'
	UNION ALL SELECT proname || '()', a.* FROM pg_proc, aclexplode(proacl) a WHERE proname ~ '^given'
	UNION ALL SELECT relname || '.' || attname, a.* FROM pg_class c JOIN pg_attribute ON attrelid = c.oid, aclexplode(attacl) a WHERE relname ~ '^given';
SELECT name, grantor::regrole, CASE grantee WHEN 0 THEN 'public' ELSE grantee::regrole::text END AS who, is_grantable,
	   string_agg(privilege_type, ',' ORDER BY privilege_type COLLATE "C")
  FROM acl WHERE privilege_type <> 'MAINTAIN' GROUP BY 1, 2, 3, 4 ORDER BY min(name::text COLLATE "C"), min(grantor::regrole::text COLLATE "C"), 3, 4;
DROP VIEW acl;
ALTER DEFAULT PRIVILEGES IN SCHEMA "part Schema" REVOKE ALL ON TABLES FROM regress_hilo_other, regress_hilo_user;
ALTER DEFAULT PRIVILEGES IN SCHEMA "part Schema" REVOKE ALL ON FUNCTIONS FROM regress_hilo_other;
-- nor by the name of the partition that still has the rows
RESET ROLE;
SET ROLE "regress_hilo Boss";
CREATE TABLE unmoved (id text PRIMARY KEY, note text);
GRANT SELECT, INSERT ON unmoved TO regress_hilo_user WITH GRANT OPTION;
GRANT UPDATE (note) ON unmoved TO regress_hilo_user WITH GRANT OPTION;
REVOKE DELETE ON unmoved FROM "regress_hilo Boss";
INSERT INTO unmoved VALUES ('a/1'), ('b/2');
SET ROLE regress_hilo_user;
GRANT SELECT ON unmoved TO regress_hilo_other;
GRANT UPDATE (note) ON unmoved TO regress_hilo_other;
SET ROLE "regress_hilo Caller";
SELECT anchor_partition_first_step('unmoved', 2, NULL, NULL);
SET ROLE regress_hilo_user;
SELECT count(*) FROM unmoved;
SELECT count(*) FROM unmoved_unmoved;
UPDATE unmoved_unmoved SET note = 'seen';
SET ROLE regress_hilo_other;
SELECT count(*) FROM unmoved_unmoved;
SELECT attname, attacl FROM pg_attribute WHERE attrelid = 'unmoved_unmoved'::regclass AND attacl IS NOT NULL;
SET ROLE "regress_hilo Caller";
CALL anchor_partition_in_steps('unmoved', 2);
RESET ROLE;
SELECT count(DISTINCT tableoid) FROM unmoved;
RESET search_path;

-- what would be lost is said before anything changes
CREATE TABLE part_old (id text PRIMARY KEY, email text UNIQUE, n int GENERATED ALWAYS AS IDENTITY, parent text REFERENCES part_old);
CREATE VIEW part_view AS SELECT id FROM part_old;
CREATE TABLE part_child (part text REFERENCES part_old);
CREATE FUNCTION part_function() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM part_old; END;
CREATE FUNCTION part_rows() RETURNS SETOF part_old LANGUAGE sql AS 'SELECT * FROM part_old';
CREATE RULE part_rule AS ON DELETE TO part_old DO INSTEAD NOTHING;
CREATE PUBLICATION part_publication FOR TABLE part_old;
CREATE TRIGGER part_assign BEFORE INSERT ON part_old FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
ALTER TABLE part_old ADD CHECK (email <> '') NOT VALID, ADD CONSTRAINT part_exclusion EXCLUDE (parent WITH =);
ALTER TABLE part_old REPLICA IDENTITY FULL;
SELECT anchor_partition('part_old', 2);
CALL anchor_partition_in_steps('part_old', 2);
SELECT relkind, relname FROM pg_class WHERE oid = 'part_old'::regclass;
DROP PUBLICATION part_publication;
DROP FUNCTION part_function, part_rows;
DROP VIEW part_view;
DROP TABLE part_child, part_old;
CREATE TABLE part_old (id text PRIMARY KEY, email text UNIQUE, UNIQUE (email, id));
CREATE UNIQUE INDEX part_upper ON part_old (upper(id));
CREATE UNIQUE INDEX part_include ON part_old (email) INCLUDE (id);
SELECT anchor_partition('part_old', 2);
DROP TABLE part_old;

-- publications have it also where they do not name it
CREATE SCHEMA part_published;
CREATE TABLE part_published.old (id text PRIMARY KEY);
CREATE PUBLICATION part_schema_publication FOR TABLES IN SCHEMA part_published;
CREATE PUBLICATION part_all FOR ALL TABLES;
SELECT anchor_partition('part_published.old', 2);
DROP PUBLICATION part_all;
CREATE TABLE part_old (id text PRIMARY KEY);
SELECT anchor_partition('part_old', 2);
SELECT anchor_partition('part_published.old', 2);
DROP PUBLICATION part_schema_publication;
SELECT anchor_partition('part_published.old', 2);
DROP TABLE part_old, part_published.old;
DROP SCHEMA part_published;

-- a trigger may fill another column when a partition has been chosen
CREATE TABLE part_old ("the Id" text PRIMARY KEY, "the Id 2" text, "the" text);
CREATE TRIGGER assign BEFORE INSERT ON part_old FOR EACH ROW EXECUTE FUNCTION document_id_assign('the Id 2', 'part_numbers');
CREATE TRIGGER assign_too BEFORE INSERT ON part_old FOR EACH ROW EXECUTE FUNCTION document_id_assign('the', 'the Id', 'guid');
CREATE TRIGGER without BEFORE INSERT ON part_old FOR EACH ROW EXECUTE FUNCTION document_id_assign();
ALTER TABLE part_old DISABLE TRIGGER without;
CREATE TRIGGER refused BEFORE INSERT ON part_old FOR EACH ROW EXECUTE FUNCTION document_id_assign('the Id', 'the Id 2');
SELECT anchor_partition('part_old', 2);
DROP TRIGGER refused ON part_old;
SELECT anchor_partition('part_old', 2);
INSERT INTO part_old VALUES ('orders/1'), ('orders/2') RETURNING tableoid::regclass, "the Id", "the Id 2" ~ '^part_numbers/', length("the");
DROP TABLE part_old;
SELECT hilo_drop('part_numbers');

-- settings of the session change nothing
SET quote_all_identifiers = on;
SET DateStyle = 'Postgres, DMY';
SET TimeZone = 'Asia/Kolkata';
SET extra_float_digits = -10;
CREATE TABLE part_old (id text PRIMARY KEY, at timestamptz DEFAULT '2020-02-01T00:00Z', share float8);
CREATE INDEX part_settings ON part_old (id) WHERE at > '2020-02-01T00:00Z' AND share > '0.30000000000000004'::float8;
CREATE UNIQUE INDEX ON part_old (docid_fold(id));
SELECT anchor_partition('part_old', 2, bucket_column => 'bucket');
RESET quote_all_identifiers;
RESET extra_float_digits;
SET DateStyle = 'ISO';
SET TimeZone = 'UTC';
SELECT pg_get_expr(indpred, indrelid) FROM pg_index WHERE indexrelid = 'part_settings'::regclass;
SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'part_old_anchored'::regclass;
RESET DateStyle;
RESET TimeZone;
DROP TABLE part_old CASCADE;
DROP FUNCTION part_old_anchored;

-- the id may be of a domain of a domain
CREATE DOMAIN part_order_id AS docid CHECK (VALUE LIKE 'orders/%');
CREATE DOMAIN part_shop_id AS part_order_id;
CREATE DOMAIN part_no AS int;
CREATE TABLE part_old (id part_shop_id PRIMARY KEY, no part_no);
INSERT INTO part_old VALUES ('orders/1'), ('orders/2');
SELECT anchor_partition('part_old', 2);
SELECT tableoid::regclass, id FROM part_old WHERE anchor_match(id, 'orders/1');
ALTER TABLE part_old RENAME TO part_older;
CREATE TABLE part_old (id part_no PRIMARY KEY);
SELECT anchor_partition('part_old', 2);
DROP TABLE part_old, part_older;
DROP DOMAIN part_no, part_shop_id, part_order_id;

-- bad input
CREATE TABLE part_old (no int PRIMARY KEY, note text);
SELECT anchor_partition('part_old', 2);
DROP TABLE part_old;
CREATE TABLE part_old (note text, data text);
SELECT anchor_partition('part_old', 2);
DROP TABLE part_old;
CREATE TABLE part_old (id char(10));
SELECT anchor_partition('part_old', 2);
DROP TABLE part_old;
CREATE COLLATION part_collation (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE part_old (id text COLLATE part_collation);
SELECT anchor_partition('part_old', 2);
DROP TABLE part_old;
-- nor does a partition know what is equal by an index of one
CREATE TABLE part_old (id text PRIMARY KEY, note text);
CREATE UNIQUE INDEX part_alike ON part_old (id COLLATE part_collation);
CREATE UNIQUE INDEX part_folded ON part_old (docid_fold(id) COLLATE part_collation);
CREATE UNIQUE INDEX part_both ON part_old (id, note COLLATE part_collation);
CREATE INDEX part_not_unique ON part_old (id COLLATE part_collation);
SELECT anchor_partition('part_old', 2);
DROP INDEX part_alike, part_folded;
SELECT anchor_partition('part_old', 2);
INSERT INTO part_old VALUES ('a', 'b');
INSERT INTO part_old VALUES ('a', 'B');
INSERT INTO part_old VALUES ('A', 'B');
DROP TABLE part_old;
DROP COLLATION part_collation;
CREATE TEMP TABLE part_temporary (id text);
SELECT anchor_partition('part_temporary', 2);
CREATE UNLOGGED TABLE part_old (id text);
SELECT anchor_partition('part_old', 2);
DROP TABLE part_old;
CREATE TABLE part_old (id text);
CREATE TABLE part_child () INHERITS (part_old);
SELECT anchor_partition('part_old', 2);
SELECT anchor_partition('part_child', 2);
DROP TABLE part_old CASCADE;
SELECT anchor_partition('pg_views', 2);
SELECT anchor_partition(0, 2);
SELECT anchor_partition(NULL, 2);
CREATE TABLE part_old (id text);
SELECT anchor_partition('part_old', NULL);
SELECT anchor_partition('part_old', 0);
SELECT anchor_partition('part_old', 2, '{a,b}');
SET ROLE regress_hilo_user;
SELECT anchor_partition('part_old', 2);
CALL anchor_partition_in_steps('part_old', 2);
RESET ROLE;
-- rows that were committed since the snapshot would be lost
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT anchor_partition('part_old', 2);
ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT anchor_partition('part_old', 2);
ROLLBACK;
SET default_transaction_isolation = 'repeatable read';
CALL anchor_partition_in_steps('part_old', 2);
RESET default_transaction_isolation;
-- a null, a repeat, and an id that is too long
INSERT INTO part_old VALUES ('a'), (NULL);
SELECT anchor_partition('part_old', 2);
UPDATE part_old SET id = 'a';
SELECT anchor_partition('part_old', 2);
UPDATE part_old SET id = repeat('x', 513) WHERE ctid = '(0,3)';
SELECT anchor_partition('part_old', 2);
-- a partition's name is taken
DELETE FROM part_old WHERE id <> 'a';
CREATE TABLE part_old_1 ();
SELECT anchor_partition('part_old', 2);
DROP TABLE part_old_1;
SELECT pg_temp.described('part_old');
SELECT anchor_partition('part_old', 2);
SELECT pg_temp.described('part_old');
-- names that do not fit are cut
ALTER TABLE part_old RENAME TO part_older;
CREATE TABLE this_is_a_table_with_a_name_as_long_as_names_of_tables_can_be_y (id text);
INSERT INTO this_is_a_table_with_a_name_as_long_as_names_of_tables_can_be_y VALUES ('a');
SELECT anchor_partition('this_is_a_table_with_a_name_as_long_as_names_of_tables_can_be_y', 11);
SELECT partition, octet_length(partition), rows FROM pg_temp.partitions('this_is_a_table_with_a_name_as_long_as_names_of_tables_can_be_y') WHERE partition ~ '1';
DROP TABLE part_older, this_is_a_table_with_a_name_as_long_as_names_of_tables_can_be_y;

-- the second form, with a column for the bucket
CREATE TABLE part_bucket (id text PRIMARY KEY, note text DEFAULT 'none', twice text GENERATED ALWAYS AS (note || note) STORED);
INSERT INTO part_bucket SELECT concat('users/', i, '-A') FROM generate_series(1, 300) i;
GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON part_bucket TO regress_hilo_user;
SELECT anchor_partition('part_bucket', 2, bucket_column => 'the bucket');
SELECT pg_temp.described('part_bucket');
SELECT pg_temp.described('part_bucket_1');
SELECT pg_temp.described('part_bucket_anchored');
SELECT count(*), count(DISTINCT tableoid), bool_and("the bucket" = anchor_bucket(id)) FROM part_bucket;
SET ROLE regress_hilo_user;
INSERT INTO part_bucket_anchored (id) VALUES ('users/1$users/7') RETURNING *;
INSERT INTO part_bucket_anchored (id, note) SELECT concat('users/', i), 'many' FROM generate_series(1, 3) i RETURNING *;
INSERT INTO part_bucket_anchored VALUES ('users/9', NULL) RETURNING *;
COPY part_bucket_anchored (id, note) FROM stdin;
users/copy-1	a
users/copy-2	b
\.
UPDATE part_bucket_anchored SET note = 'changed' WHERE anchor_match("the bucket", id, 'users/1') RETURNING *;
DELETE FROM part_bucket_anchored WHERE anchor_match("the bucket", id, 'users/2') RETURNING id;
INSERT INTO part_bucket_anchored (id) VALUES ('users/3');
INSERT INTO part_bucket ("the bucket", id, note) VALUES (anchor_bucket('users/3'), 'users/3', 'twice')
	ON CONFLICT ("the bucket", id) DO UPDATE SET note = excluded.note RETURNING *;
INSERT INTO part_bucket ("the bucket", id) VALUES (7, 'users/4');
INSERT INTO part_bucket (id) VALUES ('users/4');
RESET ROLE;
REVOKE INSERT ON part_bucket FROM regress_hilo_user;
SET ROLE regress_hilo_user;
INSERT INTO part_bucket_anchored (id) VALUES ('users/5');
RESET ROLE;
-- foreign keys to it
CREATE TABLE part_line (bucket int, id text, FOREIGN KEY (bucket, id) REFERENCES part_bucket);
INSERT INTO part_line VALUES (anchor_bucket('users/3'), 'users/3');
INSERT INTO part_line VALUES (anchor_bucket('users/4'), 'users/4');
EXPLAIN (COSTS off) SELECT * FROM part_bucket WHERE anchor_match("the bucket", id, 'users/1');
-- also of a table that is partitioned itself
CREATE TABLE part_line_step (LIKE part_line, CONSTRAINT to_bucket FOREIGN KEY (bucket, id) REFERENCES part_bucket);
COMMENT ON CONSTRAINT to_bucket ON part_line_step IS 'of which line';
INSERT INTO part_line_step SELECT * FROM part_line;
SELECT anchor_partition('part_line', 2);
CALL anchor_partition_in_steps('part_line_step', 17);
INSERT INTO part_line SELECT "the bucket", id FROM part_bucket WHERE id = 'users/1';
INSERT INTO part_line VALUES (anchor_bucket('users/4'), 'users/4');
INSERT INTO part_line_step SELECT "the bucket", id FROM part_bucket WHERE id = 'users/1';
INSERT INTO part_line_step VALUES (anchor_bucket('users/4'), 'users/4');
SELECT conrelid::regclass, conname, obj_description(oid, 'pg_constraint') FROM pg_constraint
 WHERE contype = 'f' AND conparentid = 0 AND conrelid::regclass::text ~ '^part_line' ORDER BY conrelid::regclass::text COLLATE "C";
\set VERBOSITY sqlstate
DELETE FROM part_bucket WHERE id = 'users/1';
\set VERBOSITY default
DROP TABLE part_line, part_line_step, part_bucket CASCADE;
CREATE TABLE part_bucket (bucket int, id text);
SELECT anchor_partition('part_bucket', 2, bucket_column => 'bucket');
DROP TABLE part_bucket;

DROP SCHEMA "part Schema" CASCADE;
DROP OWNED BY regress_hilo_user, regress_hilo_owner, regress_hilo_other, "regress_hilo Boss", "regress_hilo Caller";
DROP ROLE regress_hilo_owner, regress_hilo_user, regress_hilo_other, "regress_hilo Boss", "regress_hilo Caller";
DROP FUNCTION part_bucket_anchored;
