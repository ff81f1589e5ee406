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
	changes := @extschema@.anchor_move_beside(r.schema, base, 'changes'::text);
	PERFORM @extschema@.anchor_server_run(m.from_server, format($c$
		CREATE TABLE IF NOT EXISTS %1$s (no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text);
		COMMENT ON TABLE %1$s IS 'hilo: changes of rows that move';
		GRANT INSERT ON %1$s TO PUBLIC;
		DELETE FROM %1$s;
		CREATE OR REPLACE TRIGGER hilo_move AFTER INSERT OR UPDATE OR DELETE ON %2$s
			FOR EACH ROW EXECUTE FUNCTION %6$s.hilo_move_note(%1$L, %3$L, %4$s, %5$s);
		CREATE OR REPLACE TRIGGER hilo_move_truncate AFTER TRUNCATE ON %2$s
			FOR EACH STATEMENT EXECUTE FUNCTION %6$s.hilo_move_note(%1$L, %3$L, %4$s, %5$s);
		ALTER TABLE %2$s ENABLE ALWAYS TRIGGER hilo_move, ENABLE ALWAYS TRIGGER hilo_move_truncate
		$c$, changes, source, id_column, lower(m.buckets), upper(m.buckets), '@extschema@'), NULL::text);
	PERFORM @extschema@.anchor_server_ship(m.to_server);
	PERFORM @extschema@.anchor_shard_create(m.to_server, m.target_schema, m.target_name,
		@extschema@.anchor_server_run(m.from_server, NULL::text, format('SELECT %s.anchor_shard_definition(%L::regclass, %L::text, %L::name, %s, %s)',
			'@extschema@', source, format('%I.%I', m.target_schema, m.target_name), id_column, lower(m.buckets), upper(m.buckets))), m.rel);
	PERFORM @extschema@.anchor_server_run(m.to_server, format($c$
		DROP TABLE IF EXISTS %1$s;
		CREATE TABLE %1$s AS SELECT 1 AS no;
		COMMENT ON TABLE %1$s IS 'hilo: steps of a move'
		$c$, @extschema@.anchor_move_beside(m.target_schema, m.target_name, 'steps'::text)), NULL::text);
	UPDATE @extschema@.hilo_move
	   SET state = 'copy', source_schema = r.schema, source_name = base, last_id = NULL, applied = '{}', rows_copied = 0,
		   rows_total = @extschema@.anchor_server_run(m.from_server, NULL::text, format('SELECT count(*) FROM %s WHERE %s', source, condition))::bigint
	 WHERE rel = m.rel AND no = m.no;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_prepare IS
	'the second step of anchor_move';

-- Begins a step on the new server: its snapshot there must have what the step
-- before it has done, also if that was interrupted while it committed there.
CREATE FUNCTION @extschema@.anchor_move_follow(
	m @extschema@.hilo_move)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	-- this has it commit synchronously as well
	PERFORM @extschema@.anchor_server_run(m.to_server, format('SELECT FROM %1$s FOR UPDATE NOWAIT; UPDATE %1$s SET no = no + 1; SET CONSTRAINTS ALL IMMEDIATE',
		@extschema@.anchor_move_beside(m.target_schema, m.target_name, 'steps'::text)), NULL::text);
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_follow IS
	'has a step on the new server see the one before it, or fail';

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
	remove CONSTANT text := format('DELETE FROM %s WHERE $2 OR %I = ANY ($1)', target, id_column);
	bring CONSTANT text := format('INSERT INTO %s (%s) SELECT %2$s FROM %s WHERE %I = ANY ($1)', target, columns, source, id_column);
	changed record;
BEGIN
	BEGIN
		EXECUTE remove USING ids, false;
		EXECUTE bring USING ids;
	EXCEPTION WHEN unique_violation THEN
		SELECT * INTO changed FROM json_to_record(@extschema@.anchor_server_run(m.from_server, NULL::text, format(
			'SELECT json_build_object(''ids'', array_agg(DISTINCT id), ''is_all'', bool_or(id IS NULL)) FROM %s WHERE no <> ALL (%L)',
			@extschema@.anchor_move_beside(m.source_schema, m.source_name, 'changes'::text), m.applied))::json) AS j(ids text[], is_all bool);
		EXECUTE remove USING ids || changed.ids, changed.is_all;
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
	PERFORM @extschema@.anchor_move_follow(m);
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
	PERFORM @extschema@.anchor_move_follow(m);
	-- those that the last one has committed are done
	SELECT * INTO found FROM json_to_record(@extschema@.anchor_server_run(m.from_server,
		CASE WHEN m.applied <> '{}' THEN format('DELETE FROM %s WHERE no = ANY (%L)', changes, m.applied) END,
		format('SELECT json_build_object(''nos'', coalesce(array_agg(no), ''{}''), ''ids'', array_agg(DISTINCT id), ''is_all'', bool_or(id IS NULL))
			FROM (SELECT no, id FROM %s WHERE no <> ALL (%L) ORDER BY no LIMIT %s) c', changes, m.applied, chunk_rows))::json)
		AS j(nos bigint[], ids text[], is_all bool);
	state := CASE WHEN cardinality(found.nos) = chunk_rows THEN 'catch up' ELSE 'switch' END;
	IF found.is_all THEN
		-- TRUNCATE: all that was copied is gone
		PERFORM @extschema@.anchor_server_run(m.to_server, format('DELETE FROM %I.%I', m.target_schema, m.target_name), NULL::text);
		state := 'copy';
	ELSIF found.ids IS NOT NULL THEN
		PERFORM @extschema@.anchor_move_rows(m, id_column, found.ids);
	END IF;
	UPDATE @extschema@.hilo_move h
	   SET state = anchor_move_catch_up.state, applied = found.nos, rows_changed = m.rows_changed + cardinality(found.nos),
		   last_id = CASE WHEN found.is_all THEN NULL ELSE m.last_id END,
		   rows_copied = CASE WHEN found.is_all THEN 0 ELSE m.rows_copied END
	 WHERE h.rel = m.rel AND h.no = m.no;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_move_catch_up IS
	'brings rows that have changed since they were copied';
