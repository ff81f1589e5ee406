-- Numbers for the rows of each group of a table, for every role that may insert.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_clerk;
CREATE ROLE regress_hilo_other;
CREATE SCHEMA num;
GRANT USAGE, CREATE ON SCHEMA num TO regress_hilo_owner;
GRANT USAGE ON SCHEMA num TO regress_hilo_clerk, regress_hilo_other;
SET search_path = num, public;
CREATE VIEW series AS SELECT rel::text, grp, last FROM hilo_internal.hilo_series ORDER BY rel::text COLLATE "C", grp;
SET ROLE regress_hilo_owner;
CREATE TABLE invoices (tenant int, year int, number int, note text, UNIQUE (tenant, year, number));
INSERT INTO invoices VALUES (1, 2026, 41, 'from before'), (1, 2025, 7, 'too');
CREATE TRIGGER number BEFORE INSERT ON invoices
	FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant', 'year');
GRANT INSERT ON invoices TO regress_hilo_clerk;
RESET ROLE;

-- a role that may insert and do nothing else; what there was before counts; null is a group
SET ROLE regress_hilo_clerk;
INSERT INTO invoices (tenant, year) VALUES (1, 2026), (1, 2026), (1, 2025), (2, 2026), (NULL, 2026), (NULL, 2026), (NULL, NULL);
RESET ROLE;
SELECT * FROM invoices ORDER BY 1, 2, 3;
TABLE series;

-- a rollback takes the number back, and the group if it was the first
BEGIN;
INSERT INTO invoices (tenant, year) VALUES (2, 2026), (3, 2026) RETURNING number;
SAVEPOINT s;
INSERT INTO invoices (tenant, year) VALUES (2, 2026), (3, 2026), (4, 2026) RETURNING number;
ROLLBACK TO s;
INSERT INTO invoices (tenant, year) VALUES (2, 2026), (3, 2026), (4, 2026) RETURNING number;
ROLLBACK;
INSERT INTO invoices (tenant, year) VALUES (2, 2026), (3, 2026) RETURNING number;
INSERT INTO invoices (tenant, year, note) VALUES (2, 2026, 1 / 0);

-- a number that a row brings is kept, and passed, in a new group as well; a notice names one near the end of the type
INSERT INTO invoices (tenant, year, number) VALUES (2, 2026, 10), (5, 2026, 20), (2, 2026, -3), (2, 2026, 0), (2, 2026, 5);
INSERT INTO invoices (tenant, year) VALUES (2, 2026), (5, 2026) RETURNING number;
BEGIN;
INSERT INTO invoices (tenant, year, number) VALUES (2, 2026, 50);
INSERT INTO invoices (tenant, year) VALUES (2, 2026) RETURNING number;
ROLLBACK;
INSERT INTO invoices (tenant, year) VALUES (2, 2026) RETURNING number;
INSERT INTO invoices (tenant, year, number) VALUES (2, 2026, 2147483647);
INSERT INTO invoices (tenant, year) VALUES (2, 2026) RETURNING number;
-- the last one that was deleted is not given again
DELETE FROM invoices WHERE tenant = 3;
INSERT INTO invoices (tenant, year) VALUES (3, 2026) RETURNING number;

-- where the trigger is for it, an UPDATE may change a number, and take a row to another group, or have it numbered there
CREATE OR REPLACE TRIGGER number BEFORE INSERT OR UPDATE ON invoices
	FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant', 'year');
INSERT INTO invoices (tenant, year) VALUES (30, 2026), (30, 2026), (30, 2026), (31, 2026);
UPDATE invoices SET tenant = 31 WHERE tenant = 30 AND number = 3;
INSERT INTO invoices (tenant, year) VALUES (31, 2026) RETURNING number;
UPDATE invoices SET tenant = 31, number = NULL WHERE tenant = 30 AND number = 2 RETURNING number;
UPDATE invoices SET number = 20 WHERE tenant = 31 AND number = 1;
UPDATE invoices SET year = 2026, number = 20, note = 'as it was' WHERE tenant = 31 AND number = 20;
INSERT INTO invoices (tenant, year) VALUES (30, 2026), (31, 2026) RETURNING number;

-- another group with the same values has numbers of its own
CREATE TABLE tasks (project int, person int, number int);
CREATE TRIGGER number BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'project');
INSERT INTO tasks VALUES (7, 1), (8, 7), (9, 7);
UPDATE tasks SET number = project - 6;
CREATE OR REPLACE TRIGGER number BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'person');
INSERT INTO tasks VALUES (7, 7) RETURNING number;

-- COPY, ON CONFLICT, MERGE, a view of another owner
COPY invoices (tenant, year, note) FROM stdin WITH (DELIMITER ',');
6,2026,a
6,2026,b
6,2027,c
\.
SELECT * FROM invoices WHERE tenant = 6 ORDER BY 1, 2, 3;
-- a row that is left out has had its number
CREATE UNIQUE INDEX ON invoices (note);
INSERT INTO invoices (tenant, year, note) VALUES (6, 2026, 'a'), (6, 2026, 'd') ON CONFLICT DO NOTHING RETURNING number;
INSERT INTO invoices (tenant, year, note) VALUES (6, 2026, 'd') ON CONFLICT (note) DO UPDATE SET note = 'e' RETURNING number, note;
MERGE INTO invoices i USING (VALUES ('a'), ('f'), ('g')) AS v (note) ON i.note = v.note
	WHEN MATCHED THEN UPDATE SET year = 2026 WHEN NOT MATCHED THEN INSERT (tenant, year, note) VALUES (7, 2026, v.note);
INSERT INTO invoices (tenant, year, note) SELECT 7, 2026, v FROM unnest('{a,f,h}'::text[]) v
	WHERE NOT EXISTS (SELECT FROM invoices WHERE note = v) RETURNING number;
CREATE VIEW entry AS SELECT tenant, year, number FROM invoices;
ALTER VIEW entry OWNER TO regress_hilo_owner;
GRANT INSERT, SELECT ON entry TO regress_hilo_other;
SET ROLE regress_hilo_other;
INSERT INTO entry VALUES (7, 2026), (8, 2026) RETURNING number;
INSERT INTO invoices (tenant, year) VALUES (7, 2026);
RESET ROLE;

-- without a group, and orderings with gaps, which a rollback does not take back
CREATE TABLE tickets (day date, project varchar(20), number numeric, sort smallint);
CREATE TRIGGER number BEFORE INSERT ON tickets FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'day');
CREATE TRIGGER sort BEFORE INSERT ON tickets FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('sort', 'global', 'project');
BEGIN;
INSERT INTO tickets (day) VALUES ('2026-01-02') RETURNING number, sort;
ROLLBACK;
SET datestyle = 'German';
INSERT INTO tickets (day) VALUES ('2.1.2026') RETURNING day, number, sort;
RESET datestyle;
INSERT INTO tickets (day, number) VALUES ('2026-01-02', 100.0), ('2026-01-02', 1e30);
INSERT INTO tickets (day) VALUES ('2026-01-02'), ('infinity') RETURNING number;
SELECT * FROM series WHERE rel = 'num.tickets';
SET client_min_messages = error;
DO $$ BEGIN INSERT INTO tickets (day) SELECT '2026-01-02' FROM generate_series(1, 32767); EXCEPTION WHEN sequence_generator_limit_exceeded THEN NULL; END $$;
RESET client_min_messages;
SELECT hilo_group_last('tickets', 'sort', NULL);

-- a table that was renamed goes on, and another one of that name begins
ALTER TABLE invoices RENAME TO bills;
CREATE TABLE invoices (tenant int, year int, number int);
CREATE TRIGGER number BEFORE INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant', 'year');
DELETE FROM bills WHERE tenant = 3;
INSERT INTO bills (tenant, year) VALUES (3, 2026), (20, 2026) RETURNING number;
INSERT INTO invoices (tenant, year) VALUES (3, 2026), (20, 2026) RETURNING number;
ALTER TABLE bills OWNER TO regress_hilo_other;
DELETE FROM bills WHERE tenant = 20;
INSERT INTO bills (tenant, year) VALUES (3, 2026), (20, 2026) RETURNING number;
SELECT * FROM series WHERE grp = '20,2026';
-- one that is dropped leaves nothing
DROP TABLE bills CASCADE;
SELECT * FROM series WHERE grp = '20,2026';

-- a table may be called what no generator is
CREATE TABLE U&"tab\0009le" (id int, number int);
CREATE TRIGGER number BEFORE INSERT ON U&"tab\0009le" FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless');
INSERT INTO U&"tab\0009le" VALUES (1), (2) RETURNING number;


SET client_min_messages = warning;
DROP SCHEMA num CASCADE;
SELECT count(*) FROM hilo_internal.hilo_series;
DROP ROLE regress_hilo_owner, regress_hilo_clerk, regress_hilo_other;
