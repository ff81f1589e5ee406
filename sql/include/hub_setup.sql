\set ECHO none
-- What the files with a hub begin with: how this server reaches itself as a superuser, in
-- :hub_place of a foreign server and :hub_user of a user mapping.  The first of these ways
-- that pg_hba.conf allows: as the server's own user, as this role, with a password.
SET client_min_messages = warning;
SELECT gen_random_uuid() AS password \gset
CREATE ROLE regress_hilo_hub SUPERUSER LOGIN PASSWORD :'password';
CREATE FOREIGN DATA WRAPPER regress_hilo_way;
CREATE SERVER regress_hilo_way FOREIGN DATA WRAPPER regress_hilo_way;
CREATE FUNCTION pg_temp.hub_way(password text, OUT place text, OUT "user" text, OUT has_password bool) LANGUAGE plpgsql AS $$
DECLARE
	socket text := split_part(current_setting('unix_socket_directories'), ',', 1);
	as_hub text := format('OPTIONS (user ''regress_hilo_hub'', password %L)', password);
BEGIN
	FOR place, "user", has_password IN
		SELECT format('host %L, port %L', v.host, current_setting('port')), v."user", v.has_password
		  FROM (VALUES (socket, '', false), (socket, format('OPTIONS (user %L)', current_user), false),
					   (socket, as_hub, true), ('localhost', as_hub, true)) v (host, "user", has_password)
	LOOP
		BEGIN
			EXECUTE format('ALTER SERVER regress_hilo_way OPTIONS (%s, dbname %L)', place, current_database());
			EXECUTE 'CREATE USER MAPPING FOR CURRENT_ROLE SERVER regress_hilo_way ' || "user";
			PERFORM hilo_next_tag('hub_way');
		EXCEPTION WHEN object_not_in_prerequisite_state THEN
			EXIT; -- it has reached itself, where the generator has a hub
		WHEN OTHERS THEN
			NULL;
		END;
	END LOOP;
END $$;
DO 'BEGIN PERFORM hilo_create(''hub_way'', hub => ''regress_hilo_way''); END';
SELECT * FROM pg_temp.hub_way(:'password') \gset hub_
DO 'BEGIN PERFORM hilo_drop(''hub_way''); END';
-- it is no hub of others
DO 'BEGIN PERFORM hilo_node_forget(system_identifier) FROM hilo_nodes(); END';
DROP FUNCTION pg_temp.hub_way;
DROP FOREIGN DATA WRAPPER regress_hilo_way CASCADE;
RESET client_min_messages;
\set ECHO all
