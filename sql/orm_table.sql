/*
 * Generators with ranges from a row of an ORM's table
 */
CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint DEFAULT 0);
CREATE TABLE nh_sequences (sequence_name varchar(255) PRIMARY KEY, next_val bigint);

-- several blocks at once, more of them the faster they go
SELECT hilo_adopt_table_tag('Order', 'mt_hilo', 'marten', 10);
SELECT low, high FROM hilo_next_range('order');
TABLE mt_hilo;
SELECT low, high FROM hilo_next_range('order', last_size => 10, last_range_at => now());
SELECT low, high FROM hilo_next_range('order', last_size => 20, last_range_at => now());
SELECT low, high FROM hilo_next_range('order', 95);
TABLE mt_hilo;
SELECT * FROM hilo_sources();
-- a rollback brings nothing back, and no session waits for the transaction
BEGIN;
SELECT low, high FROM hilo_next_range('order');
SELECT count(*) FROM pg_locks WHERE relation = 'mt_hilo'::regclass;
ROLLBACK;
TABLE mt_hilo;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT hi_value FROM mt_hilo;
SELECT low, high FROM hilo_next_range('order');
SELECT hi_value FROM mt_hilo;
COMMIT;
-- raised, never lowered
SELECT hilo_seed('order', 1001), hi_value FROM mt_hilo;
TABLE mt_hilo;
SELECT low, high FROM hilo_next_range('order');
SELECT hilo_seed('order', 5), hi_value FROM mt_hilo;
UPDATE mt_hilo SET hi_value = hi_value + 3;
SELECT hilo_seed('order', 5);
TABLE mt_hilo;
-- set back a little, and a lot: by Marten's SetFloor, or a restore
UPDATE mt_hilo SET hi_value = 98;
SELECT low, high FROM hilo_next_range('order');
UPDATE mt_hilo SET hi_value = -100;
SELECT hilo_next_range('order');
SELECT hilo_seed('order', 0) >= 1030 AS raised;
SELECT low > 1030 AS above FROM hilo_next_range('order');
-- the row is locked by this transaction
SET lock_timeout = '100ms';
BEGIN;
UPDATE mt_hilo SET hi_value = hi_value;
SELECT hilo_next_range('order');
ROLLBACK;
RESET lock_timeout;
BEGIN;
LOCK TABLE mt_hilo;
SET LOCAL lock_timeout = '10ms';
SELECT hilo_next_range('order');
ROLLBACK;
BEGIN;
LOCK TABLE mt_hilo;
SET LOCAL statement_timeout = '200ms';
SELECT hilo_next_range('order');
ROLLBACK;
SELECT low > 0 AS goes_on FROM hilo_next_range('order');

-- hilo_resync knows that the ORM takes blocks, too
TRUNCATE mt_hilo;
SELECT hilo_adopt_table_tag('checked', 'mt_hilo', 'marten', 10);
CREATE TABLE checked (id bigint PRIMARY KEY DEFAULT hilo_next_tag('checked'));
INSERT INTO mt_hilo VALUES ('checked', 4);
INSERT INTO checked VALUES (51);
SELECT problem, detail, hint FROM hilo_check() WHERE rel = 'checked'::regclass;
SELECT hilo_resync('checked', 'id');
SELECT * FROM mt_hilo;
INSERT INTO checked DEFAULT VALUES RETURNING id;
DROP TABLE checked;

-- adopted again just so, nothing changes; by another setting it goes on above, and only that row
CREATE TABLE again (sequence_name text PRIMARY KEY, next_val int, rev_ int);
INSERT INTO again VALUES ('orders', 2000000000), ('customers', 100);
SELECT hilo_adopt_table_tag('again', 'again', 'hibernate-table-pooled-lo', 10, key_value => 'orders');
BEGIN;
UPDATE again SET next_val = next_val;
SELECT hilo_adopt_table_tag('again', 'again', 'hibernate-table-pooled-lo', 10, key_value => 'orders');
COMMIT;
SELECT hilo_adopt_table_tag('again', 'again', 'hibernate-table-pooled-lo', 10, key_value => 'customers');
SELECT hilo_next_tag('again');
SELECT * FROM again ORDER BY next_val;
SELECT hilo_drop('again');
SELECT hilo_adopt_table_tag('again', 'again', 'hibernate-table-pooled-lo', 10, key_value => 'customers');
SELECT low, high FROM hilo_next_range('again');
SELECT hilo_adopt_table_tag('again', 'again', 'hibernate-table', 10, key_value => 'customers');
SELECT next_val - 8 AS low, next_val + 1 AS high FROM again WHERE sequence_name = 'customers';
SELECT hilo_drop('again');
DROP TABLE again;

-- an ORM that met the first value would take the next one, too, and all ids in between
SELECT hilo_adopt_table_tag('paired', 'nh_sequences', 'nhibernate-enhanced-table', 10);
TABLE nh_sequences;
SELECT low, high FROM hilo_next_range('paired');
SELECT hilo_drop('paired');

SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE ordering = 'adopted';
SELECT count(*) FROM hilo_internal.hilo_source;
DROP TABLE mt_hilo, nh_sequences;
