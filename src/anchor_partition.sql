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
	suffix pg_catalog.text DEFAULT '')
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
	SELECT u.partrelid::regclass, substring(pg_get_partkeydef(u.partrelid), '^RANGE \((.*)\)$'), a.attname,
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
		   regexp_match(pg_get_expr(c.relpartbound, c.oid), '^FOR VALUES FROM \((\d+)\) TO \((\d+)\)$') b
	 WHERE i.inhparent = rel AND b IS NOT NULL
$$;

COMMENT ON FUNCTION @extschema@.anchor_partition_list IS
	'the ranges of buckets that a table has partitions for';

-- Raises an error where a statement may not see what was committed before the
-- lock that it waited for: rows would be lost.
CREATE FUNCTION @extschema@.anchor_partition_require_isolation()
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
		RAISE invalid_transaction_state USING
			MESSAGE = format('cannot change partitions in a %s transaction', upper(current_setting('transaction_isolation'))),
			HINT = 'Use READ COMMITTED.';
	END IF;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_require_isolation IS
	'raises an error unless each statement sees what is committed by then';

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
		SELECT pg_describe_object('pg_constraint'::regclass, oid, 0) FROM pg_constraint
		 WHERE conrelid = rel AND (NOT convalidated OR contype = 'x')
		UNION
		SELECT pg_describe_object('pg_class'::regclass, rel, attnum) || ', which is an identity column'
		  FROM pg_attribute WHERE attrelid = rel AND attidentity <> ''
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
	  JOIN pg_type y ON y.oid = a.atttypid
	  JOIN pg_type t ON t.oid = CASE y.typtype WHEN 'd' THEN y.typbasetype ELSE y.oid END
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
AS $$
DECLARE
	c record;
	id name;
	lost text;
BEGIN
	SELECT * INTO c FROM pg_class WHERE oid = rel;
	IF NOT FOUND THEN
		RAISE undefined_table USING
			MESSAGE = format('relation with OID %s does not exist', rel::oid);
	ELSIF NOT pg_has_role(c.relowner, 'USAGE') THEN
		RAISE insufficient_privilege USING
			MESSAGE = format('must be owner of table %s', c.relname);
	ELSIF c.relkind <> 'r' OR c.relispartition OR c.reloftype <> 0 OR c.relpersistence <> 'p'
		OR EXISTS (SELECT FROM pg_inherits WHERE rel IN (inhrelid, inhparent)) THEN
		RAISE wrong_object_type USING
			MESSAGE = format('"%s" is not an ordinary table', c.relname),
			DETAIL = 'Partitions, tables of a type, temporary and unlogged tables, and those that inherit or are inherited from cannot be partitioned.';
	END IF;

	lost := @extschema@.anchor_partition_losses(rel);
	IF lost IS NOT NULL THEN
		RAISE feature_not_supported USING
			MESSAGE = format('cannot partition table "%s"', c.relname),
			DETAIL = format('It would lose: %s.', lost),
			HINT = 'Drop what would be lost first, and make it anew for the partitioned table.';
	END IF;

	id := @extschema@.anchor_partition_id(rel);
	-- in a partition, what is unique is so among rows of that partition only
	SELECT string_agg(format('"%s"', i.indexrelid::regclass), ', ' ORDER BY i.indexrelid::regclass::text COLLATE "C") INTO lost
	  FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = id
	 WHERE i.indrelid = rel AND i.indisunique
	   AND NOT a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])
	   AND NOT EXISTS (SELECT FROM generate_series(1, i.indnkeyatts) k
						WHERE pg_get_indexdef(i.indexrelid, k, true)
							  IN (format('@extschema@.docid_fold(%I)', id),
								  format('@extschema@.docid_fold(%I::text)', id)));
	IF lost IS NOT NULL THEN
		RAISE feature_not_supported USING
			MESSAGE = format('cannot partition table "%s"', c.relname),
			DETAIL = format('Partitions cannot enforce unique indexes without column "%s": %s.', id, lost);
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
AS $$
	WITH this AS (
		SELECT @extschema@.anchor_partition_beside(oid) AS name, relowner, relacl, relrowsecurity, relforcerowsecurity
		  FROM pg_class WHERE oid = rel
	), command AS (
		SELECT 1 AS step, indexrelid AS oid, pg_get_indexdef(indexrelid) AS command
		  FROM pg_index WHERE indrelid = rel AND NOT indisunique AND indisvalid
		UNION ALL
		SELECT 2, oid, format('ALTER TABLE %s ADD CONSTRAINT %I %s', name, conname, pg_get_constraintdef(oid))
		  FROM pg_constraint, this WHERE conrelid = rel AND contype = 'f'
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
		SELECT 7, 0, format('GRANT %s ON %s TO %s', string_agg(privilege_type, ', ' ORDER BY privilege_type), name,
							@extschema@.anchor_partition_grantee(grantee))
					|| CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
		  FROM this, aclexplode(relacl) WHERE grantee <> relowner GROUP BY name, grantee, is_grantable
		UNION ALL
		SELECT 8, 0, format('GRANT %s (%I) ON %s TO %s', privilege_type, attname, name,
							@extschema@.anchor_partition_grantee(grantee))
					|| CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
		  FROM this, pg_attribute, aclexplode(attacl) WHERE attrelid = rel AND NOT attisdropped
		UNION ALL
		SELECT 9, 0, format('COMMENT ON TABLE %s IS %L', name, obj_description(rel, 'pg_class'))
		  FROM this WHERE obj_description(rel, 'pg_class') IS NOT NULL
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

-- Gives what was made for a table to its owner.
CREATE FUNCTION @extschema@.anchor_partition_give(
	kind pg_catalog.text,
	name pg_catalog.text,
	rel pg_catalog.regclass)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('ALTER %s %s OWNER TO %I', kind, name, (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = rel));
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_give IS
	'gives what was made for a table to its owner';

-- Makes one partition, which is not attached to the table yet.
CREATE FUNCTION @extschema@.anchor_partition_create(
	parent pg_catalog.regclass,
	template pg_catalog.regclass,
	suffix pg_catalog.text)
RETURNS pg_catalog.regclass
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	name CONSTANT text := @extschema@.anchor_partition_beside(parent, suffix);
	t record;
BEGIN
	SELECT p.*, a.amname, s.spcname, @extschema@.anchor_partition_parameters(name, p.oid) AS set_parameters INTO t
	  FROM pg_class p JOIN pg_am a ON a.oid = p.relam LEFT JOIN pg_tablespace s ON s.oid = p.reltablespace
	 WHERE p.oid = template;
	EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL) USING %I', name, template, t.amname)
		|| coalesce(' TABLESPACE ' || quote_ident(t.spcname), '');
	PERFORM @extschema@.anchor_partition_give('TABLE', name, parent);
	IF t.set_parameters IS NOT NULL THEN
		EXECUTE t.set_parameters;
	END IF;
	IF t.relreplident = 'n' THEN
		EXECUTE format('ALTER TABLE %s REPLICA IDENTITY NOTHING', name);
	END IF;
	RETURN name::regclass;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_create IS
	'makes one partition';

CREATE FUNCTION @extschema@.anchor_partition_attach(
	parent pg_catalog.regclass,
	partition pg_catalog.regclass,
	low pg_catalog.int4,
	high pg_catalog.int4)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%s) TO (%s)', parent, partition, low, high);
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_attach IS
	'attaches one partition';

-- Makes one partition of parent, named after owner, here or on a server.
CREATE FUNCTION @extschema@.anchor_partition_make(
	owner pg_catalog.regclass,
	parent pg_catalog.regclass,
	template pg_catalog.regclass,
	id_column pg_catalog.name,
	suffix pg_catalog.text,
	low pg_catalog.int4,
	high pg_catalog.int4,
	server pg_catalog.name)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF server IS NOT NULL THEN
		PERFORM @extschema@.anchor_shard_make(owner, parent, template, id_column, suffix, low, high, server);
	ELSE
		PERFORM @extschema@.anchor_partition_attach(parent, @extschema@.anchor_partition_create(owner, template, suffix), low, high);
	END IF;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_make IS
	'makes one partition, here or on a server';

-- The columns of a table that an INSERT gives values for.
CREATE FUNCTION @extschema@.anchor_partition_columns(
	rel pg_catalog.regclass,
	row_name pg_catalog.text DEFAULT '')
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

-- The body of the function that has the prefixes as literals.
CREATE FUNCTION @extschema@.anchor_partition_define(
	signature pg_catalog.text)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('CREATE OR REPLACE FUNCTION %s RETURNS int LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
			RETURN @extschema@.anchor_bucket_prefixed(id, %L::text[], %L::int[])', signature,
		(SELECT coalesce(array_agg(folded ORDER BY bucket_start), '{}') FROM @extschema@.hilo_prefixes),
		(SELECT coalesce(array_agg(bucket_start ORDER BY bucket_start), '{}') FROM @extschema@.hilo_prefixes));
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_define IS
	'makes or replaces the function with the prefixes of a table';

-- Puts a partitioned table without partitions in the place of an ordinary one,
-- which it renames.
CREATE FUNCTION @extschema@.anchor_partition_begin(
	rel pg_catalog.regclass,
	shards pg_catalog.int4,
	servers pg_catalog.name[],
	bucket_column pg_catalog.name,
	OUT parent pg_catalog.regclass,
	OUT id_column pg_catalog.name,
	OUT bucket_function pg_catalog.text,
	OUT commands pg_catalog.text[])
RETURNS pg_catalog.record
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	name text;
	table_name text;
	bucket text;
	key record;
	index record;
BEGIN
	IF rel IS NULL OR shards IS NULL THEN
		RAISE null_value_not_allowed USING
			MESSAGE = 'the table and its number of shards must not be null';
	END IF;
	PERFORM @extschema@.anchor_partition_require_isolation();
	PERFORM @extschema@.anchor_partition_check(rel), @extschema@.anchor_ranges(shards);
	IF servers IS NOT NULL THEN
		PERFORM @extschema@.anchor_servers_check(rel, shards, servers, bucket_column);
	END IF;
	EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', rel);
	id_column := @extschema@.anchor_partition_check(rel);

	name := @extschema@.anchor_partition_beside(rel);
	table_name := (SELECT relname FROM pg_class WHERE oid = rel);
	bucket_function := '@extschema@.anchor_bucket';
	IF EXISTS (SELECT FROM @extschema@.hilo_prefixes) THEN
		bucket_function := @extschema@.anchor_partition_beside(rel, '_bucket');
		IF to_regprocedure(bucket_function || '(text)') IS NOT NULL THEN
			RAISE duplicate_function USING
				MESSAGE = format('function %s already exists', to_regprocedure(bucket_function || '(text)')),
				HINT = 'Drop it, if it was made for a table that is gone.';
		END IF;
		PERFORM @extschema@.anchor_partition_define(bucket_function || '(id text)');
		PERFORM @extschema@.anchor_partition_give('FUNCTION', bucket_function || '(text)', rel);
	END IF;
	bucket := format('%s(%I)', bucket_function, id_column);
	EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL', rel, id_column);

	-- the rows of a partition are unique by themselves
	SELECT i.indexrelid, o.conname INTO key
	  FROM pg_index i
	  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = id_column AND i.indkey[0] = a.attnum
	  LEFT JOIN pg_constraint o ON o.conindid = i.indexrelid AND o.contype = 'p'
	 WHERE i.indrelid = rel AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indnkeyatts = 1
	 ORDER BY i.indisprimary DESC
	 LIMIT 1;
	commands := '{}';
	IF bucket_column IS NOT NULL THEN
		EXECUTE format('ALTER TABLE %s ADD COLUMN %I int GENERATED ALWAYS AS (%s) STORED', rel, bucket_column, bucket);
		EXECUTE format('ALTER TABLE %s ALTER COLUMN %I DROP EXPRESSION, ALTER COLUMN %2$I SET NOT NULL, ADD CHECK (%2$I = %3$s)',
					   rel, bucket_column, bucket);
		IF key.conname IS NOT NULL THEN
			EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', rel, key.conname);
		END IF;
		EXECUTE format('ALTER TABLE %s ADD PRIMARY KEY (%I, %I)', rel, bucket_column, id_column);
		commands := ARRAY[format('ALTER TABLE %s ADD PRIMARY KEY (%I, %I)', name, bucket_column, id_column)];
	ELSIF key IS NULL THEN
		EXECUTE format('ALTER TABLE %s ADD UNIQUE (%I)', rel, id_column);
	END IF;

	commands := commands || ARRAY(SELECT @extschema@.anchor_partition_commands(rel));
	EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', rel);
	EXECUTE format('ALTER TABLE %s RENAME TO %I', rel, @extschema@.anchor_partition_name(table_name, '_unmoved'));
	FOR index IN SELECT indexrelid::regclass AS name, row_number() OVER () FROM pg_index WHERE indrelid = rel LOOP
		EXECUTE format('ALTER INDEX %s RENAME TO %I', index.name,
					   @extschema@.anchor_partition_name(table_name, '_unmoved_' || index.row_number));
	END LOOP;
	EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (%s)',
				   name, rel, coalesce(quote_ident(bucket_column), bucket));
	PERFORM @extschema@.anchor_partition_give('TABLE', name, rel);
	parent := name::regclass;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_begin IS
	'the first step of anchor_partition';

-- Gives a partitioned table the rest of what the ordinary one had, and the
-- functions and the view that go with it.
CREATE FUNCTION @extschema@.anchor_partition_finish(
	parent pg_catalog.regclass,
	id_column pg_catalog.name,
	bucket_column pg_catalog.name,
	bucket_function pg_catalog.text,
	commands pg_catalog.text[])
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	match CONSTANT text := @extschema@.anchor_partition_beside(parent, '_match');
	command text;
BEGIN
	FOREACH command IN ARRAY commands LOOP
		EXECUTE command;
	END LOOP;

	IF bucket_function <> '@extschema@.anchor_bucket' THEN
		EXECUTE format(CASE WHEN bucket_column IS NULL
			THEN 'CREATE FUNCTION %s(row_id text, id text) RETURNS bool LANGUAGE sql IMMUTABLE PARALLEL SAFE
					RETURN %s(row_id) OPERATOR(pg_catalog.=) %2$s(id) AND row_id OPERATOR(pg_catalog.=) id'
			ELSE 'CREATE FUNCTION %s(row_bucket int, row_id text, id text) RETURNS bool LANGUAGE sql IMMUTABLE PARALLEL SAFE
					RETURN row_bucket OPERATOR(pg_catalog.=) %s(id) AND row_id OPERATOR(pg_catalog.=) id' END,
			match, bucket_function);
		PERFORM @extschema@.anchor_partition_give('FUNCTION', match, parent);
	END IF;
	IF bucket_column IS NOT NULL THEN
		PERFORM @extschema@.anchor_partition_view(parent, id_column, bucket_column, bucket_function);
	END IF;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_finish IS
	'the last step of anchor_partition';

-- Makes the view that fills the column of the bucket in what is inserted.
CREATE FUNCTION @extschema@.anchor_partition_view(
	parent pg_catalog.regclass,
	id_column pg_catalog.name,
	bucket_column pg_catalog.name,
	bucket_function pg_catalog.text)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	name CONSTANT text := @extschema@.anchor_partition_beside(parent, '_anchored');
	command text;
BEGIN
	EXECUTE format('CREATE VIEW %s WITH (security_invoker = true) AS SELECT * FROM %s', name, parent);
	PERFORM @extschema@.anchor_partition_give('VIEW', name, parent);
	EXECUTE format($f$
		CREATE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql AS $body$
		BEGIN
			NEW.%2$I := %3$s(NEW.%4$I);
			INSERT INTO %5$s (%6$s) VALUES (%7$s) RETURNING * INTO NEW;
			RETURN NEW;
		END $body$ $f$,
		name, bucket_column, bucket_function, id_column, parent,
		@extschema@.anchor_partition_columns(parent), @extschema@.anchor_partition_columns(parent, 'NEW.'));
	PERFORM @extschema@.anchor_partition_give('FUNCTION', name || '()', parent);
	EXECUTE format('CREATE TRIGGER fill_bucket INSTEAD OF INSERT ON %s FOR EACH ROW EXECUTE FUNCTION %1$s()', name);
	FOR command IN
		SELECT format('ALTER VIEW %s ALTER COLUMN %I SET DEFAULT %s', name, a.attname, pg_get_expr(d.adbin, d.adrelid))
		  FROM pg_attrdef d
		  JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum AND a.attgenerated = ''
		 WHERE d.adrelid = parent
		UNION ALL
		SELECT format('GRANT %s ON %s TO %s', privilege_type, name,
					  @extschema@.anchor_partition_grantee(grantee))
		  FROM pg_class, aclexplode(relacl)
		 WHERE oid = parent AND grantee <> relowner AND privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
	LOOP
		EXECUTE command;
	END LOOP;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_view IS
	'makes the view that fills the bucket of a row that is inserted';

CREATE FUNCTION @extschema@.anchor_partition(
	rel pg_catalog.regclass,
	shards pg_catalog.int4,
	servers pg_catalog.name[] DEFAULT NULL,
	bucket_column pg_catalog.name DEFAULT NULL)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	b record;
	r record;
	columns text;
BEGIN
	SELECT * INTO b FROM @extschema@.anchor_partition_begin(rel, shards, servers, bucket_column);
	FOR r IN
		SELECT w.*, servers[row_number() OVER (ORDER BY w.low)] AS server
		  FROM @extschema@.anchor_partition_ranges(shards, b.bucket_function <> '@extschema@.anchor_bucket') w
	LOOP
		PERFORM @extschema@.anchor_partition_make(b.parent, b.parent, rel, b.id_column, r.suffix, r.low, r.high, r.server);
	END LOOP;
	columns := @extschema@.anchor_partition_columns(rel);
	EXECUTE format('INSERT INTO %s (%s) SELECT %2$s FROM %s', b.parent, columns, rel);
	PERFORM @extschema@.anchor_partition_finish(b.parent, b.id_column, bucket_column, b.bucket_function, b.commands);
	EXECUTE format('DROP TABLE %s', rel);
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition IS
	'partitions a table by the buckets of its ids, for so many shards';

-- The first step, unless it was done before: the rows stay where they are, in
-- what is the default partition now.
CREATE FUNCTION @extschema@.anchor_partition_first_step(
	rel pg_catalog.regclass,
	shards pg_catalog.int4,
	servers pg_catalog.name[],
	bucket_column pg_catalog.name)
RETURNS pg_catalog.regclass
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	b record;
	trigger record;
BEGIN
	IF EXISTS (SELECT FROM @extschema@.anchor_partition_tables() t WHERE t.rel = anchor_partition_first_step.rel) THEN
		IF servers IS NOT NULL THEN
			PERFORM @extschema@.anchor_servers_check(rel, shards, servers, bucket_column);
		END IF;
		RETURN rel;
	END IF;
	SELECT * INTO b FROM @extschema@.anchor_partition_begin(rel, shards, servers, bucket_column);
	-- those of the partitioned table take their place
	FOR trigger IN SELECT tgname FROM pg_trigger WHERE tgrelid = rel AND NOT tgisinternal LOOP
		EXECUTE format('DROP TRIGGER %I ON %s', trigger.tgname, rel);
	END LOOP;
	EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s DEFAULT', b.parent, rel);
	PERFORM @extschema@.anchor_partition_finish(b.parent, b.id_column, bucket_column, b.bucket_function, b.commands);
	RETURN b.parent;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_first_step IS
	'the first step of anchor_partition_in_steps';

-- Makes the next partitions, at most a sixteenth of all, and moves their rows
-- there.  Says whether there are more to come.
CREATE FUNCTION @extschema@.anchor_partition_step(
	parent pg_catalog.regclass,
	shards pg_catalog.int4,
	servers pg_catalog.name[])
RETURNS pg_catalog.bool
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	t record;
	table_name text;
	r record;
	rest regclass;
	staging text;
	moved bigint;
	high int;
	done int := 0;
	pending int;
	is_left bool;
BEGIN
	PERFORM @extschema@.anchor_partition_require_isolation();
	EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parent);
	SELECT a.*, a.prefix_function IS NOT NULL AS prefixed INTO STRICT t
	  FROM @extschema@.anchor_partition_tables() a WHERE a.rel = parent;
	table_name := (SELECT relname FROM pg_class WHERE oid = parent);
	SELECT nullif(partdefid, 0) INTO rest FROM pg_partitioned_table WHERE partrelid = parent;
	IF EXISTS (SELECT l.low, l.high FROM @extschema@.anchor_partition_list(parent) l
			   EXCEPT
			   SELECT w.low, w.high FROM @extschema@.anchor_partition_ranges(shards, t.prefixed) w) THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('table "%s" has partitions for another number of shards than %s', table_name, shards);
	ELSIF rest IS NULL THEN
		RETURN false;
	END IF;

	-- no trigger of the table sees the move
	EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, rest);
	staging := @extschema@.anchor_partition_beside(parent, '_moving');
	EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (%s)', staging, rest, t.key);
	FOR r IN
		SELECT w.*, count(*) OVER () AS pending
		  FROM (SELECT p.*, servers[row_number() OVER (ORDER BY p.low)] AS server
				  FROM @extschema@.anchor_partition_ranges(shards, t.prefixed) p) w
		 WHERE w.low NOT IN (SELECT l.low FROM @extschema@.anchor_partition_list(parent) l)
		 ORDER BY w.low
		 LIMIT (SELECT (count(*) + 15) / 16 FROM @extschema@.anchor_partition_ranges(shards, t.prefixed))
	LOOP
		PERFORM @extschema@.anchor_partition_make(parent, staging::regclass, rest, t.id_column, r.suffix, r.low, r.high, r.server);
		high := r.high;
		done := done + 1;
		pending := r.pending - done;
	END LOOP;
	-- all below the end, as all lower partitions have theirs
	EXECUTE format('WITH moved AS (DELETE FROM %s WHERE %s < %s RETURNING %s) INSERT INTO %s (%4$s) SELECT * FROM moved',
				   rest, t.key, high, @extschema@.anchor_partition_columns(rest), staging);
	GET DIAGNOSTICS moved = ROW_COUNT;
	FOR r IN SELECT * FROM @extschema@.anchor_partition_list(staging::regclass) LOOP
		EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', staging, r.partition);
		PERFORM @extschema@.anchor_partition_attach(parent, r.partition, r.low, r.high);
	END LOOP;
	EXECUTE format('DROP TABLE %s', staging);

	IF pending > 0 THEN
		EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s DEFAULT', parent, rest);
	ELSE
		EXECUTE format('SELECT EXISTS (SELECT FROM %s)', rest) INTO is_left;
		IF is_left THEN
			RAISE check_violation USING
				MESSAGE = format('rows of table "%s" belong to no partition', table_name),
				HINT = 'Insert the ranges that are missing into hilo_shards.';
		END IF;
		EXECUTE format('DROP TABLE %s', rest);
	END IF;
	RAISE NOTICE '%', format('table "%s": %s rows moved to %s partitions, %s partitions to come', table_name, moved, done, pending);
	RETURN pending > 0;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_step IS
	'the next step of anchor_partition_in_steps';

-- No SET here, as it commits; each function it calls has its own.
CREATE PROCEDURE @extschema@.anchor_partition_in_steps(
	rel pg_catalog.regclass,
	shards pg_catalog.int4,
	servers pg_catalog.name[] DEFAULT NULL,
	bucket_column pg_catalog.name DEFAULT NULL)
LANGUAGE plpgsql
AS $$
DECLARE
	parent pg_catalog.regclass := @extschema@.anchor_partition_first_step(rel, shards, servers, bucket_column);
BEGIN
	COMMIT;
	WHILE @extschema@.anchor_partition_step(parent, shards, servers) LOOP
		COMMIT;
	END LOOP;
END $$;

COMMENT ON PROCEDURE @extschema@.anchor_partition_in_steps IS
	'partitions a table as anchor_partition does, in transactions of its own; goes on with what was interrupted';

-- Raises an error if a partitioned table has rows with a prefix; if not, keeps
-- it so to the end of the transaction.
CREATE FUNCTION @extschema@.anchor_prefix_check(
	prefix pg_catalog.text)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	t record;
	found bool;
BEGIN
	PERFORM @extschema@.anchor_partition_require_isolation();
	FOR t IN SELECT * FROM @extschema@.anchor_partition_tables() WHERE prefix_function IS NOT NULL LOOP
		EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', t.rel);
		EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE starts_with(@extschema@.docid_fold(%I), @extschema@.docid_fold($1)))',
					   t.rel, t.id_column) INTO found USING prefix;
		IF found THEN
			RAISE object_in_use USING
				MESSAGE = format('prefix "%s" cannot change while rows have it', prefix),
				DETAIL = format('Table %s has some.', t.rel);
		END IF;
	END LOOP;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_prefix_check IS
	'raises an error if a partitioned table has rows with a prefix';

-- Gives each table with prefixes what they are now, and the partitions for
-- those that begin with these buckets, of which there are no rows.
CREATE FUNCTION @extschema@.anchor_partition_follow(
	bucket_starts pg_catalog.int4[])
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	t record;
	r record;
	template regclass;
BEGIN
	FOR t IN SELECT a.*, f.proname, (SELECT nspname FROM pg_namespace n WHERE n.oid = f.pronamespace) AS schema
			   FROM @extschema@.anchor_partition_tables() a JOIN pg_proc f ON f.oid = a.prefix_function LOOP
		PERFORM @extschema@.anchor_partition_define(format('%I.%I(id text)', t.schema, t.proname));
		SELECT l.partition INTO STRICT template FROM @extschema@.anchor_partition_list(t.rel) l ORDER BY l.low LIMIT 1;
		FOR r IN SELECT l.partition FROM @extschema@.anchor_partition_list(t.rel) l
				  WHERE l.low - l.low % 1048576 = ANY (bucket_starts) LOOP
			EXECUTE format('DROP TABLE %s', r.partition);
		END LOOP;
		PERFORM @extschema@.anchor_partition_attach(t.rel,
				@extschema@.anchor_partition_create(t.rel, template, w.suffix), w.low, w.high)
		   FROM @extschema@.anchor_partition_ranges(1, true) w
		  WHERE w.low - w.low % 1048576 = ANY (bucket_starts);
	END LOOP;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_follow IS
	'gives the partitioned tables the prefixes that there are now';
