\echo Use "CREATE EXTENSION hilo" to load this file. \quit
