-- What a session of another server sends through its foreign table on this
-- view runs here, in the transaction of that foreign table, and with the
-- rights of the role that it is connected as: those of any session of it.
CREATE VIEW @extschema@.hilo_server_command AS
	SELECT NULL::pg_catalog.text AS command, NULL::pg_catalog.text AS query, NULL::pg_catalog.text AS answer
	 WHERE false;

COMMENT ON VIEW @extschema@.hilo_server_command IS
	'runs the command and the query that are inserted, with the rights of the caller';

CREATE FUNCTION @extschema@.hilo_server_command_run()
RETURNS pg_catalog.trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	-- a crash here must not lose what is taken for done there
	PERFORM set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
	IF NEW.command IS NOT NULL THEN
		EXECUTE NEW.command;
	END IF;
	IF NEW.query IS NOT NULL THEN
		EXECUTE NEW.query INTO NEW.answer;
	END IF;
	RETURN NEW;
END $$;

COMMENT ON FUNCTION @extschema@.hilo_server_command_run IS
	'runs what is inserted into hilo_server_command';

CREATE TRIGGER hilo_server_command_run
	INSTEAD OF INSERT ON @extschema@.hilo_server_command
	FOR EACH ROW EXECUTE FUNCTION @extschema@.hilo_server_command_run();

-- Runs a command on another server, then a query, whose one value it gives.
-- They are part of the transaction that postgres_fdw has there for ours, and
-- so is what else we do there by then.  We always give all arguments, with their
-- types, so that no function of the same name matches better.
CREATE FUNCTION @extschema@.anchor_server_run(
	server pg_catalog.name,
	command pg_catalog.text,
	query pg_catalog.text)
RETURNS pg_catalog.text
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	answer text;
BEGIN
	EXECUTE format('CREATE FOREIGN TABLE pg_temp.hilo_server_command (command text, query text, answer text)
			SERVER %I OPTIONS (schema_name %L, table_name ''hilo_server_command'')', server,
		(SELECT nspname FROM pg_namespace WHERE oid = '@extschema@'::regnamespace));
	EXECUTE 'INSERT INTO pg_temp.hilo_server_command (command, query) VALUES ($1, $2) RETURNING answer'
		INTO answer USING command, query;
	DROP FOREIGN TABLE pg_temp.hilo_server_command;
	RETURN answer;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_server_run IS
	'runs a command on another server';

-- Raises an error unless shards can be on that server; gives what no other
-- database answers.
CREATE FUNCTION @extschema@.anchor_server_check(
	server pg_catalog.name)
RETURNS pg_catalog.text
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- clones of a server differ in when they were started
	identity CONSTANT text := 'SELECT concat_ws(''/'', system_identifier, extract(epoch FROM pg_postmaster_start_time()), oid)
		FROM pg_control_system(), pg_database WHERE datname = current_database()';
	schema text := (SELECT nspname FROM pg_namespace WHERE oid = '@extschema@'::regnamespace);
	s record;
	here text;
	there text;
BEGIN
	SELECT f.oid, h.prosrc = 'postgres_fdw_handler' AS is_ours INTO s
	  FROM pg_foreign_server f
	  JOIN pg_foreign_data_wrapper w ON w.oid = f.srvfdw
	  LEFT JOIN pg_proc h ON h.oid = w.fdwhandler
	 WHERE f.srvname = server;
	IF NOT FOUND THEN
		RAISE undefined_object USING
			MESSAGE = format('server "%s" does not exist', server),
			HINT = 'Make it by CREATE SERVER, with the foreign-data wrapper postgres_fdw.';
	ELSIF s.is_ours IS NOT TRUE THEN
		RAISE wrong_object_type USING
			MESSAGE = format('server "%s" is not one of postgres_fdw', server);
	END IF;

	BEGIN
		there := @extschema@.anchor_server_run(server, NULL::text, identity);
	EXCEPTION WHEN undefined_table OR invalid_schema_name THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('server "%s" does not have this version of hilo', server),
			DETAIL = SQLERRM,
			HINT = format('Run there: CREATE EXTENSION hilo SCHEMA %I, or ALTER EXTENSION hilo UPDATE.', schema);
	END;
	EXECUTE identity INTO here;
	IF here = there THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('server "%s" is this database', server);
	END IF;
	RETURN there;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_server_check IS
	'raises an error unless shards can be on a server';

-- Lets postgres_fdw send calls of hilo's functions to the server: else it
-- would fetch each row to compute its bucket here.
CREATE FUNCTION @extschema@.anchor_server_ship(
	server pg_catalog.name)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s record;
	shipped text;
	command text;
BEGIN
	SELECT srvowner, srvoptions INTO s FROM pg_foreign_server WHERE srvname = server;
	SELECT option_value INTO shipped FROM pg_options_to_table(s.srvoptions) WHERE option_name = 'extensions';
	IF 'hilo' = ANY (regexp_split_to_array(shipped, '\s*,\s*')) THEN
		RETURN;
	END IF;
	command := format('ALTER SERVER %I OPTIONS (%s extensions %L)', server,
					  CASE WHEN shipped IS NULL THEN 'ADD' ELSE 'SET' END, concat_ws(', ', nullif(shipped, ''), 'hilo'));
	IF pg_has_role(s.srvowner, 'USAGE') THEN
		EXECUTE command;
	ELSE
		RAISE WARNING USING
			MESSAGE = format('server "%s" is not sent conditions on buckets', server),
			HINT = format('Its owner should run: %s.', command);
	END IF;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_server_ship IS
	'lets conditions on buckets run on a server';

-- Raises an error unless a table can have its shards on those servers; null
-- is this one.
CREATE FUNCTION @extschema@.anchor_servers_check(
	rel pg_catalog.regclass,
	shards pg_catalog.int4,
	servers pg_catalog.name[],
	bucket_column pg_catalog.name)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s record;
	lost text;
BEGIN
	IF array_ndims(servers) IS DISTINCT FROM 1 OR cardinality(servers) <> shards THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('%s shards need as many servers, not %s', shards, cardinality(servers)),
			HINT = 'Give one for each shard, or null for a shard that stays here.';
	ELSIF bucket_column IS NOT NULL THEN
		RAISE feature_not_supported USING
			MESSAGE = 'a table with shards on servers cannot have a column for the bucket',
			DETAIL = 'That column is for a primary key of the whole table, which PostgreSQL does not allow with foreign tables.';
	ELSIF EXISTS (SELECT FROM @extschema@.hilo_prefixes) THEN
		RAISE feature_not_supported USING
			MESSAGE = 'shards on servers cannot have prefixes',
			HINT = 'Drop them by anchor_prefix_drop first.';
	END IF;
	SELECT name, count(*) INTO s FROM unnest(servers) name WHERE name IS NOT NULL GROUP BY 1 HAVING count(*) > 1;
	IF FOUND THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('server "%s" is given %s times', s.name, s.count),
			DETAIL = 'Each shard needs a server of its own.';
	END IF;

	SELECT string_agg(what, ', ' ORDER BY what COLLATE "C") INTO lost FROM (
		SELECT pg_describe_object('pg_constraint'::regclass, oid, 0) AS what FROM pg_constraint
		 WHERE conrelid = rel AND contype = 'f'
		UNION ALL
		SELECT pg_describe_object('pg_trigger'::regclass, oid, 0) FROM pg_trigger
		 WHERE tgrelid = rel AND NOT tgisinternal AND (tgconstraint <> 0 OR tgoldtable IS NOT NULL OR tgnewtable IS NOT NULL)) l;
	IF lost IS NOT NULL THEN
		RAISE feature_not_supported USING
			MESSAGE = format('cannot put shards of table %s on servers', rel),
			DETAIL = format('Foreign tables cannot have: %s.', lost);
	END IF;

	SELECT array_agg(format('"%s"', a.name) ORDER BY a.no) AS names INTO s
	  FROM unnest(servers) WITH ORDINALITY a(name, no), @extschema@.anchor_server_check(a.name) identity
	 WHERE a.name IS NOT NULL
	 GROUP BY identity HAVING count(*) > 1;
	IF FOUND THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('servers %s are the same database', array_to_string(s.names, ' and ')),
			DETAIL = 'Each shard needs a server of its own.';
	END IF;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_servers_check IS
	'raises an error unless a table can have its shards on those servers';
