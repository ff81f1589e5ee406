/*
 * hilo_hi: one row version for each generator, whatever happens to it
 */
SET hilo.prefetch = off;

SELECT hilo_create('store', max_value => 30000, range_size => 1, max_range_size => 1);
SELECT ctid AS place, xmin AS version, incarnation,
       pg_relation_size(tableoid) AS heap_size,
       pg_relation_size('hilo_internal.hilo_hi_pkey') AS index_size
  FROM hilo_internal.hilo_hi WHERE name = 'store' \gset

-- a range for each id
SELECT count(DISTINCT hilo_next_tag('store')) AS ids FROM generate_series(1, 3000);
SELECT ranges >= 3000 AS a_range_each FROM hilo_stats() WHERE name = 'store';
-- given back, seeded, taken for a client, for the Hi/Lo algorithm and returned
SELECT hilo_alter('store', max_range_size => 1000);
SELECT count(*) FROM hilo_next_tag('store', 100);
SELECT hilo_release('store');
SELECT hilo_seed('store', 5000), hilo_seed('store', 4000, force => true);
SELECT low, high FROM hilo_next_range('store', 10);
SELECT hilo_return_range('store', 4010, 4001);
SELECT hilo_next_hi('store', 100);

SELECT reserved, ctid = :'place'::tid AS same_place, xmin = :'version' AS same_version,
       incarnation >> 32 = :incarnation >> 32 AS same_generator, incarnation <> :incarnation AS other_incarnation,
       pg_relation_size(tableoid) <= :heap_size AS heap_no_larger,
       pg_relation_size('hilo_internal.hilo_hi_pkey') <= :index_size AS index_no_larger
  FROM hilo_internal.hilo_hi WHERE name = 'store';

-- no transaction id, no row version, in a transaction that rolls back
BEGIN;
SELECT count(hilo_next_tag('store')) FROM generate_series(1, 100);
SELECT pg_current_xact_id_if_assigned() IS NULL AS no_xid;
SELECT n_tup_upd, n_tup_hot_upd, n_tup_del
  FROM pg_stat_xact_all_tables WHERE relid = 'hilo_internal.hilo_hi'::regclass;
ROLLBACK;
SELECT reserved, ctid = :'place'::tid AS same_place FROM hilo_internal.hilo_hi WHERE name = 'store';

-- the same name again is another incarnation, another row
SELECT hilo_drop('store');
SELECT count(*) FROM hilo_internal.hilo_hi WHERE name = 'store';
SELECT hilo_create('store');
SELECT reserved, incarnation >> 32 <> :incarnation >> 32 AS other_generator
  FROM hilo_internal.hilo_hi WHERE name = 'store';
SELECT hilo_drop('store');

-- a first use makes the same row as hilo_create
SELECT hilo_create('store_created');
SELECT hilo_seed('store_used', 0);
SELECT reserved, last_size, incarnation % 2 <> 0 AS first_incarnation, name
  FROM hilo_internal.hilo_hi WHERE name IN ('store_created', 'store_used') ORDER BY name;
SELECT count(DISTINCT incarnation) AS incarnations,
       count(DISTINCT (timeline, system_identifier)) AS servers
  FROM hilo_internal.hilo_hi WHERE name IN ('store_created', 'store_used');
SELECT hilo_drop('store_created'), hilo_drop('store_used');
