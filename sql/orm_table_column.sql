/*
 * The columns of an ORM's table that has ranges: their names, their types and the key
 */
-- names that need quoting, a key that is not text, an initial value
CREATE SCHEMA "My Schema";
CREATE TABLE "My Schema"."Hi Table" ("The Key" int PRIMARY KEY, "Next Hi" numeric(30, 0), note text);
SELECT hilo_adopt_table_tag('quoted', '"My Schema"."Hi Table"', 'hibernate-table-pooled-lo', 10, 'The Key', '42', 'Next Hi', 1000);
SELECT hilo_next_tag('quoted');
TABLE "My Schema"."Hi Table";
SELECT * FROM hilo_sources() WHERE name = 'quoted';
ALTER TABLE "My Schema"."Hi Table" RENAME TO hi;
ALTER SCHEMA "My Schema" RENAME TO renamed;
SELECT low, high FROM hilo_next_range('quoted');
-- a row is one place, however its key is written
SELECT hilo_adopt_table_tag('unquoted', 'renamed.hi', 'hibernate-table-pooled-lo', 20, 'The Key', '042', 'Next Hi', 1000);
SELECT hilo_adopt_table_tag('unquoted', 'renamed.hi', 'hibernate-table-pooled-lo', 10, 'The Key', 'x', 'Next Hi', 1000);
SELECT hilo_adopt_table_tag('unquoted', 'renamed.hi', 'hibernate-sequence-table-pooled-lo', 20, hi_column => 'Next Hi');
-- pg_repack copies a table, and then the changes that its trigger has seen
CREATE TRIGGER repack_trigger AFTER INSERT OR DELETE OR UPDATE ON renamed.hi FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
SELECT low FROM hilo_next_range('quoted');
DROP TRIGGER repack_trigger ON renamed.hi;
-- what a column cannot hold
CREATE TABLE tiny (next_hi smallint);
INSERT INTO tiny VALUES (32766);
SELECT hilo_adopt_table_tag('tiny', 'tiny', 'classic', 10);
SELECT low, high FROM hilo_next_range('tiny');
SELECT hilo_next_tag('tiny');
SELECT last FROM hilo_generators() WHERE name = 'tiny';
UPDATE tiny SET next_hi = NULL;
SELECT hilo_next_tag('tiny');
INSERT INTO tiny VALUES (1);
SELECT hilo_next_tag('tiny');
-- what it would hold rounded
CREATE DOMAIN counter AS real;
CREATE TABLE floating (next_hi float8);
SELECT hilo_adopt_table_tag('floating', 'floating', 'classic', 10);
ALTER TABLE floating ALTER next_hi TYPE counter;
SELECT hilo_adopt_table_tag('floating', 'floating', 'classic', 10);
-- the table goes
DROP TABLE tiny, floating;
DROP DOMAIN counter;
SELECT hilo_next_tag('tiny');
-- the key is the hi: it is found again
CREATE TABLE own_key (sequence_name text, next_val int);
SELECT hilo_adopt_table_tag('own_key', 'own_key', 'hibernate-table', 50, key_column => 'next_val', key_value => '7');
SET statement_timeout = '2s';
SELECT count(*) FROM hilo_next_range('own_key');
RESET statement_timeout;
SELECT count(*) FROM own_key;
-- a column of text has no ids of numbers
CREATE TABLE worded (id text DEFAULT 'a');
INSERT INTO worded DEFAULT VALUES;
SELECT hilo_adopt_table('worded', 'id', 'renamed.hi', 'hibernate-table-pooled-lo', 10, 'The Key', '43', 'Next Hi');
DROP TABLE worded;

SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE ordering = 'adopted';
DROP TABLE own_key;
DROP SCHEMA renamed CASCADE;
