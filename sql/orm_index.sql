/*
 * A table of an ORM's is looked up by its primary key, so that its owner cannot make
 * others wait for a look at all of its rows
 */
SET client_min_messages = warning;
CREATE ROLE regress_hilo_owner;
CREATE SCHEMA oi AUTHORIZATION regress_hilo_owner;
GRANT ALL ON SCHEMA public TO regress_hilo_owner;
SET ROLE regress_hilo_owner;
CREATE TABLE oi.mt_hilo (entity_name varchar, hi_value bigint DEFAULT 0);
INSERT INTO oi.mt_hilo SELECT 'entity ' || g, 7 FROM generate_series(1, 1000) g;
-- refused: no index, and those that do not find each key
SELECT hilo_marten_next_hi('oi.mt_hilo', 'users');
SELECT hilo_adopt_table_tag('oi.mt_hilo', 'oi.mt_hilo', 'marten', 10, key_value => 'users');
CREATE INDEX ON oi.mt_hilo (entity_name);
CREATE UNIQUE INDEX ON oi.mt_hilo (hi_value, entity_name);
CREATE UNIQUE INDEX ON oi.mt_hilo (entity_name, hi_value);
CREATE UNIQUE INDEX ON oi.mt_hilo (entity_name COLLATE "C");
ALTER TABLE oi.mt_hilo ADD PRIMARY KEY (entity_name, hi_value);
SELECT hilo_marten_next_hi('oi.mt_hilo', 'users');
-- the hint is right
ALTER TABLE oi.mt_hilo DROP CONSTRAINT mt_hilo_pkey, ADD PRIMARY KEY (entity_name);
SELECT hilo_marten_next_hi('oi.mt_hilo', 'users'), hilo_marten_next_hi('oi.mt_hilo', 'users'), hilo_marten_next_hi('oi.mt_hilo', 'entity 500');
SELECT hilo_adopt_table_tag('oi.mt_hilo', 'oi.mt_hilo', 'marten', 10, key_value => 'users');
SELECT low, high FROM hilo_next_range('oi.mt_hilo');
-- it is needed at each take
ALTER TABLE oi.mt_hilo DROP CONSTRAINT mt_hilo_pkey;
SELECT low, high FROM hilo_next_range('oi.mt_hilo');
SELECT hilo_marten_next_hi('oi.mt_hilo', 'users');
-- keys of other types: char(n) without its spaces, numbers
CREATE TABLE oi.of_char (entity_name char(20) PRIMARY KEY, hi_value bigint);
CREATE TABLE oi.of_number (entity_name numeric PRIMARY KEY, hi_value bigint);
INSERT INTO oi.of_char SELECT g, 1 FROM generate_series(1, 1000) g;
INSERT INTO oi.of_number SELECT g, 1 FROM generate_series(1, 1000) g;
SELECT hilo_marten_next_hi('oi.of_char', '500'), hilo_marten_next_hi('oi.of_char', '500  '), hilo_marten_next_hi('oi.of_char', '5000');
SELECT hilo_marten_next_hi('oi.of_number', '500'), hilo_marten_next_hi('oi.of_number', '500.0'), hilo_marten_next_hi('oi.of_number', '5000');
SELECT count(*), sum(hi_value) FROM oi.of_char UNION ALL SELECT count(*), sum(hi_value) FROM oi.of_number;
-- a superuser's table needs none
RESET ROLE;
ALTER TABLE oi.mt_hilo OWNER TO CURRENT_USER;
SELECT hilo_marten_next_hi('oi.mt_hilo', 'users');

SELECT hilo_drop('oi.mt_hilo');
DROP SCHEMA oi CASCADE;
REVOKE ALL ON SCHEMA public FROM regress_hilo_owner;
DROP ROLE regress_hilo_owner;
