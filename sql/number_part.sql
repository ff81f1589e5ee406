-- Numbers of tables with parts, which are those of the whole.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_clerk;
CREATE ROLE regress_hilo_other;
CREATE SCHEMA num_part;
GRANT USAGE, CREATE ON SCHEMA num_part TO regress_hilo_owner;
GRANT USAGE ON SCHEMA num_part TO regress_hilo_clerk, regress_hilo_other;
SET search_path = num_part, public;
CREATE VIEW series AS SELECT rel::text, grp, last FROM hilo_internal.hilo_series ORDER BY rel::text COLLATE "C", grp;
-- partitions have the series of the table, also those that are loaded directly
CREATE TABLE part (tenant int, number int, PRIMARY KEY (tenant, number)) PARTITION BY LIST (tenant);
CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1) PARTITION BY RANGE (number);
CREATE TABLE part_1_1 (number int NOT NULL, gone int, tenant int NOT NULL);
ALTER TABLE part_1_1 DROP gone;
ALTER TABLE part_1 ATTACH PARTITION part_1_1 FOR VALUES FROM (1) TO (1000);
CREATE TABLE part_2 PARTITION OF part FOR VALUES IN (2);
INSERT INTO part VALUES (1, 4);
CREATE TRIGGER number BEFORE INSERT ON part FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
GRANT INSERT ON part_2 TO regress_hilo_clerk;
INSERT INTO part (tenant) VALUES (2), (2) RETURNING *;
INSERT INTO part_1_1 (tenant) VALUES (1) RETURNING *;
INSERT INTO part VALUES (1, 7) RETURNING *;
INSERT INTO part_1_1 (tenant) VALUES (1) RETURNING tenant, number;
SET ROLE regress_hilo_clerk;
INSERT INTO part_2 (tenant) VALUES (2);
INSERT INTO part (tenant) VALUES (2);
RESET ROLE;
CREATE VIEW part_view AS SELECT tenant FROM part_2;
ALTER VIEW part_view OWNER TO regress_hilo_clerk;
GRANT INSERT ON part_view TO regress_hilo_other;
SET ROLE regress_hilo_other;
INSERT INTO part_view VALUES (2);
RESET ROLE;
DROP VIEW part_view;
UPDATE part SET tenant = 2 WHERE number = 7;
INSERT INTO part (tenant) VALUES (2) RETURNING *;
SELECT * FROM series WHERE rel = 'num_part.part';

-- a part with rows that are elsewhere
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE TABLE far_away (tenant int, number int) PARTITION BY LIST (tenant);
CREATE TABLE here PARTITION OF far_away FOR VALUES IN (1);
CREATE FOREIGN TABLE there PARTITION OF far_away FOR VALUES IN (2) SERVER nowhere;
CREATE TRIGGER number BEFORE INSERT ON far_away FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
INSERT INTO far_away (tenant) VALUES (1);

-- so has a child with the trigger of its parent, as an extension copies it to chunks; another one has its own
CREATE TABLE whole (tenant int, number int);
CREATE TABLE chunk () INHERITS (whole);
CREATE TABLE child () INHERITS (whole);
CREATE TRIGGER number BEFORE INSERT ON whole FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
CREATE TRIGGER copy BEFORE INSERT ON chunk FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
CREATE TRIGGER number BEFORE INSERT ON child FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless');
INSERT INTO chunk VALUES (1, 7);
INSERT INTO whole VALUES (1) RETURNING number;
INSERT INTO chunk VALUES (1) RETURNING number;
INSERT INTO child VALUES (1) RETURNING number;
ALTER TABLE chunk DISABLE TRIGGER copy;
INSERT INTO chunk VALUES (1, 50);
SELECT rel, problem, detail FROM hilo_check() WHERE rel IN ('whole'::regclass, 'chunk'::regclass, 'child'::regclass) ORDER BY rel;
DROP TABLE whole CASCADE;

-- children of several tables, and of one without the trigger, number with the one that has it
CREATE TABLE noted (note text);
CREATE TABLE numbered (customer int, number int);
CREATE TABLE between () INHERITS (numbered);
CREATE TABLE below () INHERITS (noted, between);
CREATE TRIGGER number BEFORE INSERT ON numbered FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer');
CREATE TRIGGER number BEFORE INSERT ON below FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer');
INSERT INTO numbered VALUES (7) RETURNING number;
INSERT INTO below (customer) VALUES (7) RETURNING number;
ALTER TABLE below DISABLE TRIGGER number;
INSERT INTO below (customer, number) VALUES (7, 50);
SELECT rel, problem, detail FROM hilo_check('below');
DELETE FROM below WHERE number = 50;
ALTER TABLE below ENABLE TRIGGER number;
-- whichever way is shorter
CREATE TABLE twice () INHERITS (numbered, between);
CREATE TRIGGER number BEFORE INSERT ON twice FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer');
CREATE TRIGGER number BEFORE INSERT ON between FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer');
INSERT INTO twice VALUES (7) RETURNING number;
INSERT INTO between VALUES (7) RETURNING number;

DROP FOREIGN DATA WRAPPER nowhere CASCADE;

SET client_min_messages = warning;
DROP SCHEMA num_part CASCADE;
SELECT count(*) FROM hilo_internal.hilo_series;
DROP ROLE regress_hilo_owner, regress_hilo_clerk, regress_hilo_other;
