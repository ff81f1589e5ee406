-- The SQL contract of document ids, and of triggers and numbers per group.
BEGIN;
SELECT * FROM no_plan();

-- Signatures; the last column is of volatility, parallel safety and strictness.
CREATE TEMP TABLE document_contract (signature text, arguments text, result text, kind text);
INSERT INTO document_contract VALUES
('document_id(text)', 'pattern text DEFAULT NULL::text', 'text', '(v,u,f)'),
('document_id_strategy(text)', 'pattern text', 'text', '(s,s,f)'),
('document_id_valid(text,text)', 'id text, separator text DEFAULT ''/''::text', 'boolean', '(i,s,t)'),
('document_id_parts(text)',
 'id text, OUT prefix text, OUT number bigint, OUT node_tag text, OUT anchor text, OUT strategy text', 'record', '(s,s,t)'),
('artificial_id(text,"any")', 'collection text, VARIADIC key "any"', 'text', '(s,s,f)'),
('hilo_tag(text)', 'collection text', 'text', '(i,s,t)'),
('document_id_assign()', '', 'trigger', '(v,u,f)'),
('hilo_follow()', '', 'trigger', '(v,u,f)'),
('hilo_number_assign()', '', 'trigger', '(v,u,f)'),
('hilo_group_last(regclass,name)', 'rel regclass, col name', 'bigint', '(v,u,f)'),
('hilo_group_last(regclass,name,"any")', 'rel regclass, col name, VARIADIC group_values "any"', 'bigint', '(v,u,f)'),
('hilo_group_seed(regclass,name,bigint)', 'rel regclass, col name, value bigint', 'void', '(v,u,f)'),
('hilo_group_seed(regclass,name,bigint,"any")', 'rel regclass, col name, value bigint, VARIADIC group_values "any"', 'void', '(v,u,f)'),
('hilo_import_ravendb(jsonb,jsonb)', 'hilo jsonb, identities jsonb, OUT name text, OUT last bigint', 'SETOF record', '(v,u,f)');
SELECT is((SELECT (pg_get_function_arguments(oid), pg_get_function_result(oid),
                   (provolatile, proparallel, proisstrict)::text, prosecdef, proleakproof)::text
             FROM pg_proc WHERE oid = signature::regprocedure),
          (arguments, result, kind, false, false)::text, signature || ' is as agreed')
  FROM document_contract;
SELECT ok(has_function_privilege('public', signature::regprocedure, 'EXECUTE'), 'any role may call ' || signature)
  FROM document_contract;
SELECT domain_type_is('docid', 'text', 'docid is a domain over text');
SELECT is((SELECT (conname, pg_get_constraintdef(oid))::text FROM pg_constraint WHERE contypid = 'docid'::regtype),
          '(docid_valid,"CHECK (document_id_valid(VALUE, ''/''::text))")', 'its check looks at no setting');
SELECT is_empty($$
	SELECT oid::regprocedure FROM pg_proc
	 WHERE proname IN (SELECT split_part(signature, '(', 1) FROM document_contract)
	   AND oid NOT IN (SELECT signature::regprocedure FROM document_contract)
	$$, 'no other form of these functions');

SELECT * FROM finish();
ROLLBACK;
