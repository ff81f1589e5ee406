/*
 * document_id_parts: what an id is made of
 */
\pset null <null>
SELECT p.*, id
  FROM unnest(ARRAY[
       'users/54-B', 'users/1-A', 'users/9223372036854775807-ABCD', 'a/b/7-C',
       'users/0000000000000000001-A', 'users/1234567890123456789-A',
       'users/1', 'Users/4', '/1',
       'F47AC10B-58CC-4372-a567-0e02b2c3d479',
       -- anchors
       'invoices/3-A$orders/54-B', 'Users/4$Users/5', 'a$b$users/4', 'users/1$', '$foo', '$', 'x$$',
       'users/0000000000000000001-A$KZXQ', 'f47ac10b-58cc-4372-a567-0e02b2c3d479$orders/54-B', 'users/$orders/54-B',
       -- semantic
       'users/john@john.doe', 'accounts/591-192/txs/2017-05-17', 'users/x54-B', 'users/-B', 'users/54-', 'users/54-b',
       'users/54-BCDEF', 'users/54B', '54-B', '54', 'users', '', ' ',
       -- no number that is written so
       'users/0', 'users/0-A', 'users/007', 'users/054-B', 'users/0000000000000000000-A', 'users/000000000000000001-A',
       'users/9223372036854775808', 'users/9223372036854775808-A', 'users/99999999999999999999-A', 'users/-1', 'users/1.0',
       -- no GUID
       'f47ac10b-58cc-4372-a567-0e02b2c3d47', 'f47ac10b-58cc-4372-a567-0e02b2c3d47g', 'f47ac10b058cc04372-a567-0e02b2c3d479',
       'users/f47ac10b-58cc-4372-a567-0e02b2c3d479']) WITH ORDINALITY AS t (id, n), document_id_parts(id) p
 ORDER BY n;
SELECT * FROM document_id_parts(NULL);

-- by the separator of the moment
SET hilo.identity_parts_separator = '-';
SELECT p.*, id
  FROM unnest(ARRAY['users-54-B', 'users-54', 'users-0000000000000000001-A', 'users-JOHN', 'a-b-c', 'users/54-B',
                    'users-3-A$orders-54-B', 'f47ac10b-58cc-4372-a567-0e02b2c3d479']) WITH ORDINALITY AS t (id, n), document_id_parts(id) p
 ORDER BY n;
RESET hilo.identity_parts_separator;

-- what is made is found again
SET hilo.prefetch = off;
SET client_min_messages = warning;
SELECT (p).prefix, (p).number, (p).node_tag, (p).strategy
  FROM (SELECT document_id_parts(id) FROM (VALUES (1, hilo_next_id('document_id_parts')), (2, document_id('document_id_parts/')),
                                                  (3, document_id('document_id_parts|')), (4, document_id())) t (n, id) ORDER BY n) t (p);
DO $$ BEGIN PERFORM hilo_drop(name) FROM hilo_generators() WHERE name LIKE '%|' OR name = 'document_id_parts'; END $$;
