-- Columns that change places, as from int to bigint: the trigger of follow stays on none that draws no more.
SET hilo.prefetch = off;
CREATE SCHEMA fs;
SET search_path = fs, public;
CREATE FUNCTION triggers() RETURNS TABLE (rel regclass, col name, parts bigint) LANGUAGE sql AS $$
	SELECT t.tgrelid::regclass, split_part(encode(t.tgargs, 'escape'), '\000', 2), (SELECT count(*) FROM pg_trigger p WHERE p.tgparentid = t.oid)
	  FROM pg_trigger t
	 WHERE t.tgfoid = 'public.hilo_follow'::regproc AND t.tgnargs = 2 AND t.tgparentid = 0 ORDER BY t.tgrelid::regclass::text, 2
$$;

-- the way from int to bigint that rewrites no table, whether the old column still draws or not
CREATE FUNCTION swap(rel regclass, drop_default bool) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('ALTER TABLE %s RENAME id TO old', rel);
	EXECUTE format('ALTER TABLE %s RENAME new TO id', rel);
	EXECUTE format('ALTER TABLE %s ALTER id SET DEFAULT hilo_next(%L)', rel, rel);
	IF drop_default THEN
		EXECUTE format('ALTER TABLE %s ALTER old DROP DEFAULT', rel);
	END IF;
END $$;
CREATE TABLE swapped (id int, new bigint, note text);
CREATE TABLE swapped_too (id int, new bigint, note text);
SELECT hilo_attach(rel, 'id', follow => true) FROM unnest('{swapped,swapped_too}'::regclass[]) rel;
INSERT INTO swapped (note) VALUES ('a'), ('b');
UPDATE swapped SET new = id;
SELECT swap('swapped', true), swap('swapped_too', false);
SELECT hilo_attach(rel, 'id', follow => true) FROM unnest('{swapped,swapped_too}'::regclass[]) rel;
SELECT * FROM triggers();
ALTER TABLE swapped DROP COLUMN old, ADD UNIQUE (id);
ALTER TABLE swapped_too DROP COLUMN old;
SELECT hilo_alter('swapped', max_value => 9223372036854775807);
INSERT INTO swapped (id) VALUES (5000000000);
INSERT INTO swapped (note) VALUES ('c') RETURNING id > 5000000000 AS above;

-- a call without follow, and a detach, too: what is on a sequence by now is followed there, what is on nothing is not
CREATE TABLE plain (id int, old int, older int, note text);
CREATE SEQUENCE others;
\set attach 'SELECT hilo_attach(''plain'', ''id'', follow => true), hilo_attach(''plain'', ''old'', ''plain old'', true), hilo_attach(''plain'', ''older'', ''plain older'', true)'
:attach;
ALTER TABLE plain ALTER old DROP DEFAULT, ALTER older SET DEFAULT nextval('others');
SELECT hilo_attach('plain', 'id', follow => false);
SELECT * FROM triggers() WHERE rel = 'plain'::regclass;
ALTER TABLE plain ALTER older DROP DEFAULT;
:attach;
ALTER TABLE plain ALTER old DROP DEFAULT, ALTER older SET DEFAULT 7;
SELECT * FROM triggers() WHERE rel = 'plain'::regclass;
SELECT hilo_detach('plain', 'id');
SELECT * FROM triggers() WHERE rel = 'plain'::regclass;

-- those of columns that draw stay, also if the generator is another, or the same, or a function is around its call
CREATE TABLE two (id bigint, no bigint, part bigint, same bigint);
SELECT hilo_attach('two', 'id', follow => true), hilo_attach('two', 'no', 'two.no', true), hilo_attach('two', 'part', 'two.part', true),
	hilo_attach('two', 'same', 'two', true);
ALTER TABLE two ALTER no SET DEFAULT hilo_next_tag('elsewhere'), ALTER part SET DEFAULT abs(hilo_next_tag('two.part'));
SELECT hilo_attach('two', 'id', follow => true);
SELECT * FROM triggers() WHERE rel = 'two'::regclass;

-- partitions, at their own places, and children
CREATE TABLE parted (id int, new bigint, part int) PARTITION BY LIST (part);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 (part int, junk text, new bigint, id int);
ALTER TABLE parted_2 DROP junk;
ALTER TABLE parted ATTACH PARTITION parted_2 FOR VALUES IN (2);
CREATE TABLE parent (id int, new bigint);
CREATE TABLE child (note text) INHERITS (parent);
CREATE TABLE second (new bigint, id int);
SELECT hilo_attach(rel, 'id', follow => true) FROM unnest('{parted,parent}'::regclass[]) rel;
SELECT hilo_attach('second', 'id', '#parent', true);
ALTER TABLE second INHERIT parent;
ALTER TABLE parted RENAME id TO old;
ALTER TABLE parted RENAME new TO id;
ALTER TABLE parted ALTER old DROP DEFAULT, ALTER id SET DEFAULT hilo_next('parted');
ALTER TABLE parent RENAME id TO old;
ALTER TABLE parent RENAME new TO id;
ALTER TABLE parent ALTER old DROP DEFAULT, ALTER id SET DEFAULT hilo_next('parent');
SELECT hilo_attach(rel, 'id', follow => true) FROM unnest('{parted,parent}'::regclass[]) rel;
SELECT * FROM triggers() WHERE rel::text IN ('parted', 'parent', 'child', 'second');
ALTER TABLE parted DROP COLUMN old;
ALTER TABLE parent DROP COLUMN old;
INSERT INTO parted (id, part) VALUES (100, 1), (200, 2);
INSERT INTO parted (part) VALUES (2) RETURNING id > 200 AS above;
INSERT INTO child (id) VALUES (1000);
INSERT INTO second (id) VALUES (2000);
INSERT INTO parent DEFAULT VALUES RETURNING id > 2000 AS above;
-- of a part alone: the whole's trigger is not the part's to drop
CREATE TABLE whole (id bigint, old bigint, part int) PARTITION BY LIST (part);
CREATE TABLE whole_1 PARTITION OF whole FOR VALUES IN (1);
SELECT hilo_attach('whole', 'old', follow => true);
ALTER TABLE whole ALTER old DROP DEFAULT;
SELECT hilo_attach('whole_1', 'id', 'whole', true);
SELECT * FROM triggers() WHERE rel::text LIKE 'whole%';
SELECT hilo_attach('whole', 'id', 'whole', true);
SELECT * FROM triggers() WHERE rel::text LIKE 'whole%';

-- only the triggers of follow: others on the old column, of whatever name and of a namesake's function, stay
CREATE TABLE planted (id bigint, old bigint);
CREATE FUNCTION hilo_follow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
SELECT hilo_attach('planted', 'old', follow => true);
CREATE TRIGGER hilo_follow_2_planted AFTER INSERT OR UPDATE OF old ON planted FOR EACH ROW
	EXECUTE FUNCTION fs.hilo_follow('planted');
CREATE TRIGGER log AFTER UPDATE OF old ON planted FOR EACH ROW EXECUTE FUNCTION fs.hilo_follow();
CREATE FUNCTION is_brought() RETURNS bool LANGUAGE sql AS 'SELECT true';
CREATE TRIGGER own_condition AFTER INSERT OR UPDATE OF old ON planted FOR EACH ROW
	WHEN (is_brought()) EXECUTE FUNCTION public.hilo_follow('planted');
ALTER TABLE planted ALTER old DROP DEFAULT;
SELECT hilo_attach('planted', 'id', 'planted', false);
SELECT tgname FROM pg_trigger WHERE tgrelid = 'planted'::regclass ORDER BY tgname;

SET client_min_messages = warning;
DROP SCHEMA fs CASCADE;
SET search_path = public;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators();
