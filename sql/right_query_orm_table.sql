/*
 * Ranges of an ORM's table: with the rights of the generator's owner, and nothing of the caller's
 */
CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint DEFAULT 0);
CREATE TABLE act_ge_property (name_ varchar(64) PRIMARY KEY, value_ varchar(300), rev_ integer);
CREATE ROLE regress_hilo_user;
SELECT hilo_adopt_table_tag('Order', 'mt_hilo', 'marten', 10);
SELECT hilo_next_tag('order');
DELETE FROM mt_hilo;
-- Camunda counts the changes of the row, from the first
SELECT hilo_adopt_table_tag('camunda', 'act_ge_property', 'camunda', 100), hilo_alter('camunda', owner => 'regress_hilo_user');
GRANT SELECT, INSERT ON act_ge_property TO regress_hilo_user;
GRANT UPDATE ON act_ge_property TO regress_hilo_user;
SELECT low, high FROM hilo_next_range('camunda');
SELECT * FROM act_ge_property WHERE name_ = 'next.dbid';
REVOKE UPDATE ON act_ge_property FROM regress_hilo_user;
GRANT SELECT, UPDATE (value_) ON act_ge_property TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT low, high FROM hilo_next_range('camunda');
RESET ROLE;
GRANT UPDATE (rev_) ON act_ge_property TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT low, high FROM hilo_next_range('camunda');
RESET ROLE;
-- a column that is gone, also for a role with rights to columns only
ALTER TABLE act_ge_property RENAME value_ TO renamed;
SET ROLE regress_hilo_user;
SELECT low, high FROM hilo_next_range('camunda');
RESET ROLE;
ALTER TABLE act_ge_property RENAME renamed TO value_;
REVOKE ALL ON act_ge_property FROM regress_hilo_user;
-- with the rights of the owner
SELECT hilo_alter('order', owner => 'regress_hilo_user');
GRANT SELECT ON mt_hilo TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT hilo_adopt_table_tag('theirs', 'mt_hilo', 'marten', 10);
SELECT hilo_next_tag('order') > 0 AS out_of_memory;
RESET ROLE;
SELECT hilo_next_range('order');
GRANT UPDATE (hi_value) ON mt_hilo TO regress_hilo_user;
-- a missing row takes INSERT
SET ROLE regress_hilo_user;
SELECT hilo_next_range('order');
RESET ROLE;
INSERT INTO mt_hilo VALUES ('Order', 200);
SET ROLE regress_hilo_user;
SELECT low FROM hilo_next_range('order');
RESET ROLE;
-- ... whatever role the database sets
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET role = regress_hilo_user', current_database()); END $$;
SELECT low FROM hilo_next_range('order');
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_authorization = regress_hilo_user', current_database()); END $$;
SET ROLE regress_hilo_user;
SELECT low FROM hilo_next_range('order');
RESET ROLE;
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET role', current_database()); END $$;
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET session_authorization', current_database()); END $$;
-- nothing of the caller's search_path or settings counts
CREATE SCHEMA trap;
CREATE FUNCTION trap.int8(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1/0';
CREATE TABLE trap.mt_hilo (entity_name varchar, hi_value bigint);
SET search_path = trap, pg_catalog;
SET default_transaction_isolation = serializable;
SELECT low FROM public.hilo_next_range('order');
RESET default_transaction_isolation;
RESET search_path;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE ordering = 'adopted';
DROP TABLE mt_hilo, act_ge_property;
DROP SCHEMA trap CASCADE;
DROP ROLE regress_hilo_user;
