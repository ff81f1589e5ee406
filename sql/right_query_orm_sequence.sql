/*
 * Ranges of an ORM's sequence: with the rights of the generator's owner
 */
SET hilo.prefetch = on;
CREATE ROLE regress_hilo_user;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_user;
CREATE SEQUENCE tenfold INCREMENT 10;
-- with the rights of the owner, whichever role takes an id or changes the generator
SELECT hilo_adopt_sequence_tag('theirs', 'tenfold', 'efcore'), hilo_grant('theirs', 'public');
SET ROLE regress_hilo_user;
SELECT hilo_next_tag('theirs');
SELECT hilo_seed('theirs', 100);
SELECT hilo_adopt_sequence_tag('theirs', 'tenfold', 'efcore');
SELECT name, source FROM hilo_sources() WHERE name = 'theirs';
SELECT * FROM hilo_internal.hilo_source;
RESET ROLE;
SELECT hilo_revoke('theirs', 'public');
SET ROLE regress_hilo_user;
SELECT hilo_next_tag('theirs');
SELECT count(*) FROM hilo_sources() WHERE name = 'theirs';
RESET ROLE;

-- nothing of it needs search_path
SET search_path = '';
SELECT low FROM public.hilo_next_range('theirs');
SELECT public.hilo_seed('theirs', 1000);
SELECT source FROM public.hilo_sources() WHERE name = 'theirs';
RESET search_path;

-- nor what hilo has itself, whatever the generator's owner can see
CREATE SEQUENCE seen INCREMENT 10;
GRANT USAGE ON SEQUENCE seen TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT hilo_adopt_sequence_tag('seen', 'seen', 'hibernate-pooled-lo', 10);
RESET ROLE;
SELECT hilo_adopt_sequence_tag('seen', 'seen', 'hibernate-pooled-lo', 10);
SELECT hilo_alter('seen', owner => 'regress_hilo_user');
SET ROLE regress_hilo_user;
SELECT low, high FROM hilo_next_range('seen');
RESET ROLE;
SELECT hilo_adopt_sequence_tag('seen', 'seen', 'hibernate-pooled-lo', 10);
SELECT hilo_adopt_sequence_tag('seen', 'seen', 'eclipselink', 10);
GRANT UPDATE ON SEQUENCE seen TO regress_hilo_user;
SELECT hilo_adopt_sequence_tag('seen', 'seen', 'eclipselink', 10);
SELECT v - 9 AS low, v AS high FROM nextval('seen') v;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE ordering = 'adopted';
DROP SEQUENCE tenfold, seen;
DROP OWNED BY regress_hilo_user;
DROP ROLE regress_hilo_user;
