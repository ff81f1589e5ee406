-- The last number of a group, read and set.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_clerk;
CREATE ROLE regress_hilo_other;
CREATE SCHEMA num_call;
GRANT USAGE, CREATE ON SCHEMA num_call TO regress_hilo_owner;
GRANT USAGE ON SCHEMA num_call TO regress_hilo_clerk, regress_hilo_other;
SET search_path = num_call, public;
SET ROLE regress_hilo_owner;
CREATE TABLE invoices (customer int, year smallint, series text, number int, gap int);
CREATE TRIGGER number BEFORE INSERT OR UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer', 'year');
CREATE TRIGGER gap BEFORE INSERT OR UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('gap', 'global', 'series');
INSERT INTO invoices VALUES (7, 2026, 'A'), (7, 2026, 'A'), (NULL, 2026, NULL), (7, NULL, 'B');

-- by value, in the order of the trigger's columns; null is a group
SELECT hilo_group_last('invoices', 'number', 7, 2026) AS numbers, hilo_group_last('invoices', 'number', '7', '2026') AS texts,
	hilo_group_last('invoices', 'number', 7::numeric, 2026::bigint) AS others, hilo_group_last('invoices', 'number', VARIADIC ARRAY[7, 2026]) AS list;
SELECT hilo_group_last('invoices', 'number', NULL, 2026) AS a, hilo_group_last('invoices', 'number', 7, NULL) AS b,
	hilo_group_last('invoices', 'number', 2026, 7) AS none, hilo_group_last('invoices', 'gap', 'A') AS gap, hilo_group_last('invoices', 'gap', NULL) AS no_gap;
-- the transaction's own numbers count, until a rollback
BEGIN;
INSERT INTO invoices VALUES (7, 2026, 'A');
SELECT hilo_group_last('invoices', 'number', 7, 2026), hilo_group_last('invoices', 'gap', 'A');
ROLLBACK;
SELECT hilo_group_last('invoices', 'number', 7, 2026), hilo_group_last('invoices', 'gap', 'A');

-- set, to begin elsewhere, and back after a mistake
SELECT hilo_group_seed('invoices', 'number', 999, 8, 2026), hilo_group_seed('invoices', 'gap', 499, 'C');
INSERT INTO invoices VALUES (8, 2026, 'C'), (8, 2026, 'C') RETURNING number, gap;
INSERT INTO invoices VALUES (8, 2026, 'C', 90000, 90000);
SELECT hilo_group_seed('invoices', 'number', 1001, 8, 2026);
SELECT hilo_group_seed('invoices', 'gap', 501, 'C');
UPDATE invoices SET number = 1002, gap = 502 WHERE number = 90000;
SELECT hilo_group_seed('invoices', 'number', 1001, 8, 2026);
SELECT hilo_group_seed('invoices', 'number', 1002, 8, 2026), hilo_group_seed('invoices', 'gap', 502, 'C');
INSERT INTO invoices VALUES (8, 2026, 'C') RETURNING number, gap;
-- a rollback takes it back, also where numbers have gaps
BEGIN;
SELECT hilo_group_seed('invoices', 'number', 5000, 8, 2026), hilo_group_seed('invoices', 'gap', 5000, 'C'), hilo_group_seed('invoices', 'gap', 5, 'new');
INSERT INTO invoices VALUES (8, 2026, 'C') RETURNING number, gap;
SAVEPOINT s;
SELECT hilo_group_seed('invoices', 'number', 6000, 8, 2026);
ROLLBACK TO s;
SELECT hilo_group_last('invoices', 'number', 8, 2026);
ROLLBACK;
INSERT INTO invoices VALUES (8, 2026, 'C') RETURNING number, gap;
SELECT hilo_group_last('invoices', 'gap', 'new');
-- 0 is before the first
SELECT hilo_group_seed('invoices', 'number', 0, 9, 9);
INSERT INTO invoices VALUES (9, 9) RETURNING number;

-- without a group, and of a part, which has the numbers of the whole
CREATE TABLE plain (number numeric(6), part int) PARTITION BY LIST (part);
CREATE TABLE plain_1 PARTITION OF plain FOR VALUES IN (1);
CREATE TRIGGER number BEFORE INSERT ON plain FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless');
SELECT hilo_group_last('plain', 'number');
SELECT hilo_group_seed('plain_1', 'number', 10);
INSERT INTO plain VALUES (NULL, 1) RETURNING number;
SELECT hilo_group_last('plain_1', 'number'), hilo_group_last('plain', 'number');

-- wrong calls
SELECT hilo_group_last('invoices', 'number', 7);
SELECT hilo_group_last('invoices', 'number');
SELECT hilo_group_last('invoices', 'number', VARIADIC NULL::int[]);
SELECT hilo_group_last('invoices', 'customer');
SELECT hilo_group_last('invoices', 'nothing', 7);
SELECT hilo_group_last('invoices', 'number', 'seven', 2026);
SELECT hilo_group_last('invoices', NULL, 7, 2026);
SELECT hilo_group_last(NULL, 'number', 7, 2026);
SELECT hilo_group_seed('invoices', 'number', NULL, 7, 2026);
SELECT hilo_group_seed('invoices', 'number', -1, 7, 2026);
SELECT hilo_group_seed('invoices', 'number', 2147483648, 7, 2026);

-- the owner sets it; a role that may read all rows reads it
GRANT SELECT ON invoices TO regress_hilo_clerk;
GRANT INSERT, SELECT (customer, year, number) ON invoices TO regress_hilo_other;
SET ROLE regress_hilo_clerk;
SELECT hilo_group_last('invoices', 'number', 7, 2026);
SELECT hilo_group_seed('invoices', 'number', 1000, 7, 2026);
SET ROLE regress_hilo_other;
SELECT hilo_group_last('invoices', 'number', 7, 2026);
SET ROLE regress_hilo_owner;
ALTER TABLE invoices ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON invoices USING (customer = 7);
SET ROLE regress_hilo_clerk;
SELECT hilo_group_last('invoices', 'number', 7, 2026);
SET ROLE regress_hilo_owner;
SELECT hilo_group_last('invoices', 'number', 7, 2026);
RESET ROLE;

-- no check of a domain runs: it may be code of another role
CREATE FUNCTION checked(int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'checked'; RETURN true; END $$;
CREATE DOMAIN part AS int CHECK (num_call.checked(VALUE));
CREATE TABLE parts (part part, number int);
CREATE TRIGGER number BEFORE INSERT ON parts FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'part');
INSERT INTO parts VALUES (1);
SELECT hilo_group_seed('parts', 'number', 5, 1), hilo_group_seed('parts', 'number', 5, 2);
SELECT hilo_group_last('parts', 'number', 1), hilo_group_last('parts', 'number', 2);

SET client_min_messages = warning;
DROP SCHEMA num_call CASCADE;
SELECT count(*) FROM hilo_internal.hilo_series;
DROP ROLE regress_hilo_owner, regress_hilo_clerk, regress_hilo_other;
