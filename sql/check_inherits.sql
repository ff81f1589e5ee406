/*
 * A chain of tables that inherit, each with a source of its own: the doctor asks each table
 * once or twice, however many inherit, and sees the rows of all
 */
SET hilo.prefetch = off;
SET client_min_messages = warning;
CREATE SCHEMA ch;
SET search_path = ch, public;
CREATE FUNCTION scanned() RETURNS bigint LANGUAGE sql RETURN
	(SELECT sum(seq_scan) FROM pg_stat_xact_user_tables WHERE schemaname = 'ch');

-- kinds of sources, each of which the doctor looks at
CREATE FUNCTION chain(kind text, n int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	name text;
	sequence text;
BEGIN
	FOR i IN 1 .. n LOOP
		name := format('t_%s', lpad(i::text, 3, '0'));
		sequence := name || '_s';
		EXECUTE format('CREATE TABLE %I () INHERITS (%I)', name, format('t_%s', lpad((i - 1)::text, 3, '0')));
		EXECUTE CASE
			WHEN kind = 'generator' OR kind = 'beyond' THEN
				format('ALTER TABLE ONLY %I ALTER id SET DEFAULT hilo_next_tag(%L)', name, 'g' || i)
			WHEN kind = 'text' THEN format('ALTER TABLE ONLY %I ALTER id SET DEFAULT hilo_next_id(%L)', name, 'g' || i)
			WHEN kind = 'every other' AND i % 2 = 1 THEN format('ALTER TABLE ONLY %I ALTER id SET DEFAULT hilo_next_tag(%L)', name, 'g' || i)
			WHEN kind = 'every other' THEN format('ALTER TABLE ONLY %I ALTER id DROP DEFAULT', name)
			WHEN kind = 'sequence' THEN format('CREATE SEQUENCE %2$I; ALTER TABLE ONLY %1$I ALTER id SET DEFAULT nextval(%2$L)', name, sequence)
			WHEN kind = 'owned' THEN format('CREATE SEQUENCE %2$I OWNED BY %1$I.id', name, sequence)
			WHEN kind = 'triggers' THEN format('CREATE TRIGGER assign BEFORE INSERT ON %I FOR EACH ROW
				EXECUTE FUNCTION hilo_number_assign(no, %s)', name, CASE i % 2 WHEN 0 THEN 'gapless' ELSE 'global' END)
			ELSE 'SELECT' END;
		IF kind <> 'sequence' AND kind <> 'owned' AND kind <> 'triggers' AND (kind <> 'every other' OR i % 2 = 1) THEN
			PERFORM hilo_create('g' || i, max_value => CASE kind WHEN 'beyond' THEN 1000 - i ELSE 1000 END);
		END IF;
		IF kind = 'beyond' THEN
			EXECUTE format('INSERT INTO %I VALUES (1000000 + %s)', name, i);
		END IF;
	END LOOP;
END $$;
CREATE FUNCTION scans(kind text, n int, OUT checks bigint, OUT resyncs bigint) LANGUAGE plpgsql SET client_min_messages = error AS $$
BEGIN
	EXECUTE format('CREATE TABLE t_000 (id %s, no bigint)', CASE kind WHEN 'text' THEN 'text' ELSE 'bigint' END);
	PERFORM chain(kind, n);
	checks := -scanned();
	PERFORM hilo_check();
	resyncs := -scanned();
	checks := checks - resyncs;
	PERFORM hilo_resync_all();
	resyncs := resyncs + scanned();
	DROP TABLE t_000 CASCADE;
	PERFORM hilo_drop(name) FROM hilo_generators();
	EXECUTE (SELECT coalesce(string_agg(format('DROP SEQUENCE %s', oid::regclass), ';'), 'SELECT')
			   FROM pg_class WHERE relkind = 'S' AND relnamespace = 'ch'::regnamespace);
END $$;
SELECT kind, n, s.* FROM unnest('{generator,beyond,text,"every other",sequence,owned,triggers}'::text[]) WITH ORDINALITY k (kind, no),
	unnest('{12,24}'::int[]) n, scans(kind, n) s ORDER BY no, n;

-- what is above a source is seen wherever it is
CREATE TABLE t_000 (id bigint, no bigint);
SELECT chain('generator', 4);
CREATE TABLE leaf () INHERITS (t_004);
INSERT INTO leaf VALUES (500);
SELECT rel, generator, problem, detail FROM hilo_check() WHERE detail ~ 'above|up to' ORDER BY 1, 3;
-- except another source's that no id of this one could be
SELECT hilo_alter('g2', max_value => 400);
SELECT rel, generator, problem, detail FROM hilo_check() WHERE problem = 'rows above last' ORDER BY 1, 3;
SELECT * FROM hilo_resync_all();
SELECT count(*) FROM hilo_check() WHERE problem = 'rows above last';
-- nor a sentinel, which hides no other id
INSERT INTO leaf VALUES (9000000000000000000), (700);
SELECT * FROM hilo_resync_all();
DELETE FROM leaf WHERE id > 700;
-- by another path, from two parents
CREATE TABLE other (id bigint DEFAULT hilo_next_tag('other'), no bigint);
SELECT hilo_create('other');
ALTER TABLE leaf INHERIT other;
SELECT rel, generator, problem, detail FROM hilo_check() WHERE problem = 'rows above last' ORDER BY 1, 3;
SELECT * FROM hilo_resync_all();
-- what cannot be asked at the end of the chain is not checked in any
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE FOREIGN TABLE far_away () INHERITS (leaf) SERVER nowhere;
SELECT rel, generator, detail FROM hilo_check() WHERE detail ~ 'not checked' ORDER BY 1;

DROP FOREIGN DATA WRAPPER nowhere CASCADE;
DROP SCHEMA ch CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators();
