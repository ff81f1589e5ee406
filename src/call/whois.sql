CREATE FUNCTION @extschema@.hilo_whois(
	name text, id int8, OUT status text, OUT low int8, OUT high int8,
	OUT taken_at timestamptz, OUT role text, OUT application text,
	OUT node_tag text, OUT backend int4)
RETURNS record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_whois IS
	'return when, by whom and where the range of an id was reserved';
