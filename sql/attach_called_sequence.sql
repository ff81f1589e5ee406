-- Sequences that a program calls for the ids of a column.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_clerk;
CREATE SCHEMA ab;
GRANT CREATE, USAGE ON SCHEMA ab TO regress_hilo_clerk;
SET search_path = ab, public;
-- the two ways out in the hint of an error, as statements
CREATE FUNCTION follow_hint(rel regclass, col name, way text, generator text DEFAULT NULL) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
	source text;
BEGIN
	PERFORM hilo_attach(rel, col, generator);
EXCEPTION WHEN object_not_in_prerequisite_state THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	source := substring(hint FROM 'nextval[(](''[^'']*'')');
	IF way = 'adopt' THEN
		RETURN NEXT 'SELECT ' || substring(hint FROM 'run (hilo_adopt_sequence[^)]*[)])');
	ELSE
		RETURN NEXT format('ALTER SEQUENCE %s %s', substring(source, 2, length(source) - 2), substring(hint FROM 'give the sequence (INCREMENT 1)'));
		RETURN NEXT format('ALTER TABLE %s ALTER %I SET DEFAULT %s', rel, col, substring(hint FROM 'set the default to (nextval[^)]*[)])'));
		RETURN NEXT format('SELECT hilo_attach(%L, %L)', rel, col);
	END IF;
END $$;

-- a column that draws from nothing, and owns a sequence, or has one alongside, is left to the program
CREATE TABLE events (seq_id bigint PRIMARY KEY, note text);
CREATE SEQUENCE events_sequence OWNED BY events.seq_id;
CREATE FUNCTION append() RETURNS bigint LANGUAGE sql AS
	'INSERT INTO ab.events VALUES (nextval(''ab.events_sequence''), ''appended'') RETURNING seq_id';
SELECT append(), append();
SELECT hilo_attach('events', 'seq_id');
SELECT hilo_attach('events', 'seq_id', 'other', follow => true);
SELECT append();
-- nor is that call proposed
DELETE FROM events;
INSERT INTO events VALUES (10);
SELECT problem, hint FROM hilo_check('events');
-- adopted, it is shared
SELECT follow_hint('events', 'seq_id', 'adopt') \gexec
INSERT INTO events (note) VALUES ('sql') RETURNING seq_id;
SELECT append() > 11 AS above;
INSERT INTO events (note) SELECT 'sql' FROM generate_series(1, 5);
SELECT append() IS NOT NULL AS appended, count(*) FROM events;
SELECT problem FROM hilo_check('events');
SELECT hilo_attach('events', 'seq_id');
-- in blocks: the commonest table of Hibernate's; a constant draws from nothing
CREATE SEQUENCE books_seq INCREMENT 50;
CREATE TABLE books (id bigint PRIMARY KEY, title text);
SELECT nextval('books_seq'), nextval('books_seq'); -- the program has 2 to 51
INSERT INTO books SELECT i, 'orm' FROM generate_series(1, 30) i;
SELECT hilo_attach('books', 'id');
ALTER TABLE books ALTER id SET DEFAULT 0;
SELECT hilo_attach('books', 'id');
SELECT hilo_attach('books', 'id', 'books');
ALTER TABLE books ALTER id DROP DEFAULT;
SELECT follow_hint('books', 'id', 'adopt') \gexec
INSERT INTO books (title) VALUES ('sql') RETURNING id;
INSERT INTO books SELECT i, 'orm' FROM generate_series(31, 51) i;
SELECT problem FROM hilo_check('books');
-- with quoted names
CREATE SEQUENCE "Stock_SEQ" INCREMENT 50;
CREATE TABLE "Stock" (id bigint PRIMARY KEY);
SELECT follow_hint('"Stock"', 'id', 'adopt') \gexec
INSERT INTO "Stock" DEFAULT VALUES RETURNING id;
-- a default that calls it is followed in the program's blocks: no default lies in one that the program may have
CREATE SEQUENCE orders_seq INCREMENT 50;
CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT nextval('orders_seq'), item text);
SELECT nextval('orders_seq'), nextval('orders_seq');
INSERT INTO orders SELECT i, 'orm' FROM generate_series(1, 30) i;
SELECT hilo_attach('orders', 'id');
INSERT INTO orders (item) VALUES ('sql') RETURNING id;
INSERT INTO orders SELECT i, 'orm' FROM generate_series(31, 51) i;
INSERT INTO orders VALUES (160, 'brought');
SELECT nextval('orders_seq') - 49 > 160 AS block_is_above;
-- each name, and no other; of no column, and no default; only the owner's
CREATE TABLE "Names" ("Id" bigint, other bigint, owned bigint);
CREATE SEQUENCE "Names_Id";
CREATE SEQUENCE "Names_seq" OWNED BY "Names".owned;
CREATE SEQUENCE "NamesSequence";
CREATE TABLE uses (id bigint DEFAULT nextval('"NamesSequence"'));
CREATE VIEW "Names_Id_seq" AS SELECT;
SELECT hilo_attach('"Names"', 'Id', 'other');
ALTER TABLE "Names" ALTER "Id" DROP DEFAULT;
ALTER SEQUENCE "Names_seq" OWNED BY NONE;
SELECT hilo_attach('"Names"', 'Id', 'other');
DROP SEQUENCE "Names_seq";
DROP TABLE uses;
SELECT hilo_attach('"Names"', 'Id', 'other');
DROP SEQUENCE "NamesSequence";
DROP VIEW "Names_Id_seq";
CREATE SEQUENCE "Names_Id_seq";
ALTER SEQUENCE "Names_Id_seq" OWNER TO regress_hilo_clerk;
SELECT hilo_attach('"Names"', 'Id', 'other');
ALTER TABLE "Names" ALTER "Id" DROP DEFAULT;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_clerk;
ALTER TABLE "Names" OWNER TO regress_hilo_clerk;
SET ROLE regress_hilo_clerk;
SELECT hilo_attach('"Names"', 'Id', 'other');
SELECT follow_hint('"Names"', 'Id', 'adopt') \gexec
RESET ROLE;
SELECT ordering, owner FROM hilo_generators() WHERE name = '"Names"';
-- that of an identity, of a table with a name that another has now
CREATE TABLE renamed (id bigint GENERATED ALWAYS AS IDENTITY);
ALTER TABLE renamed RENAME TO renamed_old;
CREATE TABLE renamed (id bigint);
SELECT hilo_attach('renamed', 'id');

-- in a cycle: it is adopted when it has none
CREATE TABLE circles (id bigint);
CREATE SEQUENCE circles_seq CYCLE;
SELECT hilo_attach('circles', 'id');
ALTER SEQUENCE circles_seq NO CYCLE;
SELECT follow_hint('circles', 'id', 'adopt') \gexec

-- a column whose default was dropped, as a hint may ask, goes on above what the sequence gave
CREATE TABLE dropped (id bigserial PRIMARY KEY);
INSERT INTO dropped SELECT FROM generate_series(1, 5);
DELETE FROM dropped;
ALTER TABLE dropped ALTER id DROP DEFAULT;
SELECT follow_hint('dropped', 'id', 'default') \gexec
INSERT INTO dropped DEFAULT VALUES RETURNING id;
SELECT to_regclass('dropped_id_seq');
CREATE TABLE unused (id bigint PRIMARY KEY);
CREATE SEQUENCE unused_seq INCREMENT 50;
SELECT follow_hint('unused', 'id', 'default') \gexec
INSERT INTO unused DEFAULT VALUES RETURNING id;
-- an expression, with its sequence
CREATE TABLE expression (id bigserial PRIMARY KEY);
ALTER TABLE expression ALTER id SET DEFAULT nextval('expression_id_seq') + 0;
INSERT INTO expression DEFAULT VALUES;
SELECT hilo_attach('expression', 'id');
SELECT hilo_resync('expression', 'id');
ALTER TABLE expression ALTER id DROP DEFAULT;
DROP SEQUENCE expression_id_seq;
SELECT hilo_attach('expression', 'id');
INSERT INTO expression DEFAULT VALUES RETURNING id;

-- if the column draws from another one, that is followed, and the doctor names this one
CREATE TABLE tags (id bigserial PRIMARY KEY);
CREATE SEQUENCE tags_seq INCREMENT 50;
CREATE SEQUENCE tags_owned OWNED BY tags.id;
SELECT hilo_attach('tags', 'id');
INSERT INTO tags VALUES (5);
SELECT to_regclass('tags_id_seq'), nextval('tags_seq'), nextval('tags_owned');
SELECT problem, detail FROM hilo_check('tags');
INSERT INTO tags DEFAULT VALUES RETURNING id;
-- a move to a generator warns of both
SELECT hilo_attach('tags', 'id', 'tags');
SELECT hilo_adopt_sequence_tag('ab.tags_seq', 'ab.tags_seq', 'hibernate-pooled', 50);
SELECT hilo_attach('tags', 'id', generator => 'ab.tags_seq');
INSERT INTO tags DEFAULT VALUES RETURNING id;
DROP SEQUENCE tags_owned;
SELECT problem FROM hilo_check('tags');
-- so with an identity
CREATE TABLE both_kinds (id bigint GENERATED BY DEFAULT AS IDENTITY);
CREATE SEQUENCE of_program OWNED BY both_kinds.id;
SELECT hilo_attach('both_kinds', 'id');
INSERT INTO both_kinds VALUES (5);
SELECT nextval('of_program'), to_regclass('both_kinds_id_seq');
INSERT INTO both_kinds DEFAULT VALUES RETURNING id;

SET client_min_messages = error;
DROP SCHEMA ab CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name ~ '^ab[.]|^other$';
REVOKE CREATE ON DATABASE :DBNAME FROM regress_hilo_clerk;
DROP ROLE regress_hilo_clerk;
