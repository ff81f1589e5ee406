-- packages, different ids, dependencies, dependencies of no package, and a
-- fingerprint of the rows without their ids
SELECT count(*), count(DISTINCT id),
	(SELECT count(*) FROM dependencies),
	(SELECT count(*) FROM dependencies d
		WHERE NOT EXISTS (SELECT FROM packages WHERE id = d.package_id)),
	sum(hashtextextended(rows, 0)) % 1000000007
FROM (
	SELECT id, concat_ws('|', name, version, architecture, section, priority,
		installed_size, description, (
			SELECT string_agg(concat_ws('|', position, choice, kind, target,
				coalesce(version, '-')), E'\n' ORDER BY position)
			FROM dependencies WHERE package_id = packages.id)) AS rows
	FROM packages) AS package;
