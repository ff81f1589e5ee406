/*
 * The ledger of ranges: hilo.ledger, hilo_ledger, hilo_ledger_prune
 */
SET hilo.prefetch = off;
SET hilo.ledger = on;
SELECT hilo_ledger_prune(now() + interval '1 day') >= 0 AS empty;
SELECT hilo_create('ledger', range_size => 10, max_range_size => 10);
CREATE FUNCTION status_of(id bigint) RETURNS text LANGUAGE sql RETURN (SELECT status FROM hilo_whois('ledger', id));
SELECT low, high FROM hilo_next_range('ledger') \gset
SELECT low - :low AS low, high - :high AS high, backend = pg_backend_pid() AS here, role = current_user AS mine, application, node
  FROM hilo_internal.hilo_ledger;

-- The ledger is changed by nobody.
UPDATE hilo_internal.hilo_ledger SET role = 'somebody';
DELETE FROM hilo_internal.hilo_ledger;
TRUNCATE hilo_internal.hilo_ledger;
INSERT INTO hilo_internal.hilo_ledger SELECT * FROM hilo_internal.hilo_ledger;
SET session_replication_role = replica;
INSERT INTO hilo_internal.hilo_ledger SELECT * FROM hilo_internal.hilo_ledger;
RESET session_replication_role;

-- Nor read, but by superusers: not by who may read all tables, neither there nor in statistics.
CREATE ROLE regress_hilo_reader IN ROLE pg_read_all_data;
ANALYZE hilo_internal.hilo_ledger;
SET ROLE regress_hilo_reader;
SELECT count(*) FROM hilo_internal.hilo_ledger;
SELECT a.attname FROM pg_statistic s, pg_attribute a
 WHERE s.starelid = 'hilo_internal.hilo_ledger'::regclass AND a.attrelid = s.starelid AND a.attnum = s.staattnum ORDER BY a.attnum;
RESET ROLE;
DROP ROLE regress_hilo_reader;

-- No range is taken where its row could be lost.
BEGIN;
ALTER TABLE hilo_internal.hilo_ledger SET UNLOGGED;
SELECT low FROM hilo_next_range('ledger');
ROLLBACK;
ALTER TABLE hilo_internal.hilo_ledger SET UNLOGGED;
SELECT low FROM hilo_next_range('ledger');
ALTER TABLE hilo_internal.hilo_ledger SET LOGGED;
SELECT status_of((SELECT low FROM hilo_next_range('ledger')));
VACUUM FULL hilo_internal.hilo_ledger;
REINDEX TABLE CONCURRENTLY hilo_internal.hilo_ledger;
SELECT status_of((SELECT low FROM hilo_next_range('ledger')));
-- it may be new
BEGIN;
DROP EXTENSION hilo CASCADE;
CREATE EXTENSION hilo;
SELECT hilo_next('ledger');
SELECT (hilo_whois('ledger', 1)).status;
ROLLBACK;
-- without its index, more slowly
DROP INDEX hilo_internal.hilo_ledger_ids;
SELECT status_of((SELECT low FROM hilo_next_range('ledger')));
CREATE INDEX hilo_ledger_ids ON hilo_internal.hilo_ledger (incarnation, high);

-- Pruned by age.
SELECT count(*) AS before FROM hilo_internal.hilo_ledger \gset
SELECT hilo_ledger_prune();
BEGIN;
SELECT hilo_ledger_prune(now() + interval '1 day') = :before AS all_of_it;
SELECT status_of(:low);
ROLLBACK;
SELECT status_of(:low);
-- what is at the moment stays
SELECT taken_at AS then FROM hilo_whois('ledger', :high + 1) \gset
SELECT hilo_ledger_prune(:'then') AS older;
SELECT status_of(:low), status_of(:high + 1);
SET hilo.ledger_keep = 0;
SELECT hilo_ledger_prune() > 0 AS the_rest;
SELECT count(*) FROM hilo_internal.hilo_ledger;
SET hilo.ledger_keep = '30d';
SHOW hilo.ledger_keep;
BEGIN READ ONLY;
SELECT hilo_ledger_prune();
ROLLBACK;

SET hilo.ledger = off;
SELECT hilo_drop('ledger');
DROP FUNCTION status_of;
