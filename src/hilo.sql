\echo Use "CREATE EXTENSION hilo" to load this file. \quit

SET LOCAL search_path TO pg_catalog, pg_temp;

-- Fails if somebody has made one: what is in it must be of hilo alone.
CREATE SCHEMA hilo_internal;
