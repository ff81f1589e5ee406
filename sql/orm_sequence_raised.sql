/*
 * An ORM's sequence that a seed or a resync raises, or that was set back
 */
SET hilo.prefetch = on;
CREATE SEQUENCE "Orders_hilo" INCREMENT 10;
SELECT hilo_adopt_sequence_tag('Orders', '"Orders_hilo"', 'efcore');
SELECT max(hilo_next_tag('orders')) FROM generate_series(1, 45);
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

-- a seed that lies in the block that is handed out
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
-- but do not show what the sequence says to roles that may not see it
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
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE ordering = 'adopted';
DROP SEQUENCE "Orders_hilo", part_seq, other_seq, checked_seq, at_end, unseeded;
DROP OWNED BY regress_hilo_user;
DROP ROLE regress_hilo_user;
