/*
 * RavenDB's identities
 */
-- the vectors of its own tests
SELECT identity_next_id('users|');
SELECT identity_next('users');
SELECT identity_next_id('users|');
SELECT name, last FROM hilo_generators() WHERE name LIKE '%_|';
SELECT identity_seed('users', 1990);
SELECT identity_next_id('users|');
SELECT identity_seed('users', 1975);
SELECT identity_seed('users', 1975, true);
SELECT identity_next('person|');

-- "users" and "users|" are one, in any case; hilo_next_tag('users') is another stream
SELECT identity_next('Users'), identity_next('USERS|'), identity_current('uSers'), identity_current('users|');
SELECT hilo_next_tag('users'), hilo_next_tag('users|'), identity_next('users');
SELECT name, ordering, last FROM hilo_generators() WHERE name ILIKE 'users%';
SELECT identity_next_id('Users|'), identity_next_id('USERS');
SELECT name, last FROM hilo_generators() WHERE name LIKE '%_|';
SELECT identity_next('users||'), identity_current('users||');
SET hilo.identity_parts_separator = '-';
SELECT identity_next_id('users|');
RESET hilo.identity_parts_separator;
SELECT identity_next_id('Übër|'), identity_next('ÜBËR');

-- in bulk
SELECT * FROM identity_next('users', 10);
SELECT identity_next('users');
SELECT identity_next('users'), identity_next('person'), identity_next('users|'), identity_next('Users'), identity_next('fresh');
SELECT name, last FROM hilo_generators() WHERE name LIKE '%_|';

-- the last value, without a trace of the question
SELECT identity_current('none'), identity_seed('none', NULL);
SELECT count(*) FROM hilo_generators() WHERE name = 'none|';
SELECT hilo_create('none|', first => 100), identity_current('none'), identity_seed('none', NULL);
SELECT identity_next('none'), identity_current('none');
BEGIN READ ONLY;
SELECT identity_current('none'), (SELECT count(*) FROM hilo_generators() WHERE name LIKE '%_|');
ROLLBACK;
-- a range for a client is no value of the identity
SELECT low FROM hilo_next_range('none|', 5);
SELECT identity_current('none'), identity_next('none'), identity_current('none');
SELECT identity_current('none'), identity_next('none', 1000) IS NULL, identity_current('none');
SELECT low FROM hilo_next_range('none|', 5, last_max => 2000);
SELECT identity_current('none'), identity_next('none');
-- after a seed, and in the middle of one that is rolled back
SELECT identity_seed('none', 9000), identity_current('none');
BEGIN;
SELECT identity_seed('none', 9100), identity_current('none');
ROLLBACK;
SELECT identity_current('none'), identity_next('none');
SELECT hilo_drop('none|'), identity_current('none');

-- without gaps
SELECT hilo_create('invoices|', ordering => 'gapless');
SELECT identity_next('invoices'), identity_next_id('Invoices|'), identity_next('invoices', 3), identity_next('invoices');
SELECT identity_current('invoices');
BEGIN;
SELECT identity_next('invoices'), identity_current('invoices');
ROLLBACK;
SELECT identity_current('invoices'), identity_next('invoices');
BEGIN;
SELECT identity_seed('invoices', 100);
ROLLBACK;
SELECT identity_seed('invoices', 50), identity_seed('invoices', 20), identity_next('invoices'), identity_seed('invoices', 20, true), identity_next('invoices');
SELECT name, last FROM hilo_generators() WHERE name = 'invoices|';
-- one ordering after the other, rolled back or not
BEGIN;
SELECT hilo_alter('invoices|', 'global');
SELECT identity_next('invoices'), identity_current('invoices');
ROLLBACK;
SELECT identity_current('invoices'), identity_next('invoices');
SELECT hilo_alter('invoices|', 'global');
SELECT identity_current('invoices') >= 22 AS is_kept, identity_next('invoices') > 22 AS is_above;
SELECT hilo_drop('invoices|'), hilo_create('invoices|', 'session');
SELECT ordering FROM hilo_generators() WHERE name = 'invoices|';
SELECT hilo_alter('invoices|', 'session');
SELECT hilo_create('another|', 'scattered');
SELECT hilo_drop('invoices|');

-- what cannot be: nothing is taken, and nothing made
SELECT identity_next(NULL);
SELECT identity_next('');
SELECT identity_next('|');
SELECT identity_next_id(NULL);
SELECT identity_next_id('|');
SELECT identity_next(E'a\nb');
SELECT identity_current(NULL);
SELECT identity_current('');
SELECT identity_seed(NULL, 1);
SELECT identity_seed('users', -5, true);
SELECT identity_next('users', 0);
SELECT identity_next('users', NULL);
SELECT identity_next('users', 1048577);
SELECT identity_next(repeat('x', 512));
SELECT identity_next_id(repeat('x', 511));
SELECT count(*) FROM hilo_generators() WHERE name LIKE 'xxx%';
SELECT hilo_create(repeat('x', 510) || '|');
SELECT length(identity_next_id(repeat('x', 510)));
SELECT identity_seed(repeat('x', 510), 9);
SELECT identity_next_id(repeat('x', 510));
BEGIN READ ONLY;
SELECT identity_next('users');
ROLLBACK;
BEGIN READ ONLY;
SELECT identity_next_id('users|');
ROLLBACK;
BEGIN READ ONLY;
SELECT identity_seed('users', 1);
ROLLBACK;
SET hilo.auto_create = off;
SELECT identity_next('unknown');
SELECT identity_current('unknown');
SELECT identity_seed('unknown', 5);
RESET hilo.auto_create;
SELECT identity_current('users'), count(*) FROM hilo_generators() WHERE name LIKE 'unknown%';
-- a value that cannot be had leaves those that were taken before it as gaps
SELECT hilo_create('ended|', max_value => 1);
SELECT identity_next('ended'), identity_next('begun'), identity_next('ended');
SELECT identity_current('begun'), identity_current('ended');

-- as defaults, with other names at each call, and in PL/pgSQL
CREATE TABLE ident (id text DEFAULT identity_next_id('rows|'), n bigint DEFAULT identity_next('rows'));
INSERT INTO ident DEFAULT VALUES RETURNING *;
INSERT INTO ident SELECT FROM generate_series(1, 2);
SELECT * FROM ident ORDER BY n;
DROP TABLE ident;
SELECT name, identity_next(name) FROM unnest('{rows,person,rows,rows|,person}'::text[]) name;
DO $$
DECLARE name text;
BEGIN
	FOREACH name IN ARRAY '{rows,person,rows}'::text[] LOOP
		RAISE NOTICE '% %', name, identity_next(name);
	END LOOP;
END $$;
PREPARE next_value(text) AS SELECT identity_next($1);
EXECUTE next_value('rows');
EXECUTE next_value('person');
DEALLOCATE next_value;

-- rights
CREATE ROLE regress_hilo_identity;
SELECT hilo_grant('users|', 'regress_hilo_identity'), hilo_revoke('person|', 'public');
PREPARE next_value AS SELECT identity_next('person');
EXECUTE next_value;
SET ROLE regress_hilo_identity;
EXECUTE next_value;
SELECT identity_next('users') > 0, identity_current('users') > 0;
SELECT identity_next('person');
SELECT identity_next('person', 2);
SELECT identity_next_id('person|');
SELECT identity_current('person');
SELECT identity_seed('person', 1000);
SELECT identity_seed('users', 100000);
SELECT name FROM hilo_generators() WHERE name IN ('users|', 'person|');
RESET ROLE;

-- what is refused leaves no trace: a seed holds, and what a client gives back is there to be had
SELECT hilo_create('refused|', max_value => 2000), hilo_create('room|', max_value => 2000);
SELECT low, high, range_no FROM hilo_next_range('refused|', 1000) \gset
SELECT identity_next('refused', 1500);
SELECT identity_seed('refused', 900);
SELECT hilo_return_range('refused|', :high, :low - 1, :range_no);
SELECT identity_next('refused') > 900 AS above;
SELECT low, high, range_no FROM hilo_next_range('room|', 1000) \gset
SELECT identity_next('room', 1500);
SELECT hilo_return_range('room|', :high, :low - 1, :range_no);
SELECT identity_next('room', 1500);

SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE '%_|';
DROP ROLE regress_hilo_identity;
SELECT hilo_drop('users');
