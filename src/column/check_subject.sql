-- Columns of foreign keys.
CREATE FUNCTION hilo_internal.hilo_check_references(
	OUT rel oid, OUT attnum int2, OUT referenced_rel oid,
	OUT referenced_attnum int2)
RETURNS SETOF record LANGUAGE sql
BEGIN ATOMIC
	SELECT f.conrelid, c.attnum, f.confrelid, c.referenced_attnum
	  FROM pg_constraint f
		   CROSS JOIN LATERAL unnest(f.conkey, f.confkey)
		   c (attnum, referenced_attnum)
	 WHERE f.contype = 'f' AND f.conparentid = 0;
END;
COMMENT ON FUNCTION hilo_internal.hilo_check_references IS
	'return which columns refer to which';

CREATE FUNCTION hilo_internal.hilo_orm_sequence(rel oid, col name)
RETURNS oid LANGUAGE C STRICT AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION hilo_internal.hilo_orm_sequence IS
	'return the sequence from which a program may draw ids of a column';

-- What hilo_check looks at: the sources of hilo_check_sources, and the keys and
-- references without one, with what the catalogs say of each.  If a table is
-- given, only its own parts matter.
CREATE FUNCTION hilo_internal.hilo_check_subjects(
	only_rel oid, OUT rel oid, OUT attnum int2, OUT attname name,
	OUT generator text, OUT folded text, OUT sequence oid, OUT trigger oid,
	OUT owner oid, OUT has_source bool, OUT is_key bool, OUT is_table bool,
	OUT relowner oid,
	OUT table_name text, OUT column_count int8, OUT seqmax int8,
	OUT seqincrement int8,
	OUT is_named bool, OUT parent_table oid, OUT other_sequence oid,
	OUT other_is_named bool, OUT is_identity bool, OUT column_source text,
	OUT is_followed bool,
	OUT fault text, OUT mend text, OUT parent_has_sequence bool)
RETURNS SETOF record LANGUAGE sql
BEGIN ATOMIC
	WITH source AS MATERIALIZED (
		SELECT * FROM hilo_internal.hilo_check_sources()
	), followed AS MATERIALIZED (
		SELECT * FROM hilo_internal.hilo_followed()
	), named AS MATERIALIZED (
		-- sequences that an object names, or that a generator has adopted
		SELECT h.source::oid AS sequence FROM @extschema@.hilo_sources() h
		UNION ALL
		SELECT d.refobjid
		  FROM pg_depend d
			   JOIN pg_sequence q
			   ON (d.refclassid, d.refobjid)
				= ('pg_class'::regclass, q.seqrelid)
		 WHERE d.deptype = 'n'
	), key AS (
		-- columns without a source: keys, and references
		SELECT k.rel, k.attnum, bool_or(k.is_key) AS is_key
		  FROM (
			SELECT i.indrelid AS rel, i.indkey[0] AS attnum, true AS is_key
			  FROM pg_index i
				   JOIN pg_class c
				   ON c.oid = i.indrelid AND c.relkind IN ('r', 'p')
			 WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL
			   AND (i.indisprimary OR i.indnkeyatts = 1)
			   AND i.indrelid >= 16384
			UNION ALL
			SELECT r.rel, r.attnum, false
			  FROM hilo_internal.hilo_check_references() r
			UNION ALL
			SELECT f.rel, f.attnum, true FROM followed f
			 WHERE f.folded IS NULL) k
		 WHERE (k.rel, k.attnum) NOT IN (
			SELECT s.rel, s.attnum FROM source s WHERE s.rel IS NOT NULL)
		 GROUP BY k.rel, k.attnum
	), candidate AS MATERIALIZED (
		SELECT n.*, a.attname, a.attidentity, a.atthasdef
		  FROM (
			SELECT s.*, true AS has_source, false AS is_key FROM source s
			UNION ALL
			SELECT k.rel, k.attnum, NULL, NULL, NULL, NULL, NULL, NULL,
				   false, k.is_key
			  FROM key k) n
			   -- OFFSET 0 keeps it a look by index, whatever a plan expects
			   LEFT JOIN LATERAL (
			SELECT a.attname, a.attidentity, a.atthasdef, a.atttypid
			  FROM pg_attribute a
			 WHERE (a.attrelid, a.attnum) = (n.rel, n.attnum)
			OFFSET 0) a ON true
			   LEFT JOIN pg_type t ON t.oid = a.atttypid
		 WHERE n.rel IS NULL
			OR a.attname IS NOT NULL
			   AND (n.has_source OR t.typcategory = 'N')
	), part AS (
		-- what inherits, and from where, some levels up: others may plant many
		SELECT s.*, p.above
		  FROM candidate s
			   CROSS JOIN LATERAL (
			WITH RECURSIVE up AS (
				SELECT s.rel AS above, 0 AS level
				UNION
				SELECT unnest(ARRAY(
						SELECT i.inhparent FROM pg_inherits i
						 WHERE i.inhrelid = above)), level + 1
				  FROM up
				 WHERE level < 30)
			SELECT DISTINCT above FROM up) p
		 WHERE s.rel IN (SELECT i.inhrelid FROM pg_inherits i)
		   AND ($1 IS NULL OR s.rel = $1)
		OFFSET 0
	), parent AS (
		SELECT n.rel, n.attname, n.trigger IS NOT NULL AS is_numbered,
			   n.has_source,
			   bool_or(n.atthasdef) AS has_default,
			   bool_or(n.sequence IS NOT NULL) AS has_sequence,
			   array_agg(concat(n.folded, ' ', n.sequence)) AS sources
		  FROM candidate n
		 WHERE n.has_source OR n.is_key
		 GROUP BY n.rel, n.attname, n.trigger IS NOT NULL, n.has_source
	), differing AS (
		-- parts with another source than the whole, or that are asked for keys
		SELECT s.rel, s.attnum, coalesce(s.folded, '') AS key,
			   min(p.rel) AS parent_table,
			   bool_or(p.is_numbered) AS is_numbered,
			   bool_or(p.has_sequence) AS parent_has_sequence
		  FROM part s
			   JOIN parent p
			   ON (p.rel, p.attname) = (s.above, s.attname) AND p.rel <> s.rel
		 WHERE CASE WHEN NOT (s.has_source AND p.has_source) THEN s.is_key
			   WHEN s.trigger IS NOT NULL
			   THEN pg_partition_root(s.rel) IS NOT NULL
			   WHEN p.is_numbered THEN s.atthasdef AND NOT p.has_default
			   ELSE concat(s.folded, ' ', s.sequence) <> ALL (p.sources) END
		 GROUP BY s.rel, s.attnum, coalesce(s.folded, '')
	), subject AS (
		-- FULL JOIN is no loop
		SELECT s.*, c.relname, c.relnamespace, c.relowner,
			   c.relkind IN ('r', 'p') AS is_table,
			   differing.parent_table, differing.is_numbered,
			   differing.parent_has_sequence,
			   count(*) OVER (PARTITION BY s.folded, s.sequence)
				   AS column_count,
			   coalesce(s.other, CASE WHEN s.generator IS NOT NULL
				   THEN hilo_internal.hilo_orm_sequence(s.rel, s.attname) END)
				   AS other_sequence
		  FROM candidate s
			   FULL JOIN differing
			   ON (differing.rel, differing.attnum, differing.key)
				= (s.rel, s.attnum, coalesce(s.folded, ''))
			   LEFT JOIN pg_class c ON c.oid = coalesce(s.rel, s.sequence)
		 WHERE pg_is_other_temp_schema(c.relnamespace) IS NOT TRUE
		   AND (s.is_key AND differing.parent_table IS NOT NULL) IS NOT TRUE
		   AND NOT EXISTS (
			SELECT FROM pg_inherits i JOIN source p ON p.rel = i.inhparent
			 WHERE (i.inhrelid, p.sequence) = (s.rel, s.sequence))
	)
	SELECT s.rel, s.attnum, s.attname, s.generator, s.folded, s.sequence,
		   s.trigger, s.owner, s.has_source, s.is_key, s.is_table, s.relowner,
		   s.relnamespace::regnamespace || '.' || quote_ident(s.relname),
		   s.column_count, q.seqmax, q.seqincrement,
		   s.sequence IN (SELECT n.sequence FROM named n),
		   s.parent_table, s.other_sequence,
		   s.other_sequence IN (SELECT n.sequence FROM named n),
		   s.attidentity <> '',
		   CASE WHEN s.trigger IS NULL AND s.is_numbered IS NOT TRUE THEN NULL
			   WHEN s.attidentity <> '' THEN 'IDENTITY'
			   WHEN s.atthasdef THEN 'DEFAULT' END,
		   f.folded IS NOT NULL, f.fault, f.mend,
		   s.parent_has_sequence
	  FROM subject s
		   LEFT JOIN pg_sequence q ON q.seqrelid = s.sequence
		   LEFT JOIN followed f
		   ON (f.rel, f.attnum) = (s.rel, s.attnum)
			   AND (f.folded IS NULL OR f.folded = '#' || s.sequence::text);
END;
COMMENT ON FUNCTION hilo_internal.hilo_check_subjects IS
	'return what hilo_check looks at';
