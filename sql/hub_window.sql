/*
 * The ids of a hub that the server holds for its sessions: those of its window, which
 * stays open
 */
\set home :DBNAME
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/hub_setup.sql'
\i :setup
CREATE DATABASE regress_hilo_stock;
\c regress_hilo_stock
CREATE EXTENSION hilo;
SELECT hilo_create('stock', max_range_size => 100), hilo_create('fast', max_range_size => 17200000);
\c :home
SET client_min_messages = warning;
CREATE FOREIGN DATA WRAPPER regress_hilo;
CREATE SERVER regress_hilo_stock FOREIGN DATA WRAPPER regress_hilo OPTIONS (:hub_place, dbname 'regress_hilo_stock');
CREATE USER MAPPING FOR CURRENT_ROLE SERVER regress_hilo_stock :hub_user;
CREATE VIEW pg_temp_stock AS
	SELECT reserved FROM hilo_internal.hilo_hi WHERE name = 'stock';
\set wait :srcdir '/sql/include/wait_for_exit.sql'
\i :wait
SELECT hilo_create('stock', range_size => 10, max_range_size => 10, hub => 'regress_hilo_stock');
SELECT * FROM pg_temp_stock;
-- four times the window's size at a time
SET hilo.prefetch = off;
SELECT hilo_next_tag('stock');
SELECT * FROM pg_temp_stock;
SELECT max(id) FROM hilo_next_tag('stock', 35) id;
SELECT * FROM pg_temp_stock;
-- what the session has left comes back to the window
SELECT hilo_release('stock');
SELECT * FROM pg_temp_stock;
SELECT hilo_next_tag('stock'), hilo_release('stock');
SELECT * FROM pg_temp_stock;
-- ahead of need
SET hilo.prefetch = on;
SELECT max(id) FROM hilo_next_tag('stock', 3) id;
SELECT * FROM pg_temp_stock;
SELECT max(id) FROM hilo_next_tag('stock', 5) id;
SELECT * FROM pg_temp_stock;
-- what the last session leaves waits in the window; ranges of others lie above
SELECT pg_backend_pid() AS pid \gset
\c regress_hilo_stock
SELECT low, high FROM hilo_next_range('stock', 60);
\c :home
SET hilo.prefetch = off;
SELECT wait_for_exit(:pid) AS ended \gset
SELECT * FROM pg_temp_stock;
SELECT max(id) FROM hilo_next_tag('stock', 20) id;
SELECT * FROM pg_temp_stock;
-- a client's range comes from there, too
SELECT low, high FROM hilo_next_range('stock', 5);
SELECT * FROM pg_temp_stock;
-- above what it knows, also if another client has got that past the window
SELECT hilo_create('known', max_value => 100000, hub => 'regress_hilo_stock');
SELECT hilo_next_tag('known'), (hilo_next_range('known', 500)).high;
SELECT low FROM hilo_next_range('known', 10, last_max => 300);
-- the next window is asked for when half of one is used, also a long one
SET hilo.prefetch = on;
SET hilo.hub_window = '1h';
SELECT hilo_create('fast', max_range_size => 17200000, hub => 'regress_hilo_stock');
SELECT count(hilo_next_tag('fast')) FROM generate_series(1, 1000);
SELECT min((SELECT reserved - high FROM hilo_internal.hilo_hi WHERE name = 'fast')) > 2000000 AS in_time
  FROM generate_series(1, 100) i, hilo_next_range('fast', 400000 + 0 * i);
RESET hilo.hub_window;
SET hilo.prefetch = off;
-- another session goes on in the window
SELECT pg_backend_pid() AS pid \gset
\c -
SELECT wait_for_exit(:pid) AS ended \gset
SELECT * FROM pg_temp_stock;
SELECT hilo_next_tag('stock');
SELECT * FROM pg_temp_stock;
-- a seed, an alter and a restore leave none
SELECT hilo_seed('stock', 1000), hilo_next_tag('stock');
SELECT * FROM pg_temp_stock;
SELECT hilo_alter('stock', max_range_size => 1000);
SELECT * FROM pg_temp_stock;
SELECT hilo_alter('stock', hub => '');
SELECT * FROM pg_temp_stock;
SELECT hilo_alter('stock', hub => 'regress_hilo_stock');
SELECT hilo_next_tag('stock') > 1040 AS above;
SELECT hilo_drop('stock'), hilo_drop('known'), hilo_drop('fast');
DROP VIEW pg_temp_stock;
DROP FUNCTION wait_for_exit;
SET client_min_messages = warning;
DROP FOREIGN DATA WRAPPER regress_hilo CASCADE;
DROP DATABASE regress_hilo_stock WITH (FORCE);
DROP ROLE regress_hilo_hub;
