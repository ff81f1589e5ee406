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

-- a role that may rename the schema puts traps in its place
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
