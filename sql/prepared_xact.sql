/*
 * PREPARE TRANSACTION; prepared_xact_1.out is for servers that have no
 * prepared transactions
 */
SELECT current_setting('max_prepared_transactions')::int = 0 AS skip \gset
\if :skip
\quit
\endif
SET hilo.prefetch = off;
SET lock_timeout = '10ms';
\set SHOW_CONTEXT never

-- Taking ids from a generator that is there blocks no session, and keeps them.
SELECT hilo_create('prepared');
SELECT hilo_next_tag('prepared');
BEGIN;
SELECT hilo_next_tag('prepared');
PREPARE TRANSACTION 'hilo';
SELECT hilo_next_tag('prepared');
-- neither a drop nor a forced seed waits for the transaction that has taken them
SELECT hilo_drop('prepared');
SELECT hilo_seed('prepared', 0, force => true);
SELECT hilo_seed('prepared', 100);
ROLLBACK PREPARED 'hilo';
SELECT hilo_next_tag('prepared');
SELECT hilo_seed('prepared', 0, force => true);
SELECT hilo_next_tag('prepared');

-- A create that is prepared: no session has it until it is committed.
BEGIN;
SELECT hilo_create('prepared_create');
SELECT hilo_next_tag('prepared_create');
PREPARE TRANSACTION 'hilo';
SELECT hilo_next_tag('prepared_create');
SELECT hilo_current('prepared_create');
COMMIT PREPARED 'hilo';
SELECT hilo_next_tag('prepared_create');
SELECT hilo_drop('prepared_create');
BEGIN;
SELECT hilo_create('prepared_create', first => 1000);
SELECT hilo_next_tag('prepared_create');
PREPARE TRANSACTION 'hilo';
ROLLBACK PREPARED 'hilo';
SELECT hilo_current('prepared_create');
SELECT hilo_next_tag('prepared_create');

-- A drop that is prepared.
BEGIN;
SELECT hilo_drop('prepared_create');
PREPARE TRANSACTION 'hilo';
SELECT hilo_next_tag('prepared_create');
ROLLBACK PREPARED 'hilo';
SELECT hilo_next_tag('prepared_create');
BEGIN;
SELECT hilo_drop('prepared_create');
PREPARE TRANSACTION 'hilo';
COMMIT PREPARED 'hilo';
SELECT hilo_next_tag('prepared_create');

-- A first use is not taken back.
BEGIN;
SELECT hilo_next_tag('prepared_first_use');
PREPARE TRANSACTION 'hilo';
SELECT hilo_next_tag('prepared_first_use');
ROLLBACK PREPARED 'hilo';
SELECT hilo_next_tag('prepared_first_use');

-- Of a table in a transaction that has written: others wait; its number is there already.
CREATE TABLE prepared_table (id bigint PRIMARY KEY DEFAULT hilo_next('prepared_table'), k int);
CREATE TABLE prepared_written (k int);
BEGIN;
INSERT INTO prepared_written VALUES (1);
INSERT INTO prepared_table (k) VALUES (1) RETURNING id;
PREPARE TRANSACTION 'hilo';
INSERT INTO prepared_table (k) VALUES (2) RETURNING id;
SELECT hilo_create('prepared_table');
DROP TABLE prepared_table;
ROLLBACK PREPARED 'hilo';
BEGIN;
INSERT INTO prepared_written VALUES (1);
INSERT INTO prepared_table (k) VALUES (1) RETURNING id > 1 AS above;
PREPARE TRANSACTION 'hilo';
INSERT INTO prepared_table (k) VALUES (2) RETURNING id;
COMMIT PREPARED 'hilo';
INSERT INTO prepared_table (k) VALUES (2);
SELECT count(*), count(DISTINCT id) FROM prepared_table;
DROP TABLE prepared_table, prepared_written;

-- Rights that are prepared.
BEGIN;
SELECT hilo_grant('prepared', 'public');
PREPARE TRANSACTION 'hilo';
SELECT is_public FROM hilo_generators() WHERE name = 'prepared';
SELECT hilo_next_tag('prepared');
COMMIT PREPARED 'hilo';
SELECT is_public FROM hilo_generators() WHERE name = 'prepared';

-- A window goes on meanwhile; a forced seed closes it, and waits for no session.
SELECT hilo_create('prepared_global', 'global');
BEGIN;
SELECT hilo_next_tag('prepared_global');
PREPARE TRANSACTION 'hilo';
SELECT hilo_next_tag('prepared_global');
SELECT hilo_seed('prepared_global', 0, force => true);
SELECT hilo_seed('prepared_global', 100), hilo_next_tag('prepared_global');
ROLLBACK PREPARED 'hilo';
SELECT hilo_next_tag('prepared_global');
-- One made by a change of ordering that is rolled back in the end is left alone.
BEGIN;
SELECT hilo_alter('prepared_global', 'session');
SELECT hilo_next_tag('prepared_global'), hilo_next_tag('prepared_global');
PREPARE TRANSACTION 'hilo';
SELECT hilo_next_tag('prepared_global');
ROLLBACK PREPARED 'hilo';
SELECT hilo_next_tag('prepared_global') - hilo_next_tag('prepared_global') AS step;

-- Numbers without gaps: the next one waits for what becomes of it.
SELECT hilo_create('prepared_gapless', 'gapless');
BEGIN;
SELECT hilo_next_tag('prepared_gapless');
PREPARE TRANSACTION 'hilo';
SELECT hilo_next_tag('prepared_gapless');
ROLLBACK PREPARED 'hilo';
SELECT hilo_next_tag('prepared_gapless');
BEGIN;
SELECT hilo_next_tag('prepared_gapless'), hilo_next_tag('prepared_gapless');
PREPARE TRANSACTION 'hilo';
COMMIT PREPARED 'hilo';
SELECT hilo_next_tag('prepared_gapless');

-- A row that raises a sequence by far does so before it is prepared, and leaves no lock of the sequence.
CREATE TABLE prepared_far (id bigserial PRIMARY KEY);
SELECT hilo_attach('prepared_far', 'id');
BEGIN;
INSERT INTO prepared_far VALUES (5000000);
PREPARE TRANSACTION 'hilo';
INSERT INTO prepared_far DEFAULT VALUES RETURNING id;
ALTER SEQUENCE prepared_far_id_seq MAXVALUE 9000000;
ROLLBACK PREPARED 'hilo';
INSERT INTO prepared_far DEFAULT VALUES RETURNING id;
DROP TABLE prepared_far;

SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'prepared%';
