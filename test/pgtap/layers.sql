-- The rooms of src/, which are its folders, stand on floors: a file includes headers of
-- its own room, and of rooms below its own the header that bears the room's name.
-- Of C files no two need each other, be it by way of others.
BEGIN;
SELECT plan(7);

\set files `cd src && find . -name '*.[ch]' -o -name '*.sql'`
\set includes `cd src && grep -Ero '^#include "[^"]+"' --include='*.[ch]' .`
CREATE TEMP TABLE floor (room, floor) AS VALUES
	('base', 1), ('table', 2), ('citus', 3), ('store', 4), ('pattern', 5), ('relation', 6), ('source', 7),
	('session', 8), ('call', 9), ('scheme', 10), ('anchor', 11), ('document', 12), ('follow', 13), ('column', 14);
\set c `cd src && grep -r '' --include='*.c' .`
CREATE TEMP TABLE file AS
	SELECT ltrim(path, './') AS path, substring(path, '^\./(\w+)/') AS room, substring(path, '[^/]+$') AS name
	  FROM string_to_table(:'files', E'\n') path;
CREATE TEMP TABLE include AS
	SELECT ltrim(line[1], './') AS by, substring(line[1], '^\./(\w+)/') AS room, line[2] AS header,
		   substring(line[2], '^(\w+)/') AS of
	  FROM regexp_matches(:'includes', '^(.*):#include "(.*)"$', 'gn') line
	  JOIN file ON line[2] IN (path, name);
-- A C file, without its comments and strings, calls another one of which it has a function's name.
CREATE TEMP TABLE source AS
	SELECT line[1] AS path,
		   regexp_replace(string_agg(line[2], E'\n' ORDER BY number),
						  $$/\*([^*]|\*+[^*/])*\*+/|'(\\.|[^'\\])*'|"(\\.|[^"\\])*"$$, ' ', 'g') AS text
	  FROM regexp_matches(:'c', '^\./([^:]*):(.*)$', 'gn') WITH ORDINALITY r (line, number)
	 GROUP BY line[1];
CREATE TEMP TABLE call AS
	WITH function AS (
		SELECT path, match[1] AS name FROM source, regexp_matches(text, '^(?!static\M)\w[^;()\n]*\n(\w+)\(', 'gn') match
	)
	SELECT DISTINCT source.path AS by, function.path AS of
	  FROM source, regexp_matches(text, '\w+', 'g') word JOIN function ON name = word[1]
	 WHERE source.path <> function.path;

SELECT is_empty('SELECT DISTINCT room FROM file WHERE room NOT IN (SELECT room FROM floor)', 'all rooms are known');
SELECT cmp_ok(count(*), '<=', 3::bigint, 'few files outside the rooms') FROM file WHERE room IS NULL;
SELECT is_empty('SELECT by, header FROM include WHERE of IS NULL', 'headers are included with their room');
SELECT is_empty($$
	SELECT by, header FROM include WHERE of <> room AND header <> of || '/' || of || '.h'
	$$, 'headers of other rooms are public ones');
SELECT is_empty($$
	SELECT by, header FROM include JOIN floor mine USING (room) JOIN floor other ON other.room = of
	 WHERE other.floor > mine.floor
	$$, 'none includes from above');
SELECT is_empty($$
	WITH RECURSIVE edge AS (
		SELECT by AS a, header AS b FROM include UNION SELECT room, of FROM include WHERE room <> of
		UNION SELECT by, of FROM call
	), way (a, b) AS (
		SELECT a, b FROM edge UNION SELECT way.a, edge.b FROM way JOIN edge ON way.b = edge.a
	)
	SELECT a FROM way WHERE a = b
	$$, 'no room, no header and no C file needs itself by way of others');

\set twice `grep -rhoP '^(?!PG_FUNCTION_INFO_V1)\w+(?=\()' src --include=*.c | sort | uniq -d`
SELECT is(:'twice'::text, '', 'each function has its own name');

SELECT finish();
ROLLBACK;
