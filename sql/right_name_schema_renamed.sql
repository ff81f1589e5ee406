/*
 * The owner of a database renames the schema that hilo is in, and puts another of that
 * name in its place, where each function of hilo's has a trap for a namesake
 */
\set database :DBNAME
\set SHOW_CONTEXT never
\set VERBOSITY terse
CREATE ROLE regress_hilo_dbowner;
CREATE DATABASE regress_hilo_renamed OWNER regress_hilo_dbowner ENCODING 'UTF8' TEMPLATE template0;
\c regress_hilo_renamed
CREATE EXTENSION hilo;
CREATE TABLE docs (id text PRIMARY KEY DEFAULT document_id('docs|'), no bigint DEFAULT hilo_next_tag('docs'), serial serial);
CREATE TABLE ids (id text) PARTITION BY RANGE (anchor_bucket(id));
CREATE SEQUENCE source;
CREATE TABLE one (id bigint DEFAULT hilo_next('one'));
CREATE TABLE another (id bigint);
CREATE TABLE by_source (id bigint);
CREATE TABLE by_hi (id bigint);
CREATE TABLE hi (next_hi int);
INSERT INTO docs DEFAULT VALUES;
CREATE TABLE grouped (name text, no int);
CREATE TRIGGER by_none BEFORE INSERT ON grouped FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless');
CREATE TRIGGER by_name BEFORE INSERT ON grouped FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless', 'name');
INSERT INTO hi VALUES (1);
-- none has the name of that schema in its text
SELECT oid::regprocedure FROM pg_proc WHERE pronamespace IN ('public'::regnamespace, 'hilo_internal'::regnamespace) AND prosrc ~ '\mpublic\M';

SET SESSION AUTHORIZATION regress_hilo_dbowner;
ALTER SCHEMA public RENAME TO app;
CREATE SCHEMA public;
CREATE SEQUENCE public.trapped;
CREATE FUNCTION public.trap() RETURNS bool LANGUAGE plpgsql AS
	$$BEGIN RETURN pg_catalog.nextval('public.trapped') OPERATOR(pg_catalog.>) 0; END$$;
-- functions, relations, operators and types of the names that hilo uses
DO $$
DECLARE
	made text;
BEGIN
	FOR made IN
		SELECT format('CREATE FUNCTION public.%I(%s) RETURNS %s LANGUAGE plpgsql AS %L', proname, oidvectortypes(proargtypes), pg_get_function_result(oid),
				'BEGIN PERFORM public.trap(); RETURN' || CASE WHEN proretset OR prorettype IN ('void'::regtype, 'event_trigger'::regtype) THEN '' ELSE ' NULL' END || '; END')
		  FROM pg_proc WHERE pronamespace IN ('app'::regnamespace, 'hilo_internal'::regnamespace) AND prokind = 'f'
		   AND NOT proargtypes::oid[] && ARRAY['internal', 'cstring', '"any"']::regtype[]::oid[] AND prorettype <> 'cstring'::regtype
	LOOP
		EXECUTE made;
	END LOOP;
	FOR made IN
		SELECT format('CREATE VIEW public.%I AS SELECT *, public.trap() AS trapped FROM (VALUES (1)) v', relname)
		  FROM pg_class WHERE relnamespace = 'hilo_internal'::regnamespace AND relkind = 'r'
	LOOP
		EXECUTE made;
	END LOOP;
	FOR made IN
		SELECT format('CREATE FUNCTION public.%1$I(%2$s) RETURNS %3$s LANGUAGE plpgsql AS ''BEGIN PERFORM public.trap(); RETURN NULL; END''', name, arguments, result)
		  FROM (VALUES ('lower', 'text', 'text'), ('count', 'text', 'int8'), ('format', 'text, text', 'text'), ('quote_ident', 'text', 'text'),
					   ('right', 'text, int', 'text'), ('length', 'text', 'int'), ('texteq', 'text, text', 'bool'), ('nameeq', 'name, name', 'bool'),
					   ('oideq', 'oid, oid', 'bool'), ('int8eq', 'int8, int8', 'bool'), ('int4eq', 'int4, int4', 'bool')) f (name, arguments, result)
	LOOP
		EXECUTE made;
	END LOOP;
	FOR made IN
		SELECT format('CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %2$s, FUNCTION = public.%s)', operator, type, function)
		  FROM (VALUES ('text', 'texteq'), ('name', 'nameeq'), ('oid', 'oideq'), ('int8', 'int8eq'), ('int4', 'int4eq')) f (type, function),
			   unnest('{=,<,>,<>}'::text[]) operator
	LOOP
		EXECUTE made;
	END LOOP;
END $$;
CREATE DOMAIN public.text AS pg_catalog.text CHECK (public.trap());
CREATE DOMAIN public.int8 AS pg_catalog.int8 CHECK (public.trap());
CREATE DOMAIN public.regclass AS pg_catalog.regclass CHECK (public.trap());
RESET SESSION AUTHORIZATION;

-- a superuser with a search_path that finds what is in "public" first calls every function
SET client_min_messages = error;
SET hilo.node_no = 1;
SET hilo.launch_id = 1;
SET search_path = pg_catalog, app;
CREATE FUNCTION app.state_of(command text) RETURNS text LANGUAGE plpgsql SET search_path = public, app, pg_catalog AS $$
BEGIN
	EXECUTE command;
	RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
CREATE TEMP TABLE called AS
	SELECT p.oid::regprocedure AS function, format('SELECT * FROM app.%I(%s)', proname, string_agg(
			CASE WHEN type = '"any"'::regtype THEN '''docs''::pg_catalog.text'
				 WHEN name IN ('hub', 'owner', 'key_column', 'key_value', 'hi_column') THEN 'NULL'
				 ELSE quote_literal(CASE
					WHEN type = 'regclass'::regtype THEN
						CASE WHEN name = 'sequence' THEN 'app.source' WHEN name = 'source' THEN 'app.hi' WHEN name = 'to' THEN 'app.another'
							WHEN proname = 'hilo_adopt_sequence' THEN 'app.by_source' WHEN proname = 'hilo_adopt_table' THEN 'app.by_hi'
							WHEN proname = 'anchor_partitions' THEN 'app.ids' WHEN proname = 'hilo_marten_next_hi' THEN 'app.mt_hilo'
							WHEN proname IN ('hilo_next', 'hilo_move') THEN 'app.one'
							WHEN proname LIKE 'hilo_group_%' THEN 'app.grouped' ELSE 'app.docs' END
					WHEN name IN ('name', 'tag') AND proname IN ('hilo_create', 'hilo_adopt_sequence_tag', 'hilo_adopt_table_tag') THEN proname
					WHEN name = 'name' AND proname = 'hilo_rename' THEN 'hilo_create' WHEN name = 'name' AND proname = 'hilo_drop' THEN 'renamed'
					WHEN (name, proname) = ('generator', 'hilo_attach') THEN 'serial'
					WHEN name = 'col' THEN CASE WHEN proname LIKE 'anchor%' THEN 'id' WHEN proname IN ('hilo_attach', 'hilo_detach') THEN 'serial' WHEN proname LIKE 'hilo_adopt%' THEN 'id' ELSE 'no' END
					WHEN name = 'separator' THEN '/' WHEN proname = 'id_from_text' AND type = 'text'::regtype THEN '0000000000001'
					WHEN proname = 'decimal_id_parts' THEN '10000100001'
					WHEN name = 'style' THEN CASE WHEN proname LIKE 'hilo_adopt_table%' THEN 'classic' ELSE 'hibernate-pooled' END
					WHEN name = 'ordering' THEN 'session' WHEN name = 'names' THEN '{docs}' WHEN name = 'new_name' THEN 'renamed'
					WHEN name = 'role' THEN 'pg_monitor' WHEN name = 'schema' THEN 'app'
					WHEN name IN ('max_value', 'max_range_size') THEN '1000000' WHEN name LIKE '%bits' THEN '63'
					WHEN type = 'jsonb'::regtype THEN '{}' WHEN type = 'bytea'::regtype THEN '\x000102030405060708090a0b0c0d0e0f'
					WHEN type = 'timestamptz'::regtype THEN '2026-01-01' WHEN type = 'interval'::regtype THEN '1 day'
					WHEN type = 'bool'::regtype THEN 'false' WHEN type IN ('int4'::regtype, 'int8'::regtype, 'float8'::regtype) THEN '1'
					ELSE 'docs' END) || '::pg_catalog.' || (SELECT quote_ident(typname) FROM pg_type WHERE oid = type) END, ', ' ORDER BY no)) AS call
	  FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
	  LEFT JOIN LATERAL (SELECT no, type, coalesce(proargnames[no], '') AS name FROM unnest(proargtypes::oid[]) WITH ORDINALITY a (type, no)) a ON true
	 WHERE pronamespace = 'app'::regnamespace AND prorettype <> 'trigger'::regtype GROUP BY p.oid, proname;
-- those that need what others make come last
CREATE TEMP TABLE state (call text, state text);
DO $$
DECLARE
	c record;
BEGIN
	FOR c IN SELECT call FROM called
			  ORDER BY function::text ~ 'drop|detach', function::text ~ 'current|marten_next|move|resync|return_range', function::text COLLATE "C"
	LOOP
		INSERT INTO state VALUES (c.call, app.state_of(c.call));
		COMMIT;
	END LOOP;
END $$;
SELECT call, state FROM state WHERE state <> 'ok';
SELECT count(*) > 60 AS many FROM state;
INSERT INTO app.docs DEFAULT VALUES;
INSERT INTO app.ids VALUES ('ids/1');
-- no trap was called: its number would stay, whatever was rolled back
SELECT is_called FROM public.trapped;
SELECT app.state_of('SELECT public.hilo_next_tag(''docs''), ''a'' OPERATOR(public.=) ''b''::pg_catalog.text, * FROM public.hilo_hi');
SELECT last_value, is_called FROM public.trapped;

-- renamed again, between the look at its name and the change of a default, or of a trigger
CREATE SCHEMA tables;
CREATE TABLE tables.plain (id bigint);
CREATE TABLE tables.drawing (id bigint DEFAULT app.hilo_next_tag('drawing'));
INSERT INTO tables.drawing DEFAULT VALUES;
CREATE FUNCTION tables.rename() RETURNS event_trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
	ALTER SCHEMA app RENAME TO aside;
	ALTER SCHEMA public RENAME TO app;
END $$;
CREATE EVENT TRIGGER rename ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION tables.rename();
SELECT app.hilo_attach('tables.plain', 'id');
SELECT app.hilo_rename('drawing', 'drawn');
DROP EVENT TRIGGER rename;
CREATE EVENT TRIGGER rename ON ddl_command_start WHEN TAG IN ('CREATE TRIGGER') EXECUTE FUNCTION tables.rename();
SELECT app.hilo_attach('tables.plain', 'id', follow => true);
DROP EVENT TRIGGER rename;

\c :database
DROP DATABASE regress_hilo_renamed WITH (FORCE);
DROP ROLE regress_hilo_dbowner;
