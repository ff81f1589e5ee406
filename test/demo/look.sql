-- what the import left in the database hilo

\echo '\nThe generator (hilo_generators())'
SELECT name, ordering, range_size, last, count AS handed_out, last - count AS skipped
FROM hilo_generators(), (SELECT count(*) FROM packages) AS packages
WHERE name = 'packages';

\echo '(skipped: held by a session when it ended; gaps are fine, repeats are not)\n'

\echo 'The five packages most depended on (packages joined with dependencies)'
SELECT packages.name, section, count(*) AS dependents, left(description, 45) AS description
FROM packages JOIN dependencies ON target = packages.name
WHERE kind IN ('Depends', 'Pre-Depends')
GROUP BY packages.id
ORDER BY dependents DESC, packages.name
LIMIT 5;

-- after rows with ids of their own
SET client_min_messages = warning;
INSERT INTO imported VALUES (10000);
CREATE TEMP VIEW known AS SELECT 'orders' AS name, id::text FROM orders UNION ALL SELECT 'customers', id::text FROM customers
	UNION ALL SELECT 'parts', id::text FROM parts UNION ALL SELECT 'users', id FROM users UNION ALL SELECT 'imported', id::text FROM imported;

\echo '\nTables that were moved to a generator while two sessions wrote to them (hilo_attach)'
SELECT was, "table", rows, different, next.id AS "next id", next.id NOT IN (SELECT id FROM known k WHERE k.name = "table") AS "is new"
FROM (SELECT name AS "table", count(*) AS rows, count(DISTINCT id) AS different FROM known GROUP BY name) AS counts
JOIN (VALUES ('serial', 'orders', hilo_next('orders')::text),
	('identity', 'customers', hilo_next('customers')::text),
	('numeric', 'parts', hilo_next('parts')::text),
	('text', 'users', hilo_next_id('users')),
	('serial, with follow', 'imported', hilo_next('imported')::text)) AS next (was, name, id) ON name = "table"
ORDER BY 2;

\echo 'Invoices of two customers, numbered meanwhile without gaps (hilo_number_assign)'
SELECT customer, year, count(*) AS rows, min(number), max(number) FROM invoices GROUP BY 1, 2 ORDER BY 1, 2;

-- two that stay on their sequences: one with rows that came with their ids, one nearly used up
CREATE TABLE copied (id bigserial);
CREATE TABLE old_orders (id serial);
INSERT INTO copied VALUES (7);
SELECT setval('old_orders_id_seq', 2000000000) \g /dev/null

\echo '\nThe doctor on the tables above and on two more (hilo_check())'
SELECT coalesce(rel::text, '(programs)') AS rel, coalesce(generator, CASE col WHEN 'number' THEN 'its groups' ELSE 'a sequence' END) AS "ids from", coalesce(problem, 'fine') AS problem, round(used_ratio::numeric, 2) AS used
FROM hilo_check()
ORDER BY 1 DESC;
