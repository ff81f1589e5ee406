-- Numbers of rows that are updated: one that is there stays, and a row without one gets it.
SET hilo.prefetch = off;
CREATE SCHEMA num_update;
SET search_path = num_update, public;
CREATE ROLE regress_hilo_clerk;
GRANT USAGE ON SCHEMA num_update TO regress_hilo_clerk;

-- ORMs send each column with each UPDATE, and null for a number that they have not read
CREATE TABLE invoices (id int PRIMARY KEY, customer int, number int, total int);
CREATE TRIGGER number BEFORE INSERT OR UPDATE OF customer, number ON invoices
	FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer');
INSERT INTO invoices VALUES (1, 7), (2, 7), (3, NULL);
UPDATE invoices SET customer = 7, number = NULL, total = 10 WHERE id = 1 RETURNING *;
UPDATE invoices SET customer = NULL, number = NULL, total = 10 WHERE id = 3 RETURNING *;
PREPARE save AS UPDATE invoices SET customer = $2, number = $3, total = $4 WHERE id = $1 RETURNING *;
EXECUTE save(2, 7, NULL, 20);
EXECUTE save(2, 7, 2, 30);
-- nothing was taken
INSERT INTO invoices VALUES (4, 7), (5, NULL) RETURNING *;
-- nor by an upsert: the row that is not inserted has had a number; that is a gap
INSERT INTO invoices VALUES (1, 7, NULL, 11) ON CONFLICT (id)
	DO UPDATE SET customer = EXCLUDED.customer, number = EXCLUDED.number, total = EXCLUDED.total RETURNING *;
INSERT INTO invoices VALUES (1, 8, NULL, 12), (2, 7, NULL, 31), (6, 7, NULL, 60) ON CONFLICT (id)
	DO UPDATE SET number = EXCLUDED.number, total = EXCLUDED.total RETURNING *;
MERGE INTO invoices i USING (VALUES (1, 7, 13), (7, 7, 70)) AS v (id, customer, total) ON i.id = v.id
	WHEN MATCHED THEN UPDATE SET customer = v.customer, number = NULL, total = v.total
	WHEN NOT MATCHED THEN INSERT VALUES (v.id, v.customer, NULL, v.total);
SELECT * FROM invoices ORDER BY id;
-- a number that the statement brings is the row's, as to correct one, and is passed
UPDATE invoices SET number = 90 WHERE id = 7 RETURNING number;
UPDATE invoices SET number = 0 WHERE id = 7 RETURNING number;
UPDATE invoices SET number = number + 80 WHERE customer = 7 AND number < 3 RETURNING number;
INSERT INTO invoices VALUES (8, 7) RETURNING number;
-- in another group it is kept, and null gets that group's next
UPDATE invoices SET customer = 9 WHERE id = 8 RETURNING number;
UPDATE invoices SET customer = 9, number = NULL WHERE id = 7 RETURNING number;
-- a rollback to a savepoint changes nothing of that
BEGIN;
SAVEPOINT s;
UPDATE invoices SET customer = 9, number = NULL WHERE id = 2 RETURNING number;
ROLLBACK TO s;
UPDATE invoices SET number = NULL WHERE id = 2 RETURNING number;
UPDATE invoices SET customer = 9, number = NULL WHERE id = 2 RETURNING number;
COMMIT;
-- through a view, and with a fraction, which stays as it was
CREATE VIEW entry AS SELECT * FROM invoices;
UPDATE entry SET number = NULL WHERE id = 2 RETURNING number;
CREATE TABLE exact (a text, number numeric, note text);
CREATE TRIGGER number BEFORE INSERT OR UPDATE ON exact FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'a');
INSERT INTO exact VALUES ('A', 5.00), ('?', 1.50), (NULL, 2.5);
UPDATE exact SET note = 'new', number = NULL RETURNING *;
UPDATE exact SET note = 'newer' RETURNING *;
-- groups that differ in null, or only look alike, are not one
UPDATE exact SET a = NULL, number = NULL WHERE a = '?' RETURNING number;
UPDATE exact SET a = 'a', number = NULL WHERE a = 'A' RETURNING number;

-- a draft gets its number when it is posted, once
CREATE TABLE documents (id int, kind text, state text DEFAULT 'draft', number int);
CREATE TRIGGER number BEFORE INSERT OR UPDATE ON documents FOR EACH ROW WHEN (NEW.state = 'posted')
	EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'kind');
INSERT INTO documents VALUES (1, 'a'), (2, 'a'), (3, 'b');
INSERT INTO documents VALUES (4, 'a', 'posted');
TABLE documents;
UPDATE documents SET state = 'posted' WHERE id = 2 RETURNING *;
UPDATE documents SET state = 'posted', number = NULL WHERE id = 2 RETURNING *;
BEGIN;
UPDATE documents SET state = 'posted' WHERE id = 1 RETURNING *;
ROLLBACK;
UPDATE documents SET state = 'posted' WHERE id IN (1, 3) RETURNING *;
UPDATE documents SET state = 'draft' WHERE id = 1;
UPDATE documents SET state = 'posted' WHERE id = 1 RETURNING *;
INSERT INTO documents VALUES (5, 'a', 'posted') RETURNING *;

-- so do rows from before the trigger, in both orderings, above the numbers that there are
CREATE TABLE tickets (project text, number int, sort smallint);
INSERT INTO tickets SELECT p FROM unnest('{x,x,y,y}'::text[]) p;
INSERT INTO tickets VALUES ('y', 41, 7);
CREATE TRIGGER number BEFORE INSERT OR UPDATE ON tickets FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'project');
CREATE TRIGGER sort BEFORE INSERT OR UPDATE ON tickets FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('sort', 'gapless', 'project');
UPDATE tickets SET project = project WHERE number IS NULL;
SELECT * FROM tickets ORDER BY project, number;
UPDATE tickets SET number = NULL, sort = NULL;
SELECT project, array_agg(number ORDER BY number) AS numbers, array_agg(sort ORDER BY sort) AS sorts FROM tickets GROUP BY 1 ORDER BY 1;

-- also on the way to another partition
CREATE TABLE parts (month int, customer int, number int) PARTITION BY LIST (month);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
CREATE TABLE parts_2 (number int, customer int, month int);
ALTER TABLE parts ATTACH PARTITION parts_2 FOR VALUES IN (2);
INSERT INTO parts VALUES (1, 7, 3), (1, 7, NULL);
CREATE TRIGGER number BEFORE INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer');
UPDATE parts SET month = 2, number = NULL;
SELECT * FROM parts ORDER BY number;
INSERT INTO parts VALUES (1, 7) RETURNING number;

-- a role that may update keeps numbers; to get one it must be one that may insert
GRANT SELECT, UPDATE ON documents TO regress_hilo_clerk;
INSERT INTO documents VALUES (6, 'a'), (7, 'c');
SET ROLE regress_hilo_clerk;
UPDATE num_update.documents SET number = NULL WHERE id = 5 RETURNING *;
UPDATE num_update.documents SET state = 'posted' WHERE id = 6;
UPDATE num_update.documents SET state = 'posted' WHERE id = 7;
RESET ROLE;
GRANT INSERT ON documents TO regress_hilo_clerk;
SET ROLE regress_hilo_clerk;
UPDATE num_update.documents SET state = 'posted' WHERE id > 5 RETURNING *;
RESET ROLE;

-- COPY numbers what has none, and leaves the rest
COPY invoices FROM stdin WITH (DELIMITER ',', NULL '');
20,30,,1
21,30,5,1
22,30,,1
\.
SELECT * FROM invoices WHERE customer = 30 ORDER BY id;

-- an upsert replaces a number by one that its row brings, be that the one before it was given
INSERT INTO invoices VALUES (30, 31), (31, 31) RETURNING id, number;
INSERT INTO invoices VALUES (30, 31, NULL), (31, 31, 3) ON CONFLICT (id)
	DO UPDATE SET number = EXCLUDED.number RETURNING id, number;

SET client_min_messages = warning;
DROP SCHEMA num_update CASCADE;
DROP ROLE regress_hilo_clerk;
