-- The name of a table of ours beside another one, cut to what fits.
CREATE FUNCTION @extschema@.anchor_partition_name(
	rel pg_catalog.name,
	suffix pg_catalog.text)
RETURNS pg_catalog.name
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	kept text := rel;
BEGIN
	WHILE octet_length(kept) + octet_length(suffix) > 63 LOOP
		kept := left(kept, -1);
	END LOOP;
	RETURN kept || suffix;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_name IS
	'the name of a partition';

-- The same with the schema of the table, as a statement has it; without a
-- suffix, that of the table itself.
CREATE FUNCTION @extschema@.anchor_partition_beside(
	rel pg_catalog.regclass,
	suffix pg_catalog.text)
RETURNS pg_catalog.text
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT format('%I.%I', nspname, @extschema@.anchor_partition_name(relname, suffix))
	  FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = rel
$$;

COMMENT ON FUNCTION @extschema@.anchor_partition_beside IS
	'the name of what is beside a table';

-- A role to grant something to, as a statement has it.
CREATE FUNCTION @extschema@.anchor_partition_grantee(
	role pg_catalog.oid)
RETURNS pg_catalog.text
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT CASE role WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(role)) END
$$;

COMMENT ON FUNCTION @extschema@.anchor_partition_grantee IS
	'a role, or PUBLIC';

-- The command that gives a table the storage parameters of another one; null
-- if that has none.
CREATE FUNCTION @extschema@.anchor_partition_parameters(
	name pg_catalog.text,
	template pg_catalog.regclass)
RETURNS pg_catalog.text
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT format('ALTER TABLE %s SET (%s)', name, string_agg(format('%I = %L', option_name, option_value), ', '))
	  FROM pg_class, pg_options_to_table(reloptions) WHERE oid = template GROUP BY oid
$$;

COMMENT ON FUNCTION @extschema@.anchor_partition_parameters IS
	'the command for the storage parameters of a partition';

-- The tables that are partitioned by buckets: the expression of the key, the
-- column of the id, and the function whose literals are the prefixes.
CREATE FUNCTION @extschema@.anchor_partition_tables(
	OUT rel pg_catalog.regclass,
	OUT key pg_catalog.text,
	OUT id_column pg_catalog.name,
	OUT prefix_function pg_catalog.regprocedure)
RETURNS SETOF pg_catalog.record
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
	WITH bucket_function AS (
		SELECT p.oid, p.oid <> '@extschema@.anchor_bucket(text)'::regprocedure AS is_prefixed
		  FROM pg_proc p
		 WHERE p.oid = '@extschema@.anchor_bucket(text)'::regprocedure
			OR EXISTS (SELECT FROM pg_depend d
						WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid
						  AND d.refclassid = 'pg_proc'::regclass
						  AND d.refobjid = '@extschema@.anchor_bucket_prefixed(text, text[], int[])'::regprocedure)
	), used AS (
		-- by the key itself
		SELECT t.partrelid, i.objsubid AS attnum, d.refobjid
		  FROM pg_partitioned_table t
		  JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = t.partrelid
		   AND d.refclassid = 'pg_proc'::regclass
		  JOIN pg_depend i ON i.classid = 'pg_class'::regclass AND i.objid = t.partrelid AND i.objsubid > 0
		   AND i.refclassid = 'pg_class'::regclass AND i.refobjid = t.partrelid AND i.refobjsubid = 0 AND i.deptype = 'i'
		 WHERE t.partexprs IS NOT NULL
		UNION
		-- by the constraint of the column that is the key
		SELECT t.partrelid, k, d.refobjid
		  FROM pg_partitioned_table t
		  JOIN pg_constraint c ON c.conrelid = t.partrelid AND c.contype = 'c' AND t.partattrs[0] = ANY (c.conkey)
		  JOIN pg_depend d ON d.classid = 'pg_constraint'::regclass AND d.objid = c.oid
		   AND d.refclassid = 'pg_proc'::regclass
		  JOIN unnest(c.conkey) k ON k <> t.partattrs[0]
	)
	SELECT u.partrelid::regclass, substring(pg_get_partkeydef(u.partrelid), '^RANGE [(](.*)[)]$'), a.attname,
		   CASE WHEN f.is_prefixed THEN f.oid::regprocedure END
	  FROM used u
	  JOIN bucket_function f ON f.oid = u.refobjid
	  JOIN pg_attribute a ON a.attrelid = u.partrelid AND a.attnum = u.attnum
	 ORDER BY u.partrelid
$$;

COMMENT ON FUNCTION @extschema@.anchor_partition_tables IS
	'the tables that are partitioned by the buckets of their ids';

-- What partitions a table is to have.
CREATE FUNCTION @extschema@.anchor_partition_ranges(
	shards pg_catalog.int4,
	prefixed pg_catalog.bool,
	OUT suffix pg_catalog.text,
	OUT low pg_catalog.int4,
	OUT high pg_catalog.int4)
RETURNS SETOF pg_catalog.record
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT '_' || shard, lower(buckets), upper(buckets) FROM @extschema@.anchor_ranges(shards)
	UNION ALL
	SELECT format('_p%s_%s', s.bucket_start / 1048576, row_number() OVER million - 1),
		   s.bucket_start, lead(s.bucket_start, 1, p.bucket_start + 1048576) OVER million
	  FROM @extschema@.hilo_shards s
	  JOIN @extschema@.hilo_prefixes p ON p.bucket_start / 1048576 = s.bucket_start / 1048576
	 WHERE prefixed
	WINDOW million AS (PARTITION BY p.bucket_start ORDER BY s.bucket_start)
	ORDER BY 2
$$;

COMMENT ON FUNCTION @extschema@.anchor_partition_ranges IS
	'the ranges of buckets that a table of so many shards has partitions for';

-- What partitions a table has.
CREATE FUNCTION @extschema@.anchor_partition_list(
	rel pg_catalog.regclass,
	OUT partition pg_catalog.regclass,
	OUT low pg_catalog.int4,
	OUT high pg_catalog.int4)
RETURNS SETOF pg_catalog.record
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT i.inhrelid::regclass, b[1]::int, b[2]::int
	  FROM pg_inherits i
	  JOIN pg_class c ON c.oid = i.inhrelid,
		   regexp_match(pg_get_expr(c.relpartbound, c.oid), '^FOR VALUES FROM [(]([0-9]+)[)] TO [(]([0-9]+)[)]$') b
	 WHERE i.inhparent = rel AND b IS NOT NULL
$$;

COMMENT ON FUNCTION @extschema@.anchor_partition_list IS
	'the ranges of buckets that a table has partitions for';

-- Gives the name of a table, or raises an error unless the current role owns it.
CREATE FUNCTION @extschema@.anchor_partition_owned(
	rel pg_catalog.regclass)
RETURNS pg_catalog.text
LANGUAGE plpgsql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	c record;
BEGIN
	SELECT relname, relowner INTO c FROM pg_class WHERE oid = rel;
	IF NOT FOUND THEN
		RAISE undefined_table USING
			MESSAGE = format('relation with OID %s does not exist', rel::oid);
	ELSIF NOT pg_has_role(c.relowner, 'USAGE') THEN
		RAISE insufficient_privilege USING
			MESSAGE = format('must be owner of table %s', c.relname);
	END IF;
	RETURN c.relname;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_owned IS
	'the name of a table of the current role''s';

-- What of a table would stay with it, or go with it, and not be the partitioned
-- one's; null if nothing would.
CREATE FUNCTION @extschema@.anchor_partition_losses(
	rel pg_catalog.regclass)
RETURNS pg_catalog.text
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT string_agg(what, ', ' ORDER BY what COLLATE "C") FROM (
		SELECT pg_describe_object(d.classid, d.objid, d.objsubid) AS what
		  FROM pg_depend d
		 WHERE d.deptype = 'n'
		   AND (d.refclassid = 'pg_class'::regclass AND d.refobjid = rel
				OR d.refclassid = 'pg_type'::regclass
				   AND d.refobjid IN (SELECT unnest(ARRAY[t.oid, t.typarray]) FROM pg_type t WHERE t.typrelid = rel))
		   AND NOT EXISTS (SELECT FROM pg_constraint o WHERE d.classid = 'pg_constraint'::regclass
							  AND o.oid = d.objid AND o.conrelid = rel AND o.confrelid <> rel)
		   AND NOT EXISTS (SELECT FROM pg_attrdef o WHERE d.classid = 'pg_attrdef'::regclass
							  AND o.oid = d.objid AND o.adrelid = rel)
		   AND NOT EXISTS (SELECT FROM pg_policy o WHERE d.classid = 'pg_policy'::regclass
							  AND o.oid = d.objid AND o.polrelid = rel)
		   AND NOT EXISTS (SELECT FROM pg_trigger o WHERE d.classid = 'pg_trigger'::regclass
							  AND o.oid = d.objid AND o.tgrelid = rel)
		UNION
		SELECT pg_describe_object('pg_rewrite'::regclass, oid, 0) FROM pg_rewrite WHERE ev_class = rel
		UNION
		SELECT pg_describe_object('pg_publication_rel'::regclass, oid, 0) FROM pg_publication_rel WHERE prrelid = rel
		UNION
		SELECT pg_describe_object('pg_publication'::regclass, oid, 0) || ', which is for all tables' FROM pg_publication WHERE puballtables
		UNION
		SELECT pg_describe_object('pg_publication_namespace'::regclass, n.oid, 0)
		  FROM pg_publication_namespace n JOIN pg_class c ON c.relnamespace = n.pnnspid WHERE c.oid = rel
		UNION
		SELECT 'its place in ' || pg_describe_object('pg_subscription'::regclass, srsubid, 0) FROM pg_subscription_rel WHERE srrelid = rel
		UNION
		SELECT pg_describe_object('pg_constraint'::regclass, oid, 0) FROM pg_constraint
		 WHERE conrelid = rel AND (NOT convalidated OR contype = 'x')
		UNION
		SELECT pg_describe_object('pg_class'::regclass, rel, attnum) || ', which is an identity column'
		  FROM pg_attribute WHERE attrelid = rel AND attidentity <> ''
		UNION
		SELECT pg_describe_object('pg_trigger'::regclass, oid, 0) || ', which fires when a partition has been chosen'
		  FROM pg_trigger WHERE tgrelid = rel AND tgfoid = '@extschema@.document_id_assign()'::regprocedure
		   -- arguments end with a zero each; the first is the column it fills
		   AND position(convert_to(@extschema@.anchor_partition_id(rel), getdatabaseencoding()) || decode('00', 'hex') IN tgargs) = 1
		UNION
		SELECT 'its replica identity' FROM pg_class WHERE oid = rel AND relreplident NOT IN ('d', 'n')
		UNION
		SELECT 'its membership in an extension' FROM pg_depend
		 WHERE classid = 'pg_class'::regclass AND objid = rel AND deptype = 'e') l
$$;

COMMENT ON FUNCTION @extschema@.anchor_partition_losses IS
	'what a table would lose by being partitioned';

-- Gives the column of a table's ids, or raises an error if there is none: that of
-- the primary key, else the one that is called id.
CREATE FUNCTION @extschema@.anchor_partition_id(
	rel pg_catalog.regclass)
RETURNS pg_catalog.name
LANGUAGE plpgsql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	table_name CONSTANT text := (SELECT relname FROM pg_class WHERE oid = rel);
	id record;
BEGIN
	SELECT a.*, t.oid AS base INTO id
	  FROM pg_attribute a
	  JOIN LATERAL (
		WITH RECURSIVE type AS (
			SELECT oid, typtype, typbasetype FROM pg_type WHERE oid = a.atttypid
			UNION ALL
			SELECT y.oid, y.typtype, y.typbasetype FROM type JOIN pg_type y ON y.oid = type.typbasetype AND type.typtype = 'd')
		SELECT oid FROM type WHERE typtype <> 'd') t ON true
	 WHERE a.attrelid = rel AND a.attnum > 0 AND NOT a.attisdropped
	   AND coalesce((SELECT i.indkey[0] = a.attnum FROM pg_index i
					  WHERE i.indrelid = rel AND i.indisprimary AND i.indnkeyatts = 1),
					a.attname = 'id');
	IF NOT FOUND THEN
		RAISE undefined_column USING
			MESSAGE = format('table "%s" has no column for its ids', table_name),
			DETAIL = 'That is the column of the primary key, or the one called "id".';
	ELSIF id.base NOT IN ('text'::regtype, 'varchar'::regtype) OR id.attgenerated <> '' THEN
		RAISE datatype_mismatch USING
			MESSAGE = format('column "%s" of table "%s" must be of type text', id.attname, table_name);
	ELSIF EXISTS (SELECT FROM pg_collation WHERE oid = id.attcollation AND NOT collisdeterministic) THEN
		RAISE feature_not_supported USING
			MESSAGE = format('column "%s" of table "%s" has a nondeterministic collation', id.attname, table_name),
			DETAIL = 'Ids that are equal by it may have different buckets.';
	END IF;
	RETURN id.attname;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_id IS
	'the column of a table''s ids';

-- Gives the column of the id, or raises an error if there is none, or if
-- something keeps the table from being partitioned.
CREATE FUNCTION @extschema@.anchor_partition_check(
	rel pg_catalog.regclass)
RETURNS pg_catalog.name
LANGUAGE plpgsql STABLE STRICT
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $$
DECLARE
	table_name CONSTANT text := @extschema@.anchor_partition_owned(rel);
	id name;
	lost text;
BEGIN
	IF NOT (SELECT relkind = 'r' AND NOT relispartition AND reloftype = 0 AND relpersistence = 'p' FROM pg_class WHERE oid = rel)
		OR EXISTS (SELECT FROM pg_inherits WHERE rel IN (inhrelid, inhparent)) THEN
		RAISE wrong_object_type USING
			MESSAGE = format('"%s" is not an ordinary table', table_name),
			DETAIL = 'Partitions, tables of a type, temporary and unlogged tables, and those that inherit or are inherited from cannot be partitioned.';
	END IF;

	lost := @extschema@.anchor_partition_losses(rel);
	IF lost IS NOT NULL THEN
		RAISE feature_not_supported USING
			MESSAGE = format('cannot partition table "%s"', table_name),
			DETAIL = format('It would lose: %s.', lost),
			HINT = 'Drop what would be lost first, and make it anew for the partitioned table.';
	END IF;

	id := @extschema@.anchor_partition_id(rel);
	-- in a partition, what is unique is so among rows of that partition only
	SELECT string_agg(format('"%s"', i.indexrelid::regclass), ', ' ORDER BY i.indexrelid::regclass::text COLLATE "C") INTO lost
	  FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = id
	 WHERE i.indrelid = rel AND i.indisunique
	   AND NOT EXISTS (SELECT FROM generate_series(1, i.indnkeyatts) k
						 JOIN pg_collation c ON c.oid = i.indcollation[k - 1] AND c.collisdeterministic
						WHERE i.indkey[k - 1] = a.attnum
						   OR pg_get_indexdef(i.indexrelid, k, true)
							  IN (format('%s.docid_fold(%I)', '@extschema@'::regnamespace, id),
								  format('%s.docid_fold(%I::text)', '@extschema@'::regnamespace, id)));
	IF lost IS NOT NULL THEN
		RAISE feature_not_supported USING
			MESSAGE = format('cannot partition table "%s"', table_name),
			DETAIL = format('Partitions cannot enforce unique indexes without column "%s", or with a nondeterministic collation of it: %s.', id, lost);
	END IF;
	RETURN id;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_check IS
	'the column of a table''s ids, if nothing keeps the table from being partitioned';

-- The commands that give a table what another one has and LIKE does not copy,
-- under the names they have now.
CREATE FUNCTION @extschema@.anchor_partition_commands(
	rel pg_catalog.regclass)
RETURNS SETOF pg_catalog.text
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
SET DateStyle = 'ISO'
SET IntervalStyle = 'postgres'
SET extra_float_digits = 3
AS $$
	WITH this AS (
		SELECT @extschema@.anchor_partition_beside(oid::regclass, ''::text) AS name, relowner, relacl, relrowsecurity, relforcerowsecurity
		  FROM pg_class WHERE oid = rel
	), command AS (
		SELECT 1 AS step, indexrelid AS oid, pg_get_indexdef(indexrelid) AS command
		  FROM pg_index WHERE indrelid = rel AND NOT indisunique AND indisvalid
		UNION ALL
		SELECT 2, oid, format('ALTER TABLE %s ADD CONSTRAINT %I %s', name, conname, pg_get_constraintdef(oid))
		-- not those that PostgreSQL makes for each partition of the table referenced
		  FROM pg_constraint, this WHERE conrelid = rel AND contype = 'f' AND conparentid = 0
		UNION ALL
		SELECT 3, oid, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = rel AND NOT tgisinternal
		UNION ALL
		SELECT 4, oid, format('ALTER TABLE %s %s TRIGGER %I', name,
							  CASE tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE REPLICA' END, tgname)
		  FROM pg_trigger, this WHERE tgrelid = rel AND NOT tgisinternal AND tgenabled <> 'O'
		UNION ALL
		SELECT 5, oid, format('CREATE POLICY %I ON %s AS %s FOR %s TO %s', polname, name,
							  CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
							  CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
							  (SELECT string_agg(@extschema@.anchor_partition_grantee(r), ', ') FROM unnest(polroles) r))
					|| coalesce(' USING (' || pg_get_expr(polqual, polrelid) || ')', '')
					|| coalesce(' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')', '')
		  FROM pg_policy, this WHERE polrelid = rel
		UNION ALL
		SELECT 6, 0, format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', name) FROM this WHERE relrowsecurity
		UNION ALL
		SELECT 6, 0, format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', name) FROM this WHERE relforcerowsecurity
		UNION ALL
		SELECT 6, 0, format('REVOKE ALL ON %s FROM %I', name, pg_get_userbyid(relowner)) FROM this WHERE relacl IS NOT NULL
		UNION ALL
		-- while nobody but the owner may grant it: a mere member of the owner may grant as another role that may
		SELECT 7, is_grantable::int, format('GRANT %s (%I) ON %s TO %s', privilege_type, attname, name,
											string_agg(DISTINCT @extschema@.anchor_partition_grantee(grantee), ', '))
					|| CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
		  FROM this, pg_attribute, aclexplode(attacl) WHERE attrelid = rel AND NOT attisdropped
		 GROUP BY name, attname, privilege_type, is_grantable
		UNION ALL
		SELECT 8, is_grantable::int, format('GRANT %s ON %s TO %s', privilege_type, name,
											string_agg(DISTINCT @extschema@.anchor_partition_grantee(grantee), ', '))
					|| CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
		  FROM this, aclexplode(relacl) GROUP BY name, privilege_type, is_grantable
		UNION ALL
		SELECT 9, 0, format('COMMENT ON TABLE %s IS %L', name, obj_description(rel, 'pg_class'))
		  FROM this WHERE obj_description(rel, 'pg_class') IS NOT NULL
		UNION ALL
		SELECT 9, o.oid, format('COMMENT ON %s IS %L', o.what, d.description)
		  FROM (SELECT 'pg_constraint'::regclass AS class, oid, format('CONSTRAINT %I ON %s', conname, name) AS what
				  FROM pg_constraint, this WHERE conrelid = rel AND contype = 'f' AND conparentid = 0
				UNION ALL
				SELECT 'pg_trigger'::regclass, oid, format('TRIGGER %I ON %s', tgname, name)
				  FROM pg_trigger, this WHERE tgrelid = rel AND NOT tgisinternal
				UNION ALL
				SELECT 'pg_policy'::regclass, oid, format('POLICY %I ON %s', polname, name) FROM pg_policy, this WHERE polrelid = rel
				UNION ALL
				SELECT 'pg_class'::regclass, indexrelid, 'INDEX ' || @extschema@.anchor_partition_beside(indexrelid::regclass, ''::text)
				  FROM pg_index WHERE indrelid = rel AND NOT indisunique AND indisvalid) o
		  JOIN pg_description d ON d.classoid = o.class AND d.objoid = o.oid AND d.objsubid = 0
		UNION ALL
		SELECT 10, 0, format('ALTER SEQUENCE %s OWNED BY %s.%I', d.objid::regclass, name, a.attname)
		  FROM this, pg_depend d
		  JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
		 WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
		   AND d.refobjid = rel AND d.deptype = 'a'
		   AND EXISTS (SELECT FROM pg_class s WHERE s.oid = d.objid AND s.relkind = 'S')
	)
	SELECT command FROM command ORDER BY step, oid
$$;

COMMENT ON FUNCTION @extschema@.anchor_partition_commands IS
	'what makes a partitioned table like an ordinary one, apart from its columns';

-- The columns of a table that an INSERT gives values for.
CREATE FUNCTION @extschema@.anchor_partition_columns(
	rel pg_catalog.regclass,
	row_name pg_catalog.text)
RETURNS pg_catalog.text
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT string_agg(row_name || quote_ident(attname), ', ' ORDER BY attnum)
	  FROM pg_attribute
	 WHERE attrelid = rel AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
$$;

COMMENT ON FUNCTION @extschema@.anchor_partition_columns IS
	'the columns of a table that are not generated';
