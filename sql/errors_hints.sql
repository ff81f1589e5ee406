-- Hints that are followed literally, and then it works.
SET hilo.prefetch = off;
CREATE SCHEMA hints;
SET search_path = hints, public;
-- the hint of a statement that fails, or a part of it; '-' if it works
CREATE FUNCTION hint(statement text, part text DEFAULT '.*') RETURNS text LANGUAGE plpgsql AS $$
DECLARE hint text;
BEGIN
	EXECUTE statement;
	RETURN '-';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN SQLSTATE || ' ' || substring(hint FROM part);
END $$;
-- the call in the hint of hilo_check, made
CREATE FUNCTION follow_check(rel regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE call text := (SELECT substring(hint FROM 'run (hilo_(?:group_)?seed[(].*[)])[.]$') FROM hilo_check(rel));
BEGIN
	EXECUTE 'SELECT ' || call;
	RETURN call;
END $$;

-- numbers of invoices that are texts
CREATE TABLE invoices (customer int, number text);
\set TRIGGER 'CREATE TRIGGER number BEFORE INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION hilo_number_assign(''number'', ''gapless'', ''customer'')'
SELECT hint(:'TRIGGER');
SELECT substring(hint(:'TRIGGER') FROM 'GENERATED .* STORED') AS expression \gset
ALTER TABLE invoices ALTER number TYPE bigint USING number::bigint, ADD shown text :expression;
:TRIGGER;
INSERT INTO invoices VALUES (7), (7) RETURNING *;
SELECT hint('SELECT hilo_detach(''invoices'', ''number'')');
-- while ids that are texts have another one
CREATE TABLE texts (id text);
SELECT hint('SELECT hilo_attach(''texts'', ''id'')');
SELECT substring(hint('SELECT hilo_attach(''texts'', ''id'')') FROM 'hilo_next_id.*[)]') AS call \gset
ALTER TABLE texts ALTER id SET DEFAULT :call;
INSERT INTO texts DEFAULT VALUES RETURNING *;

-- a group with a generated column, like the year of a date
CREATE TABLE bills (day date, year int GENERATED ALWAYS AS (extract(year FROM day)) STORED, number int);
\set TRIGGER 'CREATE TRIGGER number BEFORE INSERT ON bills FOR EACH ROW EXECUTE FUNCTION hilo_number_assign(''number'', ''gapless'', ''year'')'
SELECT hint(:'TRIGGER');
ALTER TABLE bills DROP year, ADD year int;
CREATE FUNCTION compute() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.year := extract(year FROM NEW.day); RETURN NEW; END $$;
CREATE TRIGGER compute BEFORE INSERT ON bills FOR EACH ROW EXECUTE FUNCTION compute();
:TRIGGER;
INSERT INTO bills VALUES ('2026-02-01'), ('2027-02-01'), ('2027-03-01') RETURNING year, number;

-- a row that is a mistake, and the ids are used up
CREATE TABLE ints (id int);
SELECT hilo_attach('ints', 'id', follow => false);
INSERT INTO ints VALUES (DEFAULT), (DEFAULT), (2147483647);
SELECT hilo_seed('ints', 2147483647);
SELECT hint('INSERT INTO ints VALUES (DEFAULT)');
DELETE FROM ints WHERE id > 5;
SELECT follow_check('ints');
INSERT INTO ints VALUES (DEFAULT) RETURNING id;
CREATE TABLE bigs (id bigint);
SELECT hilo_attach('bigs', 'id');
INSERT INTO bigs VALUES (41);
SELECT hilo_seed('bigs', 9223372036854775807);
SELECT hint('INSERT INTO bigs VALUES (DEFAULT)');
SELECT follow_check('bigs');
INSERT INTO bigs VALUES (DEFAULT) RETURNING id;
-- and the numbers of a group, alongside other triggers
CREATE TABLE tickets (project int, number smallint);
CREATE TRIGGER number BEFORE INSERT OR UPDATE ON tickets FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'project');
INSERT INTO tickets VALUES (7), (8), (7);
UPDATE tickets SET number = 29000 WHERE project = 7 AND number = 2;
INSERT INTO tickets VALUES (7, 32767);
SELECT hint('INSERT INTO tickets VALUES (7)');
UPDATE tickets SET number = 2 WHERE number = 29000;
DELETE FROM tickets WHERE number = 32767;
SELECT follow_check('tickets');
INSERT INTO tickets VALUES (7) RETURNING *;

-- ranges if there are none
SELECT hilo_create('hint_numbers', ordering => 'gapless'), hilo_create('hint_spread', ordering => 'scattered', domain_bits => 8);
SELECT hint('SELECT hilo_next_range(''hint_numbers'', 3)'), hint('SELECT hilo_next_hi(''hint_spread'', 3)');
SELECT hilo_next_tag('hint_numbers'), array(SELECT hilo_next_tag('hint_numbers', 3)) AS more, hilo_next_tag('hint_spread') IS NOT NULL AS spread;

-- a wrong style: each that is listed is one, and of that kind
CREATE SEQUENCE orders_seq INCREMENT 50;
CREATE TABLE hi (next_hi bigint);
SELECT hint('SELECT hilo_adopt_sequence_tag(''hint_orders'', ''orders_seq'', ''hibernate'', 50)');
SELECT hint('SELECT hilo_adopt_table_tag(''hint_orders'', ''hi'', ''efcore'', 50)');
CREATE VIEW styles AS
	SELECT kind, regexp_split_to_table(hint(format('SELECT hilo_adopt_%s_tag(''x'', %L, ''none'', 1)', kind, source), 'are (.*)[.]$'), '^\w* |, ') AS style
	  FROM (VALUES ('sequence', 'orders_seq'), ('table', 'hi')) v (kind, source);
SELECT kind, count(*) AS listed, count(*) FILTER (WHERE hint(format('SELECT hilo_adopt_%s_tag(''x'', %L, %L, 0)', kind, source, style)) ~ 'The styles are') AS refused
  FROM styles JOIN (VALUES ('sequence', 'orders_seq'), ('table', 'hi')) v (kind, source) USING (kind)
 WHERE style <> '' GROUP BY kind ORDER BY kind;
SELECT hilo_drop('x', if_exists => true);
SELECT hilo_adopt_sequence_tag('hint_orders', 'orders_seq', 'hibernate-pooled', 50);

-- a tag that was made before its table
SELECT hilo_create('hints.late', 'global');
CREATE TABLE late (id int);
ALTER TABLE late ALTER id SET DEFAULT hilo_next('late');
SELECT hint('INSERT INTO late VALUES (DEFAULT)');
SELECT hilo_drop('##hints.late'), hilo_create('#late', 'global');
INSERT INTO late VALUES (DEFAULT) RETURNING id;

-- a key for id_encrypt
SELECT hint('SELECT id_encrypt(1, ''\x00'')');
SELECT substring(hint('SELECT id_encrypt(1, ''\x00'')') FROM 'SELECT (.*)[.]$') AS key \gset
SELECT :key AS key \gset
SELECT id_decrypt(id_encrypt(77, :'key'), :'key');

-- a return that is refused, for the reason that the page has
SELECT low, high, range_no FROM hilo_next_range('bigs', 10) \gset
SELECT low AS more FROM hilo_next_range('bigs', 10) \gset
SELECT hilo_return_range('bigs', :high, :low, :range_no), last > :high AS is_not_newest FROM hilo_generators() WHERE name = 'bigs';

SET client_min_messages = warning;
DROP SCHEMA hints CASCADE;
SELECT count(hilo_drop(name)) > 2 AS dropped FROM hilo_generators()
 WHERE name ~ '^(hint_|users$)';
