-- How far a collection's HiLo ids are reserved is the property Max of the document Raven/Hilo/<tag>.  The
-- documents come as an array, as RavenDB's answer with such an array in it, as one document, or as an object of
-- documents by their ids.
-- Return the counters in documents and identities of RavenDB.
CREATE FUNCTION hilo_internal.hilo_ravendb_counters(
	hilo jsonb, identities jsonb, OUT name text, OUT value int8)
RETURNS SETOF record LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	documents CONSTANT jsonb := CASE
		WHEN jsonb_typeof(hilo) = 'array' THEN hilo
		WHEN jsonb_typeof(hilo->'Results') = 'array' THEN hilo->'Results'
		WHEN hilo ? '@metadata' THEN jsonb_build_array(hilo) END;
	fault CONSTANT text := CASE
		WHEN jsonb_typeof(hilo) NOT IN ('array', 'object') THEN
			'HiLo documents are an array of documents, or an object of documents by their ids.'
		WHEN EXISTS (SELECT FROM jsonb_array_elements(documents) d
					  WHERE jsonb_typeof(d) <> 'object'
						 OR jsonb_typeof(d #> '{@metadata,@id}')
							IS DISTINCT FROM 'string') THEN
			'A document in an array must be an object with its id in @metadata.@id.'
		WHEN jsonb_typeof(identities) <> 'object' THEN
			'Identities are an object of names and values, such as {"users|": 5}.' END;
	is_identity bool;
	counter jsonb;
BEGIN
	IF fault IS NOT NULL THEN
		RAISE invalid_parameter_value USING
			MESSAGE = 'invalid HiLo documents or identities', DETAIL = fault;
	END IF;
	FOR name, counter, is_identity IN
		SELECT d #>> '{@metadata,@id}', d->'Max', false
		  FROM jsonb_array_elements(documents) d
		UNION ALL
		SELECT key, CASE jsonb_typeof(m.value)
			   WHEN 'object' THEN m.value->'Max' ELSE m.value END, false
		  FROM jsonb_each(CASE WHEN documents IS NULL THEN hilo END) m
		UNION ALL
		SELECT CASE WHEN key LIKE '%|' THEN key ELSE key || '|' END, m.value, true
		  FROM jsonb_each(identities) m
	LOOP
		IF NOT is_identity AND name !~* '^Raven/Hilo/.' THEN
			RAISE invalid_parameter_value USING
				MESSAGE = format('document "%s" is not a HiLo document', name),
				DETAIL = 'The id of a HiLo document is "Raven/Hilo/" followed by the tag of the collection.';
		END IF;
		name := substr(name, CASE WHEN is_identity THEN 1 ELSE 12 END);
		IF coalesce(counter::text !~ '^[0-9]{1,19}$', true)
			OR counter::numeric > 9223372036854775807 THEN
			RAISE invalid_parameter_value USING
				MESSAGE = format('invalid value for generator "%s"', name),
				DETAIL = 'The Max of a HiLo document and the value of an identity are whole numbers, at least 0.';
		END IF;
		value := counter;
		RETURN NEXT;
	END LOOP;
END $$;

-- Raise a generator to a counter, or only check whether that is possible.
CREATE FUNCTION hilo_internal.hilo_raise_counter(INOUT name text, value int8,
	only_check bool, OUT last int8)
RETURNS record LANGUAGE C STRICT SET client_min_messages = warning
AS 'MODULE_PATHNAME';

CREATE FUNCTION @extschema@.hilo_import_ravendb(hilo jsonb, identities jsonb,
	OUT name text, OUT last int8)
RETURNS SETOF record LANGUAGE sql VOLATILE PARALLEL UNSAFE
BEGIN ATOMIC
	WITH counter AS MATERIALIZED (
		-- a name in upper and in lower case is one generator
		SELECT (array_agg(c.name ORDER BY c.no))[1] AS name,
			   max(c.value) AS value, min(c.no) AS no
		  FROM hilo_internal.hilo_ravendb_counters(hilo, identities)
			   WITH ORDINALITY c (name, value, no)
		 GROUP BY @extschema@.docid_fold(c.name)
		 ORDER BY no
	), checked AS MATERIALIZED (
		-- all of them before the first is raised, as raising is not undone by a rollback
		SELECT count(r.last) AS none
		  FROM counter c,
			   LATERAL hilo_internal.hilo_raise_counter(c.name, c.value, true) r
	)
	SELECT r.*
	  FROM checked,
		   LATERAL (SELECT c.name, c.value FROM counter c
					 WHERE c.value > checked.none OFFSET 0) c,
		   LATERAL hilo_internal.hilo_raise_counter(c.name, c.value, false) r
	 WHERE r.last IS NOT NULL;
END;
COMMENT ON FUNCTION @extschema@.hilo_import_ravendb IS
	'raise generators to RavenDB''s counters';
