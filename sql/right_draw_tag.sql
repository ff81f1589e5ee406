/*
 * A table draws from a tag only if the tag's owner has the rights of the table's owner,
 * whatever the tag's owner has granted, and however a default writes the tag
 */
\set VERBOSITY terse
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_staff;
GRANT regress_hilo_staff TO regress_hilo_alice;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_bob;
CREATE SCHEMA a AUTHORIZATION regress_hilo_alice;

-- bob takes the names first, and grants them
SET ROLE regress_hilo_bob;
SELECT hilo_create(name, ordering) FROM (VALUES ('t1.orders', 'session'), ('orders', 'global'), ('docs', 'global'), ('docs|', 'global'), ('bills', 'gapless')) v (name, ordering);
SELECT hilo_grant('t1.orders', 'public'), hilo_grant('orders', 'regress_hilo_alice'), hilo_grant('docs', 'regress_hilo_alice'),
	hilo_grant('docs|', 'regress_hilo_staff'), hilo_grant('bills', 'regress_hilo_staff');
SET ROLE regress_hilo_alice;
-- a call of her own is her decision
SELECT hilo_next_tag('orders'), hilo_next_tag('bills'), hilo_next_tag('t1.orders'), identity_next('docs');
SET app.tenant = 't1';
CREATE FUNCTION a.try("default" text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS a.tried;
	EXECUTE format('CREATE TABLE a.tried (id text DEFAULT %s, n int)', $1);
	INSERT INTO a.tried (n) SELECT 1 FROM generate_series(1, 2);
	RETURN (SELECT min(id) FROM a.tried);
EXCEPTION WHEN insufficient_privilege THEN RETURN SQLERRM;
END $$;
SELECT d AS "default", a.try(d) FROM unnest(ARRAY[$$hilo_next_tag('orders')$$, $$hilo_next_tag('bills')$$, $$hilo_next_id('docs')$$,
	$$identity_next('docs')$$, $$(identity_next('docs', 2)).low$$, $$document_id('docs|')$$, $$(hilo_next_range('orders', 1)).low$$, $$hilo_next_hi('orders', 10)$$,
	$$hilo_next_tag(current_setting('app.tenant') || '.orders')$$, $$hilo_next_tag(concat('t1.orders'))$$, $$'x' || hilo_next_tag(lower('T1.ORDERS'))$$,
	$$hilo_next_id(concat('t1.orders'))$$, $$document_id(concat('docs|'))$$, $$hilo_next_hi(concat('t1.orders'), 10)$$, $$hilo_next_tag('orders.' || 'a')$$]) d;
CREATE TABLE a.docs (id text, n int);
CREATE TRIGGER number BEFORE INSERT ON a.docs FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
INSERT INTO a.docs (n) VALUES (1);
-- a view, a copy, and a statement that has asked before it writes
CREATE TABLE a.computed (id bigint DEFAULT hilo_next_tag(current_setting('app.tenant') || '.orders'), n int);
CREATE VIEW a.seen AS SELECT hilo_next_tag(current_setting('app.tenant') || '.orders') AS id;
CREATE FUNCTION a.write() RETURNS int LANGUAGE sql AS 'INSERT INTO a.computed (n) VALUES (1) RETURNING n';
SELECT id > 0 AS is_call FROM a.seen;
SELECT id, a.write() FROM a.seen;
COPY a.computed (n) FROM stdin;
1
\.
CREATE TEMP TABLE computed (LIKE a.computed INCLUDING DEFAULTS);
INSERT INTO computed (n) VALUES (1) RETURNING id > 0 AS is_call;
DROP TABLE computed;

-- the error names both owners, and its hint works; a role above both may own what they share
\set VERBOSITY default
CREATE TABLE a.orders (id bigint DEFAULT hilo_next_tag('orders'), n int);
INSERT INTO a.orders (n) VALUES (1);
RESET ROLE;
SELECT hilo_alter('orders', owner => 'regress_hilo_alice');
SET ROLE regress_hilo_alice;
INSERT INTO a.orders (n) VALUES (1) RETURNING id > 1 AS above;
RESET ROLE;
CREATE ROLE regress_hilo_both;
GRANT regress_hilo_bob, regress_hilo_alice TO regress_hilo_both;
SELECT hilo_alter('t1.orders', owner => 'regress_hilo_both');
SET ROLE regress_hilo_alice;
INSERT INTO a.computed (n) VALUES (1) RETURNING id > 1 AS above;
SET ROLE regress_hilo_bob;
SELECT hilo_seed('t1.orders', 0, force => true);

RESET ROLE;
DROP SCHEMA a CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name ~ 'orders|docs|bills';
DROP OWNED BY regress_hilo_bob;
DROP ROLE regress_hilo_bob, regress_hilo_alice, regress_hilo_staff, regress_hilo_both;
