/*
 * Settings of a session that has not loaded the library yet: a value is checked when it
 * is, and the server's counts if it is refused
 */
SET hilo.node_tag = 'not one';
SET hilo.prefetch = maybe;
SET hilo.identity_parts_separator = '--';
SELECT hilo_next_id('settings') ~ '^settings/[0-9]+-A$' AS is_id;
SHOW hilo.prefetch;
SELECT hilo_drop('settings');
