-- The SQL contract of the number schemes.
BEGIN;
SELECT plan(54);

-- Signatures, with the names of the arguments, defaults and result columns;
-- volatility, parallel safety, strictness.
CREATE TEMP TABLE contract (signature text, arguments text, result text, kind text);
INSERT INTO contract VALUES
('id_scatter(bigint,integer)', 'id bigint, bits integer DEFAULT 63', 'bigint', 'ist'),
('id_gather(bigint,integer)', 'id bigint, bits integer DEFAULT 63', 'bigint', 'ist'),
('id_encrypt(bigint,bytea,integer,bigint)', 'id bigint, key bytea, bits integer DEFAULT 63, tweak bigint DEFAULT 0', 'bigint', 'ist'),
('id_decrypt(bigint,bytea,integer,bigint)', 'id bigint, key bytea, bits integer DEFAULT 63, tweak bigint DEFAULT 0', 'bigint', 'ist'),
('id_text(bigint,boolean)', 'id bigint, with_check boolean DEFAULT false', 'text', 'ist'),
('id_from_text(text,boolean)', 'id text, with_check boolean DEFAULT false', 'bigint', 'ist'),
('decimal_id(bigint,integer,integer)', 'counter bigint, generator_id integer, launch_id integer', 'bigint', 'ist'),
('decimal_id_parts(bigint)', 'id bigint, OUT counter bigint, OUT generator_id integer, OUT launch_id integer', 'record', 'ist'),
('decimal_id_next()', '', 'bigint', 'vuf'),
('trace_id_next()', '', 'bigint', 'vuf'),
('trace_id(timestamptz,integer,integer,integer)', 'ts timestamp with time zone, node_no integer, chunk integer, counter integer', 'bigint', 'ist'),
('trace_id_parts(bigint,timestamptz)', 'id bigint, near timestamp with time zone DEFAULT now(), OUT ts timestamp with time zone, OUT node_no integer, OUT chunk integer, OUT counter integer', 'record', 'ist'),
('trace_id_valid(bigint,interval,timestamptz)', 'id bigint, max_skew interval DEFAULT NULL::interval, near timestamp with time zone DEFAULT statement_timestamp()', 'boolean', 'isf');

SELECT is(pg_get_function_arguments(signature::regprocedure), arguments, 'arguments of ' || signature)
  FROM contract;
SELECT is(pg_get_function_result(signature::regprocedure), result, 'result of ' || signature)
  FROM contract;
SELECT is(format('%s%s%s%s%s', provolatile, proparallel, proisstrict, prosecdef, proleakproof), kind || 'ff',
          signature || ': volatile, parallel, strict; not SECURITY DEFINER, not leakproof')
  FROM contract JOIN pg_proc ON oid = signature::regprocedure;
SELECT is(has_function_privilege('public', signature::regprocedure, 'EXECUTE'), true, 'who may call ' || signature)
  FROM contract;

SELECT domain_type_is('id63', 'bigint');
SELECT domain_type_is('id53', 'bigint');

SELECT * FROM finish();
ROLLBACK;
