-- Roles that may insert, and learn or change nothing of the rows of others.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_clerk;
CREATE ROLE regress_hilo_other;
CREATE SCHEMA num_secured;
GRANT USAGE, CREATE ON SCHEMA num_secured TO regress_hilo_owner;
GRANT USAGE ON SCHEMA num_secured TO regress_hilo_clerk, regress_hilo_other;
SET search_path = num_secured, public;
CREATE VIEW series AS SELECT rel::text, grp, last FROM hilo_internal.hilo_series ORDER BY rel::text COLLATE "C", grp;
-- an error shows no values to a role that may not see the groups: of a row that it updates, or that a trigger or a rule makes
CREATE TABLE told (number smallint, tenant int, secret text);
CREATE FUNCTION hide() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.secret := 'hidden'; RETURN NEW; END $$;
CREATE TRIGGER hide BEFORE INSERT ON told FOR EACH ROW EXECUTE FUNCTION hide();
CREATE TRIGGER number BEFORE INSERT OR UPDATE ON told FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant', 'secret');
CREATE TABLE told_by (tenant int);
CREATE RULE told AS ON INSERT TO told_by DO INSTEAD INSERT INTO told (tenant) VALUES (NEW.tenant);
INSERT INTO told (tenant) VALUES (1);
GRANT UPDATE (tenant) ON told TO regress_hilo_clerk;
GRANT INSERT ON told_by TO regress_hilo_clerk;
GRANT INSERT ON told TO regress_hilo_other;
SET ROLE regress_hilo_clerk;
UPDATE told SET tenant = 2;
INSERT INTO told_by VALUES (2);
RESET ROLE;
SELECT * FROM series;
CREATE FUNCTION ends() RETURNS bool IMMUTABLE RETURN true;
CREATE TABLE looks (LIKE told);
CREATE INDEX ON looks (number) WHERE ends();
CREATE OR REPLACE FUNCTION ends() RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN IF current_user = session_user THEN RAISE 'while it looks'; END IF; RETURN true; END $$;
CREATE TRIGGER hide BEFORE INSERT ON looks FOR EACH ROW EXECUTE FUNCTION hide();
CREATE TRIGGER number BEFORE INSERT ON looks FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'secret');
GRANT INSERT ON looks TO regress_hilo_other;
SET ROLE regress_hilo_other;
INSERT INTO told VALUES (16000, 3), (20000, 3), (32767, 3);
INSERT INTO told (tenant) VALUES (3);
DO $$ BEGIN INSERT INTO looks (tenant) VALUES (3); END $$;
RESET ROLE;
DROP TABLE told, told_by, looks;

-- nor does a row that a policy refuses use up another group, or any
\set VERBOSITY terse
CREATE TABLE tenants (number int, tenant text);
CREATE TRIGGER number BEFORE INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON tenants FOR INSERT WITH CHECK (tenant = 'mine');
GRANT INSERT ON tenants TO regress_hilo_other;
INSERT INTO tenants (tenant) VALUES ('theirs');
SET ROLE regress_hilo_other;
INSERT INTO num_secured.tenants VALUES (1900000000, 'theirs');
INSERT INTO num_secured.tenants VALUES (1900000000, 'mine');
INSERT INTO num_secured.tenants (tenant) VALUES ('mine');
-- nor shows the last number of another
INSERT INTO num_secured.tenants VALUES (1, 'theirs');
RESET ROLE;
INSERT INTO tenants (tenant) VALUES ('theirs'), ('mine') RETURNING *;
-- nor does an UPDATE
CREATE OR REPLACE TRIGGER number BEFORE INSERT OR UPDATE OF number, tenant ON tenants FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
CREATE POLICY moved ON tenants USING (true);
GRANT SELECT, UPDATE ON tenants TO regress_hilo_other;
SET ROLE regress_hilo_other;
UPDATE num_secured.tenants SET tenant = 'moved' WHERE tenant = 'mine' AND number = 1;
UPDATE num_secured.tenants SET tenant = 'moved', number = NULL WHERE tenant = 'mine' AND number = 1;
RESET ROLE;
DROP TABLE tenants;
\set VERBOSITY default
-- nor does a warning for a role that may not read the rows
CREATE TABLE tenants (number smallint, tenant text);
CREATE TRIGGER number BEFORE INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
GRANT INSERT ON tenants TO regress_hilo_other;
INSERT INTO tenants VALUES (28000, 'near'), (77, 'theirs');
SET ROLE regress_hilo_other;
INSERT INTO num_secured.tenants VALUES (32767, 'theirs'), (NULL, 'near');
RESET ROLE;
GRANT SELECT ON tenants TO regress_hilo_other;
ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
SET ROLE regress_hilo_other;
INSERT INTO num_secured.tenants VALUES (32767, 'theirs'), (NULL, 'near');
RESET ROLE;
INSERT INTO tenants VALUES (32767, 'theirs');
-- without gaps it goes with a rollback, in a group that the session meets, too; not any more with another trigger
CREATE POLICY any_row ON tenants FOR INSERT WITH CHECK (true);
SET ROLE regress_hilo_other;
INSERT INTO num_secured.tenants VALUES (5, 'fresh');
RESET ROLE;
CREATE OR REPLACE TRIGGER number BEFORE INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
\set VERBOSITY terse
SET ROLE regress_hilo_other;
INSERT INTO num_secured.tenants VALUES (6, 'fresh');
RESET ROLE;
DROP TABLE tenants;
-- by a policy of a part
CREATE TABLE tenants (number int, tenant text) PARTITION BY LIST (tenant);
CREATE TABLE tenants_rest PARTITION OF tenants DEFAULT;
CREATE TRIGGER number BEFORE INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
ALTER TABLE tenants_rest ENABLE ROW LEVEL SECURITY;
GRANT INSERT ON tenants, tenants_rest TO regress_hilo_other;
SET ROLE regress_hilo_other;
INSERT INTO num_secured.tenants_rest VALUES (5, 'theirs');
RESET ROLE;
INSERT INTO tenants (tenant) VALUES ('theirs') RETURNING *;
DROP TABLE tenants;
-- nor one that a view, or a part by its bounds, refuses to a role that may insert there alone
CREATE TABLE tenants (number int, tenant text) PARTITION BY LIST (tenant);
CREATE TABLE tenants_mine PARTITION OF tenants FOR VALUES IN ('mine');
CREATE TABLE tenants_rest PARTITION OF tenants DEFAULT;
CREATE VIEW mine AS SELECT * FROM tenants WHERE tenant = 'mine' WITH CHECK OPTION;
CREATE TRIGGER number BEFORE INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
GRANT INSERT ON mine, tenants_mine TO regress_hilo_other;
SET ROLE regress_hilo_other;
INSERT INTO num_secured.mine VALUES (1900000000, 'theirs');
INSERT INTO num_secured.tenants_mine VALUES (1900000000, 'theirs');
INSERT INTO num_secured.mine (tenant) VALUES ('mine');
INSERT INTO num_secured.tenants_mine (tenant) VALUES ('mine');
RESET ROLE;
INSERT INTO tenants (tenant) VALUES ('theirs'), ('mine') RETURNING *;
DROP TABLE tenants CASCADE;
\set VERBOSITY default
-- the code of others runs with the rights of the table's owner only, and finds no other role's objects
SET ROLE regress_hilo_owner;
CREATE TABLE trap (tenant int, number int);
CREATE FUNCTION who() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'run as owner: %', current_user = 'regress_hilo_owner'; RETURN true; END $$;
ALTER TABLE trap ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY p ON trap USING (num_secured.who());
INSERT INTO trap VALUES (1, 5);
CREATE FUNCTION equal(int, int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE 'never'; END $$;
CREATE OPERATOR = (FUNCTION = equal, LEFTARG = int, RIGHTARG = int);
CREATE TRIGGER number BEFORE INSERT ON trap FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
RESET ROLE;
INSERT INTO trap (tenant) VALUES (1);
SELECT number FROM trap ORDER BY 1;

-- only superusers, and the database's owner for a dump, read the values of rows
SET ROLE pg_monitor;
TABLE hilo_internal.hilo_series;
SELECT count(*) FROM hilo_generators() WHERE name ~ 'tenant|trap';
RESET ROLE;

SET client_min_messages = warning;
DROP SCHEMA num_secured CASCADE;
SELECT count(*) FROM hilo_internal.hilo_series;
DROP ROLE regress_hilo_owner, regress_hilo_clerk, regress_hilo_other;
