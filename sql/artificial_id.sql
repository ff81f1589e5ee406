/*
 * artificial_id: the same key, the same id
 */
-- as computed by xxhsum -H1 over 00000004 "2026" 00000002 "EU", and so on
SELECT artificial_id('sales', 2026, 'EU') = 'sales/x607d83f0cc8eea58' AS two_parts,
       artificial_id('s', 'a', 'bc') = 's/x28a7b2830bb7ed10' AS split,
       artificial_id('s', NULL) = 's/x7f78e4bda3addf93' AS is_null,
       artificial_id('s', '') = 's/x3aefa6fd5cf2deb4' AS is_empty,
       artificial_id('s', U&'\00E9') = 's/x8fce933e75331658' AS beyond_ascii,
       artificial_id('s', VARIADIC '{}'::text[]) = 's/xef46db3751d8e999' AS no_part;
-- where a part ends counts, and nothing but its text
SELECT count(DISTINCT id) FROM (VALUES (artificial_id('s', 'a', 'bc')), (artificial_id('s', 'ab', 'c')), (artificial_id('s', 'abc')),
	(artificial_id('s', 'a', 'b', 'c')), (artificial_id('s', 'abc', '')), (artificial_id('s', 'abc', NULL)), (artificial_id('s', NULL, 'abc')),
	(artificial_id('t', 'abc'))) t (id);
SELECT count(DISTINCT id) FROM (VALUES (artificial_id('s', '2026')), (artificial_id('s', 2026)), (artificial_id('s', 2026::bigint)),
	(artificial_id('s', 2026::numeric)), (artificial_id('s', '2026'::varchar)), (artificial_id('s', VARIADIC ARRAY[2026])),
	(artificial_id('s', VARIADIC ARRAY['2026'])), (artificial_id('s', '2026'::name))) t (id);
SELECT artificial_id('s', VARIADIC ARRAY['a', 'bc', NULL]) = artificial_id('s', 'a', 'bc', NULL) AS same,
       artificial_id('s', ARRAY['a', 'bc']) = artificial_id('s', '{a,bc}') AS one_part;
-- an id is never read as a number, whatever its digits are
SELECT artificial_id('s', 455) AS id, strategy, number FROM document_id_parts(artificial_id('s', 455));
-- the number of parts may change from row to row
SELECT k, artificial_id('s', VARIADIC k) FROM (VALUES ('{a}'::text[]), ('{a,b}'), ('{}'), ('{a,b,c}'), ('{a}')) t (k);
PREPARE p (text, int) AS SELECT artificial_id('s', $1, $2);
EXECUTE p ('a', 1);
EXECUTE p (NULL, NULL);

-- no setting has a part in it
CREATE TYPE artificial_id_enum AS ENUM ('a', 'B c');
CREATE TYPE artificial_id_row AS (d date, f float8);
CREATE DOMAIN artificial_id_domain AS date;
CREATE TABLE "Artificial Id" ();
CREATE VIEW artificial_id_all AS
SELECT k AS n, id FROM (VALUES
	('date', artificial_id('s', date '2026-02-01')),
	('domain', artificial_id('s', '2026-02-01'::artificial_id_domain)),
	('timestamp', artificial_id('s', timestamp '2026-02-01 03:04:05.678')),
	('timestamptz', artificial_id('s', timestamptz '2026-02-01 03:04:05.678+9')),
	('time', artificial_id('s', time '03:04:05.678')),
	('timetz', artificial_id('s', timetz '03:04:05.678+9')),
	('interval', artificial_id('s', interval '-1 mon +2 days -3:04:05.678')),
	('float4', artificial_id('s', 0.1::float4)),
	('float8', artificial_id('s', 0.1::float8 + 0.2)),
	('bytea', artificial_id('s', '\x0061ff'::bytea)),
	('money', artificial_id('s', '$1,234.56'::money)),
	('regclass', artificial_id('s', '"Artificial Id"'::regclass)),
	('regtype', artificial_id('s', 'artificial_id_row'::regtype)),
	('enum', artificial_id('s', 'B c'::artificial_id_enum)),
	('array', artificial_id('s', ARRAY[date '2026-02-01', NULL])),
	('row', artificial_id('s', ROW(date '2026-02-01', 0.1::float8 + 0.2)::artificial_id_row)),
	('range', artificial_id('s', tstzrange('2026-02-01 00:00+0', '2026-02-02 00:00+0'))),
	('point', artificial_id('s', point(0.1::float8 + 0.2, 1))),
	('jsonb', artificial_id('s', '{"b": 1, "a": 2}'::jsonb)),
	('many', artificial_id('s', date '2026-02-01', interval '1 day', '\x00'::bytea, '"Artificial Id"'::regclass, 1))
) t (k, id);
SELECT * INTO TEMP artificial_id_before FROM artificial_id_all;
SET datestyle = 'German, DMY';
SET intervalstyle = 'iso_8601';
SET timezone = 'Asia/Tokyo';
SET extra_float_digits = -10;
SET bytea_output = 'escape';
SET lc_monetary = 'C.UTF-8';
SET quote_all_identifiers = on;
SET search_path = pg_temp, pg_catalog;
SELECT b.n, b.id, a.id FROM public.artificial_id_all a JOIN artificial_id_before b USING (n) WHERE a.id <> b.id;
-- and it changes none, not even for the rest of the statement
SELECT public.artificial_id('s', (SELECT oid FROM pg_class WHERE relname = 'Artificial Id')::regclass) = id AS same, current_setting('search_path') AS search_path, current_setting('timezone') AS timezone
  FROM artificial_id_before WHERE n = 'regclass';
SELECT name, setting FROM pg_settings
 WHERE name IN ('DateStyle', 'IntervalStyle', 'TimeZone', 'extra_float_digits', 'bytea_output', 'lc_monetary',
                'quote_all_identifiers', 'search_path') ORDER BY name COLLATE "C";
RESET ALL;
-- the text that counts: ISO dates in UTC, shortest floats, hex
SELECT count(*) FROM (VALUES
	(artificial_id('s', timestamptz '2026-02-01 03:04:05.678+9'), artificial_id('s', '2026-01-31 18:04:05.678+00')),
	(artificial_id('s', date '2026-02-01'), artificial_id('s', '2026-02-01')),
	(artificial_id('s', 0.1::float8 + 0.2), artificial_id('s', '0.30000000000000004')),
	(artificial_id('s', '\x0061ff'::bytea), artificial_id('s', '\x0061ff')),
	(artificial_id('s', interval '1 mon -1 day'), artificial_id('s', '1 mon -1 days')),
	(artificial_id('s', '"Artificial Id"'::regclass), artificial_id('s', 'public."Artificial Id"'))) t (a, b) WHERE a = b;
-- not even after an error
SET client_min_messages = warning;
CREATE TYPE artificial_id_bad;
CREATE FUNCTION artificial_id_bad_in(cstring) RETURNS artificial_id_bad LANGUAGE internal IMMUTABLE STRICT AS 'int4in';
CREATE FUNCTION artificial_id_bad_out(artificial_id_bad) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'enum_out';
CREATE TYPE artificial_id_bad (INPUT = artificial_id_bad_in, OUTPUT = artificial_id_bad_out, LIKE = int4);
RESET client_min_messages;
SET timezone = 'Asia/Tokyo';
DO $$
BEGIN
	PERFORM artificial_id('s', 1, '7'::artificial_id_bad);
EXCEPTION WHEN OTHERS THEN
	RAISE NOTICE '% % %', SQLERRM, current_setting('search_path'), current_setting('timezone');
END $$;
RESET timezone;

-- wrong use
SELECT artificial_id(NULL, 1);
SELECT artificial_id('s', VARIADIC NULL::text[]);
\set VERBOSITY terse
SELECT artificial_id('s');
\set VERBOSITY default
SELECT artificial_id(repeat('x', 494), 1) IS NOT NULL AS longest;
SELECT artificial_id(repeat('x', 495), 1);
-- the separator has no part in it
SET hilo.identity_parts_separator = '-';
SELECT artificial_id('sales', 2026, 'EU') = 'sales/x607d83f0cc8eea58' AS same;
RESET hilo.identity_parts_separator;

-- the key of a materialized view over GROUP BY
CREATE TABLE artificial_id_sale (region text, sold date, amount int);
INSERT INTO artificial_id_sale VALUES ('EU', '2026-01-02', 1), ('EU', '2026-02-03', 2), ('EU', '2026-02-04', 3), (NULL, '2026-01-05', 4);
CREATE MATERIALIZED VIEW artificial_id_sales AS
	SELECT artificial_id('sales', region, date_trunc('month', sold)::date) AS id, region, date_trunc('month', sold)::date AS month, sum(amount)
	  FROM artificial_id_sale GROUP BY region, month;
CREATE UNIQUE INDEX ON artificial_id_sales (id);
SELECT * FROM artificial_id_sales ORDER BY month, region;
SELECT id AS january FROM artificial_id_sales WHERE region = 'EU' AND month = '2026-01-01' \gset
INSERT INTO artificial_id_sale VALUES ('EU', '2026-01-31', 100), ('US', '2026-02-01', 5);
SET datestyle = 'SQL, DMY';
REFRESH MATERIALIZED VIEW CONCURRENTLY artificial_id_sales;
RESET datestyle;
SELECT * FROM artificial_id_sales ORDER BY month, region;
SELECT region, month, sum FROM artificial_id_sales WHERE id = :'january';
-- in parallel, too
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
INSERT INTO artificial_id_sale SELECT 'R' || i % 10, date '2026-01-01' + i % 100, i FROM generate_series(1, 5000) i;
ANALYZE artificial_id_sale;
EXPLAIN (COSTS OFF) SELECT max(artificial_id('sales', region, sold, 'pg_class'::regclass)) FROM artificial_id_sale;
SELECT (SELECT max(artificial_id('sales', region, sold, '"Artificial Id"'::regclass)) FROM artificial_id_sale) =
       (SELECT artificial_id('sales', region, sold, '"Artificial Id"'::regclass) AS id FROM artificial_id_sale ORDER BY id DESC LIMIT 1) AS same;

DROP MATERIALIZED VIEW artificial_id_sales;
DROP VIEW artificial_id_all;
DROP TABLE artificial_id_sale, "Artificial Id";
SET client_min_messages = warning;
DROP TYPE artificial_id_bad CASCADE;
DROP TYPE artificial_id_row, artificial_id_enum;
DROP DOMAIN artificial_id_domain;
