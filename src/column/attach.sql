CREATE FUNCTION @extschema@.hilo_attach(
	rel regclass, col name, generator text DEFAULT NULL,
	follow bool DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_attach IS
	'have what a column draws from follow the ids in its rows, or make a generator the source of its ids';

CREATE FUNCTION @extschema@.hilo_detach(rel regclass, col name)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_detach IS
	'end what hilo does for a column; a column on a generator gets a sequence, above all ids in use';

CREATE FUNCTION @extschema@.hilo_resync(rel regclass, col name)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_resync IS
	'raise what a column draws from to the column''s highest value, and return the highest last id';

CREATE FUNCTION hilo_internal.hilo_try_resync(
	rel oid, col name, folded text, is_alone bool)
RETURNS int8 LANGUAGE C STRICT AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION hilo_internal.hilo_try_resync IS
	'resync a column for hilo_resync_all, or return null with a warning';

CREATE FUNCTION @extschema@.hilo_resync_all(
	OUT rel regclass, OUT col name, OUT generator text, OUT last int8)
RETURNS SETOF record LANGUAGE sql
BEGIN ATOMIC
	-- a view has no rows of its own
	SELECT c.rel, a.attname, c.generator, r.last
	  FROM (SELECT h.rel, h.attnum, h.generator, h.folded,
				   -- triggers name identities without "|", and DDL that joins
				   -- rows leaves them to the maker of a table's generator
				   count(*) OVER (PARTITION BY h.folded COLLATE "C") = 1
					   AND bool_and(h.folded IS NOT NULL) OVER ()
					   AND h.folded !~ '^#|[|]$' AS is_alone
			  FROM hilo_internal.hilo_columns() h
			UNION ALL
			SELECT f.rel, f.attnum, f.generator, f.folded, true
			  FROM hilo_internal.hilo_followed() f) c
		   JOIN pg_attribute a ON (a.attrelid, a.attnum) = (c.rel, c.attnum)
		   JOIN pg_class t
		   ON t.oid = c.rel AND t.relkind IN ('r', 'p', 'f')
			   AND NOT pg_is_other_temp_schema(t.relnamespace)
		   CROSS JOIN LATERAL hilo_internal.hilo_try_resync(
				c.rel, a.attname, c.folded, c.is_alone) r (last)
	 WHERE c.generator IS NOT NULL AND r.last IS NOT NULL
	 ORDER BY c.rel, c.attnum, c.folded;
END;
COMMENT ON FUNCTION @extschema@.hilo_resync_all IS
	'run hilo_resync for every column that draws from a generator, or is followed by a sequence';
