/*
 * hilo_import_ravendb: the counters of a RavenDB database
 */
SET hilo.prefetch = off;
SET client_min_messages = warning;
CREATE VIEW last_of AS
	SELECT name, last FROM hilo_generators()
	 WHERE name ~ '^import' ORDER BY name COLLATE "C";

-- documents as an array, and as RavenDB's answer
SELECT * FROM hilo_import_ravendb('[
	{"Max": 64, "@metadata": {"@collection": "@hilo", "@id": "Raven/Hilo/importUsers", "@change-vector": "A:1-x"}},
	{"@metadata": {"@id": "raven/hilo/import/b"}, "Max": 128}]', '{"import|": 5}');
SELECT * FROM hilo_import_ravendb('{"Results": [{"Max": 33, "@metadata": {"@id": "Raven/Hilo/importC"}}], "Includes": {}}', NULL);
SELECT * FROM hilo_import_ravendb(NULL, '{"import": 6, "Import/x|": 9223372036854775807}');
SELECT * FROM last_of;
-- ids go on above
SELECT hilo_next_id('importusers'), document_id('import|');
-- from what was handed out, not from what was reserved
SELECT * FROM hilo_import_ravendb(NULL, '{"import|": 12}');
SELECT document_id('import|');
-- without gaps
SELECT hilo_create('importGapless|', ordering => 'gapless');
SELECT * FROM hilo_import_ravendb(NULL, '{"importgapless": 12}');
SELECT document_id('importGapless|');

-- documents by their ids
CREATE FUNCTION documents(by_id jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT coalesce(jsonb_agg(value || jsonb_build_object('@metadata', jsonb_build_object('@id', key))), '[]') FROM jsonb_each(by_id)
$$;
-- raises, never lowers
SELECT * FROM hilo_import_ravendb(documents('{"Raven/Hilo/importUsers": {"Max": 50}, "Raven/Hilo/importC": {"Max": 34}}'), '{"import|": 1}');
SELECT * FROM hilo_import_ravendb(documents('{"Raven/Hilo/importUsers": {"Max": 0}, "Raven/Hilo/importNew": {"Max": 0}}'), '{"importNew|": 0}');
SELECT * FROM hilo_import_ravendb('[]', '{}');
SELECT * FROM hilo_import_ravendb(NULL, NULL);
-- of one name in two cases the higher counts
SELECT * FROM hilo_import_ravendb(documents('{"Raven/Hilo/IMPORTC": {"Max": 70}, "Raven/Hilo/importc": {"Max": 80}, "raven/hilo/ImportC": {"Max": 60}}'), NULL);
SELECT * FROM last_of;

-- bad input changes nothing
CREATE FUNCTION import_error(hilo jsonb, identities jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	RETURN (SELECT string_agg(r::text, ' ') FROM hilo_import_ravendb(hilo, identities) r);
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' ', SQLSTATE, SQLERRM, nullif(detail, ''));
END $$;
SELECT import_error(documents(('{"Raven/Hilo/importUsers": {"Max": 1000}, ' || bad || '}')::jsonb), '{"import|": 1000}')
  FROM unnest(ARRAY['"Raven/Hilo/importX": {}', '"Raven/Hilo/importX": {"Max": "5"}', '"Raven/Hilo/importX": {"Max": null}',
	'"Raven/Hilo/importX": {"Max": -1}', '"Raven/Hilo/importX": {"Max": 1.5}', '"Raven/Hilo/importX": {"Max": 9223372036854775808}',
	'"Raven/Hilo/": {"Max": 5}', '"importX": {"Max": 5}']) bad;
SELECT import_error(('[{"Max": 1000, "@metadata": {"@id": "Raven/Hilo/importUsers"}}, ' || bad || ']')::jsonb, NULL)
  FROM unnest(ARRAY['5', '[]', '{"Max": 5}', '{"Max": 5, "@metadata": {}}', '{"Max": 5, "@metadata": {"@id": 7}}', '{"Max": 5, "@metadata": 3}']) bad;
SELECT import_error('5', NULL), import_error('"x"', NULL), import_error('null', NULL), import_error('{}', NULL);
SELECT import_error(documents('{"Raven/Hilo/importUsers": {"Max": 1000}}'), bad::jsonb)
  FROM unnest(ARRAY['[]', '5', '{"import|": "5"}', '{"import|": -1}', '{"import|": {"Max": 5}}']) bad;
SELECT * FROM last_of;

-- a counter that cannot be raised is an error; those before it are raised, as by a seed
SELECT hilo_create('importFew', max_value => 100), hilo_create('importTheirs'), hilo_create('importScattered', 'scattered', domain_bits => 10);
CREATE ROLE regress_hilo_import;
SELECT import_error(documents(bad::jsonb), NULL)
  FROM unnest(ARRAY['{"Raven/Hilo/importFew": {"Max": 101}}', '{"Raven/Hilo/IMPORTscattered": {"Max": 500}}', '{"Raven/Hilo/import\n": {"Max": 5}}']) bad;
SET hilo.auto_create = off;
SELECT import_error(documents('{"Raven/Hilo/importX": {"Max": 5}}'), NULL);
RESET hilo.auto_create;
SET ROLE regress_hilo_import;
SELECT import_error(documents('{"Raven/Hilo/importTheirs": {"Max": 5}}'), NULL);
SELECT import_error(documents('{"Raven/Hilo/hilo.import": {"Max": 5}}'), NULL);
RESET ROLE;
BEGIN READ ONLY;
SELECT import_error(documents('{"Raven/Hilo/importUsers": {"Max": 1000}}'), NULL);
ROLLBACK;
SELECT * FROM last_of;

-- not undone by a rollback, as a seed is not
BEGIN;
SELECT * FROM hilo_import_ravendb(documents('{"Raven/Hilo/importUsers": {"Max": 1000}, "Raven/Hilo/importLate": {"Max": 5}}'), NULL);
ROLLBACK;
SELECT * FROM last_of;

-- ids that RavenDB has used are not handed out, though a session has reserved them
SELECT hilo_next_tag('importHeld');
SELECT * FROM hilo_import_ravendb(documents('{"Raven/Hilo/importHeld": {"Max": 20}}'), NULL);
SELECT hilo_next_tag('importHeld');

DROP VIEW last_of;
DROP FUNCTION import_error, documents;
DROP ROLE regress_hilo_import;
DO $$ BEGIN PERFORM hilo_drop(name) FROM hilo_generators() WHERE name ~* '^import'; END $$;
