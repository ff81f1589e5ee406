-- The condition that a row is in these buckets, on whichever server.
CREATE FUNCTION @extschema@.anchor_shard_condition(
	id_column pg_catalog.name,
	buckets pg_catalog.int4range)
RETURNS pg_catalog.text
LANGUAGE sql IMMUTABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT format('%1$s.anchor_bucket(%2$I::text) >= %3$s AND %1$s.anchor_bucket(%2$I::text) < %4$s', '@extschema@', id_column, lower(buckets), upper(buckets))
$$;

COMMENT ON FUNCTION @extschema@.anchor_shard_condition IS
	'the condition that a row is in some buckets';

-- The commands that make the table of one shard like another table, but for
-- its name, its defaults, its triggers, its policies, and its buckets.
CREATE FUNCTION @extschema@.anchor_shard_definition(
	template pg_catalog.regclass,
	name pg_catalog.text,
	id_column pg_catalog.name,
	low pg_catalog.int4,
	high pg_catalog.int4)
RETURNS pg_catalog.text
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
SET DateStyle = 'ISO'
SET IntervalStyle = 'postgres'
SET extra_float_digits = 3
AS $$
	WITH line AS (
		SELECT 1 AS step, attnum::int8 AS oid,
			   format('%I %s', attname, format_type(atttypid, atttypmod))
			   || coalesce((SELECT format(' COLLATE %I.%I', nspname, collname)
							  FROM pg_collation c JOIN pg_namespace n ON n.oid = collnamespace JOIN pg_type t ON t.oid = atttypid
							 WHERE c.oid = attcollation AND attcollation <> typcollation), '')
			   || CASE WHEN attgenerated <> ''
				  THEN format(' GENERATED ALWAYS AS (%s) %s', pg_get_expr(adbin, adrelid), CASE attgenerated WHEN 's' THEN 'STORED' ELSE 'VIRTUAL' END)
				  ELSE '' END
			   || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END AS text
		  FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
		 WHERE attrelid = template AND attnum > 0 AND NOT attisdropped
		UNION ALL
		SELECT 2, oid, format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))
		  FROM pg_constraint WHERE conrelid = template AND contype = 'c' AND conname <> 'hilo_buckets'
		UNION ALL
		SELECT 3, 0, format('CONSTRAINT hilo_buckets CHECK (%s)', @extschema@.anchor_shard_condition(id_column, int4range(low, high)))
	), command AS (
		SELECT 1 AS step, 0::int8 AS oid, format('CREATE TABLE %s (%s)', name, string_agg(text, ', ' ORDER BY step, oid)) AS text FROM line
		UNION ALL
		SELECT 2, 0, @extschema@.anchor_partition_parameters(name, template)
		UNION ALL
		SELECT 3, oid, format('ALTER TABLE %s ADD %s', name, pg_get_constraintdef(oid))
		  FROM pg_constraint WHERE conrelid = template AND contype IN ('p', 'u')
		UNION ALL
		SELECT 4, indexrelid, format('CREATE %sINDEX ON %s%s', is_unique, name,
									 substr(def, length(format('CREATE %sINDEX %I ON %s', is_unique, index.relname, rel)) + 1))
		  FROM pg_index
		  JOIN pg_class index ON index.oid = indexrelid,
			   pg_get_indexdef(indexrelid) def,
			   LATERAL (SELECT CASE WHEN indisunique THEN 'UNIQUE ' ELSE '' END AS is_unique) u,
			   @extschema@.anchor_partition_beside(template, ''::text) rel
		 WHERE indrelid = template AND indisvalid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = template)
		UNION ALL
		SELECT 5, grantee::int8, format('GRANT %s ON %s TO %s', string_agg(privilege_type, ', ' ORDER BY privilege_type), name,
							@extschema@.anchor_partition_grantee(grantee))
		  FROM pg_class, aclexplode(relacl)
		 WHERE oid = template AND obj_description(oid, 'pg_class') ^@ 'hilo: ' AND grantee <> relowner GROUP BY grantee
	)
	SELECT string_agg(text, '; ' ORDER BY step, oid) FROM command
$$;

COMMENT ON FUNCTION @extschema@.anchor_shard_definition IS
	'the commands that make the table of one shard';

-- What a partition stands for on its server: the schema and the name of a table.
CREATE FUNCTION @extschema@.anchor_shard_remote(
	partition pg_catalog.regclass,
	OUT schema pg_catalog.text,
	OUT name pg_catalog.text)
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT coalesce((SELECT option_value FROM pg_options_to_table(ftoptions) WHERE option_name = 'schema_name'), nspname),
		   coalesce((SELECT option_value FROM pg_options_to_table(ftoptions) WHERE option_name = 'table_name'), relname)
	  FROM pg_foreign_table
	  JOIN pg_class c ON c.oid = ftrelid
	  JOIN pg_namespace n ON n.oid = relnamespace
	 WHERE ftrelid = partition
$$;

COMMENT ON FUNCTION @extschema@.anchor_shard_remote IS
	'the table on its server that a partition stands for';

-- What of ours uses a table of another server.
CREATE FUNCTION @extschema@.anchor_shard_users(
	server pg_catalog.name,
	schema pg_catalog.text,
	name pg_catalog.text)
RETURNS SETOF pg_catalog.regclass
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT f.ftrelid::regclass
	  FROM pg_foreign_table f
	  JOIN pg_foreign_server s ON s.oid = f.ftserver
	  JOIN pg_class c ON c.oid = f.ftrelid, @extschema@.anchor_shard_remote(f.ftrelid::regclass) r
	 WHERE s.srvname = server AND c.relpersistence <> 't'
	   AND r.schema = anchor_shard_users.schema AND r.name = anchor_shard_users.name
$$;

COMMENT ON FUNCTION @extschema@.anchor_shard_users IS
	'the foreign tables on a table of another server';

-- Makes a foreign table of this session, without anything but the columns.
CREATE FUNCTION @extschema@.anchor_shard_open(
	local_name pg_catalog.name,
	template pg_catalog.regclass,
	server pg_catalog.name,
	schema pg_catalog.text,
	name pg_catalog.text)
RETURNS pg_catalog.text
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('CREATE FOREIGN TABLE pg_temp.%I (%s) SERVER %I OPTIONS (schema_name %L, table_name %L, batch_size ''1000'', fetch_size ''1000'')',
		local_name,
		(SELECT string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum)
		   FROM pg_attribute WHERE attrelid = template AND attnum > 0 AND NOT attisdropped AND attgenerated = ''),
		server, schema, name);
	RETURN format('pg_temp.%I', local_name);
END $$;

COMMENT ON FUNCTION @extschema@.anchor_shard_open IS
	'makes a foreign table of this session';

-- The comment on the tables of other servers that are made for a table.  Empty
-- ones look alike, and other databases may have tables of that name there.
CREATE FUNCTION @extschema@.anchor_shard_mark(
	rel pg_catalog.regclass)
RETURNS pg_catalog.text
LANGUAGE sql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT format('hilo: shard of %s/%s/%s', system_identifier, d.oid, rel::oid)
	  FROM pg_control_system(), pg_database d WHERE datname = current_database()
$$;

COMMENT ON FUNCTION @extschema@.anchor_shard_mark IS
	'the comment on the shards of a table';

-- Makes the table of a shard on another server, by those commands.  One that an
-- interrupted call has left is dropped, if it was made for the table whose rows
-- are here, and those that it has are here as well.
CREATE FUNCTION @extschema@.anchor_shard_create(
	server pg_catalog.name,
	schema pg_catalog.text,
	name pg_catalog.text,
	definition pg_catalog.text,
	rows_here pg_catalog.regclass)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	full_name CONSTANT text := format('%I.%I', schema, name);
	mark CONSTANT text := @extschema@.anchor_shard_mark(rows_here);
	found text;
	is_new bool := false;
	remote text;
BEGIN
	found := @extschema@.anchor_server_run(server, NULL::text, format(
		'SELECT coalesce(obj_description(c.oid, ''pg_class''), '''') FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
		  WHERE nspname = %L AND relname = %L', schema, name));
	IF found = mark AND NOT EXISTS (SELECT @extschema@.anchor_shard_users(server, schema, name)) THEN
		remote := @extschema@.anchor_shard_open('hilo_shard_left'::name, rows_here, server, schema, name);
		EXECUTE format('SELECT EXISTS (SELECT FROM %s r WHERE NOT EXISTS (SELECT FROM %s h WHERE ROW(%s)::text = ROW(%s)::text))',
			remote, rows_here, @extschema@.anchor_partition_columns(rows_here, 'r.'::text), @extschema@.anchor_partition_columns(rows_here, 'h.'::text))
			INTO is_new;
		EXECUTE format('DROP FOREIGN TABLE %s', remote);
		IF NOT is_new THEN
			PERFORM @extschema@.anchor_server_run(server, format('DROP TABLE %s', full_name), NULL::text);
			found := NULL;
		END IF;
	END IF;
	IF found IS NOT NULL THEN
		RAISE duplicate_table USING
			MESSAGE = format('table %s already exists on server "%s"', full_name, server),
			DETAIL = CASE WHEN is_new THEN 'It has rows that are not here.' ELSE 'It is not one that an interrupted call has left.' END,
			HINT = 'Drop it there if it is not needed.';
	END IF;

	IF @extschema@.anchor_server_run(server, NULL::text, format('SELECT to_regnamespace(%L)', quote_ident(schema))) IS NULL THEN
		PERFORM @extschema@.anchor_server_run(server, format('CREATE SCHEMA %I', schema), NULL::text);
	END IF;
	PERFORM @extschema@.anchor_server_run(server, definition || format('; COMMENT ON TABLE %s IS %L', full_name, mark), NULL::text);
END $$;

COMMENT ON FUNCTION @extschema@.anchor_shard_create IS
	'makes the table of a shard on another server';

-- Makes the partition for a table of another server.
CREATE FUNCTION @extschema@.anchor_shard_attach(
	parent pg_catalog.regclass,
	name pg_catalog.text,
	low pg_catalog.int4,
	high pg_catalog.int4,
	server pg_catalog.name,
	options pg_catalog.text)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('CREATE FOREIGN TABLE %s PARTITION OF %s FOR VALUES FROM (%s) TO (%s) SERVER %I OPTIONS (%s)',
				   name, parent, low, high, server, options);
	PERFORM @extschema@.anchor_partition_give('FOREIGN TABLE', name, parent);
END $$;

COMMENT ON FUNCTION @extschema@.anchor_shard_attach IS
	'makes the partition for a table of another server';

-- Makes a shard on another server: the table there, and the partition here, of
-- parent, with a name after owner's.
CREATE FUNCTION @extschema@.anchor_shard_make(
	owner pg_catalog.regclass,
	parent pg_catalog.regclass,
	template pg_catalog.regclass,
	id_column pg_catalog.name,
	suffix pg_catalog.text,
	low pg_catalog.int4,
	high pg_catalog.int4,
	server pg_catalog.name)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	schema text;
	name text;
	full_name text;
BEGIN
	SELECT nspname, @extschema@.anchor_partition_name(relname, suffix) INTO schema, name
	  FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = owner;
	full_name := format('%I.%I', schema, name);
	PERFORM @extschema@.anchor_server_ship(server);
	PERFORM @extschema@.anchor_shard_create(server, schema, name,
		@extschema@.anchor_shard_definition(template, full_name, id_column, low, high), template);
	PERFORM @extschema@.anchor_shard_attach(parent, full_name, low, high, server,
		format('schema_name %L, table_name %L, batch_size ''100'', fetch_size ''1000'', async_capable ''true'', use_remote_estimate ''true''', schema, name));
END $$;

COMMENT ON FUNCTION @extschema@.anchor_shard_make IS
	'makes a shard on another server';

-- Which servers have the shards of a table.
CREATE FUNCTION @extschema@.anchor_servers(
	rel pg_catalog.regclass,
	OUT buckets pg_catalog.int4range,
	OUT partition pg_catalog.regclass,
	OUT server pg_catalog.name)
RETURNS SETOF pg_catalog.record
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT int4range(l.low, l.high), l.partition, s.srvname
	  FROM @extschema@.anchor_partition_list(rel) l
	  LEFT JOIN pg_foreign_table f ON f.ftrelid = l.partition
	  LEFT JOIN pg_foreign_server s ON s.oid = f.ftserver
	 ORDER BY l.low
$$;

COMMENT ON FUNCTION @extschema@.anchor_servers IS
	'which server has which buckets of a table; null is this one';
