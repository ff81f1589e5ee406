-- Functions of SQL call hilo's own by the very types of these: a better match in the
-- schema that the extension is created in would be another role's.
BEGIN;
SELECT plan(2);

CREATE TEMP VIEW called AS
SELECT f.oid::regprocedure AS caller, c.oid::regprocedure AS callee,
	   -- the first argument: an implicit cast is a function's, format 2, or a relabelling
	   (regexp_match(f.prosqlbody::text, ':funcid ' || c.oid ||
		' [^{}]*:args [(]([{]FUNCEXPR [^{}]*:funcformat 2|[{]RELABELTYPE :arg [{][^{}]*[}] [^{}]*:relabelformat 2|[{]COERCEVIAIO :arg [{][^{}]*[}] [^{}]*:coerceformat 2)'))[1] AS cast_to_it
  FROM pg_proc f
  JOIN pg_depend d ON (d.classid, d.objid, d.refclassid) = ('pg_proc'::regclass, f.oid, 'pg_proc'::regclass)
  JOIN pg_proc c ON c.oid = d.refobjid
  JOIN pg_depend e ON (e.classid, e.objid, e.deptype) = ('pg_proc'::regclass, c.oid, 'e')
 WHERE f.prosqlbody IS NOT NULL;

CREATE FUNCTION pg_temp.wrong(name) RETURNS text LANGUAGE sql RETURN public.docid_fold($1);
SELECT results_eq('SELECT callee FROM called WHERE cast_to_it IS NOT NULL AND caller = ''pg_temp.wrong''::regproc',
	ARRAY['docid_fold(text)'::regprocedure], 'an implicit cast is seen');
SELECT is_empty('SELECT caller, callee FROM called WHERE cast_to_it IS NOT NULL AND caller <> ''pg_temp.wrong''::regproc',
	'hilo has none');

SELECT * FROM finish();
ROLLBACK;
