/*
 * A sequence that a table draws from: a default, a trigger or a part that a role without rights
 * has planted raises it for no role, and shows nothing of it
 */
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_eve;
CREATE SCHEMA shop AUTHORIZATION regress_hilo_alice;
CREATE SCHEMA eve AUTHORIZATION regress_hilo_eve;
GRANT USAGE ON SCHEMA shop TO regress_hilo_eve;
GRANT USAGE ON SCHEMA eve TO regress_hilo_alice;
\getenv srcdir PG_ABS_SRCDIR
\set try :srcdir '/sql/include/try.sql'
\i :try
GRANT EXECUTE ON FUNCTION pg_temp.try TO PUBLIC;
SET ROLE regress_hilo_alice;
CREATE TABLE shop.orders (id bigserial PRIMARY KEY, note text);
CREATE TABLE shop.invoices (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text);
INSERT INTO shop.orders (note) SELECT 'x' FROM generate_series(1, 30);
RESET ROLE;
-- each way to take ids of a table, and to raise a sequence by one
CREATE TEMP TABLE take AS SELECT unnest(ARRAY[$$SELECT hilo_next('shop.orders')$$, $$SELECT hilo_next('shop.orders', 2)$$,
	$$SELECT hilo_next_range('shop.orders')$$, $$SELECT hilo_next_hi('shop.orders', 5)$$, $$SELECT hilo_next_range('shop.orders_id_seq')$$,
	$$SELECT hilo_current('shop.orders')$$, $$SELECT hilo_next_range('shop.invoices')$$, $$SELECT hilo_next('shop.invoices', 2)$$]) AS statement;
CREATE TEMP TABLE raise AS SELECT unnest(ARRAY[$$SELECT hilo_resync('eve.planted', 'id')$$, $$SELECT hilo_attach('eve.planted', 'id', follow => true)$$,
	$$SELECT hilo_attach('eve.planted', 'id', 'eve.planted')$$, $$SELECT hilo_attach('eve.of_domain', 'id')$$, $$SELECT hilo_resync('eve.of_domain', 'id')$$]) AS statement;
GRANT SELECT ON take, raise TO PUBLIC;
SET ROLE regress_hilo_alice;
\set state 'SELECT (SELECT last_value FROM shop.orders_id_seq), (SELECT last_value FROM shop.invoices_id_seq)'

-- in one session, after the owner
SELECT statement, pg_temp.try(statement) FROM take;
:state;
SET ROLE regress_hilo_eve;
SELECT statement, pg_temp.try(statement) FROM take;
-- INSERT is the right to an identity, but not to a sequence, nor to last_max
SET ROLE regress_hilo_alice;
GRANT INSERT ON shop.orders, shop.invoices TO regress_hilo_eve;
SET ROLE regress_hilo_eve;
SELECT statement, pg_temp.try(statement) FROM take;
SELECT low FROM hilo_next_range('shop.invoices', last_max => 100000);
SELECT statement, pg_temp.try(statement) FROM unnest(ARRAY['SELECT hilo_attach(''shop.orders'', ''id'')', 'SELECT hilo_attach(''shop.orders'', ''id'', ''shop.orders'')',
	'SELECT hilo_resync(''shop.orders'', ''id'')', 'SELECT hilo_detach(''shop.orders'', ''id'')', 'SELECT hilo_seed(''shop.orders'', 1000)', 'SELECT hilo_grant(''shop.orders'', ''public'')']) statement;

-- a planted default and trigger: what she tries, and what a superuser does without a look at them
SELECT 'shop.orders_id_seq'::regclass::oid AS seq \gset
CREATE TABLE eve.planted (id bigint PRIMARY KEY DEFAULT nextval(:'seq'));
SELECT hilo_resync('eve.planted', 'id');
CREATE TRIGGER planted AFTER INSERT ON eve.planted FOR EACH ROW EXECUTE FUNCTION hilo_follow('', 'id');
INSERT INTO eve.planted VALUES (5000);
ALTER TABLE eve.planted ALTER id DROP DEFAULT;
INSERT INTO eve.planted VALUES (5001);
ALTER TABLE eve.planted ALTER id SET DEFAULT nextval(:'seq');
ALTER TABLE eve.planted ENABLE TRIGGER planted;
CREATE DOMAIN eve.domain AS bigint DEFAULT nextval(:'seq');
CREATE TABLE eve.of_domain (id eve.domain PRIMARY KEY);
INSERT INTO eve.of_domain VALUES (5000);
SELECT pg_temp.try('SELECT hilo_next(''eve.planted'')'), pg_temp.try('SELECT hilo_next_range(''eve.planted'')');
SELECT statement, pg_temp.try(statement) FROM raise;
RESET ROLE;
SET client_min_messages = error;
SELECT statement, pg_temp.try(statement) FROM raise;
SELECT * FROM hilo_resync_all() WHERE rel::text ~ 'eve';
ALTER TABLE eve.planted ENABLE TRIGGER ALL;
INSERT INTO eve.planted VALUES (6000);
:state;
-- a right that is gone
GRANT UPDATE ON SEQUENCE shop.orders_id_seq TO regress_hilo_eve;
SET ROLE regress_hilo_eve;
INSERT INTO eve.planted VALUES (6001);
RESET ROLE;
:state;
REVOKE UPDATE ON SEQUENCE shop.orders_id_seq FROM regress_hilo_eve;
SET ROLE regress_hilo_eve;
INSERT INTO eve.planted VALUES (7000);
-- a default that names the table: no second stream, whichever role resyncs it
CREATE TABLE eve.borrows (id bigint PRIMARY KEY DEFAULT hilo_next('shop.orders'));
INSERT INTO eve.borrows VALUES (9000);
RESET ROLE;
SELECT hilo_resync('eve.borrows', 'id');
SELECT count(*) FROM hilo_resync_all() WHERE rel = 'eve.borrows'::regclass;
SELECT name FROM hilo_generators();

-- the name of the generator that takes from a sequence is shown to roles with a right to that
CREATE SEQUENCE shop.blocks INCREMENT 10;
SELECT hilo_adopt_sequence_tag('hidden', 'shop.blocks', 'efcore', 10), hilo_revoke('hidden', 'public');
SELECT hilo_next_range('shop.blocks');
SET ROLE regress_hilo_eve;
SELECT hilo_next_range('shop.blocks');
RESET ROLE;
SELECT hilo_drop('hidden');

-- triggers of a part stop no ALTER TABLE of the whole
CREATE TABLE shop.whole (id bigserial, g int) PARTITION BY LIST (g);
CREATE TABLE eve.part PARTITION OF shop.whole FOR VALUES IN (1);
ALTER TABLE shop.whole OWNER TO regress_hilo_alice;
ALTER TABLE eve.part OWNER TO regress_hilo_eve;
SET ROLE regress_hilo_eve;
CREATE TRIGGER gone AFTER INSERT ON eve.part FOR EACH ROW EXECUTE FUNCTION hilo_follow('', 'none');
CREATE TRIGGER origin AFTER INSERT ON eve.part FOR EACH ROW EXECUTE FUNCTION hilo_follow('', 'id');
SET ROLE regress_hilo_alice;
ALTER TABLE ONLY shop.whole ALTER g SET DEFAULT 1;
ALTER TABLE shop.whole RENAME TO halves;
RESET ROLE;

SET client_min_messages = warning;
DROP SCHEMA shop, eve CASCADE;
DROP TABLE take, raise;
DROP ROLE regress_hilo_alice, regress_hilo_eve;
