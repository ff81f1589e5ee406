-- Numbers do not show rows to roles that may not read them, and refused rows use up none.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_app;
CREATE ROLE regress_hilo_clerk;
CREATE SCHEMA num_rights AUTHORIZATION regress_hilo_owner;
GRANT USAGE, CREATE ON SCHEMA num_rights TO regress_hilo_app;
GRANT USAGE ON SCHEMA num_rights TO regress_hilo_clerk;
SET search_path = num_rights, public;
CREATE FUNCTION follow_hint(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE hint text;
BEGIN
	EXECUTE statement;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN SQLSTATE || ': ' || hint;
END $$;

-- a role that may insert and make triggers, but not read
SET ROLE regress_hilo_owner;
CREATE TABLE users (id int, email text, pin int);
INSERT INTO users VALUES (1, 'boss@x', 4711), (2, 'other@x', 815);
GRANT INSERT, TRIGGER ON users TO regress_hilo_app;
SET ROLE regress_hilo_app;
CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'it sees %', row_to_json(NEW); RETURN NULL; END $$;
CREATE TRIGGER a_number BEFORE INSERT OR UPDATE ON users FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('pin', 'gapless', 'email');
CREATE TRIGGER b_look BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION look();
INSERT INTO users (email) VALUES ('boss@x');
INSERT INTO users (email, pin) VALUES ('boss@x', 5);
-- also where a reader's row has made the series
RESET ROLE;
INSERT INTO users (email) VALUES ('boss@x');
SET ROLE regress_hilo_app;
INSERT INTO users (email) VALUES ('boss@x');
-- also where another role inserts, which may not read either
RESET ROLE;
GRANT INSERT ON users TO regress_hilo_clerk;
SET ROLE regress_hilo_clerk;
INSERT INTO users (email) VALUES ('boss@x');
-- a role that may read goes on
RESET ROLE;
GRANT SELECT ON users TO regress_hilo_clerk;
SET ROLE regress_hilo_clerk;
INSERT INTO users (email) VALUES ('other@x');
RESET ROLE;
REVOKE SELECT ON users FROM regress_hilo_clerk;
-- also what the condition of a trigger calls; a revoke ends nothing of a trigger that is there
SET ROLE regress_hilo_app;
CREATE FUNCTION told(int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'told %', $1; RETURN false; END $$;
CREATE TRIGGER c_told BEFORE INSERT ON users FOR EACH ROW WHEN (told(NEW.pin)) EXECUTE FUNCTION suppress_redundant_updates_trigger();
SET ROLE regress_hilo_owner;
REVOKE TRIGGER ON users FROM regress_hilo_app;
SET ROLE regress_hilo_clerk;
INSERT INTO users (email) VALUES ('other@x');
-- the hint, followed
SET ROLE regress_hilo_owner;
DROP TRIGGER b_look ON users;
SET ROLE regress_hilo_clerk;
INSERT INTO users (email) VALUES ('other@x');
SET ROLE regress_hilo_owner;
DROP TRIGGER c_told ON users;
SET ROLE regress_hilo_clerk;
INSERT INTO users (email) VALUES ('other@x');
RESET ROLE;
-- roles that may make triggers and read do not count, but PUBLIC does; the owner goes on
GRANT SELECT, TRIGGER ON users TO regress_hilo_app;
SET ROLE regress_hilo_clerk;
INSERT INTO users (email) VALUES ('other@x');
SET ROLE regress_hilo_app;
INSERT INTO users (email) VALUES ('other@x');
RESET ROLE;
SELECT * FROM users WHERE email = 'other@x' ORDER BY pin;
GRANT TRIGGER ON users TO PUBLIC;
SET ROLE regress_hilo_clerk;
INSERT INTO users (email) VALUES ('other@x');
SET ROLE regress_hilo_app;
INSERT INTO users (email) VALUES ('other@x');
SET ROLE regress_hilo_owner;
INSERT INTO users (email) VALUES ('other@x');
RESET ROLE;
REVOKE TRIGGER ON users FROM PUBLIC;

-- a right on a part, or on what that is a part of
SET ROLE regress_hilo_owner;
CREATE TABLE whole (tenant int, number int) PARTITION BY LIST (tenant);
CREATE TABLE half PARTITION OF whole FOR VALUES IN (1, 2) PARTITION BY LIST (tenant);
CREATE TABLE part PARTITION OF half FOR VALUES IN (1);
INSERT INTO whole VALUES (1, 7);
CREATE TRIGGER a_number BEFORE INSERT ON whole FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
GRANT INSERT, TRIGGER ON part TO regress_hilo_app;
SET ROLE regress_hilo_app;
CREATE TRIGGER b_look BEFORE INSERT ON part FOR EACH ROW EXECUTE FUNCTION look();
INSERT INTO part VALUES (1);
SET ROLE regress_hilo_owner;
DROP TRIGGER b_look ON part;
REVOKE ALL ON part FROM regress_hilo_app;
GRANT TRIGGER ON half TO regress_hilo_app;
GRANT INSERT ON whole TO regress_hilo_app;
SET ROLE regress_hilo_app;
INSERT INTO whole VALUES (1);
SET ROLE regress_hilo_owner;
REVOKE TRIGGER ON half FROM regress_hilo_app;
SET ROLE regress_hilo_app;
INSERT INTO whole VALUES (1);
RESET ROLE;
SELECT * FROM whole ORDER BY number;

-- under row security a role may not read another tenant's rows
SET ROLE regress_hilo_owner;
CREATE TABLE bills (tenant int, number int, note text);
ALTER TABLE bills ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON bills USING (tenant = 1);
INSERT INTO bills VALUES (1, 10), (2, 20);
CREATE TRIGGER a_number BEFORE INSERT OR UPDATE ON bills FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
GRANT ALL ON bills TO regress_hilo_app;
SET ROLE regress_hilo_app;
CREATE TRIGGER b_look BEFORE INSERT ON bills FOR EACH ROW EXECUTE FUNCTION look();
INSERT INTO bills VALUES (2);
INSERT INTO bills VALUES (1);
-- but a number stays
UPDATE bills SET note = 'mine', number = NULL RETURNING *;
SET ROLE regress_hilo_owner;
DROP TRIGGER b_look ON bills;
REVOKE TRIGGER ON bills FROM regress_hilo_app;
SET ROLE regress_hilo_app;
INSERT INTO bills VALUES (1) RETURNING *;
INSERT INTO bills VALUES (2);
RESET ROLE;
-- what was refused has used up nothing
INSERT INTO bills VALUES (2) RETURNING *;
-- also where the owner is subject to it
ALTER TABLE bills FORCE ROW LEVEL SECURITY;
GRANT TRIGGER ON bills TO regress_hilo_owner;
SET ROLE regress_hilo_owner;
INSERT INTO bills VALUES (1) RETURNING *;
SET ROLE regress_hilo_app;
INSERT INTO bills VALUES (1) RETURNING *;
RESET ROLE;

-- only gapless gives back what a policy refuses
SET ROLE regress_hilo_owner;
CREATE TABLE tickets (tenant int, number smallint, sort smallint);
CREATE TRIGGER number BEFORE INSERT OR UPDATE ON tickets FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
CREATE TRIGGER sort BEFORE INSERT OR UPDATE ON tickets FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('sort', 'global', 'tenant');
INSERT INTO tickets VALUES (1);
GRANT SELECT, INSERT, UPDATE ON tickets TO regress_hilo_app;
SET ROLE regress_hilo_app;
INSERT INTO tickets VALUES (1), (2);
SET ROLE regress_hilo_owner;
ALTER TABLE tickets ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON tickets USING (tenant IN (1, 3));
SET ROLE regress_hilo_app;
DO $$
BEGIN
	FOR i IN 1..1000 LOOP
		BEGIN
			INSERT INTO num_rights.tickets VALUES (i % 2 + 2);
			RAISE 'not refused';
		EXCEPTION WHEN insufficient_privilege THEN NULL;
		END;
	END LOOP;
END $$;
\set VERBOSITY terse
INSERT INTO tickets VALUES (2, 5, 5);
UPDATE tickets SET tenant = 3;
\set VERBOSITY default
UPDATE tickets SET number = NULL, sort = NULL WHERE tenant = 1 RETURNING *;
-- owners, superusers and roles that bypass it go on, and nothing was used up nor made
RESET ROLE;
INSERT INTO tickets VALUES (1), (2) RETURNING *;
SELECT hilo_group_last('tickets', 'number', 3);
SET ROLE regress_hilo_owner;
INSERT INTO tickets VALUES (2), (3) RETURNING *;
RESET ROLE;
ALTER ROLE regress_hilo_app BYPASSRLS;
SET ROLE regress_hilo_app;
INSERT INTO tickets VALUES (2) RETURNING *;
RESET ROLE;
ALTER ROLE regress_hilo_app NOBYPASSRLS;
-- the hint, followed by the table's owner, after a RENAME
ALTER TABLE tickets RENAME TO issues;
SET ROLE regress_hilo_app;
SELECT follow_hint('INSERT INTO issues VALUES (1)') AS hint;
SET ROLE regress_hilo_owner;
CREATE OR REPLACE TRIGGER number BEFORE INSERT OR UPDATE ON issues FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
CREATE OR REPLACE TRIGGER sort BEFORE INSERT OR UPDATE ON issues FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('sort', 'gapless', 'tenant');
SET ROLE regress_hilo_app;
INSERT INTO issues VALUES (1), (3) RETURNING *;
INSERT INTO issues VALUES (2);
RESET ROLE;
INSERT INTO issues VALUES (2) RETURNING *;

-- nor does a role that may not bring a number use one up, by a view or a part that refuses the row
SET ROLE regress_hilo_owner;
CREATE TABLE series (tenant int, number int, PRIMARY KEY (tenant, number)) PARTITION BY LIST (tenant);
CREATE TRIGGER number BEFORE INSERT ON series FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
CREATE TABLE series_1 PARTITION OF series FOR VALUES IN (1);
CREATE TABLE series_2 PARTITION OF series FOR VALUES IN (2);
CREATE VIEW mine AS SELECT * FROM series WHERE tenant = 1 WITH CHECK OPTION;
GRANT INSERT ON mine, series_1 TO regress_hilo_app;
INSERT INTO series (tenant) VALUES (1), (2);
SET ROLE regress_hilo_app;
\set VERBOSITY terse
INSERT INTO mine (tenant) VALUES (2);
INSERT INTO mine (tenant) VALUES (1);
INSERT INTO series_1 (tenant) VALUES (2);
\set VERBOSITY default
RESET ROLE;
SELECT hilo_group_last('series', 'number', 1), hilo_group_last('series', 'number', 2);
GRANT INSERT ON series TO regress_hilo_app;
SET ROLE regress_hilo_app;
INSERT INTO mine (tenant) VALUES (1);
RESET ROLE;
TABLE series ORDER BY 1, 2;

SET client_min_messages = warning;
DROP SCHEMA num_rights CASCADE;
DROP ROLE regress_hilo_owner, regress_hilo_app, regress_hilo_clerk;
