-- Moving a range of buckets from one server to another, while the table is
-- used.
--
-- What says where a row lives is the table's partitions here, and nothing else:
-- no row is ever seen in two places, nor in none, because one transaction here
-- changes the partitions, and what the servers have by then is the same.  Before
-- it, the rows on the new server are a copy that nobody reads; after it, those
-- on the old one are, behind views that end where their partitions do.  That
-- holds although the servers commit before we do, and one by one:
--
-- - A trigger on the old server notes the id of each row that changes, in the
--   transaction that changes it, from before the first row is copied.
-- - An id that was noted is forgotten only after a transaction of its own has
--   committed, here too, what the row was by then to the new server.
-- - The last ids are done under the lock that changes the partitions: a writer
--   keeps its lock here until its transaction on the server has ended.
-- - What has to be undone when we do not commit is of the move only, and has
--   names of its own, or can be done twice.
-- - No row is deleted on the old server before the change of the partitions is
--   on disk here.
--
-- So each step can be repeated, and one that was interrupted is.
CREATE TABLE @extschema@.hilo_move (
	rel pg_catalog.regclass NOT NULL,
	no pg_catalog.int4 NOT NULL,
	requested pg_catalog.int4range NOT NULL,
	buckets pg_catalog.int4range NOT NULL,
	from_server pg_catalog.name NOT NULL,
	to_server pg_catalog.name NOT NULL,
	-- the tables there
	source_schema pg_catalog.text,
	source_name pg_catalog.text,
	target_schema pg_catalog.text NOT NULL,
	target_name pg_catalog.text,
	state pg_catalog.text NOT NULL DEFAULT 'prepare',
	rows_total pg_catalog.int8,
	rows_copied pg_catalog.int8 NOT NULL DEFAULT 0,
	rows_changed pg_catalog.int8 NOT NULL DEFAULT 0,
	-- how far the copy, or the cleaning, is
	last_id pg_catalog.text,
	-- numbers of the changes that are on the new server
	applied pg_catalog.int8[] NOT NULL DEFAULT '{}',
	started_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	changed_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	CONSTRAINT hilo_move_pkey PRIMARY KEY (rel, no),
	CHECK (state IN ('prepare', 'copy', 'catch up', 'switch', 'clean', 'done'))
);

COMMENT ON TABLE @extschema@.hilo_move IS
	'moves of buckets from one server to another; changed by anchor_move';

-- anchor_move runs as the owner of the table that it moves
ALTER TABLE @extschema@.hilo_move ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_read ON @extschema@.hilo_move FOR SELECT USING (true);
CREATE POLICY owner_begins ON @extschema@.hilo_move FOR INSERT
	WITH CHECK (pg_catalog.pg_has_role((SELECT c.relowner FROM pg_catalog.pg_class c WHERE c.oid = rel), 'USAGE'));
CREATE POLICY owner_goes_on ON @extschema@.hilo_move FOR UPDATE
	USING (pg_catalog.pg_has_role((SELECT c.relowner FROM pg_catalog.pg_class c WHERE c.oid = rel), 'USAGE'));
GRANT SELECT, INSERT, UPDATE ON @extschema@.hilo_move TO PUBLIC;

CREATE VIEW @extschema@.hilo_progress_move WITH (security_invoker = true) AS
	SELECT rel, no, buckets, from_server, to_server, state, rows_total, rows_copied, rows_changed, started_at, changed_at
	  FROM @extschema@.hilo_move
	 WHERE state OPERATOR(pg_catalog.<>) 'done';

COMMENT ON VIEW @extschema@.hilo_progress_move IS
	'how far the moves of buckets are that have not ended';

GRANT SELECT ON @extschema@.hilo_progress_move TO PUBLIC;

-- On the old server: notes the ids of rows that change, if their buckets move.
CREATE FUNCTION @extschema@.hilo_move_note()
RETURNS pg_catalog.trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- the table of the changes, the column of the id, and the buckets
	command CONSTANT text := format('INSERT INTO %1$s (id)
			SELECT id FROM (SELECT ($1).%2$I::text UNION SELECT ($2).%2$I::text) c(id)
			 WHERE @extschema@.anchor_bucket(id) >= %3$s::int AND @extschema@.anchor_bucket(id) < %4$s::int', VARIADIC TG_ARGV);
BEGIN
	CASE TG_OP
		WHEN 'INSERT' THEN EXECUTE command USING NEW, NEW;
		WHEN 'UPDATE' THEN EXECUTE command USING OLD, NEW;
		WHEN 'DELETE' THEN EXECUTE command USING OLD, OLD;
		ELSE EXECUTE format('INSERT INTO %s (id) VALUES (NULL)', TG_ARGV[0]);
	END CASE;
	RETURN NULL;
END $$;

COMMENT ON FUNCTION @extschema@.hilo_move_note IS
	'notes the ids of rows that change while they move to another server';

-- Raises an error unless that can be asked of anchor_move.
CREATE FUNCTION @extschema@.anchor_move_check(
	rel pg_catalog.regclass,
	buckets pg_catalog.int4range,
	to_server pg_catalog.name,
	chunk_rows pg_catalog.int4)
RETURNS pg_catalog.void
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	c record;
BEGIN
	IF rel IS NULL OR buckets IS NULL OR to_server IS NULL OR chunk_rows IS NULL THEN
		RAISE null_value_not_allowed USING
			MESSAGE = 'arguments of anchor_move must not be null';
	ELSIF isempty(buckets) OR NOT buckets <@ int4range(0, 1048576) THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('buckets %s are not between 0 and 1048576', buckets);
	ELSIF chunk_rows < 1 THEN
		RAISE invalid_parameter_value USING
			MESSAGE = 'chunk_rows must be at least 1';
	END IF;
	SELECT relname, relowner INTO c FROM pg_class WHERE oid = rel;
	IF NOT FOUND THEN
		RAISE undefined_table USING
			MESSAGE = format('relation with OID %s does not exist', rel::oid);
	ELSIF NOT pg_has_role(c.relowner, 'USAGE') THEN
		RAISE insufficient_privilege USING
			MESSAGE = format('must be owner of table %s', c.relname);
	ELSIF NOT EXISTS (SELECT FROM @extschema@.anchor_partition_tables() t
					   WHERE t.rel = anchor_move_check.rel AND t.prefix_function IS NULL AND t.key LIKE '%(%') THEN
		RAISE wrong_object_type USING
			MESSAGE = format('table "%s" is not partitioned by buckets on servers', c.relname),
			HINT = 'Use anchor_partition first.';
	ELSIF (SELECT partdefid <> 0 FROM pg_partitioned_table WHERE partrelid = rel) THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('table "%s" has rows that have no shard yet', c.relname),
			HINT = 'Call anchor_partition_in_steps again first.';
	END IF;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_check IS
	'raises an error unless buckets of a table can be moved';

-- The number and the name of the next move from a partition: such that all names
-- that it needs are free, here and on the old server, and fit.
CREATE FUNCTION @extschema@.anchor_move_number(
	rel pg_catalog.regclass,
	partition pg_catalog.regclass,
	server pg_catalog.name,
	OUT no pg_catalog.int4,
	OUT schema pg_catalog.text,
	OUT name pg_catalog.text)
LANGUAGE plpgsql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	table_name text;
BEGIN
	SELECT relname, nspname INTO table_name, schema FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = rel;
	no := (SELECT coalesce(max(h.no), 0) FROM @extschema@.hilo_move h WHERE h.rel = anchor_move_number.rel);
	LOOP
		no := no + 1;
		name := left(@extschema@.anchor_partition_name(table_name, format('_m%s_high', no))::text, -length('_high'));
		EXIT WHEN NOT EXISTS (
			SELECT FROM unnest(ARRAY['', '_low', '_high']) side, @extschema@.anchor_shard_remote(partition) r
			 WHERE to_regclass(format('%I.%I', anchor_move_number.schema, anchor_move_number.name || side)) IS NOT NULL
				OR EXISTS (SELECT @extschema@.anchor_shard_users(server, r.schema, anchor_move_number.name || side)));
	END LOOP;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_number IS
	'the number and the name of the next move';

-- Notes the moves of the buckets that are to be done, one from each partition; or
-- finds those that were noted before.
CREATE FUNCTION @extschema@.anchor_move_begin(
	rel pg_catalog.regclass,
	buckets pg_catalog.int4range,
	to_server pg_catalog.name,
	chunk_rows pg_catalog.int4 DEFAULT 5000)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	wanted CONSTANT int4range := buckets;
	target CONSTANT name := to_server;
	table_name text;
	m record;
	p record;
BEGIN
	PERFORM @extschema@.anchor_move_check(rel, wanted, target, chunk_rows);
	PERFORM @extschema@.anchor_partition_require_isolation();
	table_name := (SELECT relname FROM pg_class WHERE oid = rel);

	-- one at a time, beside who reads and writes
	EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', rel);
	SELECT * INTO m FROM @extschema@.hilo_move h
	 WHERE h.rel = anchor_move_begin.rel AND h.state <> 'done' ORDER BY h.no LIMIT 1;
	IF FOUND THEN
		IF m.requested <> wanted OR m.to_server <> target THEN
			RAISE object_not_in_prerequisite_state USING
				MESSAGE = format('a move of buckets of table "%s" has not ended', table_name),
				HINT = format('Go on with it first: anchor_move(%L, %L, %L).', rel, m.requested, m.to_server);
		END IF;
		RETURN;
	END IF;

	PERFORM @extschema@.anchor_server_check(target);
	FOR p IN SELECT * FROM @extschema@.anchor_servers(rel) s WHERE s.buckets && wanted AND s.server IS DISTINCT FROM target LOOP
		IF p.server IS NULL THEN
			RAISE feature_not_supported USING
				MESSAGE = format('buckets %s of table "%s" are on this server', p.buckets, table_name),
				DETAIL = 'Buckets move between other servers only.';
		ELSIF NOT p.buckets <@ wanted AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = rel AND attgenerated <> '') THEN
			RAISE feature_not_supported USING
				MESSAGE = format('buckets %s of table "%s" can move together only', p.buckets, table_name),
				DETAIL = 'A table with generated columns cannot be divided on its server.';
		END IF;
		INSERT INTO @extschema@.hilo_move (rel, no, requested, buckets, from_server, to_server, target_schema, target_name)
		SELECT anchor_move_begin.rel, n.no, wanted, p.buckets * wanted, p.server, target, n.schema, n.name
		  FROM @extschema@.anchor_move_number(rel, p.partition, p.server) n;
	END LOOP;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_begin IS
	'the first step of anchor_move';

-- The table on the old server of the changes there, whose name is no other's.
CREATE FUNCTION @extschema@.anchor_move_changes(
	schema pg_catalog.text,
	name pg_catalog.text)
RETURNS pg_catalog.text
LANGUAGE sql IMMUTABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT format('%I.%I', schema, @extschema@.anchor_partition_name(name, format('_%s_changes', left(md5(name), 8))))
$$;

COMMENT ON FUNCTION @extschema@.anchor_move_changes IS
	'the table of the changes of rows that move';

-- Has the old server note what changes, and makes the table on the new one.
CREATE FUNCTION @extschema@.anchor_move_prepare(
	m @extschema@.hilo_move,
	id_column pg_catalog.name)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	r record;
	base text;
	source text;
	changes text;
	condition CONSTANT text := @extschema@.anchor_shard_condition(id_column, m.buckets);
BEGIN
	SELECT a.* INTO STRICT r FROM @extschema@.anchor_servers(m.rel) s, @extschema@.anchor_shard_remote(s.partition) a
	 WHERE s.buckets @> m.buckets AND s.server = m.from_server;
	-- the table that a view of ours is on, if it is one
	base := @extschema@.anchor_server_run(m.from_server, 'SET LOCAL lock_timeout = ''1s''', format(
		'SELECT relname FROM pg_class WHERE relkind = ''r'' AND obj_description(oid, ''pg_class'') ^@ ''hilo: '' AND oid IN (
			SELECT %1$L::regclass UNION SELECT d.refobjid FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid
			 WHERE d.classid = ''pg_rewrite''::regclass AND d.refclassid = ''pg_class''::regclass AND w.ev_class = %1$L::regclass)',
		format('%I.%I', r.schema, r.name)));
	IF base IS NULL THEN
		RAISE wrong_object_type USING
			MESSAGE = format('table %s on server "%s" was not made by anchor_partition', format('%I.%I', r.schema, r.name), m.from_server);
	END IF;

	source := format('%I.%I', r.schema, base);
	changes := @extschema@.anchor_move_changes(r.schema, base);
	PERFORM @extschema@.anchor_server_run(m.from_server, format($c$
		CREATE TABLE IF NOT EXISTS %1$s (no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text);
		COMMENT ON TABLE %1$s IS 'hilo: changes of rows that move';
		GRANT INSERT ON %1$s TO PUBLIC;
		DELETE FROM %1$s;
		CREATE OR REPLACE TRIGGER hilo_move AFTER INSERT OR UPDATE OR DELETE ON %2$s
			FOR EACH ROW EXECUTE FUNCTION @extschema@.hilo_move_note(%3$L, %4$L, %5$s, %6$s);
		CREATE OR REPLACE TRIGGER hilo_move_truncate AFTER TRUNCATE ON %2$s
			FOR EACH STATEMENT EXECUTE FUNCTION @extschema@.hilo_move_note(%3$L, %4$L, %5$s, %6$s);
		ALTER TABLE %2$s ENABLE ALWAYS TRIGGER hilo_move, ENABLE ALWAYS TRIGGER hilo_move_truncate
		$c$, changes, source, changes, id_column, lower(m.buckets), upper(m.buckets)));
	PERFORM @extschema@.anchor_server_ship(m.to_server);
	PERFORM @extschema@.anchor_shard_create(m.to_server, m.target_schema, m.target_name,
		@extschema@.anchor_server_run(m.from_server, NULL, format('SELECT @extschema@.anchor_shard_definition(%L, %L, %L, %s, %s)',
			source, format('%I.%I', m.target_schema, m.target_name), id_column, lower(m.buckets), upper(m.buckets))), m.rel);
	UPDATE @extschema@.hilo_move
	   SET state = 'copy', source_schema = r.schema, source_name = base, last_id = NULL, applied = '{}', rows_copied = 0,
		   rows_total = @extschema@.anchor_server_run(m.from_server, NULL, format('SELECT count(*) FROM %s WHERE %s', source, condition))::bigint
	 WHERE rel = m.rel AND no = m.no;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_prepare IS
	'the second step of anchor_move';

-- Brings the rows with those ids to the new server, as they are now on the old
-- one.  Those that are there already stay, or are replaced.
CREATE FUNCTION @extschema@.anchor_move_rows(
	m @extschema@.hilo_move,
	id_column pg_catalog.name,
	ids pg_catalog.text[],
	replace pg_catalog.bool)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	source CONSTANT text := @extschema@.anchor_shard_open('hilo_move_source', m.rel, m.from_server, m.source_schema, m.source_name);
	target CONSTANT text := @extschema@.anchor_shard_open('hilo_move_target', m.rel, m.to_server, m.target_schema, m.target_name);
	columns CONSTANT text := @extschema@.anchor_partition_columns(m.rel);
BEGIN
	-- a crash there must not lose what we take for done
	PERFORM @extschema@.anchor_server_run(m.to_server, NULL,
		'SELECT set_config(''synchronous_commit'', ''on'', true) WHERE current_setting(''synchronous_commit'') = ''off''');
	IF replace THEN
		EXECUTE format('DELETE FROM %s WHERE %I = ANY ($1)', target, id_column) USING ids;
	END IF;
	EXECUTE format('INSERT INTO %s (%s) SELECT %2$s FROM %s WHERE %I = ANY ($1) ON CONFLICT DO NOTHING', target, columns, source, id_column) USING ids;
	EXECUTE format('DROP FOREIGN TABLE %s, %s', source, target);
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_rows IS
	'brings rows from one server to another';

-- Copies the next rows.
CREATE FUNCTION @extschema@.anchor_move_copy(
	m @extschema@.hilo_move,
	id_column pg_catalog.name,
	chunk_rows pg_catalog.int4)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- in the order of that server's own collation
	ids CONSTANT text[] := @extschema@.anchor_server_run(m.from_server, NULL, format(
		'SELECT array_agg(id) FROM (SELECT %1$I::text AS id FROM %2$I.%3$I WHERE %4$s AND %5$s ORDER BY %1$I LIMIT %6$s) i',
		id_column, m.source_schema, m.source_name, @extschema@.anchor_shard_condition(id_column, m.buckets),
		CASE WHEN m.last_id IS NULL THEN 'true' ELSE format('%I > %L', id_column, m.last_id) END, chunk_rows));
BEGIN
	IF ids IS NOT NULL THEN
		PERFORM @extschema@.anchor_move_rows(m, id_column, ids, false);
	END IF;
	UPDATE @extschema@.hilo_move
	   SET last_id = coalesce(ids[cardinality(ids)], m.last_id), rows_copied = m.rows_copied + coalesce(cardinality(ids), 0),
		   state = CASE WHEN cardinality(ids) = chunk_rows THEN 'copy' ELSE 'catch up' END
	 WHERE rel = m.rel AND no = m.no;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_copy IS
	'copies rows that move';

-- Brings the rows that have changed, at most so many of them.
CREATE FUNCTION @extschema@.anchor_move_catch_up(
	m @extschema@.hilo_move,
	id_column pg_catalog.name,
	chunk_rows pg_catalog.int4,
	OUT state pg_catalog.text)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	changes CONSTANT text := @extschema@.anchor_move_changes(m.source_schema, m.source_name);
	found record;
BEGIN
	-- those that the last one has committed are done
	SELECT * INTO found FROM json_to_record(@extschema@.anchor_server_run(m.from_server,
		CASE WHEN m.applied <> '{}' THEN format('DELETE FROM %s WHERE no = ANY (%L)', changes, m.applied) END,
		format('SELECT json_build_object(''nos'', coalesce(array_agg(no), ''{}''), ''ids'', array_agg(DISTINCT id), ''is_all'', bool_or(id IS NULL))
			FROM (SELECT no, id FROM %s WHERE no <> ALL (%L) ORDER BY no LIMIT %s) c', changes, m.applied, chunk_rows))::json)
		AS j(nos bigint[], ids text[], is_all bool);
	state := CASE WHEN cardinality(found.nos) = chunk_rows THEN 'catch up' ELSE 'switch' END;
	IF found.is_all THEN
		-- TRUNCATE: all that was copied is gone
		PERFORM @extschema@.anchor_server_run(m.to_server, format('DELETE FROM %I.%I', m.target_schema, m.target_name));
		state := 'copy';
	ELSIF found.ids IS NOT NULL THEN
		PERFORM @extschema@.anchor_move_rows(m, id_column, found.ids, true);
	END IF;
	UPDATE @extschema@.hilo_move h
	   SET state = anchor_move_catch_up.state, applied = found.nos, rows_changed = m.rows_changed + cardinality(found.nos),
		   last_id = CASE WHEN found.is_all THEN NULL ELSE m.last_id END,
		   rows_copied = CASE WHEN found.is_all THEN 0 ELSE m.rows_copied END
	 WHERE h.rel = m.rel AND h.no = m.no;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_catch_up IS
	'brings rows that have changed since they were copied';

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
		$c$, m.source_schema, name, m.source_name, @extschema@.anchor_shard_condition(id_column, buckets), 'hilo: buckets ' || buckets));
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
	EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', m.rel, p.partition);

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
		EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', m.rel);
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
	changes CONSTANT text := @extschema@.anchor_move_changes(m.source_schema, m.source_name);
	views text[];
	unused text;
	last text;
BEGIN
	views := @extschema@.anchor_server_run(m.from_server, 'SET LOCAL lock_timeout = ''1s''', format(
		'SELECT array_agg(DISTINCT c.relname) FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid JOIN pg_class c ON c.oid = w.ev_class
		  WHERE d.classid = ''pg_rewrite''::regclass AND d.refclassid = ''pg_class''::regclass AND d.refobjid = to_regclass(%L)
			AND c.relkind = ''v'' AND obj_description(c.oid, ''pg_class'') ^@ ''hilo: ''', source));
	SELECT string_agg(format('DROP VIEW %I.%I', m.source_schema, v), '; ') INTO unused FROM unnest(views) v
	 WHERE NOT EXISTS (SELECT @extschema@.anchor_shard_users(m.from_server, m.source_schema, v));
	IF m.last_id IS NULL THEN
		PERFORM @extschema@.anchor_server_run(m.from_server, concat_ws('; ', unused,
			CASE WHEN NOT EXISTS (SELECT FROM unnest(m.source_name || views) u, @extschema@.anchor_shard_users(m.from_server, m.source_schema, u))
			THEN format('DROP TABLE IF EXISTS %s', source)
			ELSE format('DROP TRIGGER IF EXISTS hilo_move ON %s; DROP TRIGGER IF EXISTS hilo_move_truncate ON %1$s', source) END,
			format('DROP TABLE IF EXISTS %s', changes)));
	END IF;
	IF EXISTS (SELECT FROM unnest(m.source_name || views) u, @extschema@.anchor_shard_users(m.from_server, m.source_schema, u)) THEN
		last := @extschema@.anchor_server_run(m.from_server, NULL, format(
			'WITH chunk AS (SELECT %1$I AS id FROM %2$s WHERE %3$s AND %4$s ORDER BY %1$I LIMIT %5$s),
				  gone AS (DELETE FROM %2$s t USING chunk WHERE t.%1$I = chunk.id)
			 SELECT max(id) FROM chunk', id_column, source, @extschema@.anchor_shard_condition(id_column, m.buckets),
			CASE WHEN m.last_id IS NULL THEN 'true' ELSE format('%I > %L', id_column, m.last_id) END, chunk_rows));
	END IF;
	UPDATE @extschema@.hilo_move SET last_id = last, state = CASE WHEN last IS NULL THEN 'done' ELSE 'clean' END WHERE rel = m.rel AND no = m.no;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_clean IS
	'removes rows that have moved from where they were';

-- The next step of the moves of a table.  Says whether there may be more.
CREATE FUNCTION @extschema@.anchor_move_step(
	rel pg_catalog.regclass,
	chunk_rows pg_catalog.int4)
RETURNS pg_catalog.bool
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	m @extschema@.hilo_move;
	id_column name;
BEGIN
	PERFORM @extschema@.anchor_partition_require_isolation();
	EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', rel);
	SELECT * INTO m FROM @extschema@.hilo_move h
	 WHERE h.rel = anchor_move_step.rel AND h.state <> 'done' ORDER BY h.no LIMIT 1;
	IF NOT FOUND THEN
		RETURN false;
	END IF;
	SELECT t.id_column INTO STRICT id_column FROM @extschema@.anchor_partition_tables() t WHERE t.rel = anchor_move_step.rel;
	BEGIN
		CASE m.state
			WHEN 'prepare' THEN PERFORM @extschema@.anchor_move_prepare(m, id_column);
			WHEN 'copy' THEN PERFORM @extschema@.anchor_move_copy(m, id_column, chunk_rows);
			WHEN 'catch up' THEN PERFORM @extschema@.anchor_move_catch_up(m, id_column, chunk_rows);
			WHEN 'switch' THEN PERFORM @extschema@.anchor_move_switch(m, id_column);
			WHEN 'clean' THEN PERFORM @extschema@.anchor_move_clean(m, id_column, chunk_rows);
		END CASE;
		UPDATE @extschema@.hilo_move h SET changed_at = clock_timestamp() WHERE h.rel = m.rel AND h.no = m.no;
	EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
		-- somebody uses the table on its server: once more
		PERFORM pg_sleep(0.1);
	END;
	RETURN true;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_step IS
	'the next step of anchor_move';

-- No SET here, as it commits; each function it calls has its own.
CREATE PROCEDURE @extschema@.anchor_move_in_steps(
	rel pg_catalog.regclass,
	buckets pg_catalog.int4range,
	to_server pg_catalog.name,
	chunk_rows pg_catalog.int4 DEFAULT 5000)
LANGUAGE plpgsql
AS $$
BEGIN
	PERFORM @extschema@.anchor_move_begin(rel, buckets, to_server, chunk_rows);
	COMMIT;
	WHILE @extschema@.anchor_move_step(rel, chunk_rows) LOOP
		COMMIT;
	END LOOP;
END $$;

COMMENT ON PROCEDURE @extschema@.anchor_move_in_steps IS
	'moves a range of buckets to another server while the table is used; goes on with what was interrupted';

CREATE FUNCTION @extschema@.anchor_move(
	rel pg_catalog.regclass,
	buckets pg_catalog.int4range,
	to_server pg_catalog.name,
	chunk_rows pg_catalog.int4 DEFAULT 5000)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE;

COMMENT ON FUNCTION @extschema@.anchor_move IS
	'does what anchor_move_in_steps does, in a background worker';
