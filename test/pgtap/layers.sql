-- The rooms of src/, which are its folders, stand on floors: a file includes headers of
-- its own room, and of rooms below its own the header that bears the room's name.
BEGIN;
SELECT plan(7);

\set files `cd src && find . -name '*.[ch]' -o -name '*.sql'`
\set includes `cd src && grep -Ero '^#include "[^"]+"' --include='*.[ch]' .`
CREATE TEMP TABLE floor (room, floor) AS VALUES
	('base', 1), ('table', 2), ('relation', 3), ('store', 4), ('source', 5), ('session', 6),
	('call', 7), ('scheme', 8), ('anchor', 9), ('document', 10), ('column', 11);
CREATE TEMP TABLE file AS
	SELECT ltrim(path, './') AS path, substring(path, '^\./(\w+)/') AS room, substring(path, '[^/]+$') AS name
	  FROM string_to_table(:'files', E'\n') path;
CREATE TEMP TABLE include AS
	SELECT ltrim(line[1], './') AS by, substring(line[1], '^\./(\w+)/') AS room, line[2] AS header,
		   substring(line[2], '^(\w+)/') AS of
	  FROM regexp_matches(:'includes', '^(.*):#include "(.*)"$', 'gn') line
	  JOIN file ON line[2] IN (path, name);

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
	), way (a, b) AS (
		SELECT a, b FROM edge UNION SELECT way.a, edge.b FROM way JOIN edge ON way.b = edge.a
	)
	SELECT a FROM way WHERE a = b
	$$, 'no room and no header includes itself by way of others');

\set twice `grep -rhoP '^(?!PG_FUNCTION_INFO_V1)\w+(?=\()' src --include=*.c | sort | uniq -d`
SELECT is(:'twice'::text, '', 'each function has its own name');

SELECT finish();
ROLLBACK;
