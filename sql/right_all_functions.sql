/*
 * What a role with nothing, and one with its own generator, may do with each
 * function and each relation of hilo: whatever is added shows here
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_one;
CREATE ROLE regress_hilo_nothing;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_owner, regress_hilo_one;
CREATE VIEW member AS
	SELECT d.classid, d.objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
	 WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'hilo';

-- functions that are not for every role
SELECT p.oid::regprocedure FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
 WHERE NOT has_function_privilege('regress_hilo_nothing', p.oid, 'EXECUTE') ORDER BY p.oid::regprocedure::text COLLATE "C";
-- none has other rights than its caller's, but those that keep the list of servers
SELECT p.oid::regprocedure FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid WHERE p.prosecdef ORDER BY p.oid::regprocedure::text COLLATE "C";
-- none looks names up by the caller's search_path, but those with schema-qualified names only
SELECT p.oid::regprocedure, p.prosqlbody IS NOT NULL AS parsed, p.proconfig
  FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid JOIN pg_language l ON l.oid = p.prolang
 WHERE l.lanname <> 'c' AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (p.proconfig), false) ORDER BY p.oid::regprocedure::text COLLATE "C";
-- relations, which no other objects are part of
SELECT c.relname, c.relkind, string_agg(privilege, ' ' ORDER BY privilege)
  FROM pg_class c JOIN member ON classid = 'pg_class'::regclass AND objid = c.oid
  LEFT JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
	   ON has_table_privilege('regress_hilo_nothing', c.oid, privilege)
	   OR privilege IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege('regress_hilo_nothing', c.oid, privilege)
 WHERE c.relkind IN ('r', 'v', 'S') GROUP BY 1, 2 ORDER BY relname COLLATE "C";
-- nothing of the extension leans on what is not PostgreSQL's or its own
SELECT pg_describe_object(d.classid, d.objid, d.objsubid), pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid)
  FROM pg_depend d JOIN member m ON m.classid = d.classid AND m.objid = d.objid
 WHERE d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass, 'pg_collation'::regclass)
   AND NOT EXISTS (SELECT FROM member o WHERE o.classid = d.refclassid AND o.objid = d.refobjid)
   AND NOT EXISTS (SELECT FROM pg_type t JOIN member o ON o.classid = 'pg_class'::regclass AND o.objid = t.typrelid
					WHERE d.refclassid = 'pg_type'::regclass AND t.oid = d.refobjid);

-- generators of each kind that are one role's alone, and one of the other role's
CREATE FOREIGN DATA WRAPPER regress_hilo;
CREATE SERVER regress_hilo_nowhere FOREIGN DATA WRAPPER regress_hilo OPTIONS (host '/nowhere');
CREATE SEQUENCE secret_seq;
CREATE TABLE secret_hi (next_hi int);
INSERT INTO secret_hi VALUES (1);
GRANT USAGE ON FOREIGN SERVER regress_hilo_nowhere TO regress_hilo_owner;
ALTER TABLE secret_hi OWNER TO regress_hilo_owner;
ALTER SEQUENCE secret_seq OWNER TO regress_hilo_owner;
GRANT ALL ON secret_seq, secret_hi TO PUBLIC;
SET ROLE regress_hilo_owner;
CREATE TEMP TABLE secret (name text);
GRANT SELECT ON secret TO PUBLIC;
INSERT INTO secret VALUES ('secret'), ('secret|'), ('secret gapless'), ('secret sequence'), ('secret table'), ('secret hub');
SELECT hilo_create('secret'), hilo_create('secret|'), hilo_create('secret gapless', 'gapless'),
       hilo_create('secret hub', hub => 'regress_hilo_nowhere'),
       hilo_adopt_sequence_tag('secret sequence', 'secret_seq', 'nhibernate-seqhilo', 10), hilo_adopt_table_tag('secret table', 'secret_hi', 'classic', 10);
SELECT count(hilo_next_tag(name)) FROM secret WHERE name IN ('secret', 'secret|', 'secret gapless');
SET ROLE regress_hilo_one;
SELECT hilo_create('mine');
RESET ROLE;
-- and a table with its own generator
CREATE TABLE secret_rows (id bigint PRIMARY KEY DEFAULT hilo_next('secret_rows'), other bigint);
ALTER TABLE secret_rows OWNER TO regress_hilo_owner;
INSERT INTO secret_rows DEFAULT VALUES;

-- what a superuser lets other servers call
GRANT USAGE ON SCHEMA hilo_internal TO regress_hilo_one, regress_hilo_nothing;
GRANT EXECUTE ON FUNCTION hilo_internal.hilo_hub_take, hilo_internal.hilo_hub_last, hilo_internal.hilo_hub_seed TO PUBLIC;
-- a call of a function for a generator, with something for each of its other arguments
CREATE FUNCTION call_for(function regprocedure, generator text, relation text DEFAULT 'secret_seq') RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT %s.%I(%s)', pronamespace::regnamespace, proname, string_agg(format('%s::%s',
			CASE WHEN no = 1 AND type = 'text[]'::regtype THEN quote_literal(ARRAY[generator]::text)
				 WHEN no = 1 THEN quote_literal(generator)
				 WHEN type = 'bool'::regtype THEN 'false' WHEN type = 'name'::regtype AND 'hub' = proargnames[no] THEN quote_literal('')
				 WHEN type = 'name'::regtype AND 'col' <> proargnames[no] THEN quote_literal('regress_hilo_nothing')
				 WHEN type = 'timestamptz'::regtype THEN 'now()' WHEN type = 'regclass'::regtype THEN quote_literal(relation)
				 WHEN type = 'name'::regtype AND 'col' = proargnames[no] THEN quote_literal('id')
				 WHEN type = 'text'::regtype AND 'ordering' = proargnames[no] THEN quote_literal('global')
				 WHEN type = 'text'::regtype AND 'style' = proargnames[no] THEN quote_literal('nhibernate-seqhilo')
				 WHEN type = 'text'::regtype THEN quote_literal(':') ELSE '5' END, type::regtype), ', ' ORDER BY no))
	  FROM pg_proc, unnest(proargtypes::oid[]) WITH ORDINALITY a(type, no) WHERE oid = function GROUP BY pronamespace, proname
$$;
CREATE FUNCTION pg_temp.state_of(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE command;
	RAISE SQLSTATE 'DONE0';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
CREATE TEMP TABLE asked AS
	SELECT p.oid::regprocedure AS function, s.name, call_for(p.oid, s.name) AS call
	  FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid, secret s
	 WHERE p.prokind = 'f' AND p.provolatile = 'v' AND p.proargtypes[0] IN ('text'::regtype, 'text[]'::regtype)
	   AND p.proargnames[1] IN ('name', 'names', 'pattern', 'tag') AND has_function_privilege('public', p.oid, 'EXECUTE')
   AND p.proname NOT IN ('hilo_create', 'hilo_adopt_sequence_tag', 'hilo_adopt_table_tag', 'hilo_raise_counter')
   AND (p.proname NOT LIKE 'identity%' OR s.name = 'secret|') AND (p.proname <> 'hilo_next_id' OR s.name <> 'secret|');
CREATE TEMP TABLE asked_of_table AS
	SELECT call_for(p.oid, 'secret_rows', 'secret_rows') AS call
	  FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
	 WHERE p.prokind = 'f' AND p.provolatile = 'v' AND has_function_privilege('public', p.oid, 'EXECUTE')
	   AND (p.proargtypes[0] = 'regclass'::regtype OR p.proargtypes[0] = 'text'::regtype AND p.proargnames[1] IN ('name', 'pattern'));
GRANT SELECT ON asked, asked_of_table TO PUBLIC;
SELECT string_agg(DISTINCT function::text COLLATE "C", E'\n') FROM asked;
SELECT call FROM asked_of_table ORDER BY call COLLATE "C";
-- all refuse but these: document_id of a whole id is that id, and of what a session does
-- not hold it has nothing to release
SET ROLE regress_hilo_nothing;
SELECT function, name, pg_temp.state_of(call) FROM asked WHERE pg_temp.state_of(call) <> '42501' ORDER BY function::text COLLATE "C", name COLLATE "C";
SELECT call, pg_temp.state_of('SELECT ' || call) FROM (VALUES ($$hilo_create('secret')$$),
	($$hilo_adopt_sequence_tag('secret', 'secret_seq', 'nhibernate-seqhilo', 10)$$), ($$hilo_adopt_table_tag('secret', 'secret_hi', 'classic', 10)$$),
	($$hilo_adopt_sequence_tag('secret table', 'secret_seq', 'nhibernate-seqhilo', 10)$$), ($$hilo_adopt_table_tag('secret table', 'secret_hi', 'classic', 10)$$),
	($$hilo_attach('secret_hi', 'next_hi')$$), ($$hilo_detach('secret_hi', 'next_hi')$$), ($$hilo_resync('secret_hi', 'next_hi')$$),
	($$anchor_partitions('secret_hi', 1)$$),
	($$count(*) FROM hilo_import_ravendb('[{"Max": 96, "@metadata": {"@id": "Raven/Hilo/secret"}}]', NULL)$$), ($$count(*) FROM hilo_import_ravendb(NULL, '{"secret|": 96}')$$)) calls (call);
-- nor of a table that is not its own, by its name or as a relation
SELECT call, pg_temp.state_of(call) FROM asked_of_table WHERE pg_temp.state_of(call) <> '42501' ORDER BY call COLLATE "C";
SET ROLE regress_hilo_one;
SELECT call FROM asked WHERE pg_temp.state_of(call) <> '42501' AND call !~ '(document_id|hilo_release)\(';
SELECT hilo_next_tag('mine');
-- and in what shows generators
SELECT name FROM hilo_generators() WHERE name LIKE 'secret%' UNION ALL SELECT name FROM hilo_stats() WHERE name LIKE 'secret%'
UNION ALL SELECT name FROM hilo_session() WHERE name LIKE 'secret%'
UNION ALL SELECT name FROM hilo_sources() WHERE name LIKE 'secret%';
SELECT hilo_release();
SELECT hilo_stats_reset();
-- nothing was moved
RESET ROLE;
SELECT name, last FROM hilo_generators() WHERE name LIKE 'secret%' ORDER BY name COLLATE "C";
-- settings that are superusers'
SET ROLE regress_hilo_one;
SELECT name FROM pg_settings WHERE name LIKE 'hilo.%' AND context = 'user' ORDER BY 1;
SELECT s.name, pg_temp.state_of(format('SELECT set_config(%L, %L, false)', s.name, s.setting))
  FROM pg_settings s WHERE s.name LIKE 'hilo.%' AND context NOT IN ('user', 'postmaster') ORDER BY 1;
RESET ROLE;

DROP TABLE secret_rows;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name LIKE 'secret%' OR name = 'mine';
REVOKE USAGE ON SCHEMA hilo_internal FROM regress_hilo_one, regress_hilo_nothing;
REVOKE EXECUTE ON FUNCTION hilo_internal.hilo_hub_take, hilo_internal.hilo_hub_last, hilo_internal.hilo_hub_seed FROM PUBLIC;
DROP FUNCTION pg_temp.state_of, call_for(regprocedure, text, text);
DROP TABLE asked, asked_of_table, secret, secret_hi;
DROP SEQUENCE secret_seq;
DROP VIEW member;
DROP FOREIGN DATA WRAPPER regress_hilo CASCADE;
DROP OWNED BY regress_hilo_owner, regress_hilo_one;
DROP ROLE regress_hilo_owner, regress_hilo_one, regress_hilo_nothing;
