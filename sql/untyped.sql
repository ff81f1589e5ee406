/*
 * Each public function, called with parameters that have no type yet, as most
 * drivers send them.  Those listed need a cast: their pages show it.
 */
CREATE FUNCTION refused(call text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'PREPARE untyped AS SELECT ' || call;
	DEALLOCATE untyped;
	RETURN NULL;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

SELECT call || ': ' || refused(call)
  FROM (SELECT DISTINCT format('%I(%s)', p.proname, (SELECT string_agg('$' || i, ', ') FROM generate_series(1, n) i)) AS call
		  FROM pg_extension e
			   JOIN pg_depend d ON (d.refclassid, d.refobjid, d.classid) = ('pg_extension'::regclass, e.oid, 'pg_proc'::regclass)
			   JOIN pg_proc p ON p.oid = d.objid AND p.pronamespace = e.extnamespace
			   CROSS JOIN generate_series((p.pronargs - p.pronargdefaults)::int, p.pronargs::int) n
		 WHERE e.extname = 'hilo' AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)) c
 WHERE refused(call) IS NOT NULL
 ORDER BY call COLLATE "C";

-- as the pages write it
CREATE TABLE regress_hilo_untyped (year int, region text, number int);
CREATE TRIGGER number BEFORE INSERT OR UPDATE ON regress_hilo_untyped
	FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'year', 'region');
PREPARE seed AS SELECT hilo_group_seed($1, $2, $3, $4::int, $5::text);
EXECUTE seed ('regress_hilo_untyped', 'number', 41, 2026, 'north');
PREPARE last AS SELECT hilo_group_last($1, $2, $3::int, $4::text);
EXECUTE last ('regress_hilo_untyped', 'number', 2026, 'north');
PREPARE artificial AS SELECT artificial_id($1, $2::int, $3::text) = artificial_id('sales', 2026, 'north');
EXECUTE artificial ('sales', 2026, 'north');
DROP TABLE regress_hilo_untyped;
DEALLOCATE ALL;
DROP FUNCTION refused;
