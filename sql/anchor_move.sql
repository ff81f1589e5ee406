/*
 * Buckets that move from one server to another: anchor_move, anchor_move_in_steps,
 * hilo_move, hilo_progress_move
 */
\set this :DBNAME
CREATE DATABASE regress_hilo_one;
CREATE DATABASE regress_hilo_two;
\c regress_hilo_one
CREATE EXTENSION hilo;
\c regress_hilo_two
CREATE EXTENSION hilo;
\c :this
CREATE EXTENSION postgres_fdw;
\set ECHO none
SELECT format('CREATE SERVER %I FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, port %L, dbname %L);
		CREATE USER MAPPING FOR CURRENT_USER SERVER %1$I',
		name, split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), 'regress_hilo_' || name)
  FROM unnest(ARRAY['one', 'two']) name \gexec
\set ECHO all

CREATE TABLE move_orders (id text PRIMARY KEY, n int NOT NULL);
INSERT INTO move_orders SELECT 'orders/' || i || '-A', i FROM generate_series(1, 300) i;
SELECT anchor_partition('move_orders', 2, '{one,two}');
CREATE VIEW state AS
SELECT (SELECT count(*) || ' ' || count(DISTINCT id) || ' ' || sum(n) FROM move_orders) AS rows,
       (SELECT count(*) FROM move_orders o JOIN anchor_servers('move_orders') s ON s.partition = o.tableoid
         WHERE NOT anchor_bucket(o.id) <@ s.buckets) AS astray,
       (SELECT string_agg(buckets || ' ' || server, ', ' ORDER BY buckets) FROM anchor_servers('move_orders')) AS servers;
SELECT * FROM state;

-- a part of a shard, a whole one, and buckets of both
SELECT anchor_move('move_orders', '[100000,200000)', 'two');
SELECT * FROM state;
SELECT anchor_move('move_orders', '[524288,1048576)', 'one');
SELECT * FROM state;
SET quote_all_identifiers = on;
CALL anchor_move_in_steps('move_orders', '[0,700000)', 'two', 50);
RESET quote_all_identifiers;
SELECT * FROM state;
-- what is there already
SELECT anchor_move('move_orders', '[0,700000)', 'two');
SELECT * FROM state;

-- step by step, and rows that change in between
SELECT count(*) AS in_it FROM move_orders WHERE anchor_bucket(id) >= 700000 \gset
SELECT anchor_move_begin('move_orders', '[700000,1048576)', 'two');
SELECT buckets, from_server, to_server, state, rows_copied FROM hilo_progress_move;
SELECT anchor_move_step('move_orders', 10);
UPDATE move_orders SET n = n + 1000 WHERE n % 3 = 0;
DELETE FROM move_orders WHERE n = 1;
INSERT INTO move_orders SELECT 'orders/' || i || '-B', i FROM generate_series(1, 30) i;
SELECT count(*) || ' ' || count(DISTINCT id) || ' ' || sum(n) AS rows FROM move_orders \gset
SELECT state, rows_total = :in_it AS total, rows_copied FROM hilo_progress_move;
SELECT anchor_move_step('move_orders', 10);
BEGIN;
SELECT anchor_move_step('move_orders', 10);
ROLLBACK;
SET quote_all_identifiers = on;
SELECT anchor_move_step('move_orders', 10);
RESET quote_all_identifiers;
SELECT state, rows_copied FROM hilo_progress_move;
-- another one waits for its end
SELECT anchor_move('move_orders', '[0,1000)', 'one');
-- and the same goes on
SELECT anchor_move('move_orders', '[700000,1048576)', 'two');
SELECT rows = :'rows' AS rows, astray, servers FROM state;
SELECT count(*) FROM hilo_progress_move;
SELECT DISTINCT state, rel::regclass FROM hilo_move;

-- each server has rows where it has buckets
SELECT partition, server, (SELECT count(*) FROM move_orders o WHERE o.tableoid = s.partition) > 0 AS has_rows
  FROM anchor_servers('move_orders') s ORDER BY buckets;

-- a worker writes, which this transaction may not
BEGIN READ ONLY;
SELECT anchor_move('move_orders', '[0,1000)', 'one');
ROLLBACK;

-- who may
CREATE ROLE regress_hilo_mover;
SET ROLE regress_hilo_mover;
SELECT anchor_move('move_orders', '[0,1000)', 'one');
\set SHOW_CONTEXT never
CALL anchor_move_in_steps('move_orders', '[0,1000)', 'one');
\set SHOW_CONTEXT errors
SELECT count(*) > 0 AS seen FROM hilo_move;
UPDATE hilo_move SET state = 'copy';
DELETE FROM hilo_move;
RESET ROLE;
SELECT count(*) FROM hilo_move WHERE state <> 'done';
DROP ROLE regress_hilo_mover;

-- a shard has the same constraints, whatever dates look like in this session
SET DateStyle = 'SQL, DMY';
CREATE TABLE move_dates (id text PRIMARY KEY, at date CHECK (at > '2020-02-01'));
SELECT anchor_partition('move_dates', 1, '{one}');
SELECT anchor_server_run('one', NULL, 'SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = ''move_dates_at_check''');
RESET DateStyle;
DROP TABLE move_dates;

DROP VIEW state;
DROP TABLE move_orders;
SET client_min_messages = warning;
DROP EXTENSION postgres_fdw CASCADE;
RESET client_min_messages;
DROP DATABASE regress_hilo_one WITH (FORCE);
DROP DATABASE regress_hilo_two WITH (FORCE);
