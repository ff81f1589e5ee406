/*
 * Names and options of generators, and the first use of a name
 */

-- A first use creates the generator and says so, once.
SELECT hilo_next_tag('Definition');
SELECT hilo_next_tag('Definition');
-- Case does not matter, and the name stays as it was first written.
SELECT hilo_next_tag('DEFINITION'), hilo_next_tag('definition');
SELECT name, ordering, is_public, first, max_value, range_size, max_range_size,
       domain_bits
  FROM hilo_generators() WHERE name ILIKE 'definition';
SELECT hilo_create('dEFINITION');
SELECT hilo_drop('dEFINITION');
SELECT hilo_create('dEFINITION');
SELECT hilo_next_id('Definition');
SELECT hilo_drop('Definition');

-- What folds and what does not, as RavenDB's ids.
SELECT hilo_create(U&'fold \00DCBER/Stra\00DFe');
SELECT hilo_create(U&'fold \00FCber/STRA\00DFE');
SELECT hilo_next_tag(U&'FOLD \00FCBER/stra\00DFe');
SELECT hilo_create('fold strasse'), hilo_create(U&'fold stra\00DFe');
SELECT hilo_create('fold title'), hilo_create(U&'fold t\0131tle'), hilo_create(U&'fold T\0130TLE');
SELECT hilo_create(U&'fold \+010400');
SELECT hilo_create(U&'fold \+010428');
SELECT count(*) FROM hilo_generators() WHERE name LIKE 'fold %';
SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'fold %';

-- Any characters but control characters, and they stay what they are.
CREATE TEMP TABLE odd_name (n int, name text);
INSERT INTO odd_name VALUES
  (1, ' '), (2, ' x'), (3, 'x '), (4, 'it''s'), (5, '"quoted"'), (6, 'back\slash'),
  (7, '%s%n'), (8, 'users|'), (9, 'a/b-c$d'), (10, ';--'), (11, '$$'), (12, U&'\1F600'),
  (13, U&'\2028'), (14, 'null');
SELECT hilo_create(name) FROM odd_name;
SELECT n, hilo_next_tag(name), name LIKE '%|' OR hilo_next_id(name) = name || '/2-A' AS id,
       (SELECT count(*) FROM hilo_generators() g WHERE g.name = o.name) AS known
  FROM odd_name o ORDER BY n;
SELECT hilo_drop(name) FROM odd_name;

SELECT hilo_next_tag(NULL);
SELECT hilo_next_tag('');
SELECT hilo_create(E'two\nlines');
SELECT hilo_create(E'\x01');
SELECT hilo_create(E'x\x1f');
SELECT hilo_create(E'delete\x7f');
-- 512 bytes, not characters
SELECT hilo_create(repeat('x', 512));
SELECT hilo_next_tag(repeat('X', 512));
SELECT hilo_next_tag(repeat('x', 513));
SELECT hilo_create(repeat(U&'\00E9', 256)), hilo_drop(repeat(U&'\00C9', 256));
SELECT hilo_create(repeat(U&'\00E9', 257));
-- of the name and of its lower case, which may be longer or shorter
SELECT hilo_create(repeat(U&'\023A', 171));
SELECT hilo_create(repeat(U&'\023A', 170)), hilo_drop(repeat(U&'\023A', 170));
SELECT hilo_create(repeat(U&'\212A', 171));
SELECT hilo_drop(repeat('x', 512));

-- auto_create
SET hilo.auto_create = off;
SELECT hilo_next_tag('definition_none');
SELECT * FROM hilo_next_tag('definition_none', 0);
SELECT hilo_next_id('definition_none');
SELECT hilo_next_range('definition_none');
SELECT hilo_next_hi('definition_none', 10);
SELECT hilo_seed('definition_none', 10);
SELECT hilo_return_range('definition_none', 10, 5);
SELECT hilo_seed('definition_none', NULL);
SELECT hilo_current('definition_none');
SELECT hilo_release('definition_none');
SELECT count(*) FROM hilo_generators() WHERE name LIKE 'definition%';
SELECT hilo_create('definition_made');
SELECT hilo_next_tag('definition_made');
-- nor one of a reserved name, for a superuser; those of hilo's own come all the same
SELECT hilo_next_tag('hilo.typo');
SELECT hilo_seed('hilo.typo', 5);
SET hilo.launch_id = 99998;
SELECT decimal_id_next() > 0 AS made;
RESET hilo.launch_id;
SELECT name, owner FROM hilo_generators() WHERE name ~ '^hilo\.(typo|decimal_id/99998)';
SELECT hilo_drop('hilo.decimal_id/99998');
RESET hilo.auto_create;
-- what creates nothing
SELECT hilo_current('definition_none');
SELECT hilo_release('definition_none');
SELECT hilo_return_range('definition_none', 10, 5);
SELECT hilo_seed('definition_none', NULL);
SELECT hilo_alter('definition_none', range_size => 5);
SELECT hilo_drop('definition_none');
SELECT hilo_drop('definition_none', if_exists => true);
SELECT hilo_grant('definition_none', 'public');
SELECT hilo_revoke('definition_none', 'public');
SELECT name FROM hilo_generators() WHERE name LIKE 'definition%';
SELECT hilo_drop('definition_made');

-- options
SELECT hilo_create('definition', NULL);
SELECT hilo_create('definition', first => NULL);
SELECT hilo_create('definition', domain_bits => NULL);
SELECT hilo_create(NULL, NULL);
SELECT hilo_create('definition', 'Session');
SELECT hilo_create('definition', '');
SELECT hilo_create('definition', first => 0);
SELECT hilo_create('definition', first => -9223372036854775808);
SELECT hilo_create('definition', first => 11, max_value => 10);
SELECT hilo_create('definition', max_value => 0);
SELECT hilo_create('definition', range_size => 0);
SELECT hilo_create('definition', range_size => -32);
SELECT hilo_create('definition', range_size => 33, max_range_size => 32);
SELECT hilo_create('definition', max_range_size => 0);
SELECT hilo_create('definition', domain_bits => 1);
SELECT hilo_create('definition', domain_bits => 64);
SELECT hilo_create('definition', domain_bits => 62);
SELECT hilo_create('definition', 'global', domain_bits => 62);
SELECT hilo_create('definition|', 'scattered');
SELECT count(*) FROM hilo_generators() WHERE name LIKE 'definition%';
-- at their limits
SELECT hilo_create('definition', 'session', 9223372036854775807, 9223372036854775807,
                   9223372036854775807, 9223372036854775807, 63);
SELECT name, first, last, max_value, range_size, max_range_size, domain_bits, used_ratio
  FROM hilo_generators() WHERE name = 'definition';
SELECT hilo_next_tag('definition');
SELECT hilo_next_tag('definition');
SELECT hilo_drop('definition');
SELECT hilo_create('definition', first => 1, max_value => 1, range_size => 1, max_range_size => 1);
SELECT hilo_next_tag('definition');
SELECT hilo_next_tag('definition');
SELECT hilo_drop('definition');
