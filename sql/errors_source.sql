-- Errors that statements show: of ORMs' sequences and tables.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/errors_setup.sql'
\set teardown :srcdir '/sql/include/errors_teardown.sql'
\i :setup

-- sources of ORMs
CREATE SEQUENCE by_ten INCREMENT 10;
CREATE SEQUENCE by_one;
CREATE UNLOGGED SEQUENCE unlogged;
CREATE TABLE hi (next_hi bigint);
CREATE TABLE floating (next_hi float8);
INSERT INTO hi VALUES (1);
CREATE TABLE two_hi (next_hi bigint);
INSERT INTO two_hi VALUES (1), (2);
CREATE TABLE null_hi (next_hi bigint);
INSERT INTO null_hi VALUES (NULL);
CREATE TABLE defaulted (next_hi bigint, other int DEFAULT 1);
CREATE TABLE ruled (next_hi bigint);
INSERT INTO ruled VALUES (1);
CREATE RULE instead AS ON UPDATE TO ruled DO INSTEAD NOTHING;
SELECT hilo_adopt_sequence_tag('adopted', 'by_ten', 'efcore');
SELECT hilo_adopt_table_tag('adopted_hi', 'hi', 'classic', 10);
CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint);
CREATE ROLE regress_hilo_short;
SELECT hilo_adopt_sequence_tag('ownerless', 'by_ten', 'efcore'), hilo_alter('ownerless', owner => 'regress_hilo_short');
DROP ROLE regress_hilo_short;
INSERT INTO condition (condition, command) VALUES
('the source or the style is null', $$SELECT hilo_adopt_sequence_tag('new', NULL, 'efcore')$$),
('a style is none of a sequence', $$SELECT hilo_adopt_sequence_tag('new', 'by_ten', 'marten')$$),
('a style is none of a table', $$SELECT hilo_adopt_table_tag('new', 'hi', 'efcore', 10)$$),
('a source is no sequence', $$SELECT hilo_adopt_sequence_tag('new', 'hi', 'efcore')$$),
('a source is no table', $$SELECT hilo_adopt_table_tag('new', 'by_ten', 'classic', 10)$$),
('a sequence is temporary or unlogged', $$SELECT hilo_adopt_sequence_tag('new', 'unlogged', 'efcore')$$),
('a table, or a partition or child of it, is temporary or unlogged', $$CREATE TEMP TABLE temp_hi (LIKE hi); SELECT hilo_adopt_table_tag('new', 'temp_hi', 'classic', 10)$$),
('a block cannot be known', $$SELECT hilo_adopt_table_tag('new', 'hi', 'classic')$$),
('a block is not one', $$SELECT hilo_adopt_table_tag('new', 'hi', 'classic', 0)$$),
('a key is given for a table without one', $$SELECT hilo_adopt_table_tag('new', 'hi', 'classic', 10, key_value => 'x')$$),
('a column of the source is of a type that would be rounded, or checked by code of a role', $$SELECT hilo_adopt_table_tag('new', 'floating', 'classic', 10)$$),
('a table does not have the columns', $$SELECT hilo_adopt_table_tag('new', 'hi', 'marten', 10)$$),
('a sequence has another INCREMENT than its style and block need, or a CACHE, or is declared CYCLE', $$SELECT hilo_adopt_sequence_tag('new', 'by_one', 'efcore', 10)$$),
('another generator takes the blocks of another style from the source', $$SELECT hilo_adopt_sequence_tag('new', 'by_ten', 'hibernate-pooled')$$),
('a sequence was altered in this transaction', $$ALTER SEQUENCE by_ten RESTART; SELECT hilo_next_tag('adopted')$$),
('the source was dropped, or is missing after a restore', $$DROP SEQUENCE by_ten; SELECT hilo_next_tag('adopted')$$),
('a source gives ids that were handed out, or none', $$SELECT hilo_next_range('adopted'); SELECT hilo_seed('adopted', 5000); SELECT setval('by_ten', 1); SELECT hilo_next_tag('adopted')$$),
('the owner of a generator may not raise the sequence, for another setting of which it is adopted', $$GRANT USAGE ON SEQUENCE by_ten TO regress_hilo_user; SELECT hilo_alter('adopted', owner => 'regress_hilo_user'); SELECT hilo_adopt_sequence_tag('adopted', 'by_ten', 'eclipselink')$$),
('`size` is above the block of a sequence', $$SELECT hilo_next_range('adopted', 11)$$),
('a seed is above every block', $$SELECT hilo_seed('adopted', 9223372036854775807)$$),
('`force` in the seed of an adopted generator', $$SELECT hilo_seed('adopted', 1, force => true)$$),
('`hilo_next_hi` of an adopted generator', $$SELECT hilo_next_hi('adopted', 10)$$),
('an ordering is changed from or to `adopted`', $$SELECT hilo_create('new', 'adopted')$$),
('more than one row could be the source', $$SELECT hilo_adopt_table_tag('new', 'two_hi', 'classic', 10); SELECT hilo_next_tag('new')$$),
('the row of the source holds a null', $$SELECT hilo_adopt_table_tag('new', 'null_hi', 'classic', 10); SELECT hilo_next_tag('new')$$),
('the row of the source is missing, and an expression would decide what is in it', $$SELECT hilo_adopt_table_tag('new', 'defaulted', 'classic', 10); SELECT hilo_next_tag('new')$$),
('a seed lies above the end of an adopted sequence', $$CREATE SEQUENCE short MAXVALUE 10; SELECT hilo_adopt_sequence_tag('new', 'short', 'hibernate-none'); SELECT hilo_seed('new', 10)$$),
('the table of the source has a rule, a CHECK constraint or a generated column', $$SELECT hilo_adopt_table_tag('new', 'ruled', 'classic', 10)$$),
('the row of the source cannot be raised by a block', $$SELECT hilo_adopt_table_tag('new', 'two_hi', 'eclipselink-table', 9223372036854775807, hi_column => 'next_hi', key_column => 'next_hi', key_value => '1'); SELECT hilo_next_tag('new')$$),
('the row of the source is locked, maybe by this transaction', $$SET LOCAL lock_timeout = '100ms'; LOCK TABLE hi; SELECT hilo_next_tag('adopted_hi')$$),
('the caller of `hilo_marten_next_hi`, or the owner of the generator, lacks a right to the table', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_marten_next_hi('mt_hilo', 'x')$$),
('the owner of the generator lacks a right to the sequence', $$SELECT hilo_alter('adopted', owner => 'regress_hilo_user'); SELECT hilo_next_tag('adopted')$$),
('the generator of a source has no owner', $$SELECT hilo_next_tag('ownerless')$$);

SELECT pg_temp.errors();

DROP TABLE hi, two_hi, null_hi, floating, ruled, defaulted, mt_hilo;
DROP SEQUENCE by_ten, by_one, unlogged CASCADE;
\i :teardown
