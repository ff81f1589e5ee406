\echo Use "CREATE EXTENSION hilo" to load this file. \quit

SET LOCAL search_path TO pg_catalog, pg_temp;

-- Fails if the schema exists: all that is in it must be hilo's.
CREATE SCHEMA hilo_internal;
