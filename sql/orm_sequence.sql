/*
 * Generators whose ranges come from an ORM's sequence
 */
SET hilo.prefetch = on;

-- What an ORM does: nextval, then its own ids.  Here by its own formula, written anew.
CREATE FUNCTION orm_block(style text, sequence regclass, n bigint, start bigint) RETURNS TABLE (id bigint)
LANGUAGE plpgsql AS $$
DECLARE
	v bigint := nextval(sequence);
	low bigint;
	high bigint;
BEGIN
	CASE
	WHEN style IN ('efcore', 'hibernate-pooled-lo', 'nhibernate-pooled-lo', 'doctrine', 'eclipselink-start-at-nextval',
				   'openjpa', 'datanucleus', 'cayenne') THEN
		low := v; high := v + n - 1;
	WHEN style = 'hibernate-pooled' THEN
		low := CASE WHEN v = start THEN v ELSE v - n + 1 END; high := v;
	WHEN style = 'eclipselink' THEN
		low := v - n + 1; high := v;
	WHEN style = 'hibernate-hilo' THEN
		low := (v - 1) * n + 1; high := v * n;
	WHEN style IN ('hibernate-legacy-hilo', 'nhibernate-seqhilo') THEN
		low := greatest(v * (n + 1), 1); high := v * (n + 1) + n;
	WHEN style = 'hibernate-none' THEN
		low := v; high := v;
	WHEN style IN ('hibernate4-pooled', 'nhibernate-pooled') THEN
		IF v = start THEN
			high := nextval(sequence) - 1; low := v;
		ELSE
			low := v - n; high := v - 1;
		END IF;
	END CASE;
	RETURN QUERY SELECT generate_series(low, high);
END $$;
CREATE TEMP TABLE handed (n int GENERATED ALWAYS AS IDENTITY, style text, by_orm boolean, id bigint);
-- by turns: the ORM a block, SQL some ids, whoever is first
CREATE FUNCTION side_by_side(style text, n bigint, increment bigint, start bigint, orm_first boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	generator text := style || ' ' || start || ' ' || increment || CASE WHEN orm_first THEN ' orm' ELSE ' sql' END;
BEGIN
	EXECUTE format('CREATE SEQUENCE %I START %s INCREMENT %s', generator, start, increment);
	PERFORM hilo_adopt_sequence_tag(generator, quote_ident(generator)::regclass, style, n);
	FOR round IN 1 .. 20 LOOP
		IF orm_first OR round > 1 THEN
			INSERT INTO handed (style, by_orm, id) SELECT generator, true, orm_block(style, quote_ident(generator)::regclass, n, start);
		END IF;
		INSERT INTO handed (style, by_orm, id) SELECT generator, false, hilo_next_tag(generator) FROM generate_series(1, 1 + round * 7 % 23);
	END LOOP;
END $$;
SELECT count(side_by_side(style, n, increment, start, orm_first))
  FROM (VALUES ('efcore', 10, 10), ('hibernate-pooled', 10, 10), ('hibernate-pooled-lo', 10, 10),
			   ('hibernate-hilo', 10, 1), ('hibernate-legacy-hilo', 9, 1), ('hibernate-none', 1, 1),
			   ('hibernate4-pooled', 10, 10), ('nhibernate-seqhilo', 9, 1), ('nhibernate-pooled', 10, 10),
			   ('nhibernate-pooled-lo', 10, 10), ('doctrine', 10, 10), ('eclipselink', 10, 10),
			   ('eclipselink-start-at-nextval', 10, 10), ('openjpa', 10, 10), ('datanucleus', 10, 10),
			   ('cayenne', 20, 20)) s (style, n, increment),
	   (VALUES (1, true), (1, false), (200, true), (200, false)) t (start, orm_first);
SELECT style, id, count(*) FROM handed GROUP BY 1, 2 HAVING count(*) > 1;
SELECT style, min(id) FROM handed WHERE NOT by_orm GROUP BY 1 HAVING min(id) < 1;
-- within the session ids rise
SELECT count(*) FROM (SELECT id, lag(id) OVER (PARTITION BY style ORDER BY n) AS before FROM handed WHERE NOT by_orm) t WHERE before >= id;
SELECT count(*), count(DISTINCT style) FROM handed WHERE NOT by_orm;

-- block null: the sequence's INCREMENT
CREATE SEQUENCE "Orders_hilo" INCREMENT 10;
SELECT hilo_adopt_sequence_tag('Orders', '"Orders_hilo"', 'efcore');
SELECT hilo_next_tag('orders'), hilo_next_tag('orders'), nextval('"Orders_hilo"');
SELECT * FROM hilo_sources() WHERE name = 'Orders';
SELECT name, ordering, first, last, max_value, range_size FROM hilo_generators() WHERE name = 'Orders';
SELECT name, next, high FROM hilo_session() WHERE name = 'Orders';
-- a block is not taken before it is needed; what is given back of it is there for all
SELECT count(hilo_next_tag('orders')) FROM generate_series(1, 8);
SELECT last_value FROM "Orders_hilo";
SELECT hilo_next_tag('orders'), hilo_release('orders'), hilo_next_tag('orders');
-- ranges for clients: a block, or exactly so many ids of one
SELECT low, high, last_size FROM hilo_next_range('orders');
SELECT low, high, last_size FROM hilo_next_range('orders', 4);
SELECT hilo_return_range('orders', high, low, range_no) FROM hilo_next_range('orders', 10);
SELECT hilo_next_range('orders', 11);
SELECT low, high FROM hilo_next_range('orders', last_max => 500);
SELECT nextval('"Orders_hilo"');
SELECT hilo_next_hi('orders', 10);
-- by the ORM's own column default
CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next_tag('orders'), item text);
INSERT INTO orders (item) VALUES ('a'), ('b') RETURNING *;
-- what lastval gives is the block, and not the id
SELECT nextval('"Orders_hilo"') AS before;
SELECT count(hilo_next_tag('orders')) FROM generate_series(1, 8);
INSERT INTO orders (item) VALUES ('c') RETURNING id, lastval(), hilo_current('orders');
INSERT INTO orders (item) VALUES ('d') RETURNING id, lastval(), hilo_current('orders');

-- an ORM that met the first value would take the next one, too, and all ids in between
CREATE SEQUENCE paired INCREMENT 10;
SELECT hilo_adopt_sequence_tag('paired', 'paired', 'nhibernate-pooled');
SELECT nextval('paired');
SELECT low, high FROM hilo_next_range('paired');
SELECT hilo_drop('paired');

-- a rollback brings nothing back
BEGIN;
SELECT low, high FROM hilo_next_range('orders');
ROLLBACK;
SELECT low, high FROM hilo_next_range('orders');

-- resync: the next block is the first one that lies above, and nothing is lowered
CREATE TEMP TABLE raised (style text, m bigint, next_value bigint, low bigint);
DO $$
DECLARE
	s record;
	m bigint;
	v bigint;
BEGIN
	FOR s IN SELECT * FROM (VALUES ('efcore', 7), ('hibernate-pooled', 7), ('hibernate-hilo', 7),
								   ('hibernate-legacy-hilo', 6), ('nhibernate-pooled', 7), ('eclipselink', 7)) t (style, n),
		unnest(ARRAY[1, 6, 7, 8, 48, 49, 50, 399, 400]) m LOOP
		EXECUTE format('CREATE SEQUENCE seeded INCREMENT %s', CASE WHEN s.style LIKE '%hilo' THEN 1 ELSE s.n END);
		PERFORM hilo_adopt_sequence_tag('seeded', 'seeded', s.style, s.n), hilo_seed('seeded', s.m);
		SELECT last_value INTO STRICT v FROM seeded WHERE NOT is_called OR s.style = 'nhibernate-pooled';
		INSERT INTO raised SELECT s.style, s.m, v, low FROM hilo_next_range('seeded');
		PERFORM hilo_drop('seeded');
		DROP SEQUENCE seeded;
	END LOOP;
END $$;
SELECT style, string_agg(format('%s:%s', m, next_value), ' ' ORDER BY m) AS "m:next value" FROM raised GROUP BY style ORDER BY style;
SELECT style, string_agg(format('%s:%s', m, low), ' ' ORDER BY m) AS "m:first id" FROM raised GROUP BY style ORDER BY style;
SELECT last_value, is_called FROM "Orders_hilo" \gset before_
SELECT hilo_seed('orders', 3) = last AS same FROM hilo_generators() WHERE name = 'Orders';
SELECT last_value = :before_last_value AND is_called = :'before_is_called' AS same FROM "Orders_hilo";
SELECT hilo_seed('orders', 5, force => true);
SELECT hilo_seed('orders', NULL) = last AS same FROM hilo_generators() WHERE name = 'Orders';

-- a source that was set back: what was handed out already is passed over
SELECT last FROM hilo_generators() WHERE name = 'Orders' \gset
SELECT setval('"Orders_hilo"', :last - 25) > 0 AS back;
SELECT low > :last AS above FROM hilo_next_range('orders');
SELECT setval('"Orders_hilo"', 100000);
SELECT low, high FROM hilo_next_range('orders');
SELECT setval('"Orders_hilo"', 1, false);
SELECT hilo_next_range('orders');
SELECT hilo_next_tag('orders');
SELECT hilo_seed('orders', 0) > 100000 AS raised;
SELECT low > 100000 AS above FROM hilo_next_range('orders');

-- a seed that lies in the block whose ids are handed out
CREATE SEQUENCE part_seq INCREMENT 10;
SELECT hilo_adopt_sequence_tag('part', 'part_seq', 'efcore');
SELECT hilo_next_tag('part'), hilo_release('part');
SELECT hilo_seed('part', 5);
SELECT last FROM hilo_generators() WHERE name = 'part';
SELECT hilo_next_tag('part');
-- with another source nothing is left of the block
CREATE SEQUENCE other_seq INCREMENT 10;
SELECT hilo_adopt_sequence_tag('part', 'other_seq', 'efcore');
SELECT hilo_next_tag('part');

-- hilo_check and hilo_resync know that the ORM takes blocks, too
CREATE SEQUENCE checked_seq INCREMENT 10;
SELECT hilo_adopt_sequence_tag('checked', 'checked_seq', 'hibernate-pooled');
CREATE TABLE checked (id bigint PRIMARY KEY DEFAULT hilo_next_tag('checked'));
INSERT INTO checked DEFAULT VALUES;
INSERT INTO checked SELECT generate_series(v - 9, v) FROM nextval('checked_seq') v;
SELECT problem, detail, hint FROM hilo_check() WHERE rel = 'checked'::regclass;
SELECT hilo_resync('checked', 'id');
SELECT last_value FROM checked_seq;
INSERT INTO checked VALUES (500);
SELECT problem, detail, hint FROM hilo_check() WHERE rel = 'checked'::regclass;
SELECT hilo_resync('checked', 'id');
SELECT last_value, is_called FROM checked_seq;
INSERT INTO checked DEFAULT VALUES RETURNING id;
SELECT problem FROM hilo_check() WHERE rel = 'checked'::regclass;
-- but not what the sequence says to those who may not see it
CREATE ROLE regress_hilo_user;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_user;
GRANT SELECT, INSERT ON checked TO regress_hilo_user;
SELECT hilo_grant('checked', 'regress_hilo_user');
SET ROLE regress_hilo_user;
SELECT problem, detail FROM hilo_check() WHERE rel = 'checked'::regclass;
RESET ROLE;
DROP TABLE checked;
-- one that has no value left is not raised
CREATE SEQUENCE at_end INCREMENT 10 START 9223372036854775801;
SELECT hilo_adopt_sequence_tag('at_end', 'at_end', 'efcore'), nextval('at_end'), hilo_seed('at_end', 9223372036854775800);
SELECT last_value, is_called FROM at_end;
-- nor one by a seed of nothing
CREATE SEQUENCE unseeded INCREMENT 10 MINVALUE -99;
SELECT hilo_adopt_sequence_tag('unseeded', 'unseeded', 'efcore'), hilo_seed('unseeded', 0);
SELECT last_value, is_called FROM unseeded;

CREATE SEQUENCE tenfold INCREMENT 10;
CREATE TABLE plain (id bigint);
-- OpenJPA alters the INCREMENT at its first use; the rest of a block goes with it
CREATE SEQUENCE openjpa_sequence INCREMENT 20;
SELECT hilo_adopt_sequence_tag('pets', 'openjpa_sequence', 'openjpa', 20);
SELECT hilo_next_tag('pets');
ALTER SEQUENCE openjpa_sequence INCREMENT 10;
SELECT count(hilo_next_tag('pets')) FROM generate_series(1, 19);
SELECT hilo_next_tag('pets');
ALTER SEQUENCE openjpa_sequence INCREMENT 50;
SELECT hilo_next_tag('pets');
ALTER SEQUENCE openjpa_sequence INCREMENT 20;
SELECT hilo_next_tag('pets');
ALTER SEQUENCE openjpa_sequence INCREMENT 50;
-- another source for it, by its owner; the default that calls it stays
ALTER TABLE plain ALTER id SET DEFAULT hilo_next_tag('pets');
SELECT hilo_adopt_sequence_tag('pets', 'openjpa_sequence', 'openjpa');
SELECT low, high FROM hilo_next_range('pets');
SELECT style, block FROM hilo_sources() WHERE name = 'pets';
-- in the transaction that alters it, its values may come again
BEGIN;
ALTER SEQUENCE openjpa_sequence RESTART 1000;
SELECT hilo_next_range('pets');
ROLLBACK;
-- with a sequence, all of it may be one transaction
BEGIN;
CREATE SEQUENCE fresh INCREMENT 10;
SELECT hilo_adopt_sequence_tag('fresh', 'fresh', 'efcore');
SELECT hilo_next_tag('fresh');
ROLLBACK;
SELECT count(*) FROM hilo_sources() WHERE name = 'fresh';
-- the end of the sequence, and that of the generator
CREATE SEQUENCE short INCREMENT 10 MAXVALUE 25;
SELECT hilo_adopt_sequence_tag('short', 'short', 'efcore');
SELECT count(*), max(hilo_next_tag) FROM hilo_next_tag('short', 30);
SELECT hilo_next_tag('short');
CREATE SEQUENCE ints AS integer INCREMENT 10 START 2147483641;
SELECT hilo_adopt_sequence_tag('ints', 'ints', 'efcore'), hilo_alter('ints', max_value => 2147483647);
SELECT low, high FROM hilo_next_range('ints');
SELECT hilo_next_tag('ints');

-- with the rights of the owner: who takes an id, or changes the generator, is another question
SELECT hilo_adopt_sequence_tag('theirs', 'tenfold', 'efcore'), hilo_grant('theirs', 'public');
SET ROLE regress_hilo_user;
SELECT hilo_next_tag('theirs');
SELECT hilo_seed('theirs', 100);
SELECT hilo_adopt_sequence_tag('theirs', 'tenfold', 'efcore');
SELECT name, source FROM hilo_sources() WHERE name = 'theirs';
SELECT * FROM hilo_internal.hilo_source;
RESET ROLE;
SELECT hilo_revoke('theirs', 'public');
SET ROLE regress_hilo_user;
SELECT hilo_next_tag('theirs');
SELECT count(*) FROM hilo_sources() WHERE name = 'theirs';
RESET ROLE;

-- no 40001, whatever the isolation level
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT low FROM hilo_next_range('theirs');
COMMIT;
BEGIN READ ONLY;
SELECT hilo_next_range('theirs');
ROLLBACK;
BEGIN READ ONLY;
SELECT hilo_adopt_sequence_tag('theirs', 'tenfold', 'efcore');
ROLLBACK;
-- nothing of it needs search_path
SET search_path = '';
SELECT low FROM public.hilo_next_range('theirs');
SELECT public.hilo_seed('theirs', 1000);
SELECT source FROM public.hilo_sources() WHERE name = 'theirs';
RESET search_path;

-- a first block that is shorter than what is asked for is passed over
CREATE SEQUENCE first_short INCREMENT 10;
SELECT hilo_adopt_sequence_tag('first_short', 'first_short', 'hibernate-pooled');
SELECT low, high FROM hilo_next_range('first_short', 10);
-- what the ORM has by the setting before is not handed out by another one
CREATE SEQUENCE shorter INCREMENT 50;
SELECT hilo_adopt_sequence_tag('shorter', 'shorter', 'efcore');
SELECT nextval('shorter');
ALTER SEQUENCE shorter INCREMENT 10;
SELECT hilo_next_tag('shorter');
SELECT hilo_adopt_sequence_tag('shorter', 'shorter', 'efcore');
SELECT hilo_next_tag('shorter'), nextval('shorter');
SELECT hilo_adopt_sequence_tag('shorter', 'shorter', 'efcore'), hilo_next_tag('shorter');
CREATE SEQUENCE shorter_hi;
SELECT hilo_adopt_sequence_tag('shorter_hi', 'shorter_hi', 'hibernate-hilo', 50);
SELECT nextval('shorter_hi'), nextval('shorter_hi');
SELECT hilo_adopt_sequence_tag('shorter_hi', 'shorter_hi', 'hibernate-hilo', 10);
SELECT hilo_next_tag('shorter_hi'), nextval('shorter_hi');
-- nor what hilo has itself, whatever the generator's owner can see
CREATE SEQUENCE seen INCREMENT 10;
GRANT USAGE ON SEQUENCE seen TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT hilo_adopt_sequence_tag('seen', 'seen', 'hibernate-pooled-lo', 10);
RESET ROLE;
SELECT hilo_adopt_sequence_tag('seen', 'seen', 'hibernate-pooled-lo', 10);
SELECT hilo_alter('seen', owner => 'regress_hilo_user');
SET ROLE regress_hilo_user;
SELECT low, high FROM hilo_next_range('seen');
RESET ROLE;
SELECT hilo_adopt_sequence_tag('seen', 'seen', 'hibernate-pooled-lo', 10);
SELECT hilo_adopt_sequence_tag('seen', 'seen', 'eclipselink', 10);
GRANT UPDATE ON SEQUENCE seen TO regress_hilo_user;
SELECT hilo_adopt_sequence_tag('seen', 'seen', 'eclipselink', 10);
SELECT v - 9 AS low, v AS high FROM nextval('seen') v;
-- a seed does not rely on what a rollback takes back
CREATE SEQUENCE restarted INCREMENT 10;
SELECT hilo_adopt_sequence_tag('restarted', 'restarted', 'efcore'), hilo_next_tag('restarted');
BEGIN;
ALTER SEQUENCE restarted RESTART WITH 2001;
SELECT hilo_seed('restarted', 1000);
ROLLBACK;
SELECT hilo_seed('restarted', 1000), nextval('restarted');
BEGIN;
DROP SEQUENCE restarted;
SELECT hilo_seed('restarted', 2000);
ROLLBACK;

-- ids that came by themselves, in a block that is held
CREATE SEQUENCE passed_seq INCREMENT 10;
SELECT hilo_adopt_sequence_tag('passed', 'passed_seq', 'hibernate-pooled-lo');
CREATE TABLE passed (id bigint PRIMARY KEY DEFAULT hilo_next_tag('passed'));
INSERT INTO passed VALUES (DEFAULT);
INSERT INTO passed VALUES (3);
SELECT hilo_resync('passed', 'id');
INSERT INTO passed VALUES (DEFAULT), (DEFAULT), (DEFAULT) RETURNING id;

DROP TABLE plain, orders, passed;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE ordering = 'adopted';
SELECT count(*) FROM hilo_internal.hilo_source;
DROP FUNCTION orm_block, side_by_side;
DO $$
DECLARE
	s name;
BEGIN
	FOR s IN SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace LOOP
		EXECUTE format('DROP SEQUENCE %I', s);
	END LOOP;
END $$;
DROP OWNED BY regress_hilo_user;
DROP ROLE regress_hilo_user;

-- blocks without ids are not those of a source that was set back
CREATE SEQUENCE below MINVALUE -1000 START 1;
SELECT hilo_adopt_sequence_tag('below', 'below', 'hibernate-none');
SELECT setval('below', -900);
SELECT hilo_next_tag('below');
SELECT hilo_drop('below');
DROP SEQUENCE below;
