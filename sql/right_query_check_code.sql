/*
 * Code of others that a query of a table would run: in indexes, statistics, casts.  The
 * doctor and a first use run none of it, not even what the planner computes
 */
SET hilo.prefetch = off;
SET client_min_messages = warning;
CREATE SCHEMA cc;
SET search_path = cc, public;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_carl;
GRANT USAGE, CREATE ON SCHEMA cc TO PUBLIC;
\set check 'SELECT rel, col, problem, detail, hint FROM hilo_check'

-- bob's functions are harmless when they are used; later they show which role runs them
SET ROLE regress_hilo_bob;
CREATE FUNCTION bobs(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
CREATE FUNCTION bobs_equal(int, int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
CREATE OPERATOR === (FUNCTION = bobs_equal, LEFTARG = int, RIGHTARG = int);
CREATE DOMAIN bobs_domain AS bigint CHECK (bobs(1));
CREATE TYPE bobs_enum AS ENUM ('a', 'b');
RESET ROLE;
CREATE DOMAIN enum_domain AS bobs_enum;
CREATE TABLE predicate (id bigint DEFAULT hilo_next('predicate'));
CREATE INDEX ON predicate (id) WHERE bobs(1);
CREATE TABLE expression (id bigint DEFAULT hilo_next('expression'));
CREATE INDEX ON expression ((id > 0 AND bobs(1)));
CREATE TABLE statistic (id bigint DEFAULT hilo_next('statistic'), other int);
CREATE STATISTICS statistic_other ON (id > 0 AND bobs(1)), other FROM statistic;
CREATE TABLE in_domain (id bigint DEFAULT hilo_next('in_domain'));
CREATE INDEX ON in_domain ((id::bobs_domain));
CREATE TABLE in_array (id bigint DEFAULT hilo_next('in_array'));
CREATE INDEX ON in_array ((ARRAY[id]::bobs_domain[]));
CREATE TABLE operator (id bigint DEFAULT hilo_next('operator'), EXCLUDE (id WITH =) WHERE (1 === 2));
CREATE TABLE of_text (id text DEFAULT hilo_next_id('of_text'));
CREATE INDEX ON of_text (id) WHERE bobs(1);
CREATE TABLE part_of (id bigint DEFAULT hilo_next('part_of'), k int) PARTITION BY LIST (k);
CREATE TABLE part_of_1 PARTITION OF part_of FOR VALUES IN (1);
CREATE INDEX ON part_of_1 (k) WHERE bobs(1);
CREATE TABLE series (no bigint, k int, e enum_domain);
CREATE TRIGGER assign BEFORE INSERT ON series FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless', 'k', 'e');
INSERT INTO series (k, e) VALUES (1, 'a');
CREATE STATISTICS series_k ON (k > 0 AND bobs(1)), no FROM series;
CREATE TABLE casted (no bigint, e enum_domain);
CREATE TRIGGER assign BEFORE INSERT ON casted FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless', 'e');
CREATE TABLE sequenced (id bigserial);
CREATE INDEX ON sequenced (id) WHERE bobs(1);
SET ROLE regress_hilo_bob;
CREATE OR REPLACE FUNCTION bobs(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS
	$$ BEGIN RAISE WARNING 'bob''s code runs, as bob: %', current_user = 'regress_hilo_bob'; RETURN true; END $$;
CREATE OR REPLACE FUNCTION bobs_equal(int, int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS
	$$ BEGIN RAISE WARNING 'bob''s operator runs, as bob: %', current_user = 'regress_hilo_bob'; RETURN true; END $$;
CREATE FUNCTION bobs_text(bobs_enum) RETURNS text LANGUAGE plpgsql IMMUTABLE AS
	$$ BEGIN RAISE WARNING 'bob''s cast runs, as bob: %', current_user = 'regress_hilo_bob'; RETURN 'a'; END $$;
CREATE CAST (bobs_enum AS text) WITH FUNCTION bobs_text AS IMPLICIT;
RESET ROLE;
\c -
SET hilo.prefetch = off;
SET client_min_messages = warning;
SET search_path = cc, public;
:check();
SELECT * FROM hilo_resync_all();
INSERT INTO predicate DEFAULT VALUES;
INSERT INTO expression DEFAULT VALUES;
INSERT INTO statistic DEFAULT VALUES;
INSERT INTO in_domain DEFAULT VALUES;
INSERT INTO in_array DEFAULT VALUES;
INSERT INTO operator DEFAULT VALUES;
INSERT INTO of_text DEFAULT VALUES;
INSERT INTO part_of (k) VALUES (1);
INSERT INTO series (k, e) VALUES (2, 'a');
INSERT INTO casted (e) VALUES ('a');
SELECT hilo_next('predicate');
SELECT hilo_resync('predicate', 'id');
SELECT hilo_attach('predicate', 'id');
SELECT hilo_attach('sequenced', 'id');
-- a column of bob's enum, without a domain
CREATE TABLE of_enum (no bigint, e bobs_enum);
CREATE TRIGGER assign BEFORE INSERT ON of_enum FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless', 'e');
INSERT INTO of_enum (e) VALUES ('a');
-- the hint is right
DROP INDEX predicate_id_idx;
INSERT INTO predicate DEFAULT VALUES RETURNING id;
DROP TABLE predicate, expression, statistic, in_domain, in_array, operator, of_text, part_of, series, casted, sequenced, of_enum;

-- in a table of bob's own it is his; others do not wait for it but in an INSERT or
-- in a change of that very table
SET ROLE regress_hilo_bob;
CREATE FUNCTION own_code(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	IF current_setting('cc.is_told', true) = 'yes' THEN
		RAISE WARNING 'bob''s code runs, as bob: %', current_user = 'regress_hilo_bob';
	END IF;
	RETURN true;
END $$;
CREATE TABLE own (id bigint DEFAULT hilo_next('cc.own'));
CREATE INDEX ON own (id) WHERE own_code(1);
CREATE TABLE own_series (no bigint, k int);
CREATE INDEX ON own_series (no) WHERE own_code(2);
CREATE TRIGGER assign BEFORE INSERT ON own_series FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless', 'k');
CREATE TABLE own_sequence (id bigserial);
CREATE INDEX ON own_sequence (id) WHERE own_code(3);
GRANT INSERT, SELECT ON own, own_series TO regress_hilo_carl;
\c -
SET hilo.prefetch = off;
SET client_min_messages = warning;
SET search_path = cc, public;
SET cc.is_told = 'yes';
:check() WHERE rel IS NOT NULL;
SELECT * FROM hilo_resync_all();
BEGIN;
SELECT hilo_attach('own_sequence', 'id');
SELECT hilo_resync('own_sequence', 'id');
SELECT hilo_detach('own_sequence', 'id');
ROLLBACK;
RESET cc.is_told;
SET ROLE regress_hilo_carl;
INSERT INTO own DEFAULT VALUES RETURNING id;
INSERT INTO own_series (k) VALUES (1) RETURNING no;
SET ROLE regress_hilo_bob;
INSERT INTO own VALUES (5000);
:check() WHERE detail IS NOT NULL;
SELECT * FROM hilo_resync_all();
SELECT hilo_attach('own_sequence', 'id');
-- a superuser's function may be in any table
RESET ROLE;
DROP TABLE own_series, own_sequence;
CREATE FUNCTION trusted(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
SET ROLE regress_hilo_bob;
DROP INDEX own_id_idx;
CREATE INDEX ON own (id) WHERE trusted(1);
INSERT INTO own VALUES (50000);
RESET ROLE;
:check() WHERE rel IS NOT NULL;

-- for a role that neither owns the table nor is a superuser only an index is asked
CREATE TABLE unindexed (id bigint DEFAULT hilo_next('unindexed'), name text DEFAULT hilo_next_id('names'), no int);
SELECT hilo_create('#unindexed'), hilo_create('names'), hilo_grant('unindexed', 'regress_hilo_carl'), hilo_grant('names', 'regress_hilo_carl');
CREATE INDEX ON unindexed (no, id);
CREATE INDEX ON unindexed (id) WHERE id > 5;
CREATE INDEX ON unindexed USING hash (id);
CREATE INDEX ON unindexed (name);
CREATE TRIGGER assign BEFORE INSERT ON unindexed FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless');
INSERT INTO unindexed VALUES (7, 'names/7-A');
GRANT SELECT ON unindexed TO regress_hilo_carl;
SET ROLE regress_hilo_carl;
:check('unindexed');
RESET ROLE;
:check('unindexed');
CREATE INDEX ON unindexed (id, no);
SET ROLE regress_hilo_carl;
:check('unindexed') WHERE col = 'id';
RESET ROLE;

DROP SCHEMA cc CASCADE;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators();
DROP ROLE regress_hilo_bob, regress_hilo_carl;
