/*
 * The roles that may use a table's own generator: its owner, a role with a grant, and a role that may
 * insert into the table, a part of it, or what draws from it.  One session asks throughout,
 * so it knows the generator each time that a right comes or goes
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/right_take_setup.sql'
\i :setup
CREATE ROLE regress_hilo_group;

-- the first use is the owner's, or of a role that may insert
SET ROLE regress_hilo_owner;
CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'), a int, b int);
RESET ROLE;
SELECT may('regress_hilo_app'), may('regress_hilo_app', 'SELECT hilo_next(''orders'', 2)');
SELECT may('regress_hilo_app', 'SELECT hilo_next_range(''orders'')'), may('regress_hilo_app', 'SELECT hilo_create(''orders'')');
GRANT INSERT ON orders TO regress_hilo_app;
SELECT may('regress_hilo_app'), may('regress_hilo_owner'), may('regress_hilo_bob');
SELECT name, owner = 'regress_hilo_owner'::regrole AS owner, columns FROM hilo_generators();

-- INSERT on the table, on one column, through a group or PUBLIC; and no more when it goes
REVOKE INSERT ON orders FROM regress_hilo_app;
SELECT may('regress_hilo_app');
GRANT SELECT, UPDATE, DELETE, REFERENCES, TRIGGER ON orders TO regress_hilo_app;
SELECT may('regress_hilo_app');
GRANT INSERT (a) ON orders TO regress_hilo_app;
SELECT may('regress_hilo_app'), may('regress_hilo_app', 'INSERT INTO orders (a) VALUES (1)');
REVOKE INSERT (a) ON orders FROM regress_hilo_app;
SELECT may('regress_hilo_app');
GRANT INSERT ON orders TO regress_hilo_group;
GRANT regress_hilo_group TO regress_hilo_app;
SELECT may('regress_hilo_app');
REVOKE regress_hilo_group FROM regress_hilo_app;
SELECT may('regress_hilo_app');
GRANT regress_hilo_group TO regress_hilo_app;
REVOKE INSERT ON orders FROM regress_hilo_group;
SELECT may('regress_hilo_app');
REVOKE regress_hilo_group FROM regress_hilo_app;
GRANT INSERT ON orders TO PUBLIC;
SELECT may('regress_hilo_app');
REVOKE INSERT ON orders FROM PUBLIC;
SELECT may('regress_hilo_app');

-- for every call that takes ids and shows what may be used, and for none that changes it
GRANT INSERT ON orders TO regress_hilo_app;
SELECT call, may('regress_hilo_app', 'SELECT ' || call) FROM unnest(ARRAY[
	$$hilo_next('orders', 3)$$, $$hilo_next_id('orders')$$, $$hilo_next_range('orders', 5)$$, $$hilo_next_hi('orders', 5)$$,
	$$hilo_current('orders')$$, $$hilo_release('orders')$$, $$hilo_next_range('#orders')$$, $$hilo_next_range('rights.orders')$$,
	$$hilo_seed('orders', 1000)$$, $$hilo_alter('orders', range_size => 5)$$, $$hilo_grant('orders', 'regress_hilo_app')$$,
	$$hilo_drop('orders')$$, $$hilo_rename('orders', 'mine')$$, $$hilo_attach('orders', 'id')$$, $$hilo_resync('orders', 'id')$$,
	$$hilo_move('orders', 'orders')$$, $$hilo_adopt_sequence('orders', 'id', 'orders', 'efcore')$$]) call;
SET ROLE regress_hilo_app;
SELECT name, grants FROM hilo_generators();
SELECT name FROM hilo_session();
RESET ROLE;
REVOKE INSERT ON orders FROM regress_hilo_app;
SET ROLE regress_hilo_app;
SELECT name, grants FROM hilo_generators();
SELECT name FROM hilo_session();
RESET ROLE;

-- a grant, and each of its ends; CREATE on the database is no right to it
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_bob;
SELECT may('regress_hilo_bob'), may('regress_hilo_bob', 'SELECT hilo_create(''##rights.orders'')');
SELECT hilo_grant('orders', 'regress_hilo_app');
SELECT may('regress_hilo_app'), may('regress_hilo_bob');
SELECT hilo_revoke('orders', 'regress_hilo_app');
SELECT may('regress_hilo_app');
SELECT hilo_grant('orders', 'public');
SELECT may('regress_hilo_app');
SELECT hilo_revoke('orders', 'public');
SELECT may('regress_hilo_app');

-- in one transaction, on a range in hand
GRANT INSERT ON orders TO regress_hilo_app;
BEGIN;
SET LOCAL ROLE regress_hilo_app;
SELECT hilo_next('orders') > 0 AS before;
RESET ROLE;
REVOKE INSERT ON orders FROM regress_hilo_app;
SELECT may('regress_hilo_app');
ROLLBACK;
SELECT may('regress_hilo_app');
REVOKE INSERT ON orders FROM regress_hilo_app;

-- the owner is that of the table, now; a grant stays
SELECT hilo_grant('orders', 'regress_hilo_app');
ALTER TABLE orders OWNER TO regress_hilo_bob;
SELECT may('regress_hilo_owner'), may('regress_hilo_bob'), may('regress_hilo_app');
SELECT may('regress_hilo_owner', 'SELECT hilo_seed(''orders'', 500)'), may('regress_hilo_bob', 'SELECT hilo_seed(''orders'', 500)');
ALTER TABLE orders OWNER TO CURRENT_USER;
SELECT may('regress_hilo_bob'), may('regress_hilo_app');
GRANT INSERT ON orders TO regress_hilo_bob;
SELECT may('regress_hilo_bob');
REVOKE INSERT ON orders FROM regress_hilo_bob;
SELECT may('regress_hilo_bob');
ALTER TABLE orders OWNER TO regress_hilo_owner;
SELECT hilo_revoke('orders', 'regress_hilo_app');
SELECT may('regress_hilo_owner'), may('regress_hilo_app');

-- under another name, in another schema
ALTER TABLE orders RENAME TO renamed;
SELECT may('regress_hilo_owner', 'SELECT hilo_next(''renamed'')'), may('regress_hilo_app', 'SELECT hilo_next(''renamed'')');
ALTER TABLE renamed RENAME TO orders;

-- INSERT with the default: in the ways that rows come
GRANT INSERT, SELECT, UPDATE ON orders TO regress_hilo_app;
SET ROLE regress_hilo_app;
INSERT INTO orders (a) VALUES (2) RETURNING id > 0 AS ok;
INSERT INTO orders (a) VALUES (3) ON CONFLICT (id) DO UPDATE SET b = 1 RETURNING id > 0 AS ok;
MERGE INTO orders USING (VALUES (4)) v (n) ON a = n WHEN NOT MATCHED THEN INSERT (a) VALUES (n);
COPY orders (a) FROM stdin;
5
6
\.
PREPARE to_orders AS INSERT INTO orders (a) VALUES (7) RETURNING id > 0 AS ok;
EXECUTE to_orders;
RESET ROLE;
REVOKE INSERT ON orders FROM regress_hilo_app;
SET ROLE regress_hilo_app;
EXECUTE to_orders;
RESET ROLE;
DEALLOCATE to_orders;
SELECT count(*) = count(DISTINCT id) AS unique, count(*) FROM orders;

-- row security refuses the row, not the id
ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY seven ON orders USING (a = 7);
GRANT INSERT ON orders TO regress_hilo_app;
SELECT may('regress_hilo_app', 'INSERT INTO orders (a) VALUES (8)'), may('regress_hilo_app', 'INSERT INTO orders (a) VALUES (7)');
ALTER TABLE orders DISABLE ROW LEVEL SECURITY;
REVOKE INSERT ON orders FROM regress_hilo_app;

-- a function or a trigger with the rights of its owner
SET ROLE regress_hilo_owner;
CREATE TABLE log (n int);
GRANT INSERT ON log TO regress_hilo_app;
CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
	'BEGIN INSERT INTO rights.orders (a) VALUES (NEW.n); RETURN NEW; END';
CREATE TRIGGER log BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION log();
RESET ROLE;
SELECT may('regress_hilo_app', 'INSERT INTO log VALUES (9)'), may('regress_hilo_app');
ALTER FUNCTION log() SECURITY INVOKER;
SELECT may('regress_hilo_app', 'INSERT INTO log VALUES (9)');

DROP SCHEMA rights CASCADE;
SELECT name FROM hilo_generators();
REVOKE CREATE ON DATABASE :DBNAME FROM regress_hilo_bob;
DROP ROLE regress_hilo_owner, regress_hilo_app, regress_hilo_bob, regress_hilo_group;
