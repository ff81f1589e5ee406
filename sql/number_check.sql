-- What hilo_check says of numbers per group.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_clerk;
CREATE ROLE regress_hilo_other;
CREATE SCHEMA num_check;
GRANT USAGE, CREATE ON SCHEMA num_check TO regress_hilo_owner;
GRANT USAGE ON SCHEMA num_check TO regress_hilo_clerk, regress_hilo_other;
SET search_path = num_check, public;
CREATE VIEW series AS SELECT rel::text, grp, last FROM hilo_internal.hilo_series ORDER BY rel::text COLLATE "C", grp;
-- hilo_check keeps no lock of a table that has no groups yet
CREATE TABLE unlocked (tenant int, number int);
CREATE TRIGGER number BEFORE INSERT ON unlocked FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
BEGIN;
SELECT generator FROM hilo_check('unlocked');
SELECT count(*) FROM pg_locks WHERE relation = 'unlocked'::regclass;
COMMIT;
DROP TABLE unlocked;

-- the check names the group that is farthest behind, for roles that may see the rows
CREATE TABLE behind (a int, b text, number int);
CREATE TRIGGER number BEFORE INSERT ON behind FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'a', 'b');
CREATE VIEW behind_check AS SELECT col, generator, problem, detail, hint FROM hilo_check('behind');
INSERT INTO behind (a, b) VALUES (1, 'x'), (1, 'x'), (2, NULL);
TABLE behind_check;
ALTER TABLE behind DISABLE TRIGGER number;
INSERT INTO behind VALUES (1, 'x', 4), (2, NULL, 9), (3, 'y', 20), (1, 'x', 2147483647);
TABLE behind_check;
GRANT SELECT (number), INSERT ON behind TO regress_hilo_other;
SET ROLE regress_hilo_other;
SELECT generator, detail FROM hilo_check('num_check.behind');
RESET ROLE;
-- the hint, followed
SELECT substring(hint FROM 'un (hilo_group_seed.*)[.]$') AS call FROM behind_check \gset
\echo :call
SELECT :call;
TABLE behind_check;
DELETE FROM behind WHERE number > 20;
SELECT substring(hint FROM 'un (hilo_group_seed.*)[.]$') AS call FROM behind_check \gset
SELECT :call;
TABLE behind_check;
ALTER TABLE behind DROP a;
TABLE behind_check;
DROP VIEW behind_check;
DROP TABLE behind;

-- one far above its rows, of which a mistake that was corrected is the cause; not where numbers have gaps
CREATE TABLE above (k int, number int, sort int);
CREATE TRIGGER number BEFORE INSERT OR UPDATE ON above FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'k');
CREATE TRIGGER sort BEFORE INSERT OR UPDATE ON above FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('sort', 'global', 'k');
INSERT INTO above VALUES (1), (1), (2);
INSERT INTO above VALUES (1, 90000, 90000);
UPDATE above SET number = 3, sort = 3 WHERE number = 90000;
SELECT col, problem, detail, hint FROM hilo_check('above');
SELECT substring(hint FROM 'run (hilo_group_seed.*[)])[.]') AS call FROM hilo_check('above') WHERE problem IS NOT NULL \gset
SELECT :call;
SELECT col, problem FROM hilo_check('above');
INSERT INTO above VALUES (1) RETURNING *;
-- a few rows that were deleted are no mistake
DELETE FROM above WHERE k = 1 AND number > 1;
SELECT col, problem FROM hilo_check('above');

-- over parts, of which each has some of the rows
CREATE TABLE months (month int, k int, number int) PARTITION BY LIST (month);
CREATE TABLE month_1 PARTITION OF months FOR VALUES IN (1);
CREATE TABLE month_2 PARTITION OF months FOR VALUES IN (2);
CREATE TRIGGER number BEFORE INSERT ON months FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'k');
INSERT INTO months VALUES (1, 7, 3), (2, 7, 4000);
SELECT rel, problem, detail FROM hilo_check('months');
DELETE FROM months WHERE month = 2;
SELECT rel, problem, detail FROM hilo_check('months');

-- numbers beyond the end of their type are in no number's way, like in other columns
CREATE TABLE ending (number smallint, a int);
CREATE TRIGGER number BEFORE INSERT OR UPDATE OF number, a ON ending FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'a');
INSERT INTO ending VALUES (25000, 1);
SELECT problem, detail, hint, used_ratio FROM hilo_check('ending');
-- also where the numbers that are left are near the end, or a mistake took it there
INSERT INTO ending VALUES (NULL, 1);
DELETE FROM ending WHERE number = 25000;
UPDATE ending SET number = 2;
SELECT problem, detail, hint, used_ratio FROM hilo_check('ending');
SELECT substring(hint FROM 'run (hilo_group_seed.*[)])[.]') AS call FROM hilo_check('ending') \gset
SELECT :call;
INSERT INTO ending VALUES (NULL, 1) RETURNING number;
UPDATE ending SET number = 25000 WHERE number = 3;
-- the hint holds for a trigger that names the column
DROP TRIGGER number ON ending;
ALTER TABLE ending ALTER number TYPE bigint;
CREATE TRIGGER number BEFORE INSERT OR UPDATE OF number, a ON ending FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'a');
INSERT INTO ending VALUES (40000, 1), (NULL, 1) RETURNING number;
SELECT problem FROM hilo_check('ending');
DROP TABLE ending;

-- the check of another table, as the list of identities, reads no row of a group
CREATE TABLE unnumbered (id serial);
CREATE VIEW looks AS SELECT pg_stat_get_xact_numscans('hilo_internal.hilo_series_pkey'::regclass) AS count;
CREATE TABLE many (a int, number int);
CREATE TRIGGER number BEFORE INSERT ON many FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'a');
INSERT INTO many SELECT generate_series(1, 50);
BEGIN;
SELECT count AS before FROM looks \gset
SELECT count(*) FROM hilo_check('unnumbered') UNION ALL SELECT count(*) FROM hilo_generators() WHERE name LIKE '%_|';
SELECT count - :before AS looks FROM looks;
COMMIT;
-- and one with a column that is no number any more gives none
ALTER TABLE many ALTER number TYPE text;
INSERT INTO many VALUES (1);
SELECT problem, detail FROM hilo_check('many');

-- a program that sends 0 if it knows no number, like a plain int of .NET
CREATE TABLE invoices (tenant int, number int NOT NULL);
CREATE TRIGGER number BEFORE INSERT OR UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
INSERT INTO invoices VALUES (1, 1), (1, NULL);
SELECT problem, detail, hint FROM hilo_check('invoices');
INSERT INTO invoices VALUES (1, 0), (2, 0), (2, -3);
SELECT problem, detail, hint FROM hilo_check('invoices');
DELETE FROM invoices WHERE number < 1;
SELECT problem FROM hilo_check('invoices');

SET client_min_messages = warning;
DROP SCHEMA num_check CASCADE;
SELECT count(*) FROM hilo_internal.hilo_series;
DROP ROLE regress_hilo_owner, regress_hilo_clerk, regress_hilo_other;
