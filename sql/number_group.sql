-- Groups of rows, which differ by the = of their types, whatever values they have.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_clerk;
CREATE ROLE regress_hilo_other;
CREATE SCHEMA num_group;
GRANT USAGE, CREATE ON SCHEMA num_group TO regress_hilo_owner;
GRANT USAGE ON SCHEMA num_group TO regress_hilo_clerk, regress_hilo_other;
SET search_path = num_group, public;
CREATE VIEW series AS SELECT rel::text, grp, last FROM hilo_internal.hilo_series ORDER BY rel::text COLLATE "C", grp;
-- groups differ by the = of their types, whatever case and length the values have, and whatever stands in them
CREATE TYPE kind AS ENUM ('Small', 'small');
CREATE DOMAIN code AS numeric CHECK (VALUE > 0);
CREATE TABLE apart (t text, n code, e kind, b bool, c char(4), u uuid, s timestamp, number bigint);
CREATE TRIGGER number BEFORE INSERT ON apart FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 't', 'n', 'e', 'b', 'c', 'u', 's');
INSERT INTO apart (t, n) VALUES ('a', 1), ('a', 1.00), ('A', 1), ('', 1), (NULL, 1), ('?', 1), ('\?', 1), ('a,1', NULL), ('a', 1), ('n', NULL)
	RETURNING t, n, number;
INSERT INTO apart (e, b, c, u, s) VALUES ('small', true, 'x', '00000000-0000-0000-0000-0000000000AA', '2026-01-01'), ('Small', true, 'x', NULL, NULL), ('Small', true, 'x', NULL, NULL)
	RETURNING e, number;
INSERT INTO apart (t) VALUES (repeat('x', 400)), (repeat('x', 401)), (repeat('x', 400)), (E'\n'), (E'\t'), (E'\n') RETURNING length(t), number;
SELECT grp, last FROM series WHERE rel = 'num_group.apart' ORDER BY length(grp), grp;
-- what was there before is found by the same rule
CREATE TABLE found (LIKE apart);
INSERT INTO found SELECT * FROM apart;
CREATE TRIGGER number BEFORE INSERT ON found FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 't', 'n', 'e', 'b', 'c', 'u', 's');
INSERT INTO found (t, n, e, b, c, u, s) SELECT DISTINCT t, trim_scale(n), e, b, c, u, s FROM apart;
SELECT count(*), count(DISTINCT (t, n, e, b, c, u, s, number)) FROM found;

-- a domain over an enum
CREATE DOMAIN kinds AS kind;
CREATE TABLE by_kind (kind kinds, number int);
INSERT INTO by_kind VALUES ('small', 4), ('Small', 8);
CREATE TRIGGER number BEFORE INSERT ON by_kind FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'kind');
INSERT INTO by_kind VALUES ('small'), (NULL), ('Small') RETURNING number;

-- an enum of a schema that the table's owner may not use
CREATE SCHEMA num_types;
CREATE TYPE num_types.mood AS ENUM ('calm');
CREATE DOMAIN mood AS num_types.mood;
CREATE TABLE by_mood (mood num_types.mood, shown mood, number int);
INSERT INTO by_mood VALUES ('calm', 'calm', 7);
ALTER TABLE by_mood OWNER TO regress_hilo_owner;
CREATE TRIGGER number BEFORE INSERT ON by_mood FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'mood', 'shown');
INSERT INTO by_mood VALUES ('calm', 'calm') RETURNING number;

-- a type that writes equal values alike begins nothing anew
CREATE TABLE typed (k int, n numeric, c varchar(5), d date, number int);
CREATE TRIGGER number BEFORE INSERT ON typed FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'k', 'n', 'c', 'd');
INSERT INTO typed VALUES (7, 1.50, 'a', '2026-01-02'), (7, 1.5, 'a', '2026-01-02') RETURNING number;
DELETE FROM typed;
ALTER TABLE typed ALTER k TYPE bigint, ALTER n TYPE numeric(10, 4), ALTER c TYPE text;
INSERT INTO typed VALUES (7, 1.5, 'a', '2026-01-02') RETURNING number;
ALTER TABLE typed ALTER k TYPE text, ALTER c TYPE char(9);
SET datestyle = 'German';
INSERT INTO typed VALUES ('7', 1.5, 'a', '2.1.2026') RETURNING number;
RESET datestyle;
SELECT grp, last FROM series WHERE rel = 'num_group.typed';
-- another name of a label, and of a column, begins a group above its rows
INSERT INTO by_kind VALUES ('small') RETURNING number;
ALTER TYPE kind RENAME VALUE 'small' TO 'tiny';
DELETE FROM by_kind WHERE number = 6;
INSERT INTO by_kind VALUES ('tiny') RETURNING number;
ALTER TABLE by_kind RENAME kind TO sort;
INSERT INTO by_kind VALUES ('tiny');
CREATE OR REPLACE TRIGGER number BEFORE INSERT ON by_kind FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'sort');
INSERT INTO by_kind VALUES ('tiny') RETURNING number;
-- equal values of one collation, and no others
CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE collated (t text COLLATE blind, number int);
CREATE TRIGGER number BEFORE INSERT ON collated FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 't');
-- a new group keeps no lock
CREATE TABLE many (k int, number int);
CREATE TRIGGER number BEFORE INSERT ON many FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'k');
BEGIN;
SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'spectoken';
INSERT INTO many SELECT generate_series(1, 1000);
SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'spectoken';
COMMIT;
-- more versions of its row than a page has room for
CREATE TABLE versions (number int);
CREATE TRIGGER number BEFORE INSERT ON versions FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless');
DO $$
BEGIN
	FOR i IN 1 .. 400 LOOP
		BEGIN
			INSERT INTO versions DEFAULT VALUES;
		EXCEPTION WHEN division_by_zero THEN
		END;
	END LOOP;
END $$;
SELECT count(*), max(last) FROM series WHERE rel = 'num_group.versions';

SET client_min_messages = warning;
DROP SCHEMA num_group, num_types CASCADE;
SELECT count(*) FROM hilo_internal.hilo_series;
DROP ROLE regress_hilo_owner, regress_hilo_clerk, regress_hilo_other;
