CREATE DOMAIN @extschema@.id63 AS int8
	CHECK (VALUE >= 1);

COMMENT ON DOMAIN @extschema@.id63 IS
	'an id: 1 to 2^63-1';

CREATE DOMAIN @extschema@.id53 AS int8
	CHECK (VALUE >= 1 AND
		   VALUE <= 9007199254740991);

COMMENT ON DOMAIN @extschema@.id53 IS
	'an id that is exact in JSON and JavaScript: 1 to 2^53-1';
