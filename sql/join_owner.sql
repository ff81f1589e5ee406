-- A table that changes hands: columns whose owner gets the right to another table's generator
-- join it with their rows.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_bob;
CREATE SCHEMA jo;
GRANT ALL ON SCHEMA jo TO regress_hilo_alice, regress_hilo_bob;
SET search_path = jo, public;

SET ROLE regress_hilo_alice;
CREATE TABLE t (id bigint DEFAULT hilo_next('t'));
INSERT INTO t DEFAULT VALUES RETURNING id;
SET ROLE regress_hilo_bob;
CREATE TABLE theirs (id bigint DEFAULT hilo_next('t'));
CREATE VIEW shown AS SELECT * FROM theirs;
ALTER VIEW shown ALTER id SET DEFAULT hilo_next('t');
INSERT INTO theirs SELECT generate_series(1, 100);
INSERT INTO theirs DEFAULT VALUES;
RESET ROLE;

-- the table that draws
BEGIN;
ALTER TABLE theirs OWNER TO regress_hilo_alice;
INSERT INTO theirs DEFAULT VALUES RETURNING id > 100 AS above;
ROLLBACK;
-- that of the generator
BEGIN;
SELECT hilo_seed('t', 50, true);
ALTER TABLE t OWNER TO regress_hilo_bob;
INSERT INTO theirs DEFAULT VALUES RETURNING id > 100 AS above;
ROLLBACK;
-- with its own generator, no id is lost
SET ROLE regress_hilo_alice;
CREATE TABLE own (id bigint DEFAULT hilo_next('own'));
INSERT INTO own DEFAULT VALUES RETURNING id;
RESET ROLE;
ALTER TABLE own OWNER TO regress_hilo_bob;
INSERT INTO own DEFAULT VALUES RETURNING id;

SET client_min_messages = warning;
DROP SCHEMA jo CASCADE;
DROP ROLE regress_hilo_alice, regress_hilo_bob;
