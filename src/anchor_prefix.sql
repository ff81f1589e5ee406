CREATE FUNCTION @extschema@.anchor_prefix_set(
	prefix pg_catalog.text,
	shards pg_catalog.int4[],
	bucket_start pg_catalog.int4 DEFAULT NULL)
RETURNS pg_catalog.int4
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	wanted CONSTANT text := prefix;
	start int := bucket_start;
	unknown int;
	known record;
BEGIN
	IF wanted IS NULL OR shards IS NULL OR array_position(shards, NULL) IS NOT NULL THEN
		RAISE null_value_not_allowed USING
			MESSAGE = 'a prefix and its shards must not be null';
	ELSIF right(wanted, 1) NOT IN ('/', '-') THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('prefix "%s" must end with "/" or "-"', wanted);
	ELSIF cardinality(shards) NOT BETWEEN 1 AND 1048576 THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('prefix "%s" must have between 1 and 1048576 shards', wanted);
	ELSIF (SELECT count(DISTINCT s) < count(*) FROM unnest(shards) s) THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('the shards of prefix "%s" must differ', wanted);
	END IF;

	PERFORM @extschema@.anchor_partition_lock('@extschema@.hilo_prefixes'::regclass, only_it => false);
	PERFORM @extschema@.anchor_partition_hold('@extschema@.hilo_shards'::regclass);
	SELECT s INTO unknown FROM unnest(shards) s
	 WHERE NOT EXISTS (SELECT FROM @extschema@.hilo_shards h WHERE h.shard = s);
	IF FOUND THEN
		RAISE undefined_object USING
			MESSAGE = format('shard %s does not exist', unknown),
			HINT = 'Insert its range into hilo_shards first.';
	END IF;

	SELECT p.prefix, p.bucket_start INTO known FROM @extschema@.hilo_prefixes p
	 WHERE p.folded = @extschema@.docid_fold(wanted);
	IF known.prefix <> wanted THEN
		RAISE duplicate_object USING
			MESSAGE = format('prefix "%s" already exists in different casing', wanted),
			DETAIL = format('It was set as "%s".', known.prefix);
	END IF;
	start := coalesce(start, known.bucket_start,
		(SELECT max(b) - max(b) % 1048576 + 1048576
		   FROM (SELECT 0 AS b UNION ALL SELECT p.bucket_start FROM @extschema@.hilo_prefixes p UNION ALL SELECT h.bucket_start FROM @extschema@.hilo_shards h) taken
		  WHERE b < 2145386496));
	IF start NOT BETWEEN 1048576 AND 2145386496 OR start % 1048576 <> 0 THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('bucket_start (%s) must be a multiple of 1048576, up to 2145386496', start);
	ELSIF EXISTS (SELECT FROM @extschema@.hilo_prefixes p
				   WHERE p.bucket_start = start AND p.folded <> @extschema@.docid_fold(wanted)) THEN
		RAISE duplicate_object USING
			MESSAGE = format('the buckets from %s on belong to another prefix', start);
	ELSIF start IS DISTINCT FROM known.bucket_start AND EXISTS (
			SELECT FROM @extschema@.hilo_shards h WHERE h.bucket_start >= start AND h.bucket_start - 1048576 < start) THEN
		RAISE duplicate_object USING
			MESSAGE = format('hilo_shards has the buckets from %s on already', start),
			HINT = 'Delete these rows first: anchor_prefix_set inserts them.';
	END IF;

	PERFORM @extschema@.anchor_prefix_check(wanted);
	DELETE FROM @extschema@.hilo_prefixes p WHERE p.bucket_start = known.bucket_start;
	DELETE FROM @extschema@.hilo_shards h
	 WHERE h.bucket_start >= known.bucket_start AND h.bucket_start - 1048576 < known.bucket_start;
	INSERT INTO @extschema@.hilo_prefixes (bucket_start, prefix) VALUES (start, wanted);
	INSERT INTO @extschema@.hilo_shards (bucket_start, shard)
	SELECT start + lower(r.buckets), s.shard
	  FROM (SELECT s AS shard, row_number() OVER (ORDER BY s) - 1 AS i FROM unnest(shards) s) s
	  JOIN @extschema@.anchor_ranges(cardinality(shards)) r ON r.shard = s.i;
	PERFORM @extschema@.anchor_prefix_follow(ARRAY[known.bucket_start, start]);
	RETURN start;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_prefix_set IS
	'gives the ids with a prefix buckets of their own, on these shards; returns the first of them';

CREATE FUNCTION @extschema@.anchor_prefix_drop(
	prefix pg_catalog.text)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	wanted CONSTANT text := prefix;
	start int;
BEGIN
	PERFORM @extschema@.anchor_partition_lock('@extschema@.hilo_prefixes'::regclass, only_it => false);
	PERFORM @extschema@.anchor_partition_hold('@extschema@.hilo_shards'::regclass);
	SELECT p.bucket_start INTO start FROM @extschema@.hilo_prefixes p
	 WHERE p.folded = @extschema@.docid_fold(wanted);
	IF NOT FOUND THEN
		RAISE undefined_object USING
			MESSAGE = format('prefix "%s" does not exist', wanted);
	END IF;

	PERFORM @extschema@.anchor_prefix_check(wanted);
	DELETE FROM @extschema@.hilo_prefixes p WHERE p.bucket_start = start;
	DELETE FROM @extschema@.hilo_shards h
	 WHERE h.bucket_start >= start AND h.bucket_start - 1048576 < start;
	PERFORM @extschema@.anchor_prefix_follow(ARRAY[start]);
END $$;

COMMENT ON FUNCTION @extschema@.anchor_prefix_drop IS
	'takes the buckets of its own from a prefix';

-- Says whether the prefixes of a table's function are those that there are.
CREATE FUNCTION @extschema@.anchor_prefix_follows(
	prefix_function pg_catalog.regprocedure)
RETURNS pg_catalog.bool
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
SET standard_conforming_strings = on
AS $$
	SELECT coalesce(replace(b[1], '''''', '''')::text[] = ARRAY(SELECT folded FROM @extschema@.hilo_prefixes ORDER BY bucket_start)
					AND b[2]::int[] = ARRAY(SELECT bucket_start FROM @extschema@.hilo_prefixes ORDER BY bucket_start), false)
	  FROM regexp_match(pg_get_function_sqlbody(prefix_function), '\(id, ''(.*)''::text\[\], ''(.*)''::integer\[\]\)$') b
$$;

COMMENT ON FUNCTION @extschema@.anchor_prefix_follows IS
	'whether the prefixes of a function are those in hilo_prefixes';

-- Raises an error if a partitioned table has rows with a prefix, or has other
-- prefixes than there are; if not, keeps it so to the end of the transaction.
-- Whose table it is, is not for the caller to know: so what the table evaluates
-- has its owner's rights.
CREATE FUNCTION @extschema@.anchor_prefix_check(
	prefix pg_catalog.text)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	t record;
	asked regclass;
BEGIN
	PERFORM @extschema@.anchor_partition_require_isolation();
	FOR t IN SELECT * FROM @extschema@.anchor_partition_tables() WHERE prefix_function IS NOT NULL LOOP
		PERFORM @extschema@.anchor_partition_lock(t.rel, only_it => false);
		IF NOT @extschema@.anchor_prefix_follows(t.prefix_function) THEN
			RAISE object_not_in_prerequisite_state USING
				MESSAGE = format('prefixes of table %s are not those in hilo_prefixes', t.rel),
				HINT = 'Copy hilo_prefixes and hilo_shards from the database that the table comes from.';
		END IF;
		-- row security may hold the owner, too, but not in the partitions
		FOR asked IN
			SELECT p.relid FROM pg_class c, pg_partition_tree(c.oid) p
			 WHERE c.oid = t.rel AND CASE WHEN c.relforcerowsecurity THEN p.isleaf ELSE p.relid = c.oid END
		LOOP
			IF @extschema@.as_owner_ask(asked, format('SELECT FROM %2$s WHERE starts_with(%1$s.docid_fold(%3$I::text), %1$s.docid_fold(%4$L::text)) LIMIT 1',
													  '@extschema@', asked, t.id_column, prefix)) THEN
				RAISE object_in_use USING
					MESSAGE = format('prefix "%s" cannot change while rows have it', prefix),
					DETAIL = format('Table %s has some.', t.rel);
			END IF;
		END LOOP;
	END LOOP;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_prefix_check IS
	'raises an error if a partitioned table has rows with a prefix';

CREATE FUNCTION @extschema@.anchor_prefix_forget_key(
	rel pg_catalog.regclass)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.anchor_prefix_forget_key IS
	'has sessions make the key of a partitioned table and the constraints of its partitions anew';

-- Gives each table with prefixes what they are now, and the partitions for
-- those that begin with these buckets; each as its owner.
CREATE FUNCTION @extschema@.anchor_prefix_follow(
	bucket_starts pg_catalog.int4[])
RETURNS pg_catalog.void
LANGUAGE sql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT @extschema@.as_owner_ask(t.rel, format('SELECT %s.anchor_prefix_follow_one(%L::regclass, %L::regprocedure, %L::int[])',
												  '@extschema@', t.rel, t.prefix_function, array_remove(bucket_starts, NULL)))
	  FROM @extschema@.anchor_partition_tables() t
	 WHERE t.prefix_function IS NOT NULL
$$;

COMMENT ON FUNCTION @extschema@.anchor_prefix_follow IS
	'gives the partitioned tables the prefixes that there are now';

CREATE FUNCTION @extschema@.anchor_prefix_follow_one(
	rel pg_catalog.regclass,
	prefix_function pg_catalog.regprocedure,
	bucket_starts pg_catalog.int4[])
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	r record;
	template regclass;
	has_rows bool;
BEGIN
	PERFORM @extschema@.anchor_partition_define(format('%I.%I(id text)', n.nspname, f.proname))
	   FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace WHERE f.oid = prefix_function;
	-- what stays and can be copied: a partition, else the rows that have none yet
	SELECT c.oid INTO template
	  FROM pg_inherits i
	  JOIN pg_class c ON c.oid = i.inhrelid
	  LEFT JOIN @extschema@.anchor_partition_list(rel) l ON l.partition = c.oid
	 WHERE i.inhparent = rel AND c.relkind = 'r' AND (l.low - l.low % 1048576 = ANY (bucket_starts)) IS NOT TRUE
	 ORDER BY l.low LIMIT 1;
	FOR r IN SELECT l.partition FROM @extschema@.anchor_partition_list(rel) l
			  WHERE l.low - l.low % 1048576 = ANY (bucket_starts) LOOP
		EXECUTE format('SELECT EXISTS (SELECT FROM %s)', r.partition) INTO has_rows;
		IF has_rows THEN
			RAISE object_in_use USING
				MESSAGE = format('partition %s cannot be replaced while it has rows', r.partition),
				DETAIL = 'Their ids have no prefix that the table knows.';
		END IF;
		EXECUTE format('DROP TABLE %s', r.partition);
	END LOOP;
	PERFORM @extschema@.anchor_partition_attach(rel,
			@extschema@.anchor_partition_create(rel, template, w.suffix), w.low, w.high)
	   FROM @extschema@.anchor_partition_ranges(1, true) w
	  WHERE w.low - w.low % 1048576 = ANY (bucket_starts);
	PERFORM @extschema@.anchor_prefix_forget_key(rel);
END $$;

COMMENT ON FUNCTION @extschema@.anchor_prefix_follow_one IS
	'gives a partitioned table the prefixes that there are now';
