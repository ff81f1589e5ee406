/*
 * Roles that may use a table's own generator by INSERT on something else than the table: a part,
 * views in all their forms, tables that share the generator.  One session asks throughout,
 * first by a call of what it knows already
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/right_take_setup.sql'
\i :setup

-- a part that is loaded directly; and no more when it leaves, or the right does
SET ROLE regress_hilo_owner;
CREATE TABLE orders (id bigint DEFAULT hilo_next('orders'), a int) PARTITION BY LIST (a);
CREATE TABLE half PARTITION OF orders FOR VALUES IN (1, 2) PARTITION BY LIST (a);
CREATE TABLE part PARTITION OF half FOR VALUES IN (1);
GRANT INSERT ON part TO regress_hilo_app;
RESET ROLE;
SELECT may('regress_hilo_app', 'INSERT INTO part (a) VALUES (1)'), may('regress_hilo_app', 'INSERT INTO orders (a) VALUES (1)'), may('regress_hilo_app');
REVOKE INSERT ON part FROM regress_hilo_app;
SELECT may('regress_hilo_app');
GRANT INSERT ON half TO regress_hilo_app;
SELECT may('regress_hilo_app', 'INSERT INTO half (a) VALUES (1)'), may('regress_hilo_app');
ALTER TABLE orders DETACH PARTITION half;
ALTER TABLE half ALTER id DROP DEFAULT;
ALTER TABLE part ALTER id DROP DEFAULT;
SELECT may('regress_hilo_app');
DROP TABLE half;

-- a view, by the rights of its owner; with those of the caller it gives none
SET ROLE regress_hilo_owner;
DROP TABLE orders;
CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'), a int);
CREATE VIEW view AS SELECT a FROM orders;
CREATE VIEW above AS SELECT a FROM view;
GRANT INSERT ON view TO regress_hilo_app;
RESET ROLE;
SELECT may('regress_hilo_app'), may('regress_hilo_app', 'INSERT INTO view VALUES (1)');
ALTER VIEW view SET (security_invoker);
SELECT may('regress_hilo_app'), may('regress_hilo_app', 'INSERT INTO view VALUES (1)');
ALTER VIEW view RESET (security_invoker);
SELECT may('regress_hilo_app');
REVOKE INSERT ON view FROM regress_hilo_app;
SELECT may('regress_hilo_app');
-- a view of a view: each owner must have the right to the one below, now
GRANT INSERT ON above TO regress_hilo_app;
SELECT may('regress_hilo_app'), may('regress_hilo_app', 'INSERT INTO above VALUES (1)');
ALTER VIEW above OWNER TO regress_hilo_bob;
SELECT may('regress_hilo_app'), may('regress_hilo_app', 'INSERT INTO above VALUES (1)');
GRANT INSERT ON view TO regress_hilo_bob;
SELECT may('regress_hilo_app'), may('regress_hilo_app', 'INSERT INTO above VALUES (1)');
REVOKE INSERT ON view FROM regress_hilo_bob;
SELECT may('regress_hilo_app'), may('regress_hilo_app', 'INSERT INTO above VALUES (1)');
GRANT INSERT ON view TO regress_hilo_bob;
SELECT may('regress_hilo_app');
ALTER VIEW view OWNER TO regress_hilo_app;
SELECT may('regress_hilo_app'), may('regress_hilo_app', 'INSERT INTO above VALUES (1)');
DROP VIEW above;
ALTER VIEW view OWNER TO regress_hilo_owner;
-- one that does not write to the table, or to nothing by itself
GRANT INSERT ON view TO regress_hilo_app;
CREATE RULE instead AS ON INSERT TO view DO INSTEAD NOTHING;
SELECT may('regress_hilo_app'), may('regress_hilo_app', 'INSERT INTO view VALUES (1)');
DROP RULE instead ON view;
SELECT may('regress_hilo_app');
CREATE RULE kept AS ON DELETE TO view DO INSTEAD NOTHING;
SELECT may('regress_hilo_app');
CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER instead INSTEAD OF INSERT ON view FOR EACH ROW EXECUTE FUNCTION nothing();
SELECT may('regress_hilo_app'), may('regress_hilo_app', 'INSERT INTO view VALUES (1)');
DROP TRIGGER instead ON view;
SELECT may('regress_hilo_app');
DROP VIEW view;
SELECT may('regress_hilo_app');
CREATE VIEW view AS SELECT a FROM orders GROUP BY a;
GRANT INSERT ON view TO regress_hilo_app;
SELECT may('regress_hilo_app');
DROP VIEW view;
-- the rule of a view that has its own default
SET ROLE regress_hilo_owner;
CREATE VIEW view AS SELECT 1::bigint AS id, 2 AS a;
ALTER VIEW view ALTER id SET DEFAULT hilo_next('orders');
CREATE RULE instead AS ON INSERT TO view DO INSTEAD INSERT INTO orders VALUES (NEW.*);
GRANT INSERT ON view TO regress_hilo_app;
RESET ROLE;
SELECT may('regress_hilo_app', 'INSERT INTO view (a) VALUES (1)'), may('regress_hilo_app');
DROP VIEW view;
SELECT may('regress_hilo_app');

-- another table of the owner that shares it, by its relation or by its name
SET ROLE regress_hilo_owner;
CREATE TABLE shares (id bigint DEFAULT hilo_next('orders'), a int);
GRANT INSERT ON shares TO regress_hilo_app;
RESET ROLE;
SELECT may('regress_hilo_app', 'INSERT INTO shares (a) VALUES (1)'), may('regress_hilo_app');
ALTER TABLE shares ALTER id SET DEFAULT hilo_next_id('#orders')::bigint;
SELECT may('regress_hilo_app');
ALTER TABLE shares ALTER id DROP DEFAULT;
SELECT may('regress_hilo_app');
-- of another owner: no right for others, and with a grant a right to calls alone
SET ROLE regress_hilo_bob;
CREATE TABLE bait (id bigint DEFAULT hilo_next('orders'), a int);
GRANT INSERT ON bait TO regress_hilo_app;
CREATE VIEW bait_view AS SELECT a FROM orders;
GRANT INSERT ON bait_view TO regress_hilo_app;
RESET ROLE;
SELECT may('regress_hilo_bob'), may('regress_hilo_app');
SELECT may('regress_hilo_bob', 'INSERT INTO bait (a) VALUES (1)'), may('regress_hilo_app', 'INSERT INTO bait (a) VALUES (1)');
INSERT INTO bait (a) VALUES (1);
SELECT hilo_grant('orders', 'public');
SELECT may('regress_hilo_bob'), may('regress_hilo_bob', 'INSERT INTO bait (a) VALUES (1)');
SELECT hilo_revoke('orders', 'public'), hilo_grant('orders', 'regress_hilo_bob');
SELECT may('regress_hilo_bob', 'INSERT INTO bait (a) VALUES (1)'), may('regress_hilo_app', 'INSERT INTO bait (a) VALUES (1)'), may('regress_hilo_app');
SELECT hilo_revoke('orders', 'regress_hilo_bob');
SELECT may('regress_hilo_bob'), may('regress_hilo_app'), may('regress_hilo_app', 'INSERT INTO bait (a) VALUES (1)');
-- a member of the owner's role that does not inherit its rights
GRANT regress_hilo_owner TO regress_hilo_bob;
SELECT may('regress_hilo_bob'), may('regress_hilo_app');
ALTER ROLE regress_hilo_bob NOINHERIT;
REVOKE regress_hilo_owner FROM regress_hilo_bob;
GRANT regress_hilo_owner TO regress_hilo_bob;
SELECT may('regress_hilo_bob'), may('regress_hilo_app');
REVOKE regress_hilo_owner FROM regress_hilo_bob;
-- nor by way of a table that changes hands, either way; that a superuser may use all
-- generators gives no role a right
ALTER TABLE bait OWNER TO regress_hilo_owner;
SELECT may('regress_hilo_app'), may('regress_hilo_app', 'INSERT INTO bait (a) VALUES (1)');
ALTER TABLE bait OWNER TO regress_hilo_bob;
SELECT may('regress_hilo_app');
ALTER TABLE bait OWNER TO CURRENT_USER;
SELECT may('regress_hilo_app'), may('regress_hilo_app', 'INSERT INTO bait (a) VALUES (1)');
-- a table of a superuser, which others may insert into
DROP TABLE bait;
ALTER TABLE orders OWNER TO CURRENT_USER;
GRANT INSERT ON orders TO regress_hilo_app;
SELECT may('regress_hilo_app', 'INSERT INTO orders (a) VALUES (1)'), may('regress_hilo_app'), may('regress_hilo_owner');

-- a session that knows only the last of three views, or a part of a table that shares the
-- generator, sees that a right between them and the table has gone
SET ROLE regress_hilo_owner;
CREATE TABLE rows (id bigint DEFAULT hilo_next('rows'), a int);
CREATE VIEW view AS SELECT a FROM rows;
CREATE VIEW above AS SELECT a FROM view;
CREATE VIEW top AS SELECT a FROM above;
GRANT INSERT ON view TO regress_hilo_bob;
CREATE TABLE shared (id bigint DEFAULT hilo_next('rows'), a int) PARTITION BY LIST (a);
CREATE TABLE shared_part PARTITION OF shared FOR VALUES IN (1);
ALTER TABLE shared_part ALTER id DROP DEFAULT;
RESET ROLE;
ALTER VIEW above OWNER TO regress_hilo_bob;
GRANT INSERT ON above TO regress_hilo_owner;
GRANT INSERT ON top TO regress_hilo_app;
CREATE ROLE regress_hilo_loader;
GRANT USAGE ON SCHEMA rights TO regress_hilo_loader;
GRANT INSERT ON shared_part TO regress_hilo_loader;
\c -
SET search_path = rights, public;
SELECT may('regress_hilo_app', 'SELECT hilo_next(''rows'')'), may('regress_hilo_app', 'INSERT INTO top VALUES (1)');
REVOKE INSERT ON view FROM regress_hilo_bob;
SELECT may('regress_hilo_app', 'SELECT hilo_next(''rows'')'), may('regress_hilo_app', 'INSERT INTO top VALUES (1)');
\c -
SET search_path = rights, public;
SELECT may('regress_hilo_loader', 'SELECT hilo_next(''rows'')');
ALTER TABLE shared OWNER TO regress_hilo_bob;
SELECT may('regress_hilo_loader', 'SELECT hilo_next(''rows'')');

SET client_min_messages = warning;
DROP SCHEMA rights CASCADE;
SELECT name FROM hilo_generators();
DROP ROLE regress_hilo_owner, regress_hilo_app, regress_hilo_bob, regress_hilo_loader;
