/*
 * Blocks of a row of an ORM's table: by the ORM's own formula and by hilo, never the same id
 */
-- The tables as the ORMs make them.
CREATE TABLE hibernate_sequences (sequence_name varchar(255) NOT NULL PRIMARY KEY, next_val bigint);
CREATE TABLE orders_seq (next_val bigint);
CREATE TABLE hibernate_unique_key (next_hi integer);
CREATE TABLE multiple_hilo (sequence_name varchar(255) PRIMARY KEY, sequence_next_hi_value integer);
CREATE TABLE nh_unique_key (next_hi int, entity text);
CREATE TABLE nh_sequences (sequence_name varchar(255) PRIMARY KEY, next_val bigint);
CREATE TABLE mt_hilo (entity_name varchar CONSTRAINT pk_mt_hilo PRIMARY KEY, hi_value bigint DEFAULT 0);
CREATE TABLE sequence (seq_name varchar(50) PRIMARY KEY, seq_count decimal);
CREATE TABLE openjpa_sequence_table (id smallint PRIMARY KEY, sequence_value bigint);
CREATE TABLE sequence_table (sequence_name char(100) PRIMARY KEY, next_val bigint);
CREATE TABLE act_ge_property (name_ varchar(64) PRIMARY KEY, value_ varchar(300), rev_ integer);
CREATE TABLE classic (next_hi smallint);

/*
 * What each ORM does in a transaction of its own, from its sources: reads the
 * value, writes the next one; a row that is missing is made if the ORM does
 * that.  Gives the ids it then hands out.
 */
CREATE FUNCTION orm_block(style text, key text, n bigint) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
	optimizer text := coalesce(nullif(split_part(replace(replace(style, '-stored-next', ''), '-table', ''), '-', 2), ''), 'pooled');
	s bigint;
	h bigint;
	low bigint;
	high bigint;
	step bigint;
BEGIN
	IF style LIKE 'hibernate-table%' OR style LIKE 'hibernate-sequence-table%' THEN
		optimizer := coalesce(substring(style FROM '-table-(pooled-lo|pooled-lotl|pooled|hilo|legacy-hilo|none)'), 'pooled');
		step := CASE WHEN optimizer IN ('hilo', 'legacy-hilo', 'none') THEN 1 ELSE n END;
		IF style LIKE 'hibernate-sequence-table%' THEN
			SELECT next_val INTO s FROM orders_seq FOR UPDATE;
			UPDATE orders_seq SET next_val = s + step;
			h := s;
		ELSE
			SELECT next_val INTO s FROM hibernate_sequences WHERE sequence_name = key FOR NO KEY UPDATE;
			IF NOT FOUND THEN
				s := CASE WHEN style LIKE '%stored-next' THEN 1 ELSE 0 END;
				INSERT INTO hibernate_sequences VALUES (key, s);
			END IF;
			UPDATE hibernate_sequences SET next_val = s + step WHERE sequence_name = key AND next_val = s;
			h := CASE WHEN style LIKE '%stored-next' THEN s ELSE s + 1 END;
		END IF;
		CASE optimizer
		WHEN 'none' THEN low := h; high := h;
		WHEN 'hilo' THEN low := (h - 1) * n + 1; high := h * n;
		WHEN 'legacy-hilo' THEN low := h * (n + 1); high := low + n;
		WHEN 'pooled' THEN low := CASE WHEN h = 1 THEN h ELSE h - n + 1 END; high := h;
		ELSE low := h; high := h + n - 1;
		END CASE;
	ELSE
		CASE style
		WHEN 'hibernate-unique-key' THEN
			SELECT next_hi INTO STRICT s FROM hibernate_unique_key FOR UPDATE;
			UPDATE hibernate_unique_key SET next_hi = s + 1 WHERE next_hi = s;
			low := greatest(s * (n + 1), 1); high := s * (n + 1) + n;
		WHEN 'hibernate-multiple-hilo' THEN
			SELECT sequence_next_hi_value INTO s FROM multiple_hilo WHERE sequence_name = key FOR UPDATE;
			IF NOT FOUND THEN
				s := 0;
				INSERT INTO multiple_hilo VALUES (key, 0);
			END IF;
			UPDATE multiple_hilo SET sequence_next_hi_value = s + 1 WHERE sequence_next_hi_value = s AND sequence_name = key;
			low := greatest(s * (n + 1), 1); high := s * (n + 1) + n;
		WHEN 'nhibernate-hilo' THEN
			SELECT next_hi INTO STRICT s FROM nh_unique_key WHERE entity = key FOR UPDATE;
			UPDATE nh_unique_key SET next_hi = s + 1 WHERE next_hi = s AND entity = key;
			low := s * (n + 1) + CASE WHEN s = 0 THEN 1 ELSE 0 END; high := s * (n + 1) + n;
		WHEN 'nhibernate-enhanced-table', 'nhibernate-enhanced-table-pooled-lo', 'nhibernate-enhanced-table-none' THEN
			step := CASE WHEN style LIKE '%none' THEN 1 ELSE n END;
			UPDATE nh_sequences SET next_val = next_val + step WHERE sequence_name = key RETURNING next_val - step INTO s;
			IF NOT FOUND THEN
				s := 1;
				INSERT INTO nh_sequences VALUES (key, 1 + step);
			END IF;
			IF style LIKE '%lo' THEN
				low := s; high := s + n - 1;
			ELSIF style LIKE '%none' THEN
				low := s; high := s;
			ELSIF s = 1 THEN
				UPDATE nh_sequences SET next_val = next_val + step WHERE sequence_name = key RETURNING next_val - step INTO h;
				low := s; high := h - 1;
			ELSE
				low := s - n; high := s - 1;
			END IF;
		WHEN 'marten' THEN
			SELECT hi_value INTO s FROM mt_hilo WHERE entity_name = key;
			IF s IS NULL THEN
				INSERT INTO mt_hilo VALUES (key, 0);
				h := 0;
			ELSE
				h := s + 1;
				UPDATE mt_hilo SET hi_value = h WHERE entity_name = key AND hi_value = s;
			END IF;
			low := h * n + 1; high := h * n + n;
		WHEN 'eclipselink-table' THEN
			UPDATE sequence SET seq_count = seq_count + n WHERE seq_name = key;
			SELECT seq_count INTO STRICT high FROM sequence WHERE seq_name = key;
			low := high - n + 1;
		WHEN 'openjpa-table' THEN
			SELECT sequence_value INTO STRICT s FROM openjpa_sequence_table WHERE id = 0 FOR UPDATE;
			UPDATE openjpa_sequence_table SET sequence_value = s + n WHERE id = 0 AND sequence_value = s;
			low := s; high := s + n - 1;
		WHEN 'datanucleus-table' THEN
			SELECT next_val INTO s FROM sequence_table WHERE sequence_name = key FOR UPDATE;
			IF NOT FOUND THEN
				s := 1;
				INSERT INTO sequence_table VALUES (key, s);
			END IF;
			UPDATE sequence_table SET next_val = next_val + n WHERE sequence_name = key;
			low := s; high := s + n - 1;
		WHEN 'camunda' THEN
			SELECT value_, rev_ INTO STRICT s, h FROM act_ge_property WHERE name_ = 'next.dbid';
			UPDATE act_ge_property SET value_ = s + n, rev_ = h + 1 WHERE name_ = 'next.dbid' AND rev_ = h;
			low := s; high := s + n - 1;
		WHEN 'classic' THEN
			SELECT next_hi INTO STRICT s FROM classic FOR UPDATE;
			UPDATE classic SET next_hi = s + 1;
			low := s * n; high := s * n + n - 1;
		END CASE;
	END IF;
	RETURN QUERY SELECT generate_series(low, high);
END $$;

CREATE TABLE style (n int GENERATED ALWAYS AS IDENTITY, style text, rel regclass, block bigint, key_column name);
INSERT INTO style (style, rel, block)
SELECT 'hibernate-table' || o.optimizer || s.stored, 'hibernate_sequences', CASE o.optimizer WHEN '-none' THEN 1 ELSE 10 END
  FROM unnest(ARRAY['', '-pooled', '-pooled-lo', '-pooled-lotl', '-hilo', '-legacy-hilo', '-none']) WITH ORDINALITY o (optimizer, n),
	   unnest(ARRAY['', '-stored-next']) WITH ORDINALITY s (stored, n) ORDER BY o.n, s.n;
INSERT INTO style (style, rel, block)
SELECT 'hibernate-sequence-table' || optimizer, 'orders_seq', CASE optimizer WHEN '-none' THEN 1 ELSE 10 END
  FROM unnest(ARRAY['', '-pooled', '-pooled-lo', '-pooled-lotl', '-hilo', '-legacy-hilo', '-none']) optimizer;
INSERT INTO style (style, rel, block, key_column) VALUES
('hibernate-unique-key', 'hibernate_unique_key', 9, NULL), ('hibernate-multiple-hilo', 'multiple_hilo', 9, NULL),
('nhibernate-hilo', 'nh_unique_key', 9, 'entity'), ('nhibernate-enhanced-table', 'nh_sequences', 10, NULL),
('nhibernate-enhanced-table-pooled-lo', 'nh_sequences', 10, NULL), ('nhibernate-enhanced-table-none', 'nh_sequences', 1, NULL),
('marten', 'mt_hilo', 10, NULL), ('eclipselink-table', 'sequence', 10, NULL), ('openjpa-table', 'openjpa_sequence_table', 10, NULL),
('datanucleus-table', 'sequence_table', 10, NULL), ('camunda', 'act_ge_property', 10, NULL), ('classic', 'classic', 10, NULL);

-- What the ORM, or its schema export, has in the table before its first use.
CREATE PROCEDURE start_over() LANGUAGE plpgsql AS $$
BEGIN
	TRUNCATE hibernate_sequences, orders_seq, hibernate_unique_key, multiple_hilo, nh_unique_key, nh_sequences,
		mt_hilo, sequence, openjpa_sequence_table, sequence_table, act_ge_property, classic;
	INSERT INTO orders_seq VALUES (1);
	INSERT INTO hibernate_unique_key VALUES (0);
	INSERT INTO nh_unique_key VALUES (1, 'it''s'), (7, 'other');
	INSERT INTO sequence VALUES ('it''s', 0), ('other', 7);
	INSERT INTO openjpa_sequence_table VALUES (0, 1);
	INSERT INTO act_ge_property VALUES ('next.dbid', '1', 1), ('schema.version', 'x', 1);
	INSERT INTO classic VALUES (1);
END $$;
CREATE TABLE handed (n int GENERATED ALWAYS AS IDENTITY, style int, by_orm boolean, id bigint);
DO $$
DECLARE
	s record;
BEGIN
	FOR s IN SELECT *, orm_first FROM style, unnest(ARRAY[true, false]) orm_first ORDER BY n LOOP
		CALL start_over();
		COMMIT;
		PERFORM hilo_adopt_table_tag('it''s', s.rel, s.style, s.block, s.key_column);
		COMMIT;
		FOR round IN 1 .. 6 LOOP
			IF s.orm_first OR round > 1 THEN
				INSERT INTO handed (style, by_orm, id)
				SELECT CASE WHEN s.orm_first THEN s.n ELSE -s.n END, true, orm_block(s.style, 'it''s', coalesce(s.block, 1));
			END IF;
			COMMIT;
			-- about a block in each round, so that some need none and some more than one
			INSERT INTO handed (style, by_orm, id)
			SELECT CASE WHEN s.orm_first THEN s.n ELSE -s.n END, false, hilo_next_tag('it''s')
			  FROM generate_series(1, 1 + (round * 7 % 23) * coalesce(s.block, 1) / 10);
			COMMIT;
		END LOOP;
		PERFORM hilo_drop('it''s');
		COMMIT;
	END LOOP;
END $$;
SELECT style, id, count(*) FROM handed GROUP BY 1, 2 HAVING count(*) > 1;
SELECT min(id) FROM handed WHERE NOT by_orm;
SELECT count(*) FROM (SELECT id, lag(id) OVER (PARTITION BY style ORDER BY n) AS before FROM handed WHERE NOT by_orm) t WHERE before >= id;
-- the first blocks, of the session that was first
SELECT s.n, s.style, s.block,
	   string_agg(h.id::text, ' ' ORDER BY h.n) FILTER (WHERE h.by_orm) AS orm,
	   string_agg(h.id::text, ' ' ORDER BY h.n) FILTER (WHERE NOT h.by_orm) AS hilo
  FROM style s JOIN (SELECT *, row_number() OVER (PARTITION BY style, by_orm ORDER BY n) AS nth FROM handed) h ON h.style = s.n
 WHERE h.nth IN (1, 2, 3) GROUP BY s.n, s.style, s.block ORDER BY s.n;
SELECT s.n, s.style, string_agg(h.id::text, ' ' ORDER BY h.n) AS "hilo first"
  FROM style s JOIN (SELECT *, row_number() OVER (PARTITION BY style, by_orm ORDER BY n) AS nth FROM handed) h ON h.style = -s.n
 WHERE NOT h.by_orm AND h.nth IN (1, 2, 3) GROUP BY s.n, s.style ORDER BY s.n;

-- resync of each: the smallest value with a block above 100
CREATE TABLE raised (style text, row text, low bigint);
DO $$
DECLARE
	s record;
	state text;
BEGIN
	FOR s IN SELECT * FROM style ORDER BY n LOOP
		CALL start_over();
		COMMIT;
		PERFORM hilo_adopt_table_tag('it''s', s.rel, s.style, s.block, s.key_column);
		COMMIT;
		PERFORM hilo_seed('it''s', 100);
		EXECUTE format('SELECT string_agg(trim(t::text), %L ORDER BY t::text) FROM %s t', ' ', s.rel) INTO state;
		INSERT INTO raised SELECT s.style, state, low FROM hilo_next_range('it''s');
		PERFORM hilo_drop('it''s');
		COMMIT;
	END LOOP;
END $$;
SELECT style, regexp_replace(row, ' +', ' ', 'g') AS row, low FROM raised;

-- without a block: the ORM's default
TRUNCATE nh_unique_key, sequence, mt_hilo, openjpa_sequence_table, act_ge_property;
SELECT hilo_adopt_table_tag(style, rel, style, key_column => key_column) FROM style
 WHERE style IN ('hibernate-unique-key', 'nhibernate-hilo', 'marten', 'eclipselink-table', 'openjpa-table', 'camunda');
SELECT style, block FROM hilo_sources() WHERE name = style ORDER BY style COLLATE "C";

DROP FUNCTION orm_block;
DROP PROCEDURE start_over;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE ordering = 'adopted';
DROP TABLE hibernate_sequences, orders_seq, hibernate_unique_key, multiple_hilo, nh_unique_key, nh_sequences, mt_hilo,
	sequence, openjpa_sequence_table, sequence_table, act_ge_property, classic, style, handed, raised;
