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

CREATE FUNCTION @extschema@.anchor_partition_lock(
	rel pg_catalog.regclass,
	only_it pg_catalog.bool)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.anchor_partition_lock IS
	'locks a table to the end of the transaction, whatever becomes of its cursor';

CREATE FUNCTION @extschema@.anchor_partition_hold(
	rel pg_catalog.regclass)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.anchor_partition_hold IS
	'keeps the lock of who changes rows of a table to the end of the transaction';

-- Gives what the current role owns, and was made for a table, to the owner of that,
-- with the privileges that it has where ALTER DEFAULT PRIVILEGES says nothing: who may
-- use the table is not for that to say.
CREATE FUNCTION @extschema@.anchor_partition_give(
	kind pg_catalog.text,
	name pg_catalog.text,
	rel pg_catalog.regclass)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	object CONSTANT text := concat(CASE kind WHEN 'FUNCTION' THEN 'FUNCTION ' ELSE 'TABLE ' END, name);
	acl aclitem[];
	of_columns aclitem[];
	others text;
BEGIN
	IF kind = 'FUNCTION' THEN
		acl := (SELECT proacl FROM pg_proc WHERE oid = name::regprocedure);
	ELSE
		acl := (SELECT relacl FROM pg_class WHERE oid = name::regclass);
		of_columns := (SELECT array_agg(item) FROM pg_attribute, unnest(attacl) item WHERE attrelid = name::regclass);
	END IF;
	-- before its owner changes: a mere member of that may revoke as another role that may grant
	SELECT string_agg(DISTINCT @extschema@.anchor_partition_grantee(grantee), ', ') INTO others
	  FROM aclexplode(acl || of_columns) WHERE grantee <> quote_ident(current_user)::regrole;
	IF others IS NOT NULL THEN
		EXECUTE format('REVOKE ALL ON %s FROM %s CASCADE', object, others);
	END IF;
	IF acl IS NOT NULL THEN
		EXECUTE format('GRANT ALL ON %s TO %I', object, current_user);
		IF kind = 'FUNCTION' THEN
			EXECUTE format('GRANT EXECUTE ON %s TO PUBLIC', object);
		END IF;
	END IF;
	EXECUTE format('ALTER %s %s OWNER TO %I', kind, name, (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = rel));
END $$;

COMMENT ON FUNCTION @extschema@.anchor_partition_give IS
	'gives what was made for a table to its owner';

-- Makes one partition, which is not attached to the table yet.  By its own name it
-- shows no rows to those whom row security of the table holds.
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
	SELECT p.*, a.amname, s.spcname, @extschema@.anchor_partition_parameters(name, p.oid::regclass) AS set_parameters,
		   p.relrowsecurity OR (SELECT relrowsecurity FROM pg_class WHERE oid = parent) AS has_row_security INTO t
	  FROM pg_class p JOIN pg_am a ON a.oid = p.relam LEFT JOIN pg_tablespace s ON s.oid = p.reltablespace
	 WHERE p.oid = template;
	EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL) USING %I', name, template, t.amname)
		|| coalesce(' TABLESPACE ' || quote_ident(t.spcname), '');
	PERFORM @extschema@.anchor_partition_give('TABLE', name, parent);
	IF t.set_parameters IS NOT NULL THEN
		EXECUTE t.set_parameters;
	END IF;
	IF t.has_row_security THEN
		EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', name);
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

-- The body of the function that has the prefixes as literals.
CREATE FUNCTION @extschema@.anchor_partition_define(
	signature pg_catalog.text)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('CREATE OR REPLACE FUNCTION %s RETURNS int LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
			RETURN %s.anchor_bucket_prefixed(id, %L::text[], %L::int[])', signature, '@extschema@',
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
	PERFORM @extschema@.anchor_partition_lock(rel, only_it => false);
	id_column := @extschema@.anchor_partition_check(rel);

	name := @extschema@.anchor_partition_beside(rel, ''::text);
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
	bucket := format('%s(%I::text)', bucket_function, id_column);
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
	EXECUTE format('ALTER TABLE %s RENAME TO %I', rel, @extschema@.anchor_partition_name(table_name::name, '_unmoved'));
	FOR index IN SELECT indexrelid::regclass AS name, row_number() OVER () FROM pg_index WHERE indrelid = rel LOOP
		EXECUTE format('ALTER INDEX %s RENAME TO %I', index.name,
					   @extschema@.anchor_partition_name(table_name::name, '_unmoved_' || index.row_number));
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
	arguments CONSTANT text := CASE WHEN bucket_column IS NULL THEN '(text, text)' ELSE '(int, text, text)' END;
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
		PERFORM @extschema@.anchor_partition_give('FUNCTION', match || arguments, parent);
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
SET DateStyle = 'ISO'
SET IntervalStyle = 'postgres'
SET extra_float_digits = 3
AS $$
DECLARE
	name CONSTANT text := @extschema@.anchor_partition_beside(parent, '_anchored');
	command text;
BEGIN
	EXECUTE format('CREATE VIEW %s WITH (security_invoker = true) AS SELECT * FROM %s', name, parent);
	PERFORM @extschema@.anchor_partition_give('VIEW', name, parent);
	-- names can have anything in them, dollar quotes too
	EXECUTE format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql AS %L', name, format($body$
		DECLARE
			inserted pg_catalog.int8;
		BEGIN
			NEW.%I := %s(NEW.%I::pg_catalog.text);
			EXECUTE %s.anchor_view_insert(TG_RELID::pg_catalog.regclass) INTO NEW USING NEW;
			GET DIAGNOSTICS inserted = ROW_COUNT;
			IF inserted OPERATOR(pg_catalog.=) 0 THEN
				RETURN NULL;
			END IF;
			RETURN NEW;
		END $body$,
		bucket_column, bucket_function, id_column, '@extschema@'));
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
		SELECT w.*, servers[array_lower(servers, 1) - 1 + row_number() OVER (ORDER BY w.low)] AS server
		  FROM @extschema@.anchor_partition_ranges(shards, b.bucket_function <> '@extschema@.anchor_bucket') w
	LOOP
		PERFORM @extschema@.anchor_partition_make(b.parent, b.parent, rel, b.id_column, r.suffix, r.low, r.high, r.server);
	END LOOP;
	columns := @extschema@.anchor_partition_columns(rel, ''::text);
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
	-- whoever may use the table need have no right to its partitions
	EXECUTE format('ALTER TABLE %s OWNER TO %I', rel, current_user);
	PERFORM @extschema@.anchor_partition_give('TABLE', rel::text, b.parent);
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
	PERFORM @extschema@.anchor_partition_lock(parent, only_it => true);
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
	PERFORM @extschema@.anchor_partition_give('TABLE', staging, parent);
	FOR r IN
		SELECT w.*, count(*) OVER () AS pending
		  FROM (SELECT p.*, servers[array_lower(servers, 1) - 1 + row_number() OVER (ORDER BY p.low)] AS server
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
				   rest, t.key, high, @extschema@.anchor_partition_columns(rest, ''::text), staging);
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
