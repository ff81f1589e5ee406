-- A table of a move's own beside that one on its server, whose name is no other's:
-- of the changes on the old one, of the steps on the new one.
CREATE FUNCTION @extschema@.anchor_move_beside(
	schema pg_catalog.text,
	name pg_catalog.text,
	what pg_catalog.text)
RETURNS pg_catalog.text
LANGUAGE sql IMMUTABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT format('%I.%I', schema, @extschema@.anchor_partition_name(name::name, format('_%s_%s', left(md5(name), 8), what)))
$$;

COMMENT ON FUNCTION @extschema@.anchor_move_beside IS
	'a table that a move needs beside another one';

-- The columns of a table that have values of their own.
CREATE FUNCTION @extschema@.anchor_move_columns(
	rel pg_catalog.regclass)
RETURNS pg_catalog.text[]
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $$
	SELECT array_agg(format('%I %s', attname, format_type(atttypid, atttypmod)) ORDER BY attnum)
	  FROM pg_attribute
	 WHERE attrelid = rel AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
$$;

COMMENT ON FUNCTION @extschema@.anchor_move_columns IS
	'the columns of a table that moves';

-- What a copy of the rows depends on: how the tables are, here and on the old
-- server, and the file that the rows are in, as TRUNCATE and what rewrites them fire
-- no trigger on rows.  That file is the same until we end.
CREATE FUNCTION @extschema@.anchor_move_definition(
	m @extschema@.hilo_move,
	id_column pg_catalog.name)
RETURNS pg_catalog.text
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	source CONSTANT text := format('%I.%I', m.source_schema, m.source_name);
BEGIN
	RETURN md5(concat(@extschema@.anchor_move_columns(m.rel), @extschema@.anchor_server_run(m.from_server,
		format('LOCK TABLE %s IN ACCESS SHARE MODE NOWAIT', source),
		-- dropped columns count: one of the same name has other values
		format('SELECT concat_ws('' '', pg_relation_filenode(oid), relnatts, %s.anchor_shard_definition(oid::regclass, ''''::text, %L::name, %s, %s))
				  FROM pg_class WHERE oid = %L::regclass', '@extschema@', id_column, lower(m.buckets), upper(m.buckets), source))));
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_definition IS
	'what a copy of rows that move depends on';

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
	target CONSTANT text := format('%I.%I', m.target_schema, m.target_name);
	steps CONSTANT text := @extschema@.anchor_move_beside(m.target_schema, m.target_name, 'steps'::text);
	condition CONSTANT text := @extschema@.anchor_shard_condition(id_column, m.buckets);
	lone text;
	begun text;
BEGIN
	SELECT a.* INTO STRICT r FROM @extschema@.anchor_servers(m.rel) s, @extschema@.anchor_shard_remote(s.partition) a
	 WHERE s.buckets @> m.buckets AND s.server = m.from_server;
	-- the table that a view of ours is on, if it is one
	base := @extschema@.anchor_server_run(m.from_server, 'SET LOCAL lock_timeout = ''1s'''::text, format(
		'SELECT relname FROM pg_class WHERE relkind = ''r'' AND obj_description(oid, ''pg_class'') ^@ ''hilo: '' AND oid IN (
			SELECT %1$L::regclass UNION SELECT d.refobjid FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid
			 WHERE d.classid = ''pg_rewrite''::regclass AND d.refclassid = ''pg_class''::regclass AND w.ev_class = %1$L::regclass)',
		format('%I.%I', r.schema, r.name)));
	IF base IS NULL THEN
		RAISE wrong_object_type USING
			MESSAGE = format('table %s on server "%s" was not made by anchor_partition', format('%I.%I', r.schema, r.name), m.from_server);
	END IF;

	source := format('%I.%I', r.schema, base);
	SELECT string_agg(name, ', ' ORDER BY name COLLATE "C") INTO lone FROM (
		SELECT name FROM unnest(@extschema@.anchor_move_columns(m.rel) || @extschema@.anchor_server_run(m.from_server, NULL::text,
				format('SELECT %s.anchor_move_columns(%L::regclass)', '@extschema@', source))::text[]) name
		 GROUP BY name HAVING count(*) = 1) c;
	IF lone IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('columns of table %s and of %s on server "%s" differ', m.rel::regclass, source, m.from_server),
			DETAIL = format('Only one of them has: %s.', lone),
			HINT = 'Make them the same, then go on.';
	END IF;

	changes := @extschema@.anchor_move_beside(r.schema, base, 'changes'::text);
	-- anyone can note an id, as whoever may write to the table later has to: also one that does not move
	PERFORM @extschema@.anchor_server_run(m.from_server, format($c$
		CREATE TABLE IF NOT EXISTS %1$s (no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL);
		COMMENT ON TABLE %1$s IS 'hilo: changes of rows that move';
		GRANT INSERT (id) ON %1$s TO PUBLIC;
		DELETE FROM %1$s;
		CREATE OR REPLACE TRIGGER hilo_move AFTER INSERT OR UPDATE OR DELETE ON %2$s
			FOR EACH ROW EXECUTE FUNCTION %6$s.hilo_move_note(%1$L, %3$L, %4$s, %5$s);
		ALTER TABLE %2$s ENABLE ALWAYS TRIGGER hilo_move
		$c$, changes, source, id_column, lower(m.buckets), upper(m.buckets), '@extschema@'), NULL::text);
	begun := m.definition;
	m.source_schema := r.schema;
	m.source_name := base;
	m.definition := @extschema@.anchor_move_definition(m, id_column);
	PERFORM @extschema@.anchor_server_ship(m.to_server);
	-- what it has made there, if it has begun before
	PERFORM @extschema@.anchor_server_run(m.to_server, format('SET LOCAL lock_timeout = ''1s''; DROP TABLE IF EXISTS %s',
		concat_ws(', ', steps, CASE WHEN begun IS NOT NULL THEN target END)), NULL::text);
	PERFORM @extschema@.anchor_shard_create(m.to_server, m.target_schema, m.target_name,
		@extschema@.anchor_server_run(m.from_server, NULL::text, format('SELECT %s.anchor_shard_definition(%L::regclass, %L::text, %L::name, %s, %s)',
			'@extschema@', source, target, id_column, lower(m.buckets), upper(m.buckets))), m.rel);
	PERFORM @extschema@.anchor_server_run(m.to_server, format(
		'CREATE TABLE %1$s AS SELECT 1 AS no; COMMENT ON TABLE %1$s IS ''hilo: steps of a move''', steps), NULL::text);
	UPDATE @extschema@.hilo_move
	   SET state = 'copy', source_schema = m.source_schema, source_name = m.source_name, definition = m.definition, last_id = NULL, applied = '{}', rows_copied = 0,
		   rows_total = @extschema@.anchor_server_run(m.from_server, NULL::text, format('SELECT count(*) FROM %s WHERE %s', source, condition))::bigint
	 WHERE rel = m.rel AND no = m.no;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_prepare IS
	'the second step of anchor_move';

-- Begins a step, if what has been copied can be used, or else has the move begin
-- again.  Its snapshot on the new server must have what the step before it has done,
-- also if that was interrupted while it committed there; and it must not wait for that
-- on the old one, as nobody may use the table here by then.
CREATE FUNCTION @extschema@.anchor_move_follow(
	m @extschema@.hilo_move,
	id_column pg_catalog.name)
RETURNS pg_catalog.bool
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF @extschema@.anchor_move_definition(m, id_column) <> m.definition THEN
		UPDATE @extschema@.hilo_move SET state = 'prepare' WHERE rel = m.rel AND no = m.no;
		RETURN false;
	END IF;
	PERFORM @extschema@.anchor_server_run(m.from_server, format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE NOWAIT',
		@extschema@.anchor_move_beside(m.source_schema, m.source_name, 'changes'::text)), NULL::text);
	-- this has it commit synchronously as well
	PERFORM @extschema@.anchor_server_run(m.to_server, format('SELECT FROM %1$s FOR UPDATE NOWAIT; UPDATE %1$s SET no = no + 1; SET CONSTRAINTS ALL IMMEDIATE',
		@extschema@.anchor_move_beside(m.target_schema, m.target_name, 'steps'::text)), NULL::text);
	RETURN true;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_follow IS
	'begins a step after the one before it, if it is one of the same copy';

-- Brings the rows with those ids to the new server, as they are now on the old
-- one, in place of those that are there.
--
-- One of them may have a unique value by now that another row there has still.
-- That row has changed on the old server since it was brought, so its change is
-- noted and not applied: all rows that have such changes can go, as they are to
-- be brought anyway.  Then what is there is, with what we bring, as it is in the
-- one snapshot that we have of the old server, in which no value is there twice:
-- so each row can be inserted, whatever is unique, and whichever change was noted
-- first.
CREATE FUNCTION @extschema@.anchor_move_rows(
	m @extschema@.hilo_move,
	id_column pg_catalog.name,
	ids pg_catalog.text[])
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	source CONSTANT text := @extschema@.anchor_shard_open('hilo_move_source'::name, m.rel, m.from_server, m.source_schema, m.source_name);
	target CONSTANT text := @extschema@.anchor_shard_open('hilo_move_target'::name, m.rel, m.to_server, m.target_schema, m.target_name);
	columns CONSTANT text := @extschema@.anchor_partition_columns(m.rel, ''::text);
	remove CONSTANT text := format('DELETE FROM %s WHERE %I = ANY ($1)', target, id_column);
	bring CONSTANT text := format('INSERT INTO %s (%s) SELECT %2$s FROM %s WHERE %I = ANY ($1) AND %s', target, columns, source, id_column,
		@extschema@.anchor_shard_condition(id_column, m.buckets));
	changed text[];
BEGIN
	BEGIN
		EXECUTE remove USING ids;
		EXECUTE bring USING ids;
	EXCEPTION WHEN unique_violation THEN
		changed := @extschema@.anchor_server_run(m.from_server, NULL::text, format('SELECT array_agg(DISTINCT id) FROM %s WHERE no <> ALL (%L)',
			@extschema@.anchor_move_beside(m.source_schema, m.source_name, 'changes'::text), m.applied));
		EXECUTE remove USING ids || changed;
		EXECUTE bring USING ids;
	END;
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
	ids text[];
BEGIN
	IF NOT @extschema@.anchor_move_follow(m, id_column) THEN
		RETURN;
	END IF;
	-- in the order of that server's own collation
	ids := @extschema@.anchor_server_run(m.from_server, NULL::text, format(
		'SELECT array_agg(id) FROM (SELECT %1$I::text AS id FROM %2$I.%3$I WHERE %4$s AND %5$s ORDER BY %1$I LIMIT %6$s) i',
		id_column, m.source_schema, m.source_name, @extschema@.anchor_shard_condition(id_column, m.buckets),
		CASE WHEN m.last_id IS NULL THEN 'true' ELSE format('%I > %L', id_column, m.last_id) END, chunk_rows));
	IF ids IS NOT NULL THEN
		PERFORM @extschema@.anchor_move_rows(m, id_column, ids);
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
	changes CONSTANT text := @extschema@.anchor_move_beside(m.source_schema, m.source_name, 'changes'::text);
	found record;
BEGIN
	IF NOT @extschema@.anchor_move_follow(m, id_column) THEN
		state := 'prepare';
		RETURN;
	END IF;
	-- those that the last one has committed are done
	SELECT * INTO found FROM json_to_record(@extschema@.anchor_server_run(m.from_server,
		CASE WHEN m.applied <> '{}' THEN format('DELETE FROM %s WHERE no = ANY (%L)', changes, m.applied) END,
		format('SELECT json_build_object(''nos'', coalesce(array_agg(no), ''{}''), ''ids'', array_agg(DISTINCT id))
			FROM (SELECT no, id FROM %s WHERE no <> ALL (%L) ORDER BY no LIMIT %s) c', changes, m.applied, chunk_rows))::json)
		AS j(nos bigint[], ids text[]);
	state := CASE WHEN cardinality(found.nos) = chunk_rows THEN 'catch up' ELSE 'switch' END;
	IF found.ids IS NOT NULL THEN
		PERFORM @extschema@.anchor_move_rows(m, id_column, found.ids);
	END IF;
	UPDATE @extschema@.hilo_move h
	   SET state = anchor_move_catch_up.state, applied = found.nos, rows_changed = m.rows_changed + cardinality(found.nos)
	 WHERE h.rel = m.rel AND h.no = m.no;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_catch_up IS
	'brings rows that have changed since they were copied';
