/*
 * Who has taken an id: hilo_whois
 */
SET hilo.prefetch = off;
SET hilo.node_tag = 'B';
SET application_name = 'teller';
-- what an answer says, but for the time and the backend
CREATE FUNCTION answer(generator text, id bigint) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', status, low || '-' || high,
		CASE role WHEN session_user THEN 'me' ELSE role END, application, node_tag,
		CASE WHEN backend = pg_backend_pid() THEN 'here' WHEN backend IS NOT NULL THEN 'elsewhere' END,
		CASE WHEN taken_at <= clock_timestamp() THEN 'then' END)
	  FROM hilo_whois(generator, id)
$$;
CREATE ROLE regress_whois_user;
CREATE ROLE regress_whois_other;
CREATE ROLE regress_whois_monitor IN ROLE pg_monitor;
SELECT hilo_create('whois'), hilo_grant('whois', 'public');

-- Off, it knows nothing.
SHOW hilo.ledger;
SELECT hilo_next('whois');
SELECT * FROM hilo_whois('whois', 1);
SELECT answer('whois', 32), answer('whois', 33), answer('whois', 0), answer('whois', -1);
SELECT hilo_release('whois');

-- On, a row for each range.
SET hilo.ledger = on;
SELECT hilo_next('whois');
SELECT answer('Whois', 1), answer('whois', 2), answer('whois', 33), answer('whois', 34);
SELECT pg_typeof(w.status), w.backend = pg_backend_pid() AS backend, w.taken_at BETWEEN now() - interval '1 min' AND clock_timestamp() AS time
  FROM hilo_whois('whois', 2) w;
SELECT count(*) FROM hilo_internal.hilo_ledger;
-- the row costs no xid
BEGIN;
SELECT count(*) FROM hilo_next('whois', 40);
SELECT pg_current_xact_id_if_assigned() IS NULL AS no_xid;
ROLLBACK;
SELECT answer('whois', 40);
SELECT count(*) FROM hilo_internal.hilo_ledger;
-- whose rights count took it
BEGIN;
SET LOCAL ROLE regress_whois_user;
SET LOCAL application_name = 'clerk';
SAVEPOINT s;
SELECT low, high FROM hilo_next_range('whois', 10) \gset
ROLLBACK TO s;
SELECT hilo_next_hi('whois', 100) AS hi \gset
ROLLBACK;
SELECT answer('whois', :low), answer('whois', :high) = answer('whois', :low) AS the_same;
SELECT answer('whois', :hi * 100) = replace(answer('whois', :low), :low || '-' || :high, :hi * 100 || '-' || :hi * 100 + 99) AS block;
-- under any isolation level, and no conflict
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT count(*) FROM hilo_next('whois', 100);
SELECT left(answer('whois', hilo_current('whois')), 5);
COMMIT;

-- What is given back is nobody's until it is taken again.
SELECT hilo_release('whois') > 0 AS returned, hilo_current('whois') AS current \gset
SELECT answer('whois', :current + 1);
SET application_name = 'second';
SELECT hilo_next('whois') = :current + 1 AS again;
SELECT answer('whois', :current + 1) LIKE 'taken % second %' AS second, answer('whois', :current) LIKE 'taken % teller %' AS first;

-- After a forced seed, who took it last.
SELECT hilo_create('whois_seeded', range_size => 10, max_range_size => 10);
SELECT hilo_seed('whois_seeded', 14);
SELECT hilo_next('whois_seeded');
SELECT hilo_seed('whois_seeded', 9, force => true);
SELECT hilo_next('whois_seeded'), hilo_seed('whois_seeded', 30);
SELECT answer('whois_seeded', 16), answer('whois_seeded', 22);

-- Below the first id none was taken, as long as it is known that none was.
SELECT hilo_create('whois_first', first => 1000, range_size => 10, max_range_size => 10);
SELECT answer('whois_first', 0), answer('whois_first', 5), answer('whois_first', 999), answer('whois_first', 1000);
SET hilo.ledger = off;
SELECT hilo_next('whois_first');
SELECT answer('whois_first', 999), answer('whois_first', 1000);
SELECT hilo_alter('whois_first', first => 1005);
SELECT answer('whois_first', 0), answer('whois_first', 999), answer('whois_first', 1000);
SET hilo.ledger = on;

-- Spare ranges.
SELECT hilo_create('whois_spare', range_size => 10, max_range_size => 10, recycle => true);
SELECT hilo_next('whois_spare');
SELECT low, high FROM hilo_next_range('whois_spare', 5);
SELECT hilo_release('whois_spare');
SET application_name = 'third';
SELECT hilo_next('whois_spare');
SELECT answer('whois_spare', 1), answer('whois_spare', 2), answer('whois_spare', 15), answer('whois_spare', 16);

-- A generator made anew knows nothing of the one before.
SELECT hilo_drop('whois_spare'), hilo_create('whois_spare'), hilo_seed('whois_spare', 100);
SELECT answer('whois_spare', 1);

-- A window is whose who opened it; reserved ahead is taken, too.
SELECT hilo_create('whois_global', 'global', range_size => 20, max_range_size => 20);
SELECT hilo_next('whois_global');
SELECT answer('whois_global', 1), answer('whois_global', 10), answer('whois_global', 11);
SELECT identity_next('whois_identity');
SELECT answer('whois_identity|', 1);
SET hilo.prefetch = on;
SELECT count(*) FROM hilo_next('whois_seeded', 6);
SELECT answer('whois_seeded', 41);
SET hilo.prefetch = off;

-- Scattered ids by the number they stand for; gapless ones are unknown.
SELECT hilo_create('whois_scattered', 'scattered', domain_bits => 40, max_value => 1099511627775);
SELECT hilo_next('whois_scattered') AS id \gset
SELECT answer('whois_scattered', :id), answer('whois_scattered', id_scatter(33, 40)), answer('whois_scattered', 1::bigint << 41);
SELECT hilo_create('whois_gapless', 'gapless');
SELECT hilo_next('whois_gapless');
SELECT answer('whois_gapless', 1), answer('whois_gapless', 2);

-- Ids of an ORM: what it took by itself is unknown.
CREATE SEQUENCE whois_seq INCREMENT 10;
SELECT hilo_adopt_sequence('whois_adopted', 'whois_seq', 'efcore');
SELECT nextval('whois_seq');
SELECT hilo_next('whois_adopted');
SELECT nextval('whois_seq');
SELECT answer('whois_adopted', 1), answer('whois_adopted', 11), answer('whois_adopted', 21);

-- Taken while it was off.
SET hilo.ledger = off;
SELECT count(*) FROM hilo_next('whois_scattered', 33);
SELECT answer('whois_scattered', id_scatter(33, 40));
SET hilo.ledger = on;

-- Who may know what.
SELECT hilo_create('whois_granted'), hilo_grant('whois_granted', 'regress_whois_user'), hilo_next('whois_granted');
SET ROLE regress_whois_user;
SELECT answer('whois_granted', 1), answer('whois', :low);
SET hilo.ledger = off;
SET hilo.ledger_keep = 1;
SELECT count(*) FROM hilo_internal.hilo_ledger;
SELECT hilo_ledger_prune();
SET ROLE regress_whois_other;
SELECT answer('whois_granted', 1);
SELECT answer('whois', :low), answer('whois_no', 1);
SELECT answer('whois', :low);
SET ROLE regress_whois_monitor;
SELECT answer('whois_granted', 1), answer('whois', :low);
RESET ROLE;
SELECT hilo_alter('whois', owner => 'regress_whois_other');
SET ROLE regress_whois_other;
SELECT answer('whois', :low);
RESET ROLE;

-- A role that got the name of another is not that one.
ALTER ROLE regress_whois_user RENAME TO regress_whois_before;
CREATE ROLE regress_whois_user;
SELECT hilo_grant('whois', 'regress_whois_user'), hilo_grant('whois', 'regress_whois_before');
SET ROLE regress_whois_user;
SELECT answer('whois', :low);
SET ROLE regress_whois_before;
SELECT answer('whois', :low);
RESET ROLE;
SELECT hilo_revoke('whois', 'regress_whois_user'), hilo_revoke('whois', 'regress_whois_before');

-- Nothing is unknown of a generator that there is not.
SELECT hilo_whois('whois_none', 1);
SELECT hilo_whois(NULL, 1);
SELECT hilo_whois('whois', NULL);

SET hilo.ledger = off;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'whois%' ORDER BY name;
DROP SEQUENCE whois_seq;
DROP FUNCTION answer;
DROP ROLE regress_whois_user, regress_whois_before, regress_whois_other, regress_whois_monitor;
