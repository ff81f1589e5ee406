-- Errors that statements show: of transactions, of the tables of hilo, and of other servers.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/errors_setup.sql'
\set teardown :srcdir '/sql/include/errors_teardown.sql'
\i :setup
\set hub_setup :srcdir '/sql/include/hub_setup.sql'
\i :hub_setup

-- transactions and queries that refuse nextval, too
CREATE FUNCTION wrapped(name text) RETURNS bigint LANGUAGE plpgsql PARALLEL SAFE
	AS 'BEGIN RETURN hilo_next_tag(name); END';
INSERT INTO plain SELECT i, 'orders' FROM generate_series(1, 1000) i;
ANALYZE plain;
INSERT INTO condition (condition, command) VALUES
('the transaction is read-only, as on a standby', $$SET LOCAL transaction_read_only = on; SELECT hilo_next_tag('orders')$$),
('the query runs in parallel', $$SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0;
	SET LOCAL min_parallel_table_scan_size = 0; SET LOCAL max_parallel_workers_per_gather = 2;
	SELECT max(wrapped(data)) FROM plain$$);

-- the tables
CREATE FUNCTION not_a_trigger() RETURNS void LANGUAGE c AS '$libdir/hilo', 'hilo_guard';
CREATE FUNCTION without_extension(text) RETURNS bigint LANGUAGE c AS '$libdir/hilo', 'hilo_next_tag';
INSERT INTO condition (condition, command) VALUES
('a table of hilo''s is changed by UPDATE, DELETE, MERGE or TRUNCATE', $$UPDATE hilo_internal.hilo_hi SET reserved = 0$$),
('a row is restored by a role that may insert, but is neither a superuser nor the owner of the database', $$GRANT USAGE ON SCHEMA hilo_internal TO regress_hilo_user; GRANT INSERT ON hilo_internal.hilo_privilege TO regress_hilo_user; SET LOCAL ROLE regress_hilo_user; INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('invoices', 'regress_hilo_user', false)$$),
('a trigger is created on a table of hilo, for example by pg_repack', $$CREATE TRIGGER repack_trigger AFTER UPDATE ON hilo_internal.hilo_hi FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()$$),
('a table of hilo was altered while event triggers were off', $$ALTER EVENT TRIGGER hilo_join_tables DISABLE; ALTER TABLE hilo_internal.hilo_hi ENABLE TRIGGER ALL; SELECT hilo_next_tag('invoices')$$),
('the current transaction has rewritten `hilo_hi`', $$CLUSTER hilo_internal.hilo_hi USING hilo_hi_pkey; SELECT hilo_next_tag('invoices')$$),
('the first use of a name in a transaction that has rewritten `hilo_generator`, `hilo_hi`, `hilo_privilege` or an index of theirs', $$REINDEX TABLE hilo_internal.hilo_generator; SELECT hilo_next_tag('other')$$),
('a restore brought only one of the two rows of a generator', $$INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "half"}')).*
	FROM hilo_internal.hilo_generator g WHERE name = 'orders'; SELECT hilo_next_tag('half')$$),
('a restore brought only one of the two rows, in `hilo_alter` or `hilo_seed`', $$INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "half"}')).*
	FROM hilo_internal.hilo_generator g WHERE name = 'orders'; SELECT hilo_seed('half', 1)$$),
('`hilo_guard` is not called as a trigger', $$SELECT not_a_trigger()$$),
('`hilo_forget_tables` is not called as an event trigger', $$SELECT hilo_internal.hilo_forget_tables()$$),
('`hilo_join_tables` is not called as an event trigger', $$SELECT hilo_internal.hilo_join_tables()$$),
('the extension is not installed in the database', $$DROP EXTENSION hilo CASCADE; SELECT without_extension('orders')$$),
('the library that the session has loaded is of another version than the extension in the database', $$ALTER EVENT TRIGGER hilo_join_tables DISABLE; ALTER TABLE hilo_internal.hilo_generator ADD COLUMN newer int; SELECT hilo_next_tag('orders')$$);

-- a server without hilo
CREATE DATABASE regress_hilo_bare;
CREATE FOREIGN DATA WRAPPER bare;
CREATE SERVER bare FOREIGN DATA WRAPPER bare OPTIONS (:hub_place, dbname 'regress_hilo_bare');
CREATE USER MAPPING FOR CURRENT_USER SERVER bare :hub_user;

-- hubs
CREATE TABLE cut (id int DEFAULT hilo_next('cut'));
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER gone FOREIGN DATA WRAPPER nowhere;
CREATE SERVER away FOREIGN DATA WRAPPER nowhere OPTIONS (host '/nowhere', port '1');
CREATE USER MAPPING FOR CURRENT_ROLE SERVER away;
CREATE USER MAPPING FOR regress_hilo_user SERVER away;
GRANT USAGE ON FOREIGN SERVER away TO regress_hilo_user;
INSERT INTO condition (condition, command) VALUES
('a hub with an ordering that cannot have one', $$SELECT hilo_create('new', 'scattered', hub => 'gone')$$),
('a hub for a generator of hilo''s own', $$SELECT hilo_create('hilo.new', hub => 'gone')$$),
('the hub is not a foreign server', $$SELECT hilo_create('new', hub => 'none')$$),
('the role may not use the foreign server', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_create('new', hub => 'gone')$$),
('the foreign server of the hub was dropped', $$SELECT hilo_create('new', hub => 'gone'); DROP SERVER gone; SELECT hilo_next_tag('new')$$),
('a generator with a hub has no owner', $$SELECT hilo_create('new', hub => 'away'), hilo_alter('new', owner => 'regress_hilo_gone'); DROP ROLE regress_hilo_gone; SELECT hilo_next_tag('new')$$),
('the user mapping has no password, or the hub does not ask for it', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_create('new', hub => 'away'); SELECT hilo_next_tag('new')$$),
('the hub cannot be reached', $$SELECT hilo_create('new', hub => 'away'); SELECT hilo_next_tag('new')$$),
('hilo is not installed on the hub', $$SELECT hilo_create('new', hub => 'bare'); SELECT hilo_next_tag('new')$$),
('`force` in the seed of a generator with a hub', $$SELECT hilo_create('new', hub => 'away'); SELECT hilo_seed('new', 1, true)$$),
('`hilo_next_hi` of a global generator with a hub', $$SELECT hilo_create('new', 'global', hub => 'away'); SELECT hilo_next_hi('new', 10)$$),
('the generator on the hub has a hub itself', $$SELECT hilo_create('new', hub => 'away'); SELECT hilo_internal.hilo_hub_take('new', 'session', 1, true, false, 0, 1000000)$$),
('the generator on the hub is not global', $$SELECT hilo_internal.hilo_hub_take('orders', 'global', 1, true, false, 0, 1000000)$$),
('a Citus worker makes a generator with ids of its own', $$CREATE SERVER hilo_coordinator FOREIGN DATA WRAPPER nowhere; SELECT hilo_create('new')$$),
('`hilo_citus_setup` runs elsewhere than on the coordinator', $$SELECT hilo_citus_setup()$$);

SELECT pg_temp.errors();

DROP TABLE cut;
DROP FUNCTION not_a_trigger, without_extension, wrapped;
SET client_min_messages = warning;
DROP FOREIGN DATA WRAPPER nowhere CASCADE;
DROP FOREIGN DATA WRAPPER bare CASCADE;
DROP DATABASE regress_hilo_bare WITH (FORCE);
DROP ROLE regress_hilo_hub;
\i :teardown
