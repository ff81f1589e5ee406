-- what the import left in the database hilo

\echo '\nThe generator (hilo_generators())'
SELECT name, ordering, range_size, last, count AS handed_out, last - count AS skipped
FROM hilo_generators(), (SELECT count(*) FROM packages) AS packages;

\echo '(skipped: held by a session when it ended; gaps are fine, repeats are not)\n'

\echo 'The five packages most depended on (packages joined with dependencies)'
SELECT packages.name, section, count(*) AS dependents, left(description, 45) AS description
FROM packages JOIN dependencies ON target = packages.name
WHERE kind IN ('Depends', 'Pre-Depends')
GROUP BY packages.id
ORDER BY dependents DESC, packages.name
LIMIT 5;

-- live tables: one moved to a generator, one with rows that came with their ids, one nearly used up
SET client_min_messages = warning;
CREATE TABLE customers (id bigint GENERATED ALWAYS AS IDENTITY);
CREATE TABLE imported (id bigserial);
CREATE TABLE old_orders (id serial);
INSERT INTO imported VALUES (7);
SELECT hilo_attach('customers', 'id', follow => true), setval('old_orders_id_seq', 2000000000) \g /dev/null
INSERT INTO customers VALUES (1000);

\echo '\nThe doctor on the tables above and on three more (hilo_check())'
SELECT coalesce(rel::text, '(programs)') AS rel, coalesce(generator, 'a sequence') AS "ids from", coalesce(problem, 'fine') AS problem, round(used_ratio::numeric, 2) AS used
FROM hilo_check()
ORDER BY 1 DESC;
