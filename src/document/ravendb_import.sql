-- Return the counters in RavenDB's documents and identities.  The HiLo ids of a
-- collection are reserved up to the property Max of the document
-- Raven/Hilo/<tag>.
CREATE FUNCTION hilo_internal.hilo_ravendb_counters(
	hilo jsonb, identities jsonb, OUT name text, OUT value int8)
RETURNS SETOF record LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- as an array, or as RavenDB's answer with such an array in it
	documents CONSTANT jsonb := coalesce(hilo->'Results', hilo);
	counter jsonb;
BEGIN
	IF jsonb_typeof(documents) <> 'array'
		OR jsonb_typeof(identities) <> 'object' THEN
		RAISE invalid_parameter_value USING
			MESSAGE = 'invalid HiLo documents or identities',
			DETAIL = 'HiLo documents are an array of documents, and identities an object such as {"users|": 5}.';
	END IF;
	FOR name, counter IN
		SELECT substring(d #>> '{@metadata,@id}' FROM '(?i)^Raven/Hilo/(.+)'),
			   d->'Max'
		  FROM jsonb_array_elements(documents) d
		UNION ALL
		SELECT regexp_replace(key, '\|?$', '|'), i.value
		  FROM jsonb_each(identities) i
	LOOP
		IF name IS NULL THEN
			RAISE invalid_parameter_value USING
				MESSAGE = 'a document is not a HiLo document',
				DETAIL = 'The id of a HiLo document, in @metadata.@id, is "Raven/Hilo/" followed by the tag of the collection.';
		ELSIF counter::text ~ '^[0-9]+$' IS NOT TRUE THEN
			RAISE invalid_parameter_value USING
				MESSAGE = format('invalid value for generator "%s"', name),
				DETAIL = 'The Max of a HiLo document and the value of an identity are whole numbers, at least 0.';
		END IF;
		value := counter;
		RETURN NEXT;
	END LOOP;
END $$;

CREATE FUNCTION hilo_internal.hilo_raise_counter(name text, value int8)
RETURNS int8 LANGUAGE C STRICT
AS 'MODULE_PATHNAME';

CREATE FUNCTION @extschema@.hilo_import_ravendb(hilo jsonb, identities jsonb,
	OUT name text, OUT last int8)
RETURNS SETOF record LANGUAGE sql
BEGIN ATOMIC
	SELECT name, hilo_internal.hilo_raise_counter(name, value)
	  FROM hilo_internal.hilo_ravendb_counters(hilo, identities);
END;
COMMENT ON FUNCTION @extschema@.hilo_import_ravendb IS
	'raise generators to RavenDB''s counters';
