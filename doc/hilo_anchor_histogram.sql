-- How the rows of a table spread over its buckets.
--
--   psql -v rel=orders -v col=id [-v step=32768] -f hilo_anchor_histogram.sql
--
-- Each line is a range of buckets: its first one, its rows, and a bar by the rows
-- for each bucket of it.  "!" marks a range with a bucket that is oversized.

\set ON_ERROR_STOP on
\if :{?step}
\else
\set step 32768
\endif
\if :{?rel}
\else
\echo 'hilo_anchor_histogram: which table? psql -v rel=TABLE -v col=COLUMN -f hilo_anchor_histogram.sql'
\quit
\endif
\if :{?col}
\else
\set col id
\endif

SELECT extnamespace::pg_catalog.regnamespace AS hilo_schema
  FROM pg_catalog.pg_extension WHERE extname OPERATOR(pg_catalog.=) 'hilo' \gset
SELECT pg_catalog.current_setting('search_path') AS hilo_search_path, :'rel'::pg_catalog.regclass::pg_catalog.oid AS hilo_rel \gset
\set hilo_quiet :QUIET
\set QUIET on
SET search_path = pg_catalog;

\echo '    bucket       rows'
WITH report AS (
	SELECT *, rows / (upper(buckets) - lower(buckets))::float8 AS density
	  FROM :hilo_schema.anchor_report(:hilo_rel::regclass, :'col', :step)
)
SELECT concat(format('%10s %10s %s', lower(buckets), rows, repeat('#', round(60 * density / nullif(max(density) OVER (), 0))::int)),
			  CASE WHEN oversized THEN format(' ! %s rows with %s', largest_rows, largest_anchor) END)
  FROM report
 ORDER BY buckets
\g (format=unaligned tuples_only=on)

SET search_path = :hilo_search_path;
\set QUIET :hilo_quiet
