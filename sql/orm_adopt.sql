/*
 * What is adopted as the source of a generator, and what is refused
 */
CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint DEFAULT 0);
CREATE TABLE nh_unique_key (next_hi int, entity text);
CREATE TABLE nh_sequences (sequence_name varchar(255) PRIMARY KEY, next_val bigint);
CREATE TABLE classic (next_hi smallint);
-- what could collide is refused, at the beginning and later
CREATE SEQUENCE single;
CREATE SEQUENCE tenfold INCREMENT 10;
CREATE SEQUENCE down INCREMENT -10;
CREATE SEQUENCE cached INCREMENT 10 CACHE 5;
CREATE SEQUENCE cycling INCREMENT 10 MAXVALUE 1000 CYCLE;
CREATE UNLOGGED SEQUENCE unlogged INCREMENT 10;
CREATE TABLE plain (id bigint);
SELECT hilo_adopt_sequence_tag('x', 'single', 'efcore', 10);
SELECT hilo_adopt_sequence_tag('x', 'tenfold', 'efcore', 11);
SELECT hilo_adopt_sequence_tag('x', 'tenfold', 'hibernate-hilo', 10);
SELECT hilo_adopt_sequence_tag('x', 'down', 'efcore', 10);
SELECT hilo_adopt_sequence_tag('x', 'down', 'efcore');
SELECT hilo_adopt_sequence_tag('x', 'cached', 'efcore', 10);
SELECT hilo_adopt_sequence_tag('x', 'cycling', 'efcore', 10);
SELECT hilo_adopt_sequence_tag('x', 'unlogged', 'efcore', 10);
SELECT hilo_adopt_sequence_tag('x', 'single', 'hibernate-hilo');
SELECT hilo_adopt_sequence_tag('x', 'single', 'nhibernate-seqhilo');
SELECT hilo_adopt_sequence_tag('x', 'single', 'hibernate-hilo', 0);
SELECT hilo_adopt_sequence_tag('x', 'single', 'hibernate-none', 5);
SELECT hilo_adopt_sequence_tag('x', 'plain', 'efcore', 10);
SELECT hilo_adopt_sequence_tag('x', 0, 'efcore', 10);
SELECT hilo_adopt_sequence_tag('x', NULL, 'efcore', 10);
SELECT hilo_adopt_sequence_tag('x', 'single', 'nhibernate-enhanced-hilo', 10);
SELECT hilo_adopt_sequence_tag('x', 'single', 'efcore2', 10);
SELECT hilo_adopt_sequence_tag('x', 'single', 'marten', 10);
SELECT hilo_create('x');
SELECT hilo_adopt_sequence_tag('x', 'tenfold', 'efcore');
SELECT hilo_alter('x', ordering => 'adopted');
SELECT hilo_create('y', 'adopted');
SELECT hilo_drop('x');
SELECT hilo_adopt_sequence_tag('orders', 'tenfold', 'efcore', 10);
SELECT hilo_alter('orders', ordering => 'session');

-- tables
SELECT hilo_adopt_table_tag('x', 'mt_hilo', 'hibernate-multiple-hilo', key_column => 'entity_name', hi_column => 'hi_value');
SELECT hilo_adopt_table_tag('x', 'mt_hilo', 'marten', 0);
SELECT hilo_adopt_table_tag('x', 'mt_hilo', 'efcore', 10);
SELECT hilo_adopt_table_tag('x', 'nh_sequences', 'nhibernate-enhanced-table-hilo', 10);
SELECT hilo_adopt_table_tag('x', 'mt_hilo', 'classic', 10);
SELECT hilo_adopt_table_tag('x', 'mt_hilo', 'marten', 10, 'nothing');
SELECT hilo_adopt_table_tag('x', 'classic', 'classic', 10, key_value => 'x');
SELECT hilo_adopt_table_tag('x', 'mt_hilo', 'marten', 10, key_value => repeat('k', 513));
SELECT hilo_adopt_table_tag('x', NULL, 'classic', 10);
CREATE VIEW a_view AS TABLE mt_hilo;
SELECT hilo_adopt_table_tag('x', 'a_view', 'marten', 10);
CREATE UNLOGGED TABLE unlogged_hi (LIKE mt_hilo);
SELECT hilo_adopt_table_tag('x', 'unlogged_hi', 'marten', 10);
-- or becomes so later
ALTER TABLE unlogged_hi SET LOGGED;
SELECT hilo_adopt_table_tag('x', 'unlogged_hi', 'marten', 10);
SELECT low FROM hilo_next_range('x');
ALTER TABLE unlogged_hi SET UNLOGGED;
SELECT low FROM hilo_next_range('x');
SELECT hilo_seed('x', 1000);
SELECT hilo_drop('x');
SELECT hilo_adopt_table_tag(NULL, 'mt_hilo', 'marten', 10);
SELECT hilo_adopt_table_tag('x', 'mt_hilo', NULL, 10);

-- a style that has no blocks needs none
BEGIN;
SELECT hilo_adopt_sequence_tag('x', 'single', 'hibernate-none');
SELECT block FROM hilo_sources() WHERE name = 'x';
SELECT low, high FROM hilo_next_range('x');
ROLLBACK;

-- nothing of what was refused is left
SELECT name, source, style, block FROM hilo_sources();
SELECT count(*) FROM hilo_internal.hilo_source;
-- what is adopted is rolled back with its transaction
BEGIN;
SELECT hilo_adopt_table_tag('docs', 'mt_hilo', 'marten', 10);
SELECT source, style, block, hi_column, key_column, key_value FROM hilo_sources() WHERE name = 'docs';
ROLLBACK;
SELECT count(*) FROM hilo_sources() WHERE name = 'docs';

-- several generators of one source take the same blocks
BEGIN;
SELECT hilo_adopt_sequence_tag('orders too', 'tenfold', 'hibernate-pooled-lo', 10);
SELECT low, high FROM hilo_next_range('orders', 10) UNION ALL SELECT low, high FROM hilo_next_range('orders too', 10);
SAVEPOINT s;
SELECT hilo_adopt_sequence_tag('orders other', 'tenfold', 'hibernate-pooled', 10);
ROLLBACK TO s;
SELECT hilo_adopt_sequence_tag('orders', 'tenfold', 'efcore', 5);
ROLLBACK TO s;
SELECT hilo_drop('orders too'), hilo_adopt_sequence_tag('orders', 'tenfold', 'hibernate-pooled', 10);
ROLLBACK;
BEGIN;
SELECT hilo_adopt_table_tag('docs', 'mt_hilo', 'marten', 10, key_value => 'a'), hilo_adopt_table_tag('others', 'mt_hilo', 'marten', 20, key_value => 'b');
SELECT hilo_adopt_table_tag('docs too', 'mt_hilo', 'marten', 20, key_value => 'a');
ROLLBACK;

-- no id comes from a source that the generator has only until a rollback
CREATE SEQUENCE other INCREMENT 10;
SELECT setval('other', 2001), hilo_next_tag('orders');
BEGIN;
SELECT hilo_adopt_sequence_tag('orders', 'other', 'efcore');
SELECT hilo_next_tag('orders');
ROLLBACK;
SELECT source, hilo_next_tag('orders') FROM hilo_sources() WHERE name = 'orders';
-- a sequence that another table gets from the one that is dropped stays the source
CREATE TABLE swapped (id bigserial);
ALTER SEQUENCE swapped_id_seq INCREMENT 10;
SELECT hilo_adopt_sequence_tag('swapped', 'swapped_id_seq', 'efcore');
ALTER TABLE swapped ALTER id SET DEFAULT hilo_next_tag('swapped');
INSERT INTO swapped DEFAULT VALUES RETURNING id;
CREATE TABLE swapped_2 (LIKE swapped INCLUDING ALL);
ALTER SEQUENCE swapped_id_seq OWNED BY swapped_2.id;
DROP TABLE swapped;
ALTER TABLE swapped_2 RENAME TO swapped;
BEGIN;
SELECT hilo_resync('swapped', 'id');
SELECT ordering, owner = CURRENT_ROLE::regrole AS mine FROM hilo_generators() WHERE name = 'swapped';
ROLLBACK;
INSERT INTO swapped SELECT FROM generate_series(1, 20) RETURNING id;
SELECT nextval('swapped_id_seq'), source FROM hilo_sources() WHERE name = 'swapped';
DROP TABLE swapped;

-- a source that is dropped and made again
CREATE ROLE regress_hilo_owner;
SELECT set_config('my.database', quote_ident(current_database()), false) IS NOT NULL AS ok;
DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %s TO regress_hilo_owner', current_setting('my.database')); END $$;
CREATE SCHEMA hers AUTHORIZATION regress_hilo_owner;
SET ROLE regress_hilo_owner;
CREATE TABLE hers.again (id bigserial);
ALTER SEQUENCE hers.again_id_seq INCREMENT 10;
SELECT hilo_adopt_sequence_tag('again', 'hers.again_id_seq', 'efcore');
SELECT hilo_next_tag('again');
DROP TABLE hers.again;
CREATE TABLE hers.again (id bigserial);
ALTER SEQUENCE hers.again_id_seq INCREMENT 10;
SELECT hilo_adopt_sequence_tag('again', 'hers.again_id_seq', 'efcore');
-- nothing that this session held comes from the new source
SELECT hilo_next_tag('again'), nextval('hers.again_id_seq');
SELECT hilo_adopt_sequence_tag('again', 'hers.again_id_seq', 'efcore');
SELECT hilo_next_tag('again');
-- and a rollback, which brings the table back, repeats none
CREATE SEQUENCE hers.other INCREMENT 10;
BEGIN;
DROP TABLE hers.again;
SELECT hilo_adopt_sequence_tag('again', 'hers.other', 'efcore');
SELECT hilo_next_tag('again');
ROLLBACK;
-- a first use that goes on with the source keeps what it hands out
ALTER SEQUENCE hers.again_id_seq OWNED BY NONE;
ALTER TABLE hers.again ALTER id DROP DEFAULT;
DROP TABLE hers.again;
CREATE TABLE hers.again (id bigint DEFAULT hilo_next_tag('again'), k int);
BEGIN;
INSERT INTO hers.again (k) VALUES (1) RETURNING id;
ROLLBACK;
SELECT hilo_adopt_sequence_tag('again', 'hers.other', 'efcore');
INSERT INTO hers.again (k) VALUES (1) RETURNING id;
DROP TABLE hers.again;
RESET ROLE;
SELECT hilo_drop('again');
-- the name of the source, while another table has that of the row
DO $$ BEGIN EXECUTE format('REVOKE CREATE ON DATABASE %s FROM regress_hilo_owner', current_setting('my.database')); END $$;
SET ROLE regress_hilo_owner;
CREATE TABLE hers.hibernate_sequences (sequence_name text PRIMARY KEY, next_val bigint);
CREATE TABLE hers.orders (id bigint);
SELECT hilo_adopt_table_tag('hers.hibernate_sequences.orders', 'hers.hibernate_sequences', 'hibernate-table', 50, key_value => 'orders');
SELECT hilo_next_tag('hers.hibernate_sequences.orders');
INSERT INTO hers.hibernate_sequences VALUES ('others', 0);
SELECT hilo_adopt_table_tag('other.orders', 'hers.hibernate_sequences', 'hibernate-table', 50, key_value => 'others');
DROP TABLE hers.hibernate_sequences, hers.orders;
RESET ROLE;
SELECT hilo_drop('hers.hibernate_sequences.orders');
DROP OWNED BY regress_hilo_owner;
DROP ROLE regress_hilo_owner;

SELECT hilo_drop('orders'), hilo_drop('swapped');
DROP SEQUENCE other;
DROP VIEW a_view;
DROP TABLE plain, mt_hilo, nh_unique_key, nh_sequences, classic, unlogged_hi;
DROP SEQUENCE single, tenfold, down, cached, cycling, unlogged;
