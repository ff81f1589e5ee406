/*
 * Trace ids, their parts, and what can be one
 */
SET timezone = 'UTC';
SELECT second, node, chunk, counter, trace_id(to_timestamp(second), node, chunk, counter)
  FROM (VALUES (0, 0, 0, 1), (1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1),
               (1700000000, 1, 0, 1), (1700000000, 42, 7, 1023), (1778384895, 65535, 4095, 1023),
               (1778384896, 0, 0, 1), (1795156436, 12, 3, 5)) t (second, node, chunk, counter);
-- the fraction of a second does not count
SELECT trace_id('1970-01-01 00:00:01.999999Z', 0, 0, 1), trace_id('2023-11-14 00:00:00.999999Z', 0, 0, 1) = trace_id('2023-11-14Z', 0, 0, 1) AS same;
-- what lies before 1970 is 1970
SELECT trace_id('1969-12-31 23:59:59.999999Z', 0, 0, 1), trace_id('1960-01-01Z', 0, 0, 2), trace_id('4714-11-24 BC', 0, 0, 3);

-- the second of an id is the nearest to a moment: wraps do no harm
SELECT id, near, (trace_id_parts(id, near)).*
  FROM (VALUES (6123839962065403905, timestamptz '2023-11-14Z'), (6123839962237378559, '2023-11-14Z'),
               (9223372036854775807, '2026-05-10Z'), (1, '2026-05-10Z'), (1, '2027-06-02Z'), (1, '1970-01-01Z'),
               (4610125811477908485, '2026-11-20Z'), (4610125811477908485, '1999-01-01Z')) t (id, near);
-- so long before and after
SELECT near, (trace_id_parts(1, near)).ts
  FROM unnest(ARRAY['2027-06-02 12:28:48Z'::timestamptz + interval '16777216 s', '2027-06-02 12:28:48Z'::timestamptz + interval '16777217 s',
                    '2027-06-02 12:28:48Z'::timestamptz - interval '16777215 s', '2027-06-02 12:28:48Z'::timestamptz - interval '16777216 s']) near;
-- without a moment it is now
SELECT (trace_id_parts(trace_id(now(), 12, 3, 5))).ts = date_trunc('second', now()) AS now;
-- there and back, all over the circle and around its wrap
SELECT count(*), bool_and((p.ts, p.node_no, p.chunk, p.counter) = (date_trunc('second', at), no, ch, co)) AS back
  FROM generate_series(0, 33554431, 99991) s, LATERAL (VALUES (to_timestamp(1778384896 + s), s % 65536, s % 4096, s % 1023 + 1)) t (at, no, ch, co),
       unnest(ARRAY[at, at + interval '194 days', at - interval '194 days']) near,
       trace_id_parts(trace_id(at, no, ch, co), near) p;
-- bottoms that only others write
SELECT (trace_id_parts(1024, '1970-01-01Z')).*;

-- what the validator of elfo says, around second 0
SELECT second, to_hex(id) AS id, trace_id_valid(id, '5 s', to_timestamp(second)) AS valid
  FROM (VALUES (0, 5::bigint << 38), (0, ((1 << 25) - 5)::bigint << 38), (0, 6::bigint << 38), (0, ((1 << 25) - 6)::bigint << 38),
               (10, 16::bigint << 38), (10, 4::bigint << 38), (10, 15::bigint << 38), (10, 5::bigint << 38),
               (0, 0::bigint), (0, 1::bigint << 63), (0, 1::bigint)) t (second, id);
-- its distances on the circle
SELECT a, b, distance, trace_id_valid(trace_id(to_timestamp(a), 0, 0, 1), make_interval(secs => distance), to_timestamp(b)) AS valid,
       distance > 0 AND trace_id_valid(trace_id(to_timestamp(a), 0, 0, 1), make_interval(secs => distance - 1), to_timestamp(b)) AS nearer
  FROM (VALUES (5, 5, 0), (25, 50, 25), ((1 << 25) - 15, (1 << 25) - 5, 10), (0, (1 << 25) - 5, 5), (1, (1 << 25) - 5, 6)) t (a, b, distance);
SELECT trace_id_valid(0), trace_id_valid(-1), trace_id_valid((-9223372036854775808)), trace_id_valid(1), trace_id_valid(9223372036854775807), trace_id_valid(NULL);
SELECT trace_id_valid(trace_id(now(), 1, 2, 3), '1 min'), trace_id_valid(trace_id(now() - interval '1 hour', 1, 2, 3), '1 min'),
       trace_id_valid(trace_id(now() - interval '1 hour', 1, 2, 3), '1 mon'), trace_id_valid(trace_id(now() + interval '190 days', 1, 2, 3), '195 days'),
       trace_id_valid(0, '1 min'), trace_id_valid(NULL, '1 min'), trace_id_valid(1, NULL, now());

SELECT trace_id(now(), -1, 0, 1);
SELECT trace_id(now(), 65536, 0, 1);
SELECT trace_id(now(), 0, -1, 1);
SELECT trace_id(now(), 0, 4096, 1);
SELECT trace_id(now(), 0, 0, 0);
SELECT trace_id(now(), 0, 0, 1024);
SELECT trace_id('infinity', 0, 0, 1);
SELECT trace_id('-infinity', 0, 0, 1);
SELECT trace_id_parts(0);
SELECT trace_id_parts(-1);
SELECT trace_id_parts((1::bigint << 63) + 1);
SELECT trace_id_parts(1, 'infinity');
SELECT trace_id_parts(1::bigint << 60, '294276-12-31 23:59:59Z');
SELECT (trace_id_parts(1::bigint << 60, '4714-11-24 00:00:00Z BC')).*;
SELECT trace_id_valid(1, '-1 s');
SELECT trace_id_valid(1, '-1 mon', now());
SELECT trace_id_valid(1, '1 s', 'infinity');

/*
 * The ids of this server
 */
SELECT trace_id_next();
SET hilo.node_no = 12;
-- rising, of that node, and of now
CREATE TEMP TABLE trace AS SELECT n, trace_id_next() AS id FROM generate_series(1, 10000) n;
SELECT count(DISTINCT id), count(*) FILTER (WHERE id <= before) AS descents, bool_and(id > 0) AS above_0
  FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM trace) t;
SELECT DISTINCT p.node_no, trace_id_valid(id, '1 min') AS valid, p.counter BETWEEN 1 AND 1023 AS counter FROM trace, trace_id_parts(id) p;
-- by all sessions together, whatever becomes of the transaction
SELECT trace_id_next() AS last \gset
BEGIN;
SELECT trace_id_next() > :last AS above;
ROLLBACK;
SELECT trace_id_next() - 1 > :last AS above, trace_id_next() AS last \gset
\c -
SET hilo.node_no = 12;
SET hilo.auto_create = off;
SELECT :'above', trace_id_next() > :last AS above;
-- of another node
SET hilo.node_no = 65535;
SELECT (trace_id_parts(trace_id_next())).node_no;
SELECT name, last >= extract(epoch FROM now())::bigint - 1 AS last, owner, is_public FROM hilo_generators() WHERE name ~ 'trace' ORDER BY name;

CREATE ROLE regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT trace_id_next() > 0 AS next;
SET hilo.node_no = 13;
SET hilo.trace_ahead = 0;
SELECT hilo_seed('hilo.trace_id/12', 1, force => true);
SELECT hilo_next_tag('hilo.trace_id/13');
RESET ROLE;
BEGIN READ ONLY;
SELECT trace_id_next();
ROLLBACK;
SET hilo.node_no = 65536;
SET hilo.node_no = -1;
DROP ROLE regress_hilo_user;

SELECT hilo_drop('hilo.trace_id/12'), hilo_drop('hilo.trace_id/65535');
