/*
 * What is tried to break hilo or to gain a right, and fails.  Each part is a session of
 * its own and drops what it made
 */

/*
 * What roles with a table of their own, owners and superusers can do to break
 * hilo, and cannot
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;

-- a default with a constant that is no text, and with a name that can be none
CREATE TABLE attack (id bigint DEFAULT hilo_next_tag('orders'::"char"));
SELECT hilo_next_for('attack');
CREATE TABLE attack_name (id bigint DEFAULT hilo_next_tag('orders'::name));
SELECT hilo_next_for('attack_name'), hilo_generator_of('attack_name', 'id');
INSERT INTO attack_name DEFAULT VALUES RETURNING id;
CREATE TABLE attack_empty (id bigint DEFAULT hilo_next_tag(''));
SELECT hilo_create('attack');
SELECT hilo_drop('attack');
DROP TABLE attack, attack_empty;

-- a drop of a row that the transaction has locked before
SELECT hilo_create('attack');
SELECT hilo_next_tag('attack');
BEGIN;
SAVEPOINT s;
SELECT name FROM hilo_internal.hilo_hi WHERE name = 'attack' FOR UPDATE;
RELEASE s;
SELECT hilo_drop('attack');
SELECT hilo_next_tag('attack');
ROLLBACK;
SELECT count(*) FROM hilo_internal.hilo_hi WHERE name = 'attack';
SELECT hilo_drop('attack');

-- ids above a limit that a rollback brought back: in the window, and held
SELECT hilo_create('attack', max_value => 100);
BEGIN;
SELECT hilo_alter('attack', max_value => 1000);
SELECT low, high FROM hilo_next_range('attack', 100);
SELECT hilo_next_tag('attack');
SELECT low, high FROM hilo_next_range('attack', 100);
SELECT hilo_release('attack');
ROLLBACK;
SELECT hilo_next_tag('attack');
SELECT hilo_drop('attack');

SELECT hilo_create('attack', max_value => 40);
BEGIN;
SELECT hilo_alter('attack', max_value => 1000);
SELECT count(*) FROM hilo_next_tag('attack', 60);
ROLLBACK;
SELECT hilo_next_tag('attack', 0);
SELECT hilo_drop('attack');

-- ids below a first that was raised: held, and in the window
SELECT hilo_create('attack');
SELECT hilo_next_tag('attack');
SELECT low, high FROM hilo_next_range('attack');
SELECT hilo_alter('attack', first => 60);
SELECT hilo_next_tag('attack');
SELECT hilo_drop('attack');

-- an owner that a failed restore left keeps what the dump gave it, or loses it
-- to hilo_create: there are never two
CREATE ROLE regress_hilo_old;
CREATE ROLE regress_hilo_new;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_new;
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('attack', 'regress_hilo_old', true), ('attack_too', 'regress_hilo_old', true);
SET ROLE regress_hilo_new;
SELECT hilo_next_tag('attack');
SELECT hilo_create('attack_too');
RESET ROLE;
SELECT name, owner FROM hilo_generators() WHERE name LIKE 'attack%' ORDER BY name;
SELECT hilo_drop('attack'), hilo_drop('attack_too');
DROP OWNED BY regress_hilo_new;
DROP ROLE regress_hilo_old, regress_hilo_new;

-- definitions that no hilo_create would make
INSERT INTO hilo_internal.hilo_generator VALUES (1, 1, 1, 1, '2026-01-01', true, 63, '', '', 'bogus', 'attack', 'attack');
INSERT INTO hilo_internal.hilo_generator VALUES (1, 1, 0, 0, '2026-01-01', true, 63, '', '', 'session', 'attack', 'attack');

-- an index that would have to be evaluated
BEGIN;
CREATE INDEX ON hilo_internal.hilo_generator (upper(written_name));
SELECT hilo_next_tag('attack');
ROLLBACK;
BEGIN;
CREATE INDEX attack ON hilo_internal.hilo_generator (name) WHERE first > 1;
SELECT hilo_alter('orders', range_size => 3);
ROLLBACK;

-- names that are refused take no memory
SET hilo.auto_create = off;
DO $$
BEGIN
	FOR i IN 1 .. 10000 LOOP
		BEGIN
			PERFORM hilo_next_tag('attack' || i);
		EXCEPTION WHEN undefined_object THEN
			NULL;
		END;
	END LOOP;
END $$;
SELECT sum(total_bytes) < 200000 AS small FROM pg_backend_memory_contexts WHERE name LIKE 'hilo%';
DROP TABLE attack_name;
SELECT hilo_drop('orders');
\c -
\set VERBOSITY default
\set SHOW_CONTEXT errors
\pset format aligned
\pset tuples_only off
/*
 * Code that somebody has put into a table or a view never gets the rights of who
 * takes ids or looks at generators, and shows nothing that they hide
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_app;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_owner;
CREATE SCHEMA bait;
GRANT ALL ON SCHEMA bait TO regress_hilo_owner;
GRANT USAGE ON SCHEMA bait TO regress_hilo_app;
CREATE TABLE bait.seen (code text, who text);
GRANT INSERT ON bait.seen TO PUBLIC;
-- with the rights of whom the owner's code has run
CREATE FUNCTION who_ran() RETURNS TABLE (code text, who text) LANGUAGE sql AS $$
	WITH gone AS (DELETE FROM bait.seen RETURNING *)
	SELECT DISTINCT code, CASE who WHEN current_user THEN 'superuser' ELSE who END FROM gone ORDER BY 1, 2
$$;

-- a table that ids come from
SET ROLE regress_hilo_owner;
-- IMMUTABLE, to be allowed everywhere
CREATE FUNCTION bait.write(code text) RETURNS void LANGUAGE sql AS 'INSERT INTO bait.seen VALUES (code, current_user)';
CREATE FUNCTION bait.note(code text) RETURNS bool LANGUAGE plpgsql IMMUTABLE
	AS $$ BEGIN PERFORM bait.write(code); RETURN true; END $$;
CREATE FUNCTION bait.note_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM bait.note('trigger');
	RETURN NEW;
END $$;
CREATE TABLE bait.hi (entity_name text PRIMARY KEY, hi_value bigint);
CREATE TRIGGER note BEFORE INSERT OR UPDATE ON bait.hi FOR EACH ROW EXECUTE FUNCTION bait.note_row();
CREATE CONSTRAINT TRIGGER note_late AFTER UPDATE ON bait.hi DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION bait.note_row();
INSERT INTO bait.hi VALUES ('bait', 0);
SELECT hilo_adopt_table('bait', 'bait.hi', 'marten', 10), hilo_grant('bait', 'public');
CREATE TABLE bait.rows (id bigint PRIMARY KEY DEFAULT hilo_next_tag('bait'));
RESET ROLE;
SELECT count(*) > 0 AS by_the_owner FROM who_ran();
SELECT hilo_next_tag('bait');
SELECT * FROM who_ran();
SELECT hilo_seed('bait', 100);
SELECT * FROM who_ran();
SELECT hilo_marten_next_hi('bait.hi', 'bait');
SELECT * FROM who_ran();
SELECT count(*) FROM hilo_resync_all() WHERE rel = 'bait.rows'::regclass;
SELECT * FROM who_ran();
SELECT problem FROM hilo_check() WHERE rel = 'bait.rows'::regclass;
SELECT * FROM who_ran();
SELECT count(*) FROM hilo_sources() WHERE name = 'bait';
SELECT ordering FROM hilo_generators() WHERE name = 'bait';
SELECT * FROM who_ran();
SELECT current_user = session_user AS is_who_it_was, current_setting('search_path') AS search_path;

-- nor the rights of who takes ids without any
SET ROLE regress_hilo_app;
SELECT hilo_next_tag('bait') > 0 AS taken;
SELECT high - low AS ids FROM hilo_next_range('bait');
RESET ROLE;
SELECT * FROM who_ran();
-- policies are the owner's code, too
ALTER TABLE bait.hi ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY note ON bait.hi USING (bait.note('policy'));
SELECT high - low AS ids FROM hilo_next_range('bait');
SELECT * FROM who_ran();
ALTER TABLE bait.hi DISABLE ROW LEVEL SECURITY;

-- views with a generator in a default
SET ROLE regress_hilo_owner;
CREATE VIEW bait.view AS SELECT 1::bigint AS id WHERE bait.note('view');
ALTER VIEW bait.view ALTER id SET DEFAULT hilo_next_tag('bait_view');
RESET ROLE;
SELECT count(*) FROM hilo_resync_all() WHERE rel = 'bait.view'::regclass;
SELECT problem FROM hilo_check() WHERE rel = 'bait.view'::regclass;
SELECT hilo_resync('bait.view', 'id');
SELECT * FROM who_ran();

-- a condition that says what it sees is asked about nothing that a view hides
SET ROLE regress_hilo_owner;
SELECT hilo_adopt_table('secret', 'bait.hi', 'marten', 10, key_value => 'my secret');
SELECT hilo_grant('secret', 'regress_hilo_owner');
SET ROLE regress_hilo_app;
CREATE FUNCTION pg_temp.tell(value text) RETURNS bool LANGUAGE plpgsql COST 0.0000001
	AS $$ BEGIN RAISE WARNING 'told: %', value; RETURN true; END $$;
SELECT count(*) FROM hilo_sources() WHERE pg_temp.tell(key_value) AND key_value LIKE 'my%';
RESET ROLE;

DROP FUNCTION pg_temp.tell;
DROP SCHEMA bait CASCADE;
SELECT hilo_drop('bait'), hilo_drop('secret');
DROP FUNCTION who_ran;
DROP OWNED BY regress_hilo_owner;
DROP ROLE regress_hilo_owner, regress_hilo_app;
\c -
\set VERBOSITY default
\set SHOW_CONTEXT errors
\pset format aligned
\pset tuples_only off
/*
 * A hostile search_path: a schema with tables, functions, operators, types and
 * casts of the names that hilo uses
 */
\set SHOW_CONTEXT never
SET hilo.prefetch = off;
CREATE SCHEMA hostile;
CREATE FUNCTION hostile.trap() RETURNS bool LANGUAGE plpgsql
	AS 'BEGIN RAISE EXCEPTION ''trapped''; END';
-- our tables
CREATE TABLE hostile.hilo_hi (LIKE hilo_internal.hilo_hi);
CREATE TABLE hostile.hilo_generator (LIKE hilo_internal.hilo_generator);
CREATE TABLE hostile.hilo_privilege (LIKE hilo_internal.hilo_privilege);
-- our functions, as good a match or a better one
CREATE FUNCTION hostile.hilo_next_tag(text) RETURNS bigint LANGUAGE sql AS 'SELECT hostile.trap()::int::bigint';
CREATE FUNCTION hostile.hilo_guard() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE FUNCTION hostile.hilo_generators() RETURNS SETOF int LANGUAGE sql AS 'SELECT 1 WHERE hostile.trap()';
-- what comparisons and look-ups could hit
CREATE FUNCTION hostile.texteq(text, text) RETURNS bool LANGUAGE sql AS 'SELECT hostile.trap()';
CREATE FUNCTION hostile.oideq(oid, oid) RETURNS bool LANGUAGE sql AS 'SELECT hostile.trap()';
CREATE OPERATOR hostile.= (LEFTARG = text, RIGHTARG = text, FUNCTION = hostile.texteq);
CREATE OPERATOR hostile.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = hostile.oideq);
-- for what PostgreSQL's own take only after a conversion
CREATE FUNCTION hostile.eq(oid, regclass) RETURNS bool LANGUAGE sql AS 'SELECT hostile.trap()';
CREATE OPERATOR hostile.= (LEFTARG = oid, RIGHTARG = regclass, FUNCTION = hostile.eq);
CREATE FUNCTION hostile.eq(name, text) RETURNS bool LANGUAGE sql AS 'SELECT hostile.trap()';
CREATE OPERATOR hostile.= (LEFTARG = name, RIGHTARG = text, FUNCTION = hostile.eq);
CREATE FUNCTION hostile.lower(text) RETURNS text LANGUAGE sql AS 'SELECT hostile.trap()::text';
CREATE FUNCTION hostile.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT NULL::pg_catalog.timestamptz WHERE hostile.trap()';
CREATE DOMAIN hostile.int8 AS pg_catalog.int8 CHECK (hostile.trap());
CREATE DOMAIN hostile.text AS pg_catalog.text CHECK (hostile.trap());
CREATE DOMAIN hostile.regrole AS pg_catalog.oid CHECK (hostile.trap());
CREATE COLLATION hostile."C" FROM "POSIX";

CREATE ROLE regress_hilo_user;
SELECT public.hilo_create('hostile');
\c -
SET hilo.prefetch = off;
SET search_path = hostile, pg_catalog, public;
SELECT public.hilo_next_tag('hostile'), public.hilo_next_tag('HOSTILE');
SELECT * FROM public.hilo_next_tag('hostile', 2);
SELECT public.hilo_next_id('hostile'), public.hilo_current('hostile');
SELECT public.hilo_release('hostile'), public.hilo_release();
SELECT prefix, low, high FROM public.hilo_next_range('hostile', 10);
SELECT public.hilo_return_range('hostile', 15, 6);
SELECT public.hilo_next_hi('hostile', 10);
SELECT public.hilo_seed('hostile', 100), public.hilo_seed('hostile', 50, true);
SELECT public.hilo_alter('hostile', range_size => 10, owner => 'regress_hilo_user');
SELECT public.hilo_grant('hostile', 'regress_hilo_user'), public.hilo_revoke('hostile', 'public');
SELECT public.hilo_next_tag('hostile_first_use');
SELECT name, pg_catalog.replace(owner::pg_catalog.text, pg_catalog.quote_ident(session_user), 'superuser') AS owner, last
  FROM public.hilo_generators() WHERE name OPERATOR(pg_catalog.~~) 'hostile%';
SELECT name, next FROM public.hilo_session() ORDER BY name;
SELECT ranges > 0 AS counted FROM public.hilo_stats() WHERE name OPERATOR(pg_catalog.=) 'hostile';
SELECT ranges > 0 AS counted FROM public.hilo_stats_server();
-- the guard
UPDATE hilo_internal.hilo_hi SET reserved = 0;
INSERT INTO hilo_internal.hilo_hi SELECT * FROM hilo_internal.hilo_hi WHERE name OPERATOR(pg_catalog.=) 'hostile';
SELECT count(*) FROM hilo_internal.hilo_hi WHERE name OPERATOR(pg_catalog.=) 'hostile';
-- nothing went to the other tables
SELECT (SELECT count(*) FROM hostile.hilo_hi) + (SELECT count(*) FROM hostile.hilo_generator)
     + (SELECT count(*) FROM hostile.hilo_privilege) AS rows;
SELECT public.hilo_drop('hostile'), public.hilo_drop('hostile_first_use');
-- temporary tables come before all others
CREATE TEMP TABLE hilo_hi (LIKE hilo_internal.hilo_hi);
CREATE TEMP TABLE hilo_generator (LIKE hilo_internal.hilo_generator);
SELECT public.hilo_next_tag('hostile');
SELECT count(*) FROM pg_temp.hilo_hi;
SELECT public.hilo_drop('hostile');
DROP TABLE pg_temp.hilo_hi, pg_temp.hilo_generator;

-- installed into that schema: refused where a name is taken, for nothing of
-- somebody else's may become ours
RESET search_path;
BEGIN;
DROP EXTENSION hilo CASCADE;
SAVEPOINT s;
CREATE SCHEMA hilo_internal;
CREATE EXTENSION hilo SCHEMA hostile;
ROLLBACK TO s;
CREATE EXTENSION hilo SCHEMA hostile;
ROLLBACK TO s;
DROP FUNCTION hostile.hilo_next_tag, hostile.hilo_guard, hostile.hilo_generators;
-- what is left cannot be in the way, nor a setting
CREATE ACCESS METHOD hostile TYPE TABLE HANDLER heap_tableam_handler;
SET LOCAL default_table_access_method = hostile;
DO $$ BEGIN SET LOCAL standard_conforming_strings = off; EXCEPTION WHEN OTHERS THEN NULL; END $$;
CREATE EXTENSION hilo SCHEMA hostile;
SELECT amname, count(*) FROM pg_class c JOIN pg_am a ON a.oid = c.relam WHERE c.relkind = 'r' AND c.relnamespace = 'hilo_internal'::regnamespace GROUP BY 1;
SELECT count(*) FROM hostile.hilo_check();
SET LOCAL standard_conforming_strings = on;
SET search_path = hostile, pg_catalog;
SELECT hostile.hilo_next_tag('hostile'), hostile.hilo_next_id('hostile');
SELECT name, last FROM hostile.hilo_generators();
RESET search_path;
-- nothing of the extension leans on it
SELECT pg_describe_object(d.classid, d.objid, d.objsubid) AS object, pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid) AS leans_on
  FROM pg_depend d
 WHERE d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass, 'pg_collation'::regclass) AND d.deptype = 'n'
   AND NOT EXISTS (SELECT FROM pg_constraint c WHERE d.classid = 'pg_constraint'::regclass AND c.oid = d.objid AND c.contypid <> 0)
   AND EXISTS (SELECT FROM pg_depend e WHERE e.classid = d.refclassid AND e.objid = d.refobjid AND e.refobjid = 'hostile'::regnamespace)
   AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = d.refclassid AND e.objid = d.refobjid AND e.deptype = 'e')
   AND NOT EXISTS (SELECT FROM pg_depend h WHERE h.classid = d.classid AND h.objid = d.objid AND h.refobjid = 'hostile'::regnamespace
					  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = h.classid AND e.objid = h.objid AND e.deptype = 'e'));
SELECT attname, atttypid::regtype, attcollation::regcollation
  FROM pg_attribute
 WHERE attrelid = 'hostile.hilo_hi'::regclass AND attname IN ('reserved', 'name')
 ORDER BY attnum;
ROLLBACK;

SET client_min_messages = warning;
DROP SCHEMA hostile CASCADE;
DROP ROLE regress_hilo_user;
\c -
\set VERBOSITY default
\set SHOW_CONTEXT errors
\pset format aligned
\pset tuples_only off
/*
 * The name of the extension's schema: with anything in it, and taken by another one
 */
SET client_min_messages = warning;
BEGIN;
DROP EXTENSION hilo CASCADE;
CREATE SCHEMA "100% %s";
CREATE EXTENSION hilo SCHEMA "100% %s";
SET LOCAL search_path = "100% %s", public;
CREATE TABLE named (id text, "%s" int) PARTITION BY RANGE (anchor_bucket(id));
SELECT anchor_partitions('named', 2);
INSERT INTO named SELECT 'named/' || n, n FROM generate_series(1, 100) n;
SELECT tableoid::regclass, count(*) FROM named GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM named WHERE anchor_match(id, 'named/1');
SELECT buckets, rows FROM anchor_report('named', 'id', 524288);

-- whoever may rename the schema puts traps in its place
ALTER SCHEMA "100% %s" RENAME TO renamed;
CREATE SCHEMA "100% %s";
DO $$
DECLARE
	f record;
BEGIN
	FOR f IN
		SELECT p.proname, pg_get_function_identity_arguments(p.oid) AS arguments, pg_get_function_result(p.oid) AS result
		  FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
		  JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'hilo'
		 WHERE p.proname ~ '^anchor_|^docid_fold$'
	LOOP
		EXECUTE format('CREATE FUNCTION "100%% %%s".%I(%s) RETURNS %s LANGUAGE plpgsql AS %L',
					   f.proname, f.arguments, f.result, 'BEGIN RAISE EXCEPTION $t$trapped in ' || f.proname || '$t$; END');
	END LOOP;
END $$;
SET LOCAL search_path = public;
SELECT count(*) AS traps FROM pg_proc WHERE pronamespace = '"100% %s"'::regnamespace;
CREATE TABLE taken (LIKE renamed.named) PARTITION BY RANGE (renamed.anchor_bucket(id));
SELECT renamed.anchor_partitions('taken', 2);
INSERT INTO taken SELECT * FROM renamed.named;
SELECT count(*) FROM taken WHERE renamed.anchor_match(id, 'named/1');
SELECT buckets, rows FROM renamed.anchor_report('taken', 'id', 524288);
SELECT * FROM renamed.anchor_ranges(2);
ROLLBACK;
\c -
\set VERBOSITY default
\set SHOW_CONTEXT errors
\pset format aligned
\pset tuples_only off
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
CREATE TABLE one (id bigint DEFAULT hilo_next_tag('one'));
CREATE TABLE hi (next_hi int);
INSERT INTO docs DEFAULT VALUES;
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
				'BEGIN PERFORM public.trap(); RETURN' || CASE WHEN proretset OR prorettype = 'void'::regtype THEN '' ELSE ' NULL' END || '; END')
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

-- a superuser, whose search_path finds what is in "public" first, calls every function
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
						CASE proname WHEN 'anchor_partitions' THEN 'app.ids' WHEN 'hilo_adopt_table' THEN 'app.hi'
							WHEN 'hilo_adopt_sequence' THEN 'app.source' WHEN 'hilo_marten_next_hi' THEN 'app.mt_hilo' WHEN 'hilo_next_for' THEN 'app.one' ELSE 'app.docs' END
					WHEN name = 'name' AND proname IN ('hilo_create', 'hilo_adopt_sequence', 'hilo_adopt_table') THEN proname
					WHEN name = 'name' AND proname = 'hilo_rename' THEN 'hilo_create' WHEN name = 'name' AND proname = 'hilo_drop' THEN 'renamed'
					WHEN (name, proname) = ('generator', 'hilo_attach') THEN 'serial'
					WHEN name = 'col' THEN CASE WHEN proname LIKE 'anchor%' THEN 'id' WHEN proname IN ('hilo_attach', 'hilo_detach') THEN 'serial' ELSE 'no' END
					WHEN name = 'separator' THEN '/' WHEN proname = 'id_from_text' AND type = 'text'::regtype THEN '0000000000001'
					WHEN proname = 'decimal_id_parts' THEN '10000100001'
					WHEN name = 'style' THEN CASE proname WHEN 'hilo_adopt_table' THEN 'classic' ELSE 'hibernate-pooled' END
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
			  ORDER BY function::text ~ 'drop|detach', function::text ~ 'current|marten_next|resync|return_range', function::text COLLATE "C"
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
