/*
 * document_id: what a pattern asks for, and what an id may be
 */
SET hilo.prefetch = off;
SET client_min_messages = warning;
\pset null <null>

-- each strategy
SELECT count(DISTINCT id) AS different, bool_and(id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$') AS guid
  FROM (SELECT document_id() UNION ALL SELECT document_id(NULL) UNION ALL
        SELECT document_id(p) FROM unnest(ARRAY['', ' ', E' \t\r\n\x0B\f']) p) t (id);
SELECT document_id('users/'), document_id('Orders/'), document_id('users/');
SELECT document_id('users|'), document_id('Users|'), document_id('docs|');
SELECT document_id('users/john@john.doe'), document_id('accounts/591-192/txs/2017-05-17'),
       document_id('Users/4$Users/5'), document_id(' users/1 ');
SELECT p AS pattern, document_id_strategy(p)
  FROM unnest(ARRAY[NULL, '', ' ', 'users/', 'users|', 'users', 'users/1', '/', '|', 'users||', 'users/|', 'users|/', ' /']) p;
SELECT document_id('users||'), document_id('users/|'), document_id('users|/'), document_id('/'), document_id('a$b/c/');
SELECT p, document_id(p) FROM unnest(ARRAY['docs|', 'users|', 'a', 'docs|', 'docs/', 'docs|', NULL, 'Docs|']) p WHERE p IS NOT NULL;
-- one counter for all prefixes, an identity for each name in any case
SELECT name, last FROM hilo_generators() WHERE name ~ '^(users|docs).*[|]$' ORDER BY name COLLATE "C";
SELECT ordering FROM hilo_generators() WHERE name = '|';
-- hilo_next of the name is another stream; of the identity's generator it is the same one
SELECT hilo_next_tag('users'), hilo_next_tag('USERS|'), document_id('users|');
-- a seed counts
SELECT hilo_seed('|', 1000), hilo_seed('users|', 1990);
SELECT document_id('users/'), document_id('users|');
SELECT hilo_seed('|', 9223372036854775806), document_id('users/');
SELECT document_id('users/');

-- the separator
SET hilo.identity_parts_separator = '-';
SELECT p AS pattern, document_id_strategy(p) FROM unnest(ARRAY['users-', 'users/', 'users|']) p;
SELECT document_id('users/'), document_id('users|'), document_id('a-b|');
RESET hilo.identity_parts_separator;

-- the node tag
SELECT hilo_seed('|', 5, force => true);
SET hilo.node_tag = 'WXYZ';
SELECT hilo_release('|') >= 0 AS released, document_id('users/');
RESET hilo.node_tag;
SELECT hilo_create('document_id_gapless', ordering => 'gapless');
SELECT hilo_next_id('document_id_gapless'), hilo_drop('document_id_gapless');

-- what an id may be
SELECT document_id_valid(id), length(id), octet_length(id)
  FROM unnest(ARRAY[NULL, '', 'a', 'a|', '|', '|a', 'a/', '/', ' ', '$', 'a$',
                    repeat('x', 512), repeat('x', 513), repeat('x', 100000),
                    repeat(U&'\00E9', 256), repeat(U&'\00E9', 256) || 'x', repeat(U&'\+01F600', 128), repeat(U&'\+01F600', 129),
                    -- 513 bytes in lower case
                    repeat(U&'\023A', 171), repeat(U&'\023A', 170)]) id;
SELECT id, separator, document_id_valid(id, separator)
  FROM unnest('{a/,a-,a,-}'::text[]) id, unnest('{/,-}'::text[]) separator;
SELECT document_id_valid('a', '');
SELECT document_id_valid('a', '$');
SELECT 'users/1'::docid, 'users-'::docid, document_id_valid('a', NULL) IS NULL AS null;
SELECT 'users/'::docid;
-- a pattern is no name
SELECT hilo_next_id('document_id/');
SELECT hilo_next_id('document_id|');
SELECT identity_next_id('document_id/');
SELECT identity_next_id('document_id||');
SELECT artificial_id('document_id/', 1);
SELECT hilo_next_range('document_id/');
SELECT hilo_next_hi('document_id/', 10);
SET hilo.identity_parts_separator = '-';
SELECT hilo_next_id('document_id-');
SELECT identity_next_id('document_id-|');
RESET hilo.identity_parts_separator;
SELECT count(*) FROM hilo_generators() WHERE name ~ '^document_id\W+$';
SELECT string_agg(to_hex(i), ' ' ORDER BY i) AS refused
  FROM generate_series(1, 1000) i WHERE NOT document_id_valid('a' || chr(i) || 'b');
SELECT length(document_id(repeat('x', 512)));
SELECT document_id(repeat('x', 513));
SELECT document_id(E'a\nb');
SELECT document_id(U&'a\0085b');
SELECT document_id('|');
-- nothing is taken for a pattern that leads to no id
SELECT last FROM hilo_generators() WHERE name = '|' \gset
SELECT document_id(repeat('x', 510) || '/');
SELECT document_id(repeat('x', 491) || '/');
SELECT document_id(E'\x7F/');
SELECT document_id(repeat('x', 511) || '|');
SELECT document_id(E'a\x01|');
SELECT last = :last AS unchanged FROM hilo_generators() WHERE name = '|';
SELECT count(*) FROM hilo_generators() WHERE name LIKE 'x%|' OR name LIKE E'a_|';
SELECT length(document_id(repeat('x', 487) || '/')), length(document_id(repeat('x', 510) || '|'));

-- the domain, and a column that takes patterns
CREATE TABLE document_id_finished (id docid PRIMARY KEY);
INSERT INTO document_id_finished VALUES ('users/1'), (document_id('users/'));
INSERT INTO document_id_finished VALUES ('users|');
INSERT INTO document_id_finished VALUES ('');
INSERT INTO document_id_finished VALUES (E'a\tb');
INSERT INTO document_id_finished VALUES (repeat('x', 513));
SELECT NULL::docid, pg_typeof('a'::docid);
SELECT ' '::docid;
-- an id that exists is a unique violation, by whatever strategy it was made
INSERT INTO document_id_finished VALUES (document_id('users/1'));
SELECT hilo_seed('|', 20, force => true);
INSERT INTO document_id_finished VALUES ('users/0000000000000000021-A');
INSERT INTO document_id_finished VALUES (document_id('users/'));
INSERT INTO document_id_finished VALUES (document_id('users/1')) ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING id;
DROP TABLE document_id_finished;
-- in any case: docid_fold
CREATE TABLE document_id_folded (id docid);
CREATE UNIQUE INDEX ON document_id_folded (docid_fold(id));
INSERT INTO document_id_folded VALUES ('Users/4'), ('Users/4$Users/5');
INSERT INTO document_id_folded VALUES ('USERS/4');
INSERT INTO document_id_folded VALUES ('users/4$users/5');
SELECT id FROM document_id_folded WHERE docid_fold(id) = docid_fold('users/4');
SELECT id FROM document_id_folded WHERE docid_fold(id) = docid_fold('USERS/4$USERS/5');
INSERT INTO document_id_folded VALUES ('users/4') ON CONFLICT (docid_fold(id)) DO UPDATE SET id = excluded.id RETURNING id;
DROP TABLE document_id_folded;

-- RavenDB's convention of prefixes
SELECT c AS collection, hilo_tag(c)
  FROM unnest(ARRAY['Users', 'BacklogItems', 'ORDERS', 'users', 'uSers', 'X', 'XY', '', NULL,
                    U&'\00DCbungen', U&'\00DCbungs\00C4mter', U&'\0416\0438\0437\043D\0438', U&'\023A\2126']) c;

-- rights and where nextval is refused
CREATE ROLE regress_hilo_docid;
SELECT hilo_revoke('|', 'public'), hilo_revoke('users|', 'public');
SET ROLE regress_hilo_docid;
SELECT document_id('users/');
SELECT document_id('users|');
SELECT document_id('users/1'), length(document_id());
RESET ROLE;
BEGIN READ ONLY;
SELECT document_id('users/1'), length(document_id());
SELECT document_id('users/');
ROLLBACK;
SET hilo.auto_create = off;
SELECT document_id('nobody|');
RESET hilo.auto_create;
DROP ROLE regress_hilo_docid;

-- nothing of search_path
CREATE SCHEMA document_id_hostile;
CREATE FUNCTION document_id_hostile.document_id_valid(text, text) RETURNS bool LANGUAGE sql AS 'SELECT true';
CREATE FUNCTION document_id_hostile.gen_random_uuid() RETURNS uuid LANGUAGE sql AS $$SELECT '00000000-0000-0000-0000-000000000000'::uuid$$;
SET search_path = document_id_hostile, pg_catalog, public;
SELECT 'a|'::docid;
SELECT document_id() LIKE '0000%' AS hostile;
RESET search_path;
DROP SCHEMA document_id_hostile CASCADE;

DO $$ BEGIN PERFORM hilo_drop(name) FROM hilo_generators() WHERE name LIKE '%|' OR name = 'users'; END $$;

-- how a name may end, in each call
CREATE FUNCTION pg_temp.outcome(call text, OUT outcome text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'SELECT ' || call INTO outcome;
EXCEPTION WHEN invalid_name THEN
	outcome := 'refused';
END $$;
SELECT hilo_seed('ends', 10), hilo_seed('ends/', 20), hilo_seed('ends|', 30), hilo_seed('ends/|', 40);
SELECT call,
	   pg_temp.outcome(format(call, 'ends')) AS plain,
	   pg_temp.outcome(format(call, 'ends/')) AS separator,
	   pg_temp.outcome(format(call, 'ends|')) AS mark
  FROM unnest(ARRAY['hilo_next_tag(%L)', 'hilo_current(%L)', 'hilo_seed(%L, 0)', 'identity_next(%L)', 'identity_seed(%L, 0)',
					'identity_next_id(%L)', 'hilo_next_id(%L)', '(hilo_next_range(%L, 1)).low', 'hilo_next_hi(%L, 1) > 0',
					'artificial_id(%L, 1)', 'document_id_strategy(%L)']) WITH ORDINALITY c (call, n)
 ORDER BY n;
SELECT hilo_next_id('ends/');
SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'ends%';
