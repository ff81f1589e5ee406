\echo Use "CREATE EXTENSION hilo" to load this file. \quit

SET LOCAL search_path TO pg_catalog, pg_temp;
SET LOCAL default_table_access_method TO heap;

-- Fails if the schema exists: all that is in it must be hilo's.
CREATE SCHEMA hilo_internal;
