\set ECHO none
-- What the files about hilo_check begin with
SET hilo.prefetch = off;
CREATE SCHEMA ch;
SET search_path = ch, public;
CREATE ROLE regress_hilo_clerk;
CREATE ROLE regress_hilo_other;
GRANT USAGE, CREATE ON SCHEMA ch TO PUBLIC;
\set check 'SELECT rel, col, generator, problem, detail, hint, round(used_ratio::numeric, 2) AS used FROM hilo_check()'
\set ECHO all
