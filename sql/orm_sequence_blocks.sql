/*
 * Blocks of an ORM's sequence: by the ORM's own formula and by hilo, never the same id
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
-- by turns: the ORM a block, SQL some ids, whichever is first
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

SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE ordering = 'adopted';
DROP FUNCTION orm_block, side_by_side;
DO $$
DECLARE
	s name;
BEGIN
	FOR s IN SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace LOOP
		EXECUTE format('DROP SEQUENCE %I', s);
	END LOOP;
END $$;
