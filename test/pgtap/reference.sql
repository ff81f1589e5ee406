-- doc/ has all that there is of the extension, and as it is; doc/orm.md the
-- formulas of its styles; and src/README.md every module.
BEGIN;
SELECT plan(15);

LOAD 'hilo';
\set doc `cat doc/*.md`
CREATE TEMP TABLE section AS
	SELECT split_part(text, E'\n', 1) AS heading, text FROM regexp_split_to_table(E'\n' || :'doc', '\n#+ ') text;
CREATE TEMP TABLE member AS
	SELECT classid, objid FROM pg_depend
	 WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
	   AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'hilo');

-- Calls in headings, with all of their arguments: a name, a type and in brackets a default, or names only.
CREATE TEMP TABLE heading_call AS
	SELECT call[1] AS name, coalesce(arguments, '{}') AS arguments, types, defaults, heading
	  FROM section,
		   regexp_matches(heading, '([a-z_0-9]+)\(([^()…]*(?:\([^()]*\)[^()…]*)*)\)', 'g') call,
		   LATERAL (SELECT array_agg(part[1] ORDER BY ordinality) AS arguments,
						   array_agg(part[2]::regtype ORDER BY ordinality) FILTER (WHERE part[2] IS NOT NULL) AS types,
						   count(part[3]) AS defaults
					  FROM regexp_split_to_table(call[2], ', ') WITH ORDINALITY argument (text, ordinality),
						   regexp_match(text, '^(?:VARIADIC )?(\w+)(?: ([^ ]+))?(?: \[(.*)\])?$') part
					 WHERE part IS NOT NULL) a
	 WHERE heading NOT LIKE 'Trigger %';
SELECT cmp_ok(count(*), '>', 60::bigint, 'calls in headings') FROM heading_call;
SELECT is_empty($$
	SELECT heading FROM heading_call h
	 WHERE NOT EXISTS (
		SELECT FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
		 WHERE p.proname = h.name AND h.arguments = coalesce(p.proargnames[1:p.pronargs], '{}')
		   AND (h.types IS NULL OR h.types = ARRAY(SELECT unnest(p.proargtypes)::regtype) AND h.defaults = p.pronargdefaults))
	$$, 'each is one of a function, by the names, the types and the defaults of its arguments');
SELECT is_empty($$
	SELECT p.oid::regprocedure FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
	 WHERE NOT EXISTS (SELECT FROM section WHERE heading ~ ('\m' || p.proname || '\M'))
	   -- those that others of ours call, and that types and triggers are made of
	   AND p.pronamespace <> 'hilo_internal'::regnamespace
	$$, 'every function is in a heading');
SELECT is_empty($$
	SELECT c.oid::regclass FROM pg_class c JOIN member ON classid = 'pg_class'::regclass AND objid = c.oid
	 WHERE c.relkind IN ('r', 'v') AND NOT EXISTS (SELECT FROM section WHERE text ~ ('\m' || c.relname || '\M'))
	$$, 'every table and view is somewhere');
SELECT is_empty($$
	SELECT p.oid::regprocedure FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
	 WHERE p.proretset AND p.pronargs = 0 AND p.proname LIKE 'hilo%' AND p.pronamespace <> 'hilo_internal'::regnamespace
	   AND NOT EXISTS (
		SELECT FROM section
		 WHERE text ~ ('\m' || p.proname || '\M')
		   AND (SELECT bool_and(text ~ ('\m' || argument || '\M')) FROM unnest(p.proargnames) argument))
	$$, 'every function that shows something, with its columns');

-- Settings: the name, the default and the roles that may set it; one is only there if hilo is preloaded.
CREATE TEMP TABLE setting AS
	SELECT row[1] AS name, trim(row[2], '`') AS value, row[3] AS who
	  FROM section, regexp_matches(text, '^\| `(hilo\.\w+)` \| ([^|]*) \| ([^|]*) \|', 'gn') row
	 WHERE heading = 'Settings';
SELECT set_eq($$SELECT name, value, who FROM setting$$, $$
	SELECT name, coalesce(nullif(current_setting(name), ''), 'none'),
		   CASE context WHEN 'user' THEN 'anyone' WHEN 'superuser' THEN 'superusers' ELSE 'the configuration' END
	  FROM pg_settings WHERE name LIKE 'hilo.%'
	UNION SELECT 'hilo.max_generators', '8192', 'the start of the server'
	$$, 'the settings');

-- Wait events of hilo's own.
\set wait_events `grep -o '"Hilo[A-Za-z]*"' src/base/base.h | tr -d '"'`
SELECT set_eq($$
	SELECT event[1] FROM section, regexp_matches(text, '^\| `Extension` \| `(\w+)` \|', 'gn') event WHERE heading = 'Wait events'
	$$, regexp_split_to_array(:'wait_events', '\n'), 'the wait events');

-- Errors: what the sources say, up to where a message is put together.
\set c `cat src/*.c src/*/*.c`
\set sql `cat src/*.sql src/*/*.sql`
CREATE TEMP TABLE message AS
	SELECT replace(part[1], '\"', '"') AS text
	  FROM regexp_matches(:'c', 'ereport\(ERROR,[^"]*errmsg\("((?:[^"\\]|\\.)*)"', 'g') part
	UNION
	SELECT replace(part[1], '''''', '''')
	  FROM regexp_matches(:'sql', 'RAISE \w+ USING\s+MESSAGE = (?:format\()?''((?:[^'']|'''')*)''', 'g') part;
SELECT ok(count(*) BETWEEN 140 AND 200, 'messages in the sources') FROM message;
\set tests `find expected test -name '*.out' -exec cat {} + ; find test -name '*.pl' -exec cat {} +`
CREATE TEMP TABLE tested AS SELECT DISTINCT line FROM regexp_split_to_table(:'tests', '\n') line;
SELECT is_empty($$
	SELECT text FROM message
	 WHERE NOT EXISTS (SELECT FROM tested WHERE line LIKE '%' || regexp_replace(text, '%[a-z]+', '%', 'g') || '%')
	   -- shown by SQLSTATE, by another test's pattern, or not at all
	   AND text NOT LIKE ALL (ARRAY['out of memory',
		   'relation "%s" has been renamed', 'sequence "%s" is being altered', 'synchronous standbys have not confirmed%'])
	$$, 'each is in a test');

\set longest `for page in doc/*.md; do wc -l <$page; done | sort -n | tail -1`
SELECT cmp_ok(:longest, '<=', 600, 'no page has more than 600 lines');

-- Styles: the ids of a block, by the formula in the tables, are those that regress has seen.
\set vectors `sed -n '/^CREATE TEMP TABLE vector/,/^$/p' sql/orm_formula.sql`
:vectors
\set orm `cat doc/orm.md`
CREATE FUNCTION pg_temp.value_of(term text, v bigint, n bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	value bigint;
BEGIN
	EXECUTE 'SELECT ' || replace(term, '·', '*') || ' FROM (SELECT $1 AS v, $2 AS n) t' INTO value USING v, n;
	RETURN value;
END $$;
CREATE TEMP TABLE style_row AS
	SELECT row[1] AS styles, trim(row[2]) AS ids, ordinality
	  FROM regexp_matches(:'orm', '^\| (`[^|]*) \| ([v(][^|;]*)[^|]*\|$', 'gn') WITH ORDINALITY r (row, ordinality);
CREATE TEMP TABLE formula AS
	SELECT style[1] AS style, string_to_array(ids, ' … ') AS term
	  FROM style_row, regexp_matches(styles, '`([a-z0-9]+-[a-z0-9-]+|[a-z]{5,})`', 'g') style;
SELECT cmp_ok(count(*), '>', 30::bigint, 'styles with a formula') FROM formula;
SELECT is_empty($$
	SELECT style, term, block, stored, low, high FROM formula LEFT JOIN vector USING (style)
	 WHERE initial IS NULL OR low > 1 AND initial = 1
		   AND (low, high) IS DISTINCT FROM (pg_temp.value_of(term[1], stored, block), pg_temp.value_of(term[cardinality(term)], stored, block))
	$$, 'each gives the ids of a block');
SELECT is_empty($$SELECT style FROM formula EXCEPT SELECT style FROM vector WHERE low > 1$$, 'of each style');

-- Beside these a plain nextval() does: the value of the sequence lies in its block.
CREATE TEMP TABLE plain AS
	SELECT style[1] AS style
	  FROM substring(:'orm', '\*\*hilo is not needed\*\*(.*?)With them') text, regexp_matches(text, '`([a-z-]+)`', 'g') style;
SELECT set_eq('SELECT style FROM plain', $$
	SELECT style
	  FROM formula f JOIN style_row r ON styles LIKE '%`' || style || '`%', generate_series(51, 201, 50) v,
		   LATERAL (SELECT CASE WHEN style LIKE '%-none' THEN 1 ELSE 50 END AS n) block
	 WHERE ordinality < (SELECT min(ordinality) FROM style_row WHERE styles LIKE '%hibernate-table%')
		 GROUP BY style HAVING bool_and(v BETWEEN pg_temp.value_of(term[1], v, n) AND pg_temp.value_of(term[cardinality(term)], v, n))
	$$, 'the styles beside which hilo is not needed');

-- Modules: the files of src/, and the first column of the table.
\set files `find src -type f | sed "s|.*/||"`
\set modules `cat src/README.md`
CREATE TEMP TABLE module AS
	SELECT DISTINCT split_part(file, '.', 1) AS name FROM regexp_split_to_table(:'files', '\n') file WHERE file ~ '\.(c|h|sql)$';
CREATE TEMP TABLE listed AS
	SELECT translate(split_part(name[1], '.', 1), '*', '%') AS pattern
	  FROM regexp_matches(:'modules', '^\| (`[^|]*)\|', 'gn') cell, regexp_matches(cell[1], '`([^`]*)`', 'g') name;
SELECT set_eq('SELECT name FROM module', 'SELECT name FROM module JOIN listed ON name LIKE pattern', 'the modules');

SELECT * FROM finish();
ROLLBACK;
