/*
 * id63 and id53, and generators with ids that stay exact in JSON and JavaScript
 */
SELECT 1::id63, 9223372036854775807::id63, 1::id53, 9007199254740991::id53, NULL::id63, NULL::id53;
SELECT 0::id63;
SELECT (-1)::id63;
SELECT (-9223372036854775808)::id63;
SELECT 9223372036854775808::id63;
SELECT 0::id53;
SELECT (-1)::id53;
SELECT 9007199254740992::id53;
SELECT 9223372036854775807::id53;
CREATE TABLE id_domain (id id53 DEFAULT hilo_next('id_domain'), parent id63);

-- max_value keeps a generator within 2^53 - 1: every id up to it, then 2200H
SET hilo.prefetch = off;
SELECT hilo_create('id_domain', max_value => 9007199254740991);
SELECT hilo_seed('id_domain', 9007199254740988);
INSERT INTO id_domain DEFAULT VALUES;
INSERT INTO id_domain SELECT FROM generate_series(1, 2);
\set VERBOSITY sqlstate
INSERT INTO id_domain DEFAULT VALUES;
SELECT hilo_next_range('id_domain');
SELECT hilo_next_hi('id_domain', 1);
SELECT hilo_seed('id_domain', 9007199254740992);
\set VERBOSITY default
-- a number in JSON, as JavaScript reads it; the next higher id would not be
SELECT id, (to_jsonb(id) #>> '{}')::float8::bigint = id AS exact FROM id_domain ORDER BY id;
SELECT 9007199254740993::float8::bigint = 9007199254740993 AS exact;

-- 0 and negatives are never issued, whatever is asked for
SELECT hilo_create('id_domain_zero', first => 0);
SELECT hilo_create('id_domain_zero', first => -5);
SELECT hilo_alter('id_domain', first => 0);
SELECT hilo_seed('id_domain', -1, force => true);
SELECT hilo_seed('id_domain', -9223372036854775808, force => true);
SELECT hilo_seed('id_domain', 0, force => true);
SELECT hilo_seed('id_domain', -5);
SELECT hilo_next('id_domain'), id_scatter(hilo_next('id_domain')) > 0 AS above_0;

-- separate domains: the same id in two tables; a common one: an id of one is none of the other
CREATE TABLE separate_a (id bigint DEFAULT hilo_next('separate_a'));
CREATE TABLE separate_b (id bigint DEFAULT hilo_next('separate_b'));
CREATE TABLE common_a (id bigint DEFAULT hilo_next_tag('common'));
CREATE TABLE common_b (id bigint DEFAULT hilo_next_tag('common'));
DO $$
BEGIN
	FOR i IN 1..20 LOOP
		INSERT INTO separate_a DEFAULT VALUES;
		INSERT INTO separate_b DEFAULT VALUES;
		INSERT INTO common_a DEFAULT VALUES;
		INSERT INTO common_b DEFAULT VALUES;
	END LOOP;
END $$;
SELECT count(*) FROM separate_a JOIN separate_b USING (id);
SELECT count(*) FROM common_a JOIN common_b USING (id);
DROP TABLE separate_a, separate_b, common_a, common_b;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name = 'common';

DROP TABLE id_domain;
