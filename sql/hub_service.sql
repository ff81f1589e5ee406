/*
 * What a hub does for other servers
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;
SELECT hilo_create('served', max_range_size => 100), hilo_create('served|', max_range_size => 100);
-- ranges for sessions are as large as may be, others just so large
SELECT * FROM hilo_internal.hilo_hub_take('served', 'session', 10, false, false, 0, 1000000);
SELECT * FROM hilo_internal.hilo_hub_take('served', 'session', 1000, false, false, 0, 1000000);
SELECT * FROM hilo_internal.hilo_hub_take('served', 'session', 100, true, false, 0, 1000000);
SELECT * FROM hilo_internal.hilo_hub_take('served', 'session', 101, true, false, 0, 1000000);
SELECT * FROM hilo_internal.hilo_hub_take('served', 'session', 50, false, true, 0, 1000000);
SELECT * FROM hilo_internal.hilo_hub_take('served', 'session', 101, false, true, 0, 1000000);
SELECT * FROM hilo_internal.hilo_hub_take('served', 'session', 0, false, false, 0, 1000000);
SELECT * FROM hilo_internal.hilo_hub_take('served', 'session', 10, false, false, 1000, 1000000);
SELECT * FROM hilo_internal.hilo_hub_take('served', 'sorted', 10, false, false, 0, 1000000);
SELECT * FROM hilo_internal.hilo_hub_take('served_never', 'sorted', 10, false, false, 0, 1000000);
SELECT count(*) FROM hilo_generators() WHERE name = 'served_never';
SELECT * FROM hilo_internal.hilo_hub_take('served', NULL, 10, false, false, 0, 1000000);
-- identities are in one order with those of the hub's own sessions
SELECT identity_next('served');
SELECT * FROM hilo_internal.hilo_hub_take('served|', 'global', 1, true, false, 0, 1000000);
SELECT * FROM hilo_internal.hilo_hub_take('served|', 'global', 10, true, false, 0, 1000000);
SELECT identity_next('served'), hilo_internal.hilo_hub_last('served|'), hilo_internal.hilo_hub_last('served') > 1000 AS ranges, hilo_internal.hilo_hub_last('none');
SELECT * FROM hilo_internal.hilo_hub_take('served|', 'global', 101, true, false, 0, 1000000);
SELECT * FROM hilo_internal.hilo_hub_take('served|', 'global', 0, true, false, 0, 1000000);
-- a max_value that a client's range has passed
SELECT hilo_create('served_past', 'global');
SELECT hilo_next_tag('served_past');
SELECT low, high FROM hilo_next_range('served_past', 10, last_max => 1000);
SELECT * FROM hilo_internal.hilo_hub_take('served_past', 'global', 1, true, false, 0, 500);
-- what a client knows of is past, for the hub's own sessions, too
SELECT * FROM hilo_internal.hilo_hub_take('served_past', 'global', 5, true, false, 2000, 1000000);
SELECT hilo_internal.hilo_hub_last('served_past'), hilo_next_tag('served_past');
SELECT hilo_create('served_known'), (hilo_next_range('served_known', 5)).high;
SELECT * FROM hilo_internal.hilo_hub_take('served_known', 'session', 5, true, false, 10, 1000000);
SELECT low FROM hilo_next_range('served_known', 5);
-- a client knows of ids that another server took past the window
SELECT hilo_create('served_ahead', range_size => 100), (hilo_next_range('served_ahead', 5)).high;
SELECT * FROM hilo_internal.hilo_hub_take('served_ahead', 'session', 10, false, false, 0, 1000000);
SELECT low FROM hilo_next_range('served_ahead', 5, last_max => 55);
-- an order that it has not
SELECT * FROM hilo_internal.hilo_hub_take('served', 'global', 1, true, false, 0, 1000000);
SELECT hilo_create('gapless', 'gapless'), hilo_create('scattered', 'scattered');
SELECT * FROM hilo_internal.hilo_hub_take('gapless', 'session', 1, true, false, 0, 1000000);
SELECT * FROM hilo_internal.hilo_hub_take('scattered', 'session', 1, true, false, 0, 1000000);
-- seeds
SELECT hilo_internal.hilo_hub_seed('served', 5000), hilo_internal.hilo_hub_seed('served', 10), hilo_internal.hilo_hub_seed('served|', 50);
-- rights are those of any role
CREATE ROLE regress_hilo_user;
SELECT hilo_grant('served|', 'public');
SET ROLE regress_hilo_user;
SELECT hilo_internal.hilo_hub_last('served|');
RESET ROLE;
GRANT USAGE ON SCHEMA hilo_internal TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT hilo_internal.hilo_hub_last('served|');
RESET ROLE;
GRANT EXECUTE ON FUNCTION hilo_internal.hilo_hub_take, hilo_internal.hilo_hub_last, hilo_internal.hilo_hub_seed TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT * FROM hilo_internal.hilo_hub_take('served', 'session', 10, false, false, 0, 1000000);
SELECT hilo_internal.hilo_hub_last('served');
SELECT hilo_internal.hilo_hub_seed('served|', 100);
SELECT * FROM hilo_internal.hilo_hub_take('served|', 'global', 10, true, false, 1000, 1000000);
RESET ROLE;
SELECT hilo_grant('served', 'regress_hilo_user');
SET ROLE regress_hilo_user;
SELECT * FROM hilo_internal.hilo_hub_take('served', 'session', 10, false, false, 0, 1000000);
SELECT * FROM hilo_internal.hilo_hub_take('served', 'session', 10, false, false, 10000, 1000000);
RESET ROLE;
-- where nextval is refused
BEGIN READ ONLY;
SELECT * FROM hilo_internal.hilo_hub_take('served', 'session', 10, false, false, 0, 1000000);
ROLLBACK;
BEGIN READ ONLY;
SELECT hilo_internal.hilo_hub_seed('served', 10000);
ROLLBACK;
BEGIN READ ONLY;
SELECT hilo_internal.hilo_hub_last('served|');
ROLLBACK;
-- it warns of its own end, for its own log
SELECT hilo_create('served_end', max_value => 100);
SELECT * FROM hilo_internal.hilo_hub_take('served_end', 'session', 80, true, false, 0, 100);
SELECT * FROM hilo_internal.hilo_hub_take('served_end', 'session', 1, true, false, 0, 1000);
-- none above either end, and what is refused is not taken
SELECT * FROM hilo_internal.hilo_hub_take('served_end', 'session', 10, true, false, 0, 85);
SELECT * FROM hilo_internal.hilo_hub_take('served_end', 'session', 1, true, false, 0, 85);
SELECT * FROM hilo_internal.hilo_hub_take('served_end', 'session', 5, false, true, 0, 89);
SELECT * FROM hilo_internal.hilo_hub_take('served_end', 'session', 10, true, false, 0, 1000);
SELECT hilo_create('served_end|', max_value => 1000);
SELECT * FROM hilo_internal.hilo_hub_take('served_end|', 'global', 3, true, false, 0, 5);
SELECT * FROM hilo_internal.hilo_hub_take('served_end|', 'global', 3, true, false, 0, 5);
SELECT * FROM hilo_internal.hilo_hub_take('served_end|', 'global', 2, true, false, 0, 5);
SELECT * FROM hilo_internal.hilo_hub_take('served_end|', 'global', 1, true, false, 0, 5);
SELECT * FROM hilo_internal.hilo_hub_take('served_end|', 'global', 1, true, false, 0, 1000);
SELECT * FROM hilo_internal.hilo_hub_take('served_end|', 'global', 4, true, false, 0, 9);
-- nor is the window closed for it
SELECT hilo_stats_reset();
SELECT * FROM hilo_internal.hilo_hub_take('served_end|', 'global', 4, true, false, 0, 9);
SELECT * FROM hilo_internal.hilo_hub_take('served_end|', 'global', 1, true, false, 0, 1000);
SELECT windows FROM hilo_stats() WHERE name = 'served_end|';
SELECT identity_next('served_end');
SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'served%' OR name IN ('gapless', 'scattered');
DROP OWNED BY regress_hilo_user;
DROP ROLE regress_hilo_user;
