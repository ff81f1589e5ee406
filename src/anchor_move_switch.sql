-- The options of a partition's table, for another table of its server's.
CREATE FUNCTION @extschema@.anchor_move_options(
	partition pg_catalog.regclass,
	schema pg_catalog.text,
	name pg_catalog.text,
	is_table pg_catalog.bool)
RETURNS pg_catalog.text
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT concat_ws(', ', format('schema_name %L, table_name %L', schema, name),
					 -- what is truncated is tables only, and all of them
					 CASE WHEN NOT is_table THEN 'truncatable ''false''' END,
					 string_agg(format('%I %L', option_name, option_value), ', '))
	  FROM pg_foreign_table
	  LEFT JOIN pg_options_to_table(ftoptions) ON option_name NOT IN ('schema_name', 'table_name', 'truncatable')
	 WHERE ftrelid = partition
$$;

COMMENT ON FUNCTION @extschema@.anchor_move_options IS
	'the options of a partition for another table';

-- Makes a view on the old server of some of the rows that stay.  Its ctid is
-- what postgres_fdw changes rows by.
CREATE FUNCTION @extschema@.anchor_move_view(
	m @extschema@.hilo_move,
	id_column pg_catalog.name,
	name pg_catalog.text,
	buckets pg_catalog.int4range)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM @extschema@.anchor_server_run(m.from_server, format($c$
		CREATE OR REPLACE VIEW %1$I.%2$I WITH (security_invoker = true) AS
			SELECT ctid, * FROM %1$I.%3$I WHERE %4$s WITH LOCAL CHECK OPTION;
		COMMENT ON VIEW %1$I.%2$I IS %5$L;
		GRANT SELECT, INSERT, UPDATE, DELETE ON %1$I.%2$I TO PUBLIC
		$c$, m.source_schema, name, m.source_name, @extschema@.anchor_shard_condition(id_column, buckets), 'hilo: buckets ' || buckets), NULL::text);
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_view IS
	'makes a view of the rows that stay on a server';

-- Changes the partitions: who reads or writes then, does so on the new server.
CREATE FUNCTION @extschema@.anchor_move_partitions(
	m @extschema@.hilo_move,
	id_column pg_catalog.name)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	p record;
	rest record;
	options text;
	new_name text;
	is_detached bool := false;
BEGIN
	SELECT s.* INTO STRICT p FROM @extschema@.anchor_servers(m.rel) s WHERE s.buckets @> m.buckets AND s.server = m.from_server;
	options := @extschema@.anchor_move_options(p.partition, m.target_schema, m.target_name, true);
	EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', m.rel::regclass, p.partition);

	FOR rest IN
		SELECT r.buckets, m.target_name || r.side AS name
		  FROM (VALUES ('_low', int4range(lower(p.buckets), lower(m.buckets))), ('_high', int4range(upper(m.buckets), upper(p.buckets)))) r(side, buckets)
		 WHERE NOT isempty(r.buckets)
	LOOP
		PERFORM @extschema@.anchor_move_view(m, id_column, rest.name, rest.buckets);
		IF is_detached THEN
			new_name := format('%I.%I', m.target_schema, rest.name);
			PERFORM @extschema@.anchor_shard_attach(m.rel, new_name, lower(rest.buckets), upper(rest.buckets), m.from_server,
				@extschema@.anchor_move_options(p.partition, m.source_schema, rest.name, false));
		ELSE
			EXECUTE format('ALTER FOREIGN TABLE %s OPTIONS (SET schema_name %L, SET table_name %L, %s truncatable ''false'')',
				p.partition, m.source_schema, rest.name,
				(SELECT CASE WHEN 'truncatable' IN (SELECT option_name FROM pg_options_to_table(ftoptions)) THEN 'SET' ELSE 'ADD' END
				   FROM pg_foreign_table WHERE ftrelid = p.partition));
			PERFORM @extschema@.anchor_partition_attach(m.rel, p.partition, lower(rest.buckets), upper(rest.buckets));
			is_detached := true;
		END IF;
	END LOOP;
	IF NOT is_detached THEN
		EXECUTE format('DROP FOREIGN TABLE %s', p.partition);
	END IF;
	PERFORM @extschema@.anchor_shard_attach(m.rel, format('%I.%I', m.target_schema, m.target_name), lower(m.buckets), upper(m.buckets), m.to_server, options);
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_partitions IS
	'changes the partitions of a table whose buckets move';

-- Brings the last rows and changes the partitions, while nobody uses the
-- table; if there is somebody, it is for another time.
CREATE FUNCTION @extschema@.anchor_move_switch(
	m @extschema@.hilo_move,
	id_column pg_catalog.name)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '500ms'
AS $$
DECLARE
	state text;
BEGIN
	BEGIN
		-- the partitions as well, as they can be used by their names
		EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', m.rel::regclass);
	EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
		UPDATE @extschema@.hilo_move SET state = 'catch up' WHERE rel = m.rel AND no = m.no;
		PERFORM pg_sleep(0.1);
		RETURN;
	END;
	state := @extschema@.anchor_move_catch_up(m, id_column, 2147483647);
	IF state = 'switch' THEN
		PERFORM @extschema@.anchor_move_partitions(m, id_column);
		UPDATE @extschema@.hilo_move SET state = 'clean', last_id = NULL, applied = '{}' WHERE rel = m.rel AND no = m.no;
		-- before anything is deleted there
		PERFORM set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
	END IF;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_switch IS
	'the step of anchor_move that changes the partitions';

-- Removes from the old server what is not used any more.
CREATE FUNCTION @extschema@.anchor_move_clean(
	m @extschema@.hilo_move,
	id_column pg_catalog.name,
	chunk_rows pg_catalog.int4)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	source CONSTANT text := format('%I.%I', m.source_schema, m.source_name);
	changes CONSTANT text := @extschema@.anchor_move_beside(m.source_schema, m.source_name, 'changes'::text);
	views text[];
	unused text;
	is_used bool;
	last text;
BEGIN
	views := @extschema@.anchor_server_run(m.from_server, 'SET LOCAL lock_timeout = ''1s'''::text, format(
		'SELECT array_agg(DISTINCT c.relname) FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid JOIN pg_class c ON c.oid = w.ev_class
		  WHERE d.classid = ''pg_rewrite''::regclass AND d.refclassid = ''pg_class''::regclass AND d.refobjid = to_regclass(%L)
			AND c.relkind = ''v'' AND obj_description(c.oid, ''pg_class'') ^@ ''hilo: ''', source));
	SELECT string_agg(format('DROP VIEW %I.%I', m.source_schema, v), '; ') INTO unused FROM unnest(views) v
	 WHERE NOT EXISTS (SELECT @extschema@.anchor_shard_users(m.from_server, m.source_schema, v));
	is_used := EXISTS (SELECT FROM unnest(m.source_name || views) u, @extschema@.anchor_shard_users(m.from_server, m.source_schema, u));
	IF m.last_id IS NULL THEN
		PERFORM @extschema@.anchor_server_run(m.from_server, concat_ws('; ', unused,
			CASE WHEN is_used
			THEN format('DROP TRIGGER IF EXISTS hilo_move ON %s', source)
			ELSE format('DROP TABLE IF EXISTS %s', source) END,
			format('DROP TABLE IF EXISTS %s', changes)), NULL::text);
		PERFORM @extschema@.anchor_server_run(m.to_server,
			format('DROP TABLE IF EXISTS %s', @extschema@.anchor_move_beside(m.target_schema, m.target_name, 'steps'::text)), NULL::text);
	END IF;
	IF is_used THEN
		last := @extschema@.anchor_server_run(m.from_server, NULL::text, format(
			'WITH chunk AS (SELECT %1$I AS id FROM %2$s WHERE %3$s AND %4$s ORDER BY %1$I LIMIT %5$s),
				  gone AS (DELETE FROM %2$s t USING chunk WHERE t.%1$I = chunk.id)
			 SELECT max(id) FROM chunk', id_column, source, @extschema@.anchor_shard_condition(id_column, m.buckets),
			CASE WHEN m.last_id IS NULL THEN 'true' ELSE format('%I > %L', id_column, m.last_id) END, chunk_rows));
	END IF;
	UPDATE @extschema@.hilo_move SET last_id = last, state = CASE WHEN last IS NULL THEN 'done' ELSE 'clean' END WHERE rel = m.rel AND no = m.no;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_clean IS
	'removes rows that have moved from where they were';
