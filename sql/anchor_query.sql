/*
 * Which partitions a query touches
 */
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE TABLE orders (id text NOT NULL, customer text) PARTITION BY RANGE (anchor_bucket(id));
CREATE TABLE invoices (id text NOT NULL, order_id text NOT NULL, amount int) PARTITION BY RANGE (anchor_bucket(id));
CREATE TABLE lines (bucket int CHECK (bucket = anchor_bucket(id)), id text, order_id text NOT NULL, PRIMARY KEY (bucket, id))
	PARTITION BY RANGE (bucket);
SELECT anchor_partitions('orders', 4), anchor_partitions('invoices', 4);
SELECT format('CREATE TABLE lines_%s PARTITION OF lines FOR VALUES FROM (%s) TO (%s)', shard, lower(buckets), upper(buckets))
  FROM anchor_ranges(4) \gexec
SELECT format('ALTER TABLE %s ADD PRIMARY KEY (id)', inhrelid::regclass) FROM pg_inherits
 WHERE inhparent IN ('orders'::regclass, 'invoices'::regclass) ORDER BY inhrelid::regclass::text COLLATE "C" \gexec
INSERT INTO orders SELECT concat('orders/', i, '-A'), concat('customers/', i % 10) FROM generate_series(1, 1000) i;
INSERT INTO invoices SELECT anchor_to(concat('invoices/', i), id), id, i FROM orders, generate_series(1, 3) i;
INSERT INTO lines SELECT anchor_bucket(id), anchor_to(concat('lines/', i), id), id FROM orders, generate_series(1, 2) i;
ANALYZE orders, invoices, lines;
SELECT count(*) FROM orders o JOIN invoices i ON i.order_id = o.id
 WHERE substring(o.tableoid::regclass::text, '\d+') <> substring(i.tableoid::regclass::text, '\d+');

-- by id: one partition
EXPLAIN (COSTS off) SELECT * FROM orders WHERE anchor_bucket(id) = anchor_bucket('orders/54-A') AND id = 'orders/54-A';
EXPLAIN (COSTS off) SELECT * FROM orders WHERE anchor_match(id, 'orders/54-A');
EXPLAIN (COSTS off) SELECT * FROM lines WHERE anchor_match(bucket, id, 'lines/1$orders/54-A');
-- by a parameter: as well, when the plan starts
PREPARE by_id(text) AS SELECT customer FROM orders WHERE anchor_bucket(id) = anchor_bucket($1) AND id = $1;
PREPARE by_match(text) AS SELECT customer FROM orders WHERE anchor_match(id, $1);
PREPARE by_column(text) AS SELECT order_id FROM lines WHERE anchor_match(bucket, id, $1);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS off) EXECUTE by_id('orders/54-A');
EXPLAIN (COSTS off) EXECUTE by_match('orders/54-A');
EXPLAIN (COSTS off) EXECUTE by_column('lines/1$orders/54-A');
EXECUTE by_id('orders/54-A');
EXECUTE by_match('orders/54-A');
EXECUTE by_column('lines/1$orders/54-A');
EXECUTE by_match('ORDERS/54-A');
-- in a function, with a plan that is generic after some calls
CREATE FUNCTION customer_of(order_id text) RETURNS text LANGUAGE plpgsql STABLE AS
$$ BEGIN RETURN (SELECT customer FROM orders WHERE anchor_match(id, order_id)); END $$;
SELECT count(*) FROM generate_series(1, 1000) i WHERE customer_of(concat('orders/', i, '-A')) <> concat('customers/', i % 10);

-- an order with its invoices: one partition of each
PREPARE with_invoices(text) AS
	SELECT sum(i.amount) FROM orders o JOIN invoices i ON anchor_bucket(i.id) = anchor_bucket(o.id) AND i.order_id = o.id
	 WHERE anchor_match(o.id, $1);
EXPLAIN (COSTS off) EXECUTE with_invoices('orders/54-A');
EXECUTE with_invoices('orders/54-A');
RESET plan_cache_mode;
EXPLAIN (COSTS off) SELECT o.customer, i.amount FROM orders o JOIN invoices i ON anchor_bucket(i.id) = anchor_bucket(o.id) AND i.order_id = o.id
 WHERE anchor_match(o.id, 'orders/54-A');
SELECT o.customer, i.amount FROM orders o JOIN invoices i ON anchor_bucket(i.id) = anchor_bucket(o.id) AND i.order_id = o.id
 WHERE anchor_match(o.id, 'orders/54-A') ORDER BY 2;
-- all orders with their invoices: partition by partition
SET enable_partitionwise_join = on;
SET enable_mergejoin = off;
SET enable_nestloop = off;
SET max_parallel_workers_per_gather = 0;
EXPLAIN (COSTS off) SELECT count(*) FROM orders o JOIN invoices i ON anchor_bucket(i.id) = anchor_bucket(o.id) AND i.order_id = o.id;
SELECT count(*) FROM orders o JOIN invoices i ON anchor_bucket(i.id) = anchor_bucket(o.id) AND i.order_id = o.id;
-- both forms of partitions meet as well
SELECT count(*) FROM orders o JOIN lines l ON l.bucket = anchor_bucket(o.id) AND l.order_id = o.id;

-- an id that is changed moves to another partition
UPDATE orders SET id = 'orders/new' WHERE anchor_match(id, 'orders/54-A');
SELECT tableoid = (SELECT tableoid FROM orders WHERE id = 'orders/new') FROM invoices WHERE anchor_match(id, 'invoices/1$orders/54-A');
SELECT count(*), count(DISTINCT id) FROM orders;

DROP FUNCTION customer_of;
DROP TABLE orders, invoices, lines;
