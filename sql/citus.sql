/*
 * A worker of a Citus cluster, for which another database is the coordinator: the first
 * use of a name takes its ids from there, by the rights that the role has there
 */
\set home :DBNAME
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/hub_setup.sql'
\i :setup
SET client_min_messages = warning;
\set VERBOSITY terse
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_app;
CREATE ROLE regress_hilo_eve;
CREATE DATABASE regress_hilo_coordinator ENCODING 'UTF8' TEMPLATE template0;
\c regress_hilo_coordinator
SET client_min_messages = warning;
CREATE EXTENSION hilo;
CREATE TABLE orders (id bigint DEFAULT hilo_next_tag('orders'));
INSERT INTO orders VALUES (100);
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_owner;
ALTER TABLE orders OWNER TO regress_hilo_owner;
GRANT INSERT ON orders TO regress_hilo_app;
SET ROLE regress_hilo_owner;
SELECT hilo_create('orders'), hilo_resync('orders', 'id');
RESET ROLE;
CREATE TABLE only_there (id bigint PRIMARY KEY DEFAULT hilo_next('only_there'));
INSERT INTO only_there DEFAULT VALUES;
SET allow_system_table_mods = on;
CREATE TABLE pg_catalog.pg_dist_partition AS SELECT 'orders'::regclass AS logicalrelid;
CREATE INDEX pg_dist_partition_logical_relid_index ON pg_catalog.pg_dist_partition (logicalrelid);
SELECT hilo_create('hidden', range_size => 8, max_range_size => 16), hilo_create('of_owner'), hilo_create('gapless', 'gapless'),
	hilo_create('ordered', 'global', max_value => 5), hilo_create('restored');
SELECT hilo_alter('of_owner', owner => 'regress_hilo_owner'), hilo_grant('gapless', 'public'), hilo_grant('ordered', 'public');
CREATE ROLE regress_hilo_dropped;
SELECT hilo_alter('restored', owner => 'regress_hilo_dropped');
DROP ROLE regress_hilo_dropped;

\c :home
SET client_min_messages = warning;
\set VERBOSITY terse
-- what a server has before it is a worker
CREATE TABLE own_table (id bigint PRIMARY KEY DEFAULT hilo_next('own_table'));
INSERT INTO own_table DEFAULT VALUES RETURNING id;
SELECT hilo_next_tag('mine'), hilo_create('my_invoices', 'gapless');
CREATE FOREIGN DATA WRAPPER hilo_coordinator;
CREATE SERVER hilo_coordinator FOREIGN DATA WRAPPER hilo_coordinator OPTIONS (:hub_place, dbname 'regress_hilo_coordinator');
SELECT rolname AS bootstrap FROM pg_roles WHERE oid = 10 \gset
CREATE USER MAPPING FOR :"bootstrap" SERVER hilo_coordinator :hub_user;
CREATE TABLE orders (id bigint DEFAULT hilo_next_tag('orders'));
ALTER TABLE orders OWNER TO regress_hilo_owner;
GRANT INSERT ON orders TO regress_hilo_app;
CREATE VIEW made AS SELECT name, ordering, replace(owner::text, quote_ident(session_user), 'superuser') AS owner, max_value, range_size, max_range_size, hub FROM hilo_generators() WHERE hub <> '';

-- a role that may insert there takes ids there, above the column, and makes one here
SET ROLE regress_hilo_app;
INSERT INTO orders VALUES (DEFAULT);
SELECT hilo_next_tag('orders');
SELECT hilo_next_tag('new');
-- no role takes ids that it could not take there, nor makes a generator of that name here
SELECT hilo_next_tag('hidden'), 'app';
SET ROLE regress_hilo_eve;
SELECT hilo_next_tag('orders');
SELECT hilo_next_tag('of_owner');
CREATE TEMP TABLE mine (id bigint DEFAULT hilo_next_tag('of_owner'));
INSERT INTO mine VALUES (DEFAULT);
SELECT hilo_next_tag('gapless');
-- what is granted there is granted here
SELECT hilo_next_tag('ordered'), hilo_next_tag('ordered');
RESET ROLE;
SELECT hilo_next_tag('restored');
SELECT hilo_next_tag('hilo.mine');
SELECT * FROM made ORDER BY name;
SET ROLE regress_hilo_owner;
SELECT hilo_next_tag('of_owner');
SELECT hilo_seed('hidden', 1000);
SELECT hilo_create('own', hub => 'hilo_coordinator');
-- rights that are lost there are lost here
\c regress_hilo_coordinator
SELECT hilo_alter('of_owner', owner => 'regress_hilo_eve');
\c :home
SET client_min_messages = warning;
\set VERBOSITY terse
SET ROLE regress_hilo_owner;
SELECT low FROM hilo_next_range('of_owner', 1000000);
RESET ROLE;
SELECT hilo_next_tag('hidden');
SELECT * FROM made ORDER BY name;
-- a tag has no ids of its own any more, a table here has
SELECT hilo_next_tag('mine');
SELECT low FROM hilo_next_range('mine');
SELECT hilo_next_tag('my_invoices');
SELECT hilo_drop('mine'), hilo_drop('my_invoices');
SELECT hilo_next_tag('mine');
INSERT INTO own_table DEFAULT VALUES RETURNING id > 1;
CREATE TABLE new_table (id bigint PRIMARY KEY);
SELECT hilo_attach('new_table', 'id'), hilo_generator_of('new_table', 'id');
INSERT INTO new_table VALUES (7);
INSERT INTO new_table DEFAULT VALUES RETURNING id;
DROP TABLE own_table, new_table;
-- nor has a worker the generator of a table there
SELECT hilo_next_tag('only_there');
SELECT hilo_next_tag('#only_there');
SELECT hilo_create('own');
CREATE TABLE own_numbers (n int);
CREATE TRIGGER n BEFORE INSERT ON own_numbers FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('n', 'gapless');
DROP TABLE own_numbers;
SELECT hilo_attach('orders', 'id', 'own');
SELECT hilo_alter('hidden', hub => '');
SET hilo.launch_id = 7;
SELECT decimal_id_next(), decimal_id_next();
RESET hilo.launch_id;
SELECT hilo_citus_setup();

\c regress_hilo_coordinator
SELECT name, replace(owner::text, quote_ident(session_user), 'superuser') AS owner, last > 0 AS used FROM hilo_generators() ORDER BY name COLLATE "C";
SET client_min_messages = warning;
\set VERBOSITY terse
-- a role that acts for another role
SELECT hilo_internal.hilo_hub_last('ordered', act_as => 'regress_hilo_eve');
SELECT current_user = session_user;
SELECT hilo_internal.hilo_hub_last('hidden', act_as => 'regress_hilo_eve');
SELECT hilo_internal.hilo_hub_last('hidden') > 0, owner = session_user AS is_owner, is_global, max_value, range_size, max_range_size
  FROM hilo_internal.hilo_hub_define('hidden');
SELECT hilo_internal.hilo_hub_last('hidden', act_as => 'regress_hilo_gone');
SELECT hilo_internal.hilo_hub_last('hidden', act_as => NULL) IS NULL;
GRANT USAGE ON SCHEMA hilo_internal TO regress_hilo_owner;
SET ROLE regress_hilo_owner;
SELECT * FROM hilo_internal.hilo_hub_define('of_owner');
RESET ROLE;
GRANT EXECUTE ON FUNCTION hilo_internal.hilo_hub_last TO regress_hilo_owner;
SET SESSION AUTHORIZATION regress_hilo_owner;
SELECT hilo_internal.hilo_hub_last('of_owner', act_as => 'regress_hilo_eve');
SELECT hilo_internal.hilo_hub_last('of_owner', act_as => 'regress_hilo_owner') IS NULL;

-- a foreign server that is no superuser's makes no worker
\c :home
SET client_min_messages = warning;
GRANT USAGE ON FOREIGN DATA WRAPPER hilo_coordinator TO regress_hilo_owner;
ALTER SERVER hilo_coordinator OWNER TO regress_hilo_owner;
SELECT hilo_next_tag('own'), hilo_create('another');
DROP VIEW made;
DROP TABLE orders;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name IN ('another', 'hidden', 'mine', 'of_owner', 'ordered', 'orders', 'own', 'hilo.decimal_id/7');
DROP FOREIGN DATA WRAPPER hilo_coordinator CASCADE;
DROP DATABASE regress_hilo_coordinator WITH (FORCE);
DROP OWNED BY regress_hilo_owner, regress_hilo_app, regress_hilo_eve;
DROP ROLE regress_hilo_owner, regress_hilo_app, regress_hilo_eve, regress_hilo_hub;
