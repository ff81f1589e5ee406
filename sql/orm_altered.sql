/*
 * Adopted sequences that are altered or restarted while hilo has a block of them
 */
CREATE TABLE used (name text, by_orm boolean, id bigint);
CREATE FUNCTION orm_takes(name text, style text, n bigint) RETURNS void LANGUAGE sql AS $$
	INSERT INTO used SELECT name, true, generate_series(greatest(low, 1), low + size - 1)
	FROM nextval(quote_ident(name)::regclass) v, LATERAL (
		SELECT CASE WHEN style ~ 'legacy|seqhilo' THEN v * size WHEN style ~ 'hilo' THEN (v - 1) * size + 1
			   WHEN style IN ('hibernate4-pooled', 'nhibernate-pooled') THEN v - size
			   WHEN style IN ('hibernate-pooled', 'eclipselink') THEN v - size + 1 ELSE v END AS low, size
		  FROM (SELECT n + CASE WHEN style ~ 'legacy|seqhilo' THEN 1 ELSE 0 END AS size) s) b;
$$;
-- false if it gets none, whatever it had already
CREATE FUNCTION sql_takes(name text, n int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO used SELECT name, false, hilo_next_tag(name) FROM generate_series(1, n);
	RETURN true;
EXCEPTION WHEN object_not_in_prerequisite_state THEN
	RETURN false;
END $$;
/*
 * SQL has a block, the sequence is altered, the ORM takes a block by its new setting, and
 * SQL goes on; then the sequence is adopted by that, and both go on.
 */
CREATE PROCEDURE alters(style text, n bigint, increment int, change text, new_n bigint, in_one boolean) LANGUAGE plpgsql AS $$
DECLARE
	generator text := format('%s %s %s', style, change, in_one);
BEGIN
	EXECUTE format('CREATE SEQUENCE %I INCREMENT %s', generator, increment);
	PERFORM hilo_adopt_sequence_tag(generator, quote_ident(generator)::regclass, style, n);
	COMMIT;
	ASSERT sql_takes(generator, 1);
	COMMIT;
	EXECUTE format('ALTER SEQUENCE %I %s', generator, change);
	-- a program that restarts a sequence has no rows
	DELETE FROM used WHERE name = generator AND change = 'RESTART';
	ASSERT NOT sql_takes(generator, 1);
	IF in_one THEN
		PERFORM hilo_adopt_sequence_tag(generator, quote_ident(generator)::regclass, style, new_n);
		ASSERT NOT sql_takes(generator, 1);
	END IF;
	COMMIT;
	PERFORM orm_takes(generator, style, new_n);
	COMMIT;
	ASSERT sql_takes(generator, 60) = (in_one OR change = 'RESTART');
	COMMIT;
	PERFORM hilo_adopt_sequence_tag(generator, quote_ident(generator)::regclass, style, new_n);
	COMMIT;
	FOR round IN 1 .. 3 LOOP
		ASSERT sql_takes(generator, 60);
		PERFORM orm_takes(generator, style, new_n);
		COMMIT;
	END LOOP;
	PERFORM hilo_drop(generator);
	EXECUTE format('DROP SEQUENCE %I', generator);
END $$;
SELECT format('CALL alters(%L, %s, %s, %L, %s, %L)', style, n, increment, change, new_n, in_one)
  FROM (VALUES ('efcore', 100, 100), ('hibernate-pooled', 100, 100), ('hibernate-pooled-lo', 100, 100),
			   ('hibernate-pooled-lotl', 100, 100), ('hibernate-hilo', 100, 1), ('hibernate-legacy-hilo', 99, 1),
			   ('hibernate4-pooled', 100, 100), ('nhibernate-seqhilo', 99, 1), ('nhibernate-pooled', 100, 100),
			   ('nhibernate-pooled-lo', 100, 100), ('doctrine', 100, 100), ('eclipselink', 100, 100),
			   ('eclipselink-start-at-nextval', 100, 100), ('openjpa', 100, 100), ('datanucleus', 100, 100),
			   ('cayenne', 100, 100)) s (style, n, increment),
	   LATERAL (VALUES ('INCREMENT 50', 50), ('RESTART', n)) c (change, new_n), (VALUES (false), (true)) o (in_one)
 WHERE increment > 1 OR change = 'RESTART'
 ORDER BY 1 \gexec
SELECT count(DISTINCT name) FROM used;
SELECT name, count(*) FROM (SELECT name, id FROM used GROUP BY 1, 2 HAVING count(*) > 1) t GROUP BY 1 ORDER BY 1;

-- what a session has returned of a block is not taken either
CREATE SEQUENCE orders_hilo INCREMENT 10;
SELECT hilo_adopt_sequence_tag('orders', 'orders_hilo', 'efcore');
CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next_tag('orders'), item text);
ALTER SEQUENCE orders_hilo OWNED BY orders.id;
INSERT INTO orders (item) VALUES ('a') RETURNING id;
SELECT hilo_release('orders');
ALTER SEQUENCE orders_hilo MAXVALUE 1000;
INSERT INTO orders (item) VALUES ('b') RETURNING id;
-- what changes no value changes nothing
ALTER SEQUENCE orders_hilo OWNED BY NONE;
ALTER SEQUENCE orders_hilo OWNED BY orders.id;
INSERT INTO orders (item) VALUES ('c') RETURNING id;
BEGIN;
ALTER SEQUENCE orders_hilo RESTART;
ROLLBACK;
INSERT INTO orders (item) VALUES ('d') RETURNING id;
-- the transaction that alters the sequence takes no ids, be they at hand, and whatever it rolls back to
BEGIN;
INSERT INTO orders (item) VALUES ('e') RETURNING id;
SAVEPOINT before;
ALTER SEQUENCE orders_hilo INCREMENT 5;
SAVEPOINT altered;
INSERT INTO orders (item) VALUES ('f');
ROLLBACK TO altered;
SELECT hilo_next_range('orders');
ROLLBACK TO altered;
SELECT hilo_next_tag('orders', 2);
ROLLBACK TO before;
INSERT INTO orders (item) VALUES ('f') RETURNING id;
COMMIT;
-- it may adopt it again
BEGIN;
ALTER SEQUENCE orders_hilo INCREMENT 5;
SELECT hilo_adopt_sequence_tag('orders', 'orders_hilo', 'efcore', 5);
SAVEPOINT adopted;
INSERT INTO orders (item) VALUES ('g');
ROLLBACK TO adopted;
COMMIT;
SELECT nextval('orders_hilo');
INSERT INTO orders (item) VALUES ('g') RETURNING id;
BEGIN;
ALTER SEQUENCE orders_hilo INCREMENT 3;
SELECT hilo_adopt_sequence_tag('orders', 'orders_hilo', 'efcore', 3);
ROLLBACK;
INSERT INTO orders (item) VALUES ('h') RETURNING id;
SELECT nextval('orders_hilo');
-- or for the first time
CREATE SEQUENCE later_hilo INCREMENT 10;
BEGIN;
ALTER SEQUENCE later_hilo INCREMENT 5;
SELECT hilo_adopt_sequence_tag('later', 'later_hilo', 'nhibernate-pooled', 5);
SAVEPOINT adopted;
SELECT hilo_next_tag('later');
ROLLBACK TO adopted;
COMMIT;
SELECT hilo_next_tag('later'), nextval('later_hilo');
-- a subtransaction takes the lock with it, and the next id takes another one
BEGIN;
SAVEPOINT failing;
INSERT INTO orders (item) VALUES ('i') RETURNING id;
ROLLBACK TO failing;
INSERT INTO orders (item) VALUES ('i') RETURNING id;
COMMIT;
-- the table that owns the sequence
SELECT last FROM hilo_generators() WHERE name = 'orders' \gset
TRUNCATE orders RESTART IDENTITY;
SELECT nextval('orders_hilo');
INSERT INTO orders (item) VALUES ('j') RETURNING id > :last AS above;
-- another sequence of that name, which the ORM uses from 1 on
DROP SEQUENCE orders_hilo CASCADE;
CREATE SEQUENCE orders_hilo INCREMENT 5;
SELECT nextval('orders_hilo');
INSERT INTO orders (item) VALUES ('k');
-- what a table that is gone has given
CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint);
SELECT hilo_adopt_table_tag('docs', 'mt_hilo', 'marten', 10);
SELECT hilo_next_tag('docs');
DROP TABLE mt_hilo;
SELECT hilo_next_tag('docs');
-- from a table to a sequence and back, nothing is lost but the rest of a block
CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint);
SELECT hilo_adopt_table_tag('docs', 'mt_hilo', 'marten', 10);
SELECT hilo_next_tag('docs'), hilo_release('docs'), hilo_next_tag('docs');
CREATE SEQUENCE docs_hilo INCREMENT 10 START 101;
SELECT hilo_adopt_sequence_tag('docs', 'docs_hilo', 'efcore');
SELECT hilo_next_tag('docs'), hilo_release('docs'), hilo_next_tag('docs');
SELECT hilo_adopt_table_tag('docs', 'mt_hilo', 'marten', 10);
SELECT hilo_seed('docs', 200);
SELECT hilo_next_tag('docs'), hilo_release('docs'), hilo_next_tag('docs');
DROP TABLE orders, mt_hilo, used;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE ordering = 'adopted';
DROP SEQUENCE orders_hilo, later_hilo, docs_hilo;
DROP PROCEDURE alters;
DROP FUNCTION orm_takes, sql_takes;
