-- what the import left in the database hilo

\echo '\nThe generator (hilo_generators())'
SELECT name, ordering, range_size, last, count AS handed_out, last - count AS skipped
FROM hilo_generators(), (SELECT count(*) FROM packages) AS packages;

\echo '(skipped: held by a session when it ended; gaps are fine, repeats are not)\n'

\echo 'The five packages most depended on (packages joined with dependencies)'
SELECT packages.name, section, count(*) AS dependents, left(description, 45) AS description
FROM packages JOIN dependencies ON target = packages.name
WHERE kind IN ('Depends', 'Pre-Depends')
GROUP BY packages.id
ORDER BY dependents DESC, packages.name
LIMIT 5;
