\set ECHO none
-- What the files about altered tables of hilo begin with
\set SHOW_CONTEXT never
SET hilo.prefetch = off;
SET client_min_messages = warning;
CREATE SCHEMA loop;
SET search_path = loop, public;
CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TABLE followed (id bigserial PRIMARY KEY);
CREATE TABLE own (id bigint PRIMARY KEY DEFAULT hilo_next('loop.own'));
CREATE TABLE numbered (day int, no bigint);
CREATE TRIGGER numbers BEFORE INSERT ON numbered FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless', 'day');
DO $$
BEGIN
	PERFORM hilo_attach('followed', 'id'), hilo_create('gapless', 'gapless');
	PERFORM hilo_create('own', range_size => 1, max_range_size => 1);
END $$;
-- inserts that need each of hilo's tables
CREATE FUNCTION inserts() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO followed SELECT coalesce(max(id), 0) + 10 FROM followed;
	INSERT INTO followed DEFAULT VALUES;
	INSERT INTO own SELECT FROM generate_series(1, 3);
	INSERT INTO numbered VALUES (1), (2);
	PERFORM hilo_next_tag('gapless'), hilo_create('loop'), hilo_next_tag('loop');
	PERFORM hilo_drop('loop');
	PERFORM hilo_internal.hilo_hub_register(1, 'G', 0, 'loop'), hilo_node_forget(1);
	PERFORM hilo_check();
	RETURN 'inserts';
EXCEPTION WHEN OTHERS THEN
	RETURN concat_ws(' ', 'no insert:', SQLSTATE, SQLERRM);
END $$;
-- what a role's statement is answered for each of hilo's tables, with its name, its key and, if asked for, its columns
CREATE FUNCTION each_own(statement text, by_role text DEFAULT 'none') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	t record;
	answer text;
	answers text[];
BEGIN
	FOR t IN SELECT format('hilo_internal.%I', relname) AS rel, conname AS key, attname AS col
		  FROM pg_constraint JOIN pg_class c ON c.oid = conrelid JOIN pg_attribute ON attrelid = conrelid
		 WHERE connamespace = 'hilo_internal'::regnamespace AND contype = 'p'
		   AND CASE WHEN statement LIKE '%$I%' THEN attnum > 0 ELSE attnum = 1 END ORDER BY conname, attnum LOOP
		PERFORM set_config('role', by_role, true);
		BEGIN
			EXECUTE format(statement, t.rel, t.key, t.col);
			answer := 'done';
		EXCEPTION WHEN OTHERS THEN
			answer := concat_ws(' ', SQLSTATE, regexp_replace(replace(replace(SQLERRM, t.rel, 'X'), 'column ' || t.col, 'column c'), '"hilo_\w+"|(?<=of a column used ).*', 'X'));
		END;
		answers := answers || answer;
		PERFORM set_config('role', 'none', true);
	END LOOP;
	RETURN string_agg(DISTINCT a, ', ' ORDER BY a) FROM unnest(answers) a;
END $$;
\set ECHO all
