/*
 * Generators whose ranges come from a row of an ORM's table
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
 * value, writes the next one; a row that is missing is made where the ORM does
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
-- the first blocks, of whoever was first
SELECT s.n, s.style, s.block,
	   string_agg(h.id::text, ' ' ORDER BY h.n) FILTER (WHERE h.by_orm) AS orm,
	   string_agg(h.id::text, ' ' ORDER BY h.n) FILTER (WHERE NOT h.by_orm) AS hilo
  FROM style s JOIN (SELECT *, row_number() OVER (PARTITION BY style, by_orm ORDER BY n) AS nth FROM handed) h ON h.style = s.n
 WHERE h.nth IN (1, 2, 3) GROUP BY s.n, s.style, s.block ORDER BY s.n;
SELECT s.n, s.style, string_agg(h.id::text, ' ' ORDER BY h.n) AS "hilo first"
  FROM style s JOIN (SELECT *, row_number() OVER (PARTITION BY style, by_orm ORDER BY n) AS nth FROM handed) h ON h.style = -s.n
 WHERE NOT h.by_orm AND h.nth IN (1, 2, 3) GROUP BY s.n, s.style ORDER BY s.n;

-- several blocks at once, more of them the faster they go
CALL start_over();
SELECT hilo_adopt_table_tag('Order', 'mt_hilo', 'marten', 10);
SELECT low, high FROM hilo_next_range('order');
TABLE mt_hilo;
SELECT low, high FROM hilo_next_range('order', last_size => 10, last_range_at => now());
SELECT low, high FROM hilo_next_range('order', last_size => 20, last_range_at => now());
SELECT low, high FROM hilo_next_range('order', 95);
TABLE mt_hilo;
SELECT * FROM hilo_sources();
-- a rollback brings nothing back, and nobody waits for the transaction
BEGIN;
SELECT low, high FROM hilo_next_range('order');
SELECT count(*) FROM pg_locks WHERE relation = 'mt_hilo'::regclass;
ROLLBACK;
TABLE mt_hilo;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT hi_value FROM mt_hilo;
SELECT low, high FROM hilo_next_range('order');
SELECT hi_value FROM mt_hilo;
COMMIT;
-- raised, never lowered
SELECT hilo_seed('order', 1001), hi_value FROM mt_hilo;
TABLE mt_hilo;
SELECT low, high FROM hilo_next_range('order');
SELECT hilo_seed('order', 5), hi_value FROM mt_hilo;
UPDATE mt_hilo SET hi_value = hi_value + 3;
SELECT hilo_seed('order', 5);
TABLE mt_hilo;
-- set back a little, and a lot: by Marten's SetFloor, or a restore
UPDATE mt_hilo SET hi_value = 98;
SELECT low, high FROM hilo_next_range('order');
UPDATE mt_hilo SET hi_value = -100;
SELECT hilo_next_range('order');
SELECT hilo_seed('order', 0) >= 1030 AS raised;
SELECT low > 1030 AS above FROM hilo_next_range('order');
-- resync of each: the smallest value whose block lies above 100
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

-- hilo_resync knows that the ORM takes blocks, too
CALL start_over();
SELECT hilo_adopt_table_tag('checked', 'mt_hilo', 'marten', 10);
CREATE TABLE checked (id bigint PRIMARY KEY DEFAULT hilo_next_tag('checked'));
INSERT INTO mt_hilo VALUES ('checked', 4);
INSERT INTO checked VALUES (51);
SELECT problem, detail, hint FROM hilo_check() WHERE rel = 'checked'::regclass;
SELECT hilo_resync('checked', 'id');
SELECT * FROM mt_hilo;
INSERT INTO checked DEFAULT VALUES RETURNING id;
DROP TABLE checked;

-- adopted again just so, nothing changes; by another setting it goes on above, and only that row
CREATE TABLE again (sequence_name text PRIMARY KEY, next_val int, rev_ int);
INSERT INTO again VALUES ('orders', 2000000000), ('customers', 100);
SELECT hilo_adopt_table_tag('again', 'again', 'hibernate-table-pooled-lo', 10, key_value => 'orders');
BEGIN;
UPDATE again SET next_val = next_val;
SELECT hilo_adopt_table_tag('again', 'again', 'hibernate-table-pooled-lo', 10, key_value => 'orders');
COMMIT;
SELECT hilo_adopt_table_tag('again', 'again', 'hibernate-table-pooled-lo', 10, key_value => 'customers');
SELECT hilo_next_tag('again');
SELECT * FROM again ORDER BY next_val;
SELECT hilo_drop('again');
SELECT hilo_adopt_table_tag('again', 'again', 'hibernate-table-pooled-lo', 10, key_value => 'customers');
SELECT low, high FROM hilo_next_range('again');
SELECT hilo_adopt_table_tag('again', 'again', 'hibernate-table', 10, key_value => 'customers');
SELECT next_val - 8 AS low, next_val + 1 AS high FROM again WHERE sequence_name = 'customers';
SELECT hilo_drop('again');
DROP TABLE again;

-- names that need quoting, a key that is not text, an initial value
CREATE SCHEMA "My Schema";
CREATE TABLE "My Schema"."Hi Table" ("The Key" int PRIMARY KEY, "Next Hi" numeric(30, 0), note text);
SELECT hilo_adopt_table_tag('quoted', '"My Schema"."Hi Table"', 'hibernate-table-pooled-lo', 10, 'The Key', '42', 'Next Hi', 1000);
SELECT hilo_next_tag('quoted');
TABLE "My Schema"."Hi Table";
SELECT * FROM hilo_sources() WHERE name = 'quoted';
ALTER TABLE "My Schema"."Hi Table" RENAME TO hi;
ALTER SCHEMA "My Schema" RENAME TO renamed;
SELECT low, high FROM hilo_next_range('quoted');
-- a row is one place, however its key is written
SELECT hilo_adopt_table_tag('unquoted', 'renamed.hi', 'hibernate-table-pooled-lo', 20, 'The Key', '042', 'Next Hi', 1000);
SELECT hilo_adopt_table_tag('unquoted', 'renamed.hi', 'hibernate-table-pooled-lo', 10, 'The Key', 'x', 'Next Hi', 1000);
SELECT hilo_adopt_table_tag('unquoted', 'renamed.hi', 'hibernate-sequence-table-pooled-lo', 20, hi_column => 'Next Hi');
-- pg_repack copies a table, and then the changes that its trigger has seen
CREATE TRIGGER repack_trigger AFTER INSERT OR DELETE OR UPDATE ON renamed.hi FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
SELECT low FROM hilo_next_range('quoted');
DROP TRIGGER repack_trigger ON renamed.hi;
-- what a column cannot hold
CREATE TABLE tiny (next_hi smallint);
INSERT INTO tiny VALUES (32766);
SELECT hilo_adopt_table_tag('tiny', 'tiny', 'classic', 10);
SELECT low, high FROM hilo_next_range('tiny');
SELECT hilo_next_tag('tiny');
SELECT last FROM hilo_generators() WHERE name = 'tiny';
UPDATE tiny SET next_hi = NULL;
SELECT hilo_next_tag('tiny');
INSERT INTO tiny VALUES (1);
SELECT hilo_next_tag('tiny');
-- what it would hold rounded
CREATE DOMAIN counter AS real;
CREATE TABLE floating (next_hi float8);
SELECT hilo_adopt_table_tag('floating', 'floating', 'classic', 10);
ALTER TABLE floating ALTER next_hi TYPE counter;
SELECT hilo_adopt_table_tag('floating', 'floating', 'classic', 10);
-- an ORM that met the first value would take the next one, too, and all ids in between
CALL start_over();
SELECT hilo_adopt_table_tag('paired', 'nh_sequences', 'nhibernate-enhanced-table', 10);
TABLE nh_sequences;
SELECT low, high FROM hilo_next_range('paired');
SELECT hilo_drop('paired');
-- Camunda counts the changes of the row, from the first
CALL start_over();
DELETE FROM act_ge_property WHERE name_ = 'next.dbid';
CREATE ROLE regress_hilo_user;
SELECT hilo_adopt_table_tag('camunda', 'act_ge_property', 'camunda', 100), hilo_alter('camunda', owner => 'regress_hilo_user');
GRANT SELECT, INSERT ON act_ge_property TO regress_hilo_user;
GRANT UPDATE ON act_ge_property TO regress_hilo_user;
SELECT low, high FROM hilo_next_range('camunda');
SELECT * FROM act_ge_property WHERE name_ = 'next.dbid';
REVOKE UPDATE ON act_ge_property FROM regress_hilo_user;
GRANT SELECT, UPDATE (value_) ON act_ge_property TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT low, high FROM hilo_next_range('camunda');
RESET ROLE;
GRANT UPDATE (rev_) ON act_ge_property TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT low, high FROM hilo_next_range('camunda');
RESET ROLE;
-- a column that is gone, also to who has rights to columns only
ALTER TABLE act_ge_property RENAME value_ TO renamed;
SET ROLE regress_hilo_user;
SELECT low, high FROM hilo_next_range('camunda');
RESET ROLE;
ALTER TABLE act_ge_property RENAME renamed TO value_;
REVOKE ALL ON act_ge_property FROM regress_hilo_user;
-- the table goes
DROP TABLE tiny, floating;
DROP DOMAIN counter;
SELECT hilo_next_tag('tiny');
-- with the rights of the owner
SELECT hilo_alter('order', owner => 'regress_hilo_user');
GRANT SELECT ON mt_hilo TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT hilo_adopt_table_tag('theirs', 'mt_hilo', 'marten', 10);
SELECT hilo_next_tag('order') > 0 AS out_of_memory;
RESET ROLE;
SELECT hilo_next_range('order');
GRANT UPDATE (hi_value) ON mt_hilo TO regress_hilo_user;
-- a missing row takes INSERT
SET ROLE regress_hilo_user;
SELECT hilo_next_range('order');
RESET ROLE;
INSERT INTO mt_hilo VALUES ('Order', 200);
SET ROLE regress_hilo_user;
SELECT low FROM hilo_next_range('order');
RESET ROLE;
-- ... whatever role the database sets
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET role = regress_hilo_user', current_database()); END $$;
SELECT low FROM hilo_next_range('order');
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_authorization = regress_hilo_user', current_database()); END $$;
SET ROLE regress_hilo_user;
SELECT low FROM hilo_next_range('order');
RESET ROLE;
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET role', current_database()); END $$;
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET session_authorization', current_database()); END $$;
-- nothing of the caller's search_path or settings counts
CREATE SCHEMA trap;
CREATE FUNCTION trap.int8(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1/0';
CREATE TABLE trap.mt_hilo (entity_name varchar, hi_value bigint);
SET search_path = trap, pg_catalog;
SET default_transaction_isolation = serializable;
SELECT low FROM public.hilo_next_range('order');
RESET default_transaction_isolation;
RESET search_path;
-- the row is locked by this transaction
SET lock_timeout = '100ms';
BEGIN;
UPDATE mt_hilo SET hi_value = hi_value;
SELECT hilo_next_range('order');
ROLLBACK;
RESET lock_timeout;
BEGIN;
LOCK TABLE mt_hilo;
SET LOCAL lock_timeout = '10ms';
SELECT hilo_next_range('order');
ROLLBACK;
BEGIN;
LOCK TABLE mt_hilo;
SET LOCAL statement_timeout = '200ms';
SELECT hilo_next_range('order');
ROLLBACK;
SELECT low > 0 AS goes_on FROM hilo_next_range('order');

-- the key is the hi: it is found again
CREATE TABLE own_key (sequence_name text, next_val int);
SELECT hilo_adopt_table_tag('own_key', 'own_key', 'hibernate-table', 50, key_column => 'next_val', key_value => '7');
SET statement_timeout = '2s';
SELECT count(*) FROM hilo_next_range('own_key');
RESET statement_timeout;
SELECT count(*) FROM own_key;

-- without a block: the ORM's default
SELECT hilo_adopt_table_tag(style, rel, style, key_column => key_column) FROM style
 WHERE style IN ('hibernate-unique-key', 'nhibernate-hilo', 'marten', 'eclipselink-table', 'openjpa-table', 'camunda');
SELECT style, block FROM hilo_sources() WHERE name = style ORDER BY style COLLATE "C";

SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE ordering = 'adopted';
SELECT count(*) FROM hilo_internal.hilo_source;
DROP FUNCTION orm_block;
DROP PROCEDURE start_over;
DROP TABLE hibernate_sequences, orders_seq, hibernate_unique_key, multiple_hilo, nh_unique_key, nh_sequences, mt_hilo,
	sequence, openjpa_sequence_table, sequence_table, act_ge_property, classic, style, handed, raised, own_key;
DROP SCHEMA renamed, trap CASCADE;
DROP ROLE regress_hilo_user;
