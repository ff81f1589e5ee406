/*
 * What a bare name means: a tag or a table that is there and that the role may use, and nothing that is guessed.  A table
 * has one stream, whatever its keys are, and a part has the whole's
 */
\set VERBOSITY terse
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_web;
CREATE SCHEMA nb;
GRANT ALL ON SCHEMA nb TO regress_hilo_alice, regress_hilo_bob;
GRANT USAGE ON SCHEMA nb TO regress_hilo_web;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_alice, regress_hilo_bob;
SET search_path = nb, public;

-- a key of one number that programs set has its own generator, above the rows
SET ROLE regress_hilo_alice;
CREATE TABLE plain (id bigint PRIMARY KEY);
CREATE TABLE numerics (id numeric PRIMARY KEY);
INSERT INTO plain VALUES (7);
INSERT INTO numerics VALUES (8);
SELECT hilo_next('plain'), hilo_next('numerics');
-- other keys of numbers are not guessed about; each hint is followed
CREATE TABLE dated (id bigint, at date, PRIMARY KEY (id, at));
CREATE TABLE tenants (tenant int, id bigint, PRIMARY KEY (tenant, id));
CREATE TABLE uniques (id bigint UNIQUE NOT NULL);
CREATE TABLE defaults (id bigint PRIMARY KEY DEFAULT 5);
INSERT INTO dated VALUES (5, '2026-01-01');
INSERT INTO tenants VALUES (5, 5);
INSERT INTO uniques VALUES (5);
CREATE FUNCTION pg_temp.refused(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE hint text;
BEGIN
	EXECUTE 'SELECT ' || call;
	RETURN 'no error';
EXCEPTION WHEN object_not_in_prerequisite_state THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN sqlerrm || ' | ' || hint;
END $$;
SELECT pg_temp.refused(format('%s(%L)', function, name))
  FROM unnest(ARRAY['dated', 'tenants', 'uniques', 'defaults']) name, unnest(ARRAY['hilo_next', 'hilo_next_range', 'hilo_create']) function;
SELECT count(*) FROM hilo_generators() WHERE name IN ('dated', 'tenants', 'uniques', 'defaults');
SELECT hilo_attach('nb.dated', 'id'), hilo_attach('nb.tenants', 'id'), hilo_attach('nb.uniques', 'id'), hilo_attach('nb.defaults', 'id', 'nb.defaults');
SELECT hilo_next('dated'), hilo_next('tenants'), hilo_next('uniques'), hilo_next('defaults');
-- without a key of numbers a bare name is a tag, and the table has ids once a column draws
CREATE TABLE texts (id uuid PRIMARY KEY);
CREATE TABLE logs (id bigint, note text);
INSERT INTO logs VALUES (5);
CREATE TABLE uses (id bigint);
SELECT low FROM hilo_next_range('texts');
SELECT DISTINCT pg_temp.refused(format(call, name))
  FROM unnest(ARRAY['logs', 'texts']) name, unnest(ARRAY['hilo_next(%L)', 'hilo_next_range(''#%s'')', 'hilo_next_hi(''#%s'', 10)', 'hilo_create(''#%s'')', 'hilo_attach(''uses'', ''id'', ''#%s'')']) call ORDER BY 1;
SELECT hilo_attach('uses', 'id', '##texts'), hilo_attach('nb.logs', 'id'), hilo_attach('uses', 'id', '#logs');
SELECT hilo_next('logs'), hilo_next_tag('texts') > 0 AS of_tag, low FROM hilo_next_range('##texts');

-- of a part, the whole's stream, also where programs number
CREATE TABLE whole (id bigint PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE part PARTITION OF whole FOR VALUES FROM (0) TO (1000);
INSERT INTO part VALUES (9);
SELECT hilo_next('part'), hilo_next('whole'), (SELECT low > 9 FROM hilo_next_range('part'));
SELECT pg_temp.refused($$hilo_create('part')$$);
CREATE TABLE mother (id bigint PRIMARY KEY);
CREATE TABLE child (PRIMARY KEY (id)) INHERITS (mother);
SELECT hilo_next('child'), hilo_next('mother');
SELECT name FROM hilo_generators() WHERE name IN ('part', 'child', 'whole', 'mother') ORDER BY 1;

-- another owner's table gives no ids by its bare name, and stops no tag
SET ROLE regress_hilo_bob;
CREATE TABLE orders (id bigint PRIMARY KEY);
CREATE TABLE users (id text);
CREATE TABLE parts (id bigint PRIMARY KEY);
CREATE TABLE planted (id bigint PRIMARY KEY DEFAULT hilo_next('planted'));
GRANT INSERT ON orders, planted TO public;
INSERT INTO planted DEFAULT VALUES;
SET ROLE regress_hilo_alice;
SELECT pg_temp.refused($$hilo_next_range('orders', 32)$$), pg_temp.refused($$hilo_create('orders')$$), pg_temp.refused($$hilo_seed('orders', 5)$$);
SELECT low FROM hilo_next_range('##orders', 32);
SELECT low FROM hilo_next_range('orders', 32);
SELECT low FROM hilo_next_range('users', 32);
SELECT hilo_next_tag('parts'), (SELECT low FROM hilo_next_range('parts', 32)), hilo_seed('parts', 100);
SELECT hilo_next_tag('planted'), (SELECT low FROM hilo_next_range('planted', 32));
-- the hint, by the owner: then another role's INSERT gives it ids
SET ROLE regress_hilo_bob;
SELECT hilo_create('nb.orders');
SELECT low FROM hilo_next_range('nb.orders', 32);
SET ROLE regress_hilo_web;
SELECT low FROM hilo_next_range('orders', 32);
SELECT low FROM hilo_next_range('nb.orders', 32);
-- of both, the one that the role may use, whoever planted the other
SET ROLE regress_hilo_alice;
CREATE TABLE mine (id bigint PRIMARY KEY DEFAULT hilo_next('mine'));
GRANT INSERT ON mine TO regress_hilo_web;
SET ROLE regress_hilo_bob;
SELECT hilo_create('##mine');
SET ROLE regress_hilo_web;
SELECT low FROM hilo_next_range('mine', 32);
SET ROLE regress_hilo_bob;
SELECT low FROM hilo_next_range('mine', 32);
SELECT hilo_grant('##mine', 'regress_hilo_web');
SET ROLE regress_hilo_web;
SELECT low FROM hilo_next_range('mine', 32);

-- RavenDB's own calls always mean tags
SET ROLE regress_hilo_alice;
CREATE TABLE companies (id bigserial PRIMARY KEY);
SELECT hilo_next_id('companies'), identity_next('plain');
-- beside a table's own generator, only if it is made on purpose
SELECT hilo_next_id('plain');
SELECT hilo_create('##plain'), hilo_next_id('plain'), hilo_next('plain');
SELECT * FROM hilo_import_ravendb('[{"@metadata": {"@id": "Raven/Hilo/companies"}, "Max": 200}]', '{"companies|": 5}');
SELECT hilo_next('companies'), hilo_next_id('companies');
-- a name of neither is told before a tag is made of it; the calls that change one make none
SELECT hilo_seed('ordres', 1000);
SELECT identity_seed('ordres', 1000);
SELECT hilo_alter('ordrez', 'global');
SELECT hilo_grant('ordrez', 'regress_hilo_web');
SELECT hilo_revoke('ordrez', 'regress_hilo_web');
SELECT hilo_rename('ordrez', 'orderz');
SELECT hilo_drop('ordrez');
SELECT count(*) FROM hilo_generators() WHERE name = 'ordrez';
SET ROLE regress_hilo_web;
SELECT hilo_seed('ordrez', 1000);

RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA nb CASCADE;
DROP OWNED BY regress_hilo_alice, regress_hilo_bob, regress_hilo_web;
SELECT count(hilo_drop('##' || name)) > 0 AS dropped FROM hilo_generators();
DROP ROLE regress_hilo_alice, regress_hilo_bob, regress_hilo_web;
