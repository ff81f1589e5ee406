-- A group that is defined as it was before counts the rows that have come meanwhile.
SET hilo.prefetch = off;
CREATE SCHEMA num_again;
SET search_path = num_again, public;
\set NUMBER 'BEFORE INSERT ON bills FOR EACH ROW EXECUTE FUNCTION hilo_number_assign(''number'', ''gapless'','
CREATE TYPE kind AS ENUM ('small', 'large');
CREATE TABLE bills (a int, b int, kind kind, number int) PARTITION BY LIST (b);
CREATE TABLE bills_1 PARTITION OF bills FOR VALUES IN (1);
CREATE TABLE bills_2 PARTITION OF bills FOR VALUES IN (2);

-- the columns of the trigger; the number of a row that is deleted is not given again
CREATE TRIGGER number :NUMBER 'a');
INSERT INTO bills (a, b) VALUES (1, 1), (1, 2), (3, 1);
CREATE OR REPLACE TRIGGER number :NUMBER 'b');
INSERT INTO bills (a, b) VALUES (1, 1), (1, 1), (2, 1) RETURNING number;
CREATE OR REPLACE TRIGGER number :NUMBER 'a');
INSERT INTO bills (a, b) VALUES (1, 1), (1, 2), (3, 1) RETURNING number;
DELETE FROM bills WHERE number = 5;
CREATE OR REPLACE TRIGGER number :NUMBER 'a');
INSERT INTO bills_2 (a, b) VALUES (1, 2) RETURNING number;

-- the trigger itself, made again or enabled
DROP TRIGGER number ON bills;
INSERT INTO bills VALUES (1, 1, NULL, 10);
CREATE TRIGGER number :NUMBER 'a');
INSERT INTO bills_1 (a, b) VALUES (1, 1) RETURNING number;
ALTER TABLE bills DISABLE TRIGGER number;
INSERT INTO bills VALUES (1, 2, NULL, 20);
ALTER TABLE bills ENABLE TRIGGER number;
INSERT INTO bills (a, b) VALUES (1, 1), (1, 2) RETURNING number;

-- the name of a column, and that of another one, in one transaction
CREATE TABLE plain (a int, c int, number int);
CREATE TRIGGER number BEFORE INSERT ON plain FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'a');
BEGIN;
INSERT INTO plain VALUES (1, 2), (1, 2), (2, 1) RETURNING number;
ALTER TABLE plain RENAME a TO x;
ALTER TABLE plain RENAME c TO a;
ALTER TABLE plain RENAME x TO c;
INSERT INTO plain (a, c) VALUES (2, 1), (2, 2), (1, 1) RETURNING number;
ALTER TABLE plain RENAME a TO x;
ALTER TABLE plain RENAME c TO a;
ALTER TABLE plain RENAME x TO c;
INSERT INTO plain VALUES (1, 1), (2, 2) RETURNING number;
COMMIT;
-- a change that is taken back
BEGIN;
ALTER TABLE plain ALTER a TYPE bigint;
INSERT INTO plain VALUES (1, 1) RETURNING number;
ROLLBACK;
INSERT INTO plain VALUES (1, 1) RETURNING number;

-- the label of an enum
CREATE OR REPLACE TRIGGER number :NUMBER 'kind');
INSERT INTO bills (b, kind) VALUES (1, 'small'), (2, 'small') RETURNING number;
ALTER TYPE kind RENAME VALUE 'small' TO 'tiny';
INSERT INTO bills (b, kind) VALUES (1, 'tiny'), (2, 'tiny') RETURNING number;
ALTER TYPE kind RENAME VALUE 'tiny' TO 'small';
INSERT INTO bills (b, kind) VALUES (1, 'small'), (2, 'small') RETURNING number;

-- the trigger asks the rows once after a change
DELETE FROM bills;
ALTER TABLE bills DISABLE TRIGGER number;
INSERT INTO bills VALUES (1, 1, 'small', 50);
INSERT INTO bills VALUES (1, 1, 'large', 2147483647);
ALTER TABLE bills ENABLE TRIGGER number;
SELECT hilo_group_seed('bills', 'number', 60, 'small'::kind);
INSERT INTO bills (b, kind) VALUES (1, 'small') RETURNING number;
INSERT INTO bills VALUES (1, 1, 'large', 7);
INSERT INTO bills (b, kind) VALUES (1, 'large') RETURNING number;

SET client_min_messages = warning;
DROP SCHEMA num_again CASCADE;
