/*
 * document_id_assign: ids for the rows of a table
 */
SET hilo.prefetch = off;
SET client_min_messages = warning;
\pset null <null>

CREATE TABLE invoices (id text PRIMARY KEY CHECK (document_id_valid(id)), order_id text, note text);
CREATE TRIGGER invoices_id BEFORE INSERT ON invoices
	FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'invoices', 'hilo', 'order_id');

-- a null id, a pattern, an id; with an anchor and without
INSERT INTO invoices (order_id) VALUES (NULL), ('orders/54-B'), ('orders/54-B$users/1') RETURNING id;
INSERT INTO invoices (id, order_id) VALUES
	('invoices/', NULL), ('invoices/', 'orders/54-B'), ('invoices|', NULL), ('invoices|', 'orders/54-B'),
	('invoices/mine', NULL), ('invoices/mine', 'orders/54-B') RETURNING id;
INSERT INTO invoices (id) VALUES (' ') RETURNING length(id);
INSERT INTO invoices (id, order_id) VALUES ('', 'orders/54-B') RETURNING substr(id, 37);
-- an id that has the anchor already keeps it: rows may be copied as they are
INSERT INTO invoices (id, order_id) VALUES ('invoices/7$orders/54-B', 'orders/54-B'), ('invoices/8$orders/54-B', 'a/1$orders/54-B'),
	('invoices/9$orders/54-B', 'orders/54'), ('invoices/10$Orders/54-b', 'orders/54-B') RETURNING id;
CREATE TABLE copied (LIKE invoices INCLUDING ALL);
CREATE TRIGGER invoices_id BEFORE INSERT ON copied
	FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'invoices', 'hilo', 'order_id');
INSERT INTO copied SELECT * FROM invoices;
SELECT count(*) FROM copied JOIN invoices USING (id);
DROP TABLE copied;
-- what can be no id
INSERT INTO invoices (id) VALUES (E'a\nb');
INSERT INTO invoices (id, order_id) VALUES ('a', 'orders/');
INSERT INTO invoices (id, order_id) VALUES ('a', 'orders|');
INSERT INTO invoices (id, order_id) VALUES ('a', '');
INSERT INTO invoices (id, order_id) VALUES ('a', repeat('x', 511));
INSERT INTO invoices (id, order_id) VALUES ('a', E'b\x01');
SET hilo.identity_parts_separator = '-';
INSERT INTO invoices (id, order_id) VALUES ('a', 'orders-');
RESET hilo.identity_parts_separator;
-- an id that exists is never overwritten
INSERT INTO invoices (id) VALUES ('invoices/mine');
INSERT INTO invoices (id, note) VALUES ('invoices/mine', 'overwritten') ON CONFLICT (id) DO UPDATE SET note = excluded.note RETURNING id, note;
INSERT INTO invoices (id, note) VALUES (NULL, 'other') ON CONFLICT (id) DO UPDATE SET note = excluded.note RETURNING id, note;
INSERT INTO invoices (id, note) VALUES ('invoices/mine', 'left') ON CONFLICT DO NOTHING RETURNING id;

-- by COPY, MERGE, a view, a CTE, a prepared statement
COPY invoices (id, order_id) FROM stdin;
\N	\N
\N	orders/9-A
invoices|	\N
\.
MERGE INTO invoices USING (VALUES ('invoices/mine'), (NULL), ('invoices|')) s (id) ON invoices.id = s.id
	WHEN MATCHED THEN UPDATE SET note = 'merged' WHEN NOT MATCHED THEN INSERT (id, note) VALUES (s.id, 'new');
CREATE VIEW open_invoices AS SELECT id, order_id FROM invoices WHERE note IS NULL WITH CHECK OPTION;
INSERT INTO open_invoices (order_id) VALUES ('orders/10-A') RETURNING id;
WITH i AS (INSERT INTO invoices (order_id) VALUES ('orders/11-A') RETURNING *)
INSERT INTO invoices (order_id) SELECT id FROM i RETURNING id, order_id;
PREPARE p (text) AS INSERT INTO invoices (id) VALUES ($1) RETURNING id;
EXECUTE p (NULL);
EXECUTE p ('invoices|');
SELECT id, note FROM invoices WHERE length(id) < 36 AND id NOT LIKE '%00000%' ORDER BY id COLLATE "C";
DROP VIEW open_invoices;

-- columns renamed, dropped and added, while the session remembers a plan
ALTER TABLE invoices ADD COLUMN first text, DROP COLUMN note;
EXECUTE p ('invoices/after drop');
ALTER TABLE invoices RENAME order_id TO anchor;
EXECUTE p ('invoices/after rename');
ALTER TABLE invoices RENAME anchor TO order_id;
ALTER TABLE invoices RENAME id TO key;
INSERT INTO invoices DEFAULT VALUES;
ALTER TABLE invoices RENAME key TO id;
INSERT INTO invoices DEFAULT VALUES RETURNING id;
ALTER TABLE invoices DROP COLUMN order_id;
INSERT INTO invoices DEFAULT VALUES;
DROP TRIGGER invoices_id ON invoices;

-- strategies, and arguments left out
CREATE FUNCTION with_arguments(text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'CREATE TRIGGER t BEFORE INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION document_id_assign(' || $1 || ')';
	RETURN QUERY EXECUTE 'INSERT INTO invoices (first) VALUES (''orders/1'') RETURNING ' ||
		'CASE WHEN length(id) < 36 THEN id ELSE length(id)::text END';
	DROP TRIGGER t ON invoices;
EXCEPTION WHEN OTHERS THEN
	RETURN NEXT SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT a AS arguments, with_arguments(a) FROM unnest(ARRAY[
	$$'id'$$, $$'id', 'Bills'$$, $$'id', 'bills', 'identity'$$, $$'id', 'bills', 'server-side'$$, $$'id', 'bills', 'guid'$$,
	$$'id', null$$, $$'id', ''$$, $$'id', NULL, 'identity'$$, $$'id', null, null, 'first'$$, $$id, bills, hilo, first$$,
	$$'id', 'bills', 'guid', 'first'$$,
	$$$$, $$null$$, $$'id', 'a', 'hilo', 'first', 'more'$$, $$'id', 'a', 'semantic'$$, $$'id', 'a', 'HiLo'$$, $$'no'$$, $$'ctid'$$,
	$$'id', 'a', 'hilo', 'no'$$, $$'id', E'a\nb', 'server-side'$$]) a;
SELECT prefix, number, node_tag, anchor, strategy FROM invoices, document_id_parts(id) WHERE first IS NOT NULL AND strategy <> 'guid'
 ORDER BY id COLLATE "C";
-- the generator that a strategy takes numbers of
CREATE TABLE by_strategy (a text, b text, c text, d text);
CREATE TRIGGER a BEFORE INSERT ON by_strategy FOR EACH ROW EXECUTE FUNCTION document_id_assign('a', 'Bills');
CREATE TRIGGER b BEFORE INSERT ON by_strategy FOR EACH ROW EXECUTE FUNCTION document_id_assign('b', 'Bills', 'identity');
CREATE TRIGGER c BEFORE INSERT ON by_strategy FOR EACH ROW EXECUTE FUNCTION document_id_assign('c', 'Bills', 'server-side');
CREATE TRIGGER d BEFORE INSERT ON by_strategy FOR EACH ROW EXECUTE FUNCTION document_id_assign('d', 'Bills', 'guid');
SELECT c, hilo_generator_of('by_strategy', c) FROM unnest(ARRAY['a', 'b', 'c', 'd']::name[]) c;
DROP TABLE by_strategy;
-- the collection of a table is its name, as RavenDB has it
CREATE TABLE "BacklogItems" (id varchar PRIMARY KEY);
CREATE TABLE "Users" (LIKE "BacklogItems" INCLUDING ALL);
CREATE TABLE parted (id text NOT NULL, year int) PARTITION BY LIST (year);
CREATE TABLE parted_2026 PARTITION OF parted FOR VALUES IN (2026);
CREATE TRIGGER t BEFORE INSERT ON "BacklogItems" FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
CREATE TRIGGER t BEFORE INSERT ON "Users" FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
CREATE TRIGGER t BEFORE INSERT ON parted FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
INSERT INTO "BacklogItems" DEFAULT VALUES RETURNING id;
INSERT INTO "Users" DEFAULT VALUES RETURNING id;
INSERT INTO parted (year) VALUES (2026) RETURNING id;
INSERT INTO parted_2026 (year) VALUES (2026) RETURNING id;
DROP TABLE "BacklogItems", "Users", parted;

-- types of columns
CREATE DOMAIN short_id AS docid CHECK (length(VALUE) < 15);
CREATE TABLE typed (id short_id, v varchar(12), c char(20), n name, i int, anchor docid);
CREATE FUNCTION typed(text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TRIGGER t BEFORE INSERT ON typed FOR EACH ROW EXECUTE FUNCTION document_id_assign(%L, ''typed'', ''hilo'', ''anchor'')', $1);
	RETURN QUERY EXECUTE format('INSERT INTO typed DEFAULT VALUES RETURNING %I::text', $1);
	RETURN QUERY EXECUTE format('INSERT INTO typed (anchor) VALUES (''orders/1'') RETURNING %I::text', $1);
EXCEPTION WHEN OTHERS THEN
	RETURN NEXT SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT hilo_create('typed');
BEGIN;
SELECT c, typed(c) FROM unnest(ARRAY['id', 'v', 'c', 'n', 'i']) c;
ROLLBACK;
DROP TABLE typed;
DROP DOMAIN short_id;

-- wrong triggers
CREATE TABLE wrong (id text);
CREATE TRIGGER t AFTER INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
INSERT INTO wrong DEFAULT VALUES;
DROP TRIGGER t ON wrong;
CREATE TRIGGER t BEFORE INSERT ON wrong FOR EACH STATEMENT EXECUTE FUNCTION document_id_assign('id');
INSERT INTO wrong DEFAULT VALUES;
DROP TRIGGER t ON wrong;
CREATE TRIGGER t BEFORE INSERT OR UPDATE ON wrong FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
INSERT INTO wrong DEFAULT VALUES;
DROP TRIGGER t ON wrong;
CREATE VIEW wrong_view AS SELECT * FROM wrong;
CREATE TRIGGER t INSTEAD OF INSERT ON wrong_view FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
INSERT INTO wrong_view DEFAULT VALUES;
SELECT document_id_assign();
DROP TABLE wrong CASCADE;
-- generated columns are computed later
CREATE TABLE wrong (id text, o int, order_id text GENERATED ALWAYS AS ('orders/' || o) STORED);
CREATE TRIGGER t BEFORE INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'wrong', 'hilo', 'order_id');
INSERT INTO wrong (o) VALUES (54) RETURNING id;
DROP TRIGGER t ON wrong;
CREATE TRIGGER t BEFORE INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION document_id_assign('order_id', 'wrong');
INSERT INTO wrong (o) VALUES (54) RETURNING order_id;
DROP TABLE wrong;

-- alongside other triggers; the one of another column sees what the others did
CREATE TABLE two (id text, other text);
CREATE TRIGGER a BEFORE INSERT ON two FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'two');
CREATE TRIGGER b BEFORE INSERT ON two FOR EACH ROW EXECUTE FUNCTION document_id_assign('other', 'other', 'identity', 'id');
INSERT INTO two SELECT FROM generate_series(1, 3) RETURNING *;
DROP TABLE two;

-- rights are those of the role that inserts; they come with the table
CREATE ROLE regress_hilo_docid;
CREATE TABLE private (id text);
CREATE TRIGGER t BEFORE INSERT ON private FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
GRANT INSERT, SELECT ON private TO regress_hilo_docid;
SELECT hilo_create('private'), hilo_revoke('private', 'public');
SET ROLE regress_hilo_docid;
INSERT INTO private DEFAULT VALUES RETURNING id;
INSERT INTO private VALUES ('private/1') RETURNING id;
-- and any role may put the trigger on its own table
CREATE TEMP TABLE own (id text);
CREATE TRIGGER t BEFORE INSERT ON own FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'private');
INSERT INTO own DEFAULT VALUES RETURNING id;
RESET ROLE;
REVOKE INSERT ON private FROM regress_hilo_docid;
SET ROLE regress_hilo_docid;
INSERT INTO own DEFAULT VALUES RETURNING id;
RESET ROLE;
DROP TABLE own, private;
DROP ROLE regress_hilo_docid;

-- a child with the trigger of its parent is of that collection
CREATE TABLE shelf (id text);
CREATE TABLE chunk () INHERITS (shelf);
CREATE TRIGGER t BEFORE INSERT ON shelf FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
CREATE TRIGGER copy BEFORE INSERT ON chunk FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
INSERT INTO chunk VALUES ('shelf/7-A');
INSERT INTO chunk DEFAULT VALUES RETURNING id;
SELECT hilo_generator_of('chunk', 'id');
DROP TABLE shelf CASCADE;

DROP TABLE invoices;
DROP FUNCTION with_arguments, typed;
DO $$ BEGIN
	PERFORM hilo_drop(name) FROM hilo_generators()
	 WHERE name LIKE '%|' OR name IN ('invoices', 'Bills', 'BacklogItems', 'users', 'parted', 'typed', 'two', 'private', 'shelf');
END $$;
