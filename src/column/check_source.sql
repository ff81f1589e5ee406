-- Where columns get their ids from: a row for each column that has a generator,
-- a sequence or hilo_number_assign; and for each generator and each sequence
-- without a column.
CREATE FUNCTION hilo_internal.hilo_check_sources(
	OUT rel oid, OUT attnum int2, OUT generator text, OUT folded text,
	OUT sequence oid, OUT other oid, OUT trigger oid, OUT owner oid)
RETURNS SETOF record LANGUAGE sql
BEGIN ATOMIC
	WITH drawing AS MATERIALIZED (
		SELECT * FROM hilo_internal.hilo_columns()
	), listed AS MATERIALIZED (
		SELECT g.folded, g.name, g.owner
		  FROM hilo_internal.hilo_generator_list() g
	), adopted AS MATERIALIZED (
		SELECT h.source::oid AS sequence, l.folded
		  FROM @extschema@.hilo_sources() h JOIN listed l ON l.name = h.name
	), sequence AS (
		-- that of a default
		SELECT c.rel, c.attnum, q.seqrelid AS sequence, false AS is_owned
		  FROM pg_sequence q
			   CROSS JOIN LATERAL hilo_internal.hilo_columns(
				'#' || q.seqrelid::text) c
		UNION ALL
		-- of an identity, or owned by a column
		SELECT d.refobjid, d.refobjsubid::int2, d.objid, d.deptype = 'a'
		  FROM pg_depend d
			   JOIN pg_sequence q
			   ON (d.classid, d.objid) = ('pg_class'::regclass, q.seqrelid)
		 WHERE d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
		   AND d.refobjsubid > 0
	)
	SELECT u.rel, u.attnum, d.generator, d.folded,
		   CASE WHEN d.rel IS NULL THEN s.sequence END,
		   CASE WHEN d.rel IS NULL THEN nullif(s.other, s.sequence)
			   WHEN (s.sequence, d.folded) NOT IN (
					SELECT a.sequence, a.folded FROM adopted a)
			   THEN s.sequence END,
		   NULL::oid, NULL::oid
	  FROM drawing d FULL JOIN (
			-- that of the default before those that are owned; the last of them
			SELECT q.rel, q.attnum,
				   (array_agg(q.sequence
						ORDER BY q.is_owned, q.sequence))[1] AS sequence,
				   (array_agg(q.sequence
						ORDER BY q.is_owned DESC, q.sequence DESC))[1] AS other
			  FROM sequence q
			 GROUP BY q.rel, q.attnum) s USING (rel, attnum) AS u
	UNION ALL
	SELECT t.tgrelid, a.attnum, NULL, NULL, NULL, NULL, t.oid, NULL
	  FROM pg_trigger t
		   -- OFFSET 0 keeps it a look by index, whatever a plan expects
		   CROSS JOIN LATERAL (
			SELECT a.attnum
			  FROM pg_attribute a
			 WHERE a.attrelid = t.tgrelid
			   AND a.attname = CASE WHEN octet_length(t.tgargs) < 2000
				   THEN convert_from(substring(t.tgargs FROM 1
						FOR position(decode('00', 'hex') IN t.tgargs) - 1),
					   getdatabaseencoding())::name END
			OFFSET 0) a
	 WHERE t.tgfoid = '@extschema@.hilo_number_assign'::regproc
	   AND t.tgnargs > 0
	   -- no copy of a parent's
	   AND NOT EXISTS (
		SELECT FROM pg_inherits i JOIN pg_trigger p ON p.tgrelid = i.inhparent
		 WHERE i.inhrelid = t.tgrelid
		   AND (p.tgfoid, p.tgargs) = (t.tgfoid, t.tgargs))
	UNION ALL
	SELECT NULL, NULL, g.name, g.folded, NULL, NULL, NULL, g.owner
	  FROM listed g
	 WHERE g.folded !~ '^hilo[.]|[|]$'
	   AND NOT EXISTS (SELECT FROM drawing d WHERE d.folded = g.folded)
	UNION ALL
	SELECT NULL, NULL, NULL, NULL, q.seqrelid, NULL, NULL, NULL
	  FROM pg_sequence q
	 WHERE q.seqrelid NOT IN (
		SELECT s.sequence FROM sequence s
		UNION ALL SELECT a.sequence FROM adopted a);
END;
COMMENT ON FUNCTION hilo_internal.hilo_check_sources IS
	'return what columns get their ids from';
