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
-- - What it does not see, as a definition that changes, has the copy begin again.
-- - An id that was noted is forgotten only after a transaction of its own has
--   committed, here too, what the row was by then to the new server.
-- - The last ids are done under the lock that changes the partitions: a writer
--   keeps its lock here until its transaction on the server has ended.
-- - Each step changes one row on the new server: so none goes by a snapshot that
--   does not have the step before it, which may be committing there still although
--   it was interrupted here.
-- - What has to be undone when we do not commit is of the move only, and has
--   names of its own, or can be done twice.
-- - No row is deleted on the old server before the change of the partitions is
--   on disk here.
--
-- So each step can be repeated, and one that was interrupted is.
CREATE TABLE @extschema@.hilo_move (
	-- with regclass, an apply worker would fail where there is no such table
	rel pg_catalog.oid NOT NULL,
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
	-- what the copy depends on, as it was when it began
	definition pg_catalog.text,
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
	CHECK (state OPERATOR(pg_catalog.=) ANY (ARRAY['prepare', 'copy', 'catch up', 'switch', 'clean', 'done']))
);

COMMENT ON TABLE @extschema@.hilo_move IS
	'moves of buckets from one server to another; changed by anchor_move';

-- anchor_move runs as the owner of the table that it moves, of which ids are here
ALTER TABLE @extschema@.hilo_move ENABLE ROW LEVEL SECURITY;
CREATE POLICY owner_moves ON @extschema@.hilo_move
	USING (pg_catalog.pg_has_role((SELECT c.relowner FROM pg_catalog.pg_class c WHERE c.oid OPERATOR(pg_catalog.=) rel), 'USAGE'));

CREATE VIEW @extschema@.hilo_progress_move AS
	SELECT rel::pg_catalog.regclass, no, buckets, from_server, to_server, state, rows_total, rows_copied, rows_changed, started_at, changed_at
	  FROM @extschema@.hilo_move
	 WHERE state OPERATOR(pg_catalog.<>) 'done';

COMMENT ON VIEW @extschema@.hilo_progress_move IS
	'how far the moves of buckets are that have not ended';

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
			 WHERE %5$s.anchor_bucket(id) >= %3$s::int AND %5$s.anchor_bucket(id) < %4$s::int', VARIADIC TG_ARGV || '@extschema@'::text);
BEGIN
	-- what a crash here loses may be on the new server already, and its number would
	-- be another change's
	PERFORM set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
	CASE TG_OP
		WHEN 'INSERT' THEN EXECUTE command USING NEW, NEW;
		WHEN 'UPDATE' THEN EXECUTE command USING OLD, NEW;
		WHEN 'DELETE' THEN EXECUTE command USING OLD, OLD;
	END CASE;
	RETURN NULL;
END $$;

COMMENT ON FUNCTION @extschema@.hilo_move_note IS
	'notes the ids of rows that change while they move to another server';

-- Gives the name of the table, or raises an error unless that can be asked of
-- anchor_move.
CREATE FUNCTION @extschema@.anchor_move_check(
	rel pg_catalog.regclass,
	buckets pg_catalog.int4range,
	to_server pg_catalog.name,
	chunk_rows pg_catalog.int4)
RETURNS pg_catalog.text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	table_name text;
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
	table_name := @extschema@.anchor_partition_owned(rel);
	IF NOT EXISTS (SELECT FROM @extschema@.anchor_partition_tables() t
					   WHERE t.rel = anchor_move_check.rel AND t.prefix_function IS NULL AND t.key LIKE '%(%') THEN
		RAISE wrong_object_type USING
			MESSAGE = format('table "%s" is not partitioned by buckets on servers', table_name),
			HINT = 'Use anchor_partition first.';
	ELSIF (SELECT partdefid <> 0 FROM pg_partitioned_table WHERE partrelid = rel) THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('table "%s" has rows that have no shard yet', table_name),
			HINT = 'Call anchor_partition_in_steps again first.';
	END IF;
	RETURN table_name;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_check IS
	'the name of a table, if its buckets can be moved';

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
		name := left(@extschema@.anchor_partition_name(table_name::name, format('_m%s_high', no))::text, -length('_high'));
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
	table_name := @extschema@.anchor_move_check(rel, wanted, target, chunk_rows);
	PERFORM @extschema@.anchor_partition_require_isolation();

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
	EXCEPTION WHEN lock_not_available OR deadlock_detected OR serialization_failure THEN
		-- somebody uses the table on its server, or the step before this one does: once more
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
