-- The extension in a schema with a name that must be quoted, used with nothing
-- of it in search_path.
BEGIN;
SET LOCAL client_min_messages = warning;
SELECT plan(22);

CREATE SCHEMA "my Schema";
DROP EXTENSION hilo CASCADE;
CREATE EXTENSION hilo SCHEMA "my Schema";
SELECT ok(extnamespace = '"my Schema"'::regnamespace, 'installed there') FROM pg_extension WHERE extname = 'hilo';

-- pgTAP itself is not in pg_catalog: values are taken with that search_path,
-- and looked at with another.
CREATE TEMP TABLE got (what text, value text);
CREATE TEMP TABLE t (id pg_catalog.int8);
SET LOCAL search_path = pg_catalog;
ALTER TABLE pg_temp.t ALTER id SET DEFAULT "my Schema".hilo_next_tag('orders');
INSERT INTO pg_temp.got SELECT 'create', 'ok' FROM "my Schema".hilo_create('Orders', range_size => 10);
INSERT INTO pg_temp.got SELECT 'next', "my Schema".hilo_next_tag('orders');
INSERT INTO pg_temp.got SELECT 'count', string_agg(id::text, ' ') FROM "my Schema".hilo_next_tag('orders', 3) id;
INSERT INTO pg_temp.got SELECT 'id', "my Schema".hilo_next_id('orders');
INSERT INTO pg_temp.t DEFAULT VALUES;
INSERT INTO pg_temp.got SELECT 'default', id FROM pg_temp.t;
INSERT INTO pg_temp.got SELECT 'current', "my Schema".hilo_current('orders');
INSERT INTO pg_temp.got SELECT 'release', "my Schema".hilo_release('orders') > 0;
INSERT INTO pg_temp.got SELECT 'range', low || '-' || high FROM "my Schema".hilo_next_range('orders', 5);
INSERT INTO pg_temp.got SELECT 'return', "my Schema".hilo_return_range('orders', 11, 8);
INSERT INTO pg_temp.got SELECT 'hi', "my Schema".hilo_next_hi('orders', 10);
INSERT INTO pg_temp.got SELECT 'seed', "my Schema".hilo_seed('orders', 100);
INSERT INTO pg_temp.got SELECT 'alter', 'ok' FROM "my Schema".hilo_alter('orders', max_value => 1000);
INSERT INTO pg_temp.got SELECT 'revoke', 'ok' FROM "my Schema".hilo_revoke('orders', 'public');
INSERT INTO pg_temp.got SELECT 'grant', 'ok' FROM "my Schema".hilo_grant('orders', 'public');
INSERT INTO pg_temp.got SELECT 'first use', "my Schema".hilo_next_tag('invoices');
INSERT INTO pg_temp.got SELECT 'generators', string_agg(name || ' ' || last, ', ' ORDER BY name) FROM "my Schema".hilo_generators();
INSERT INTO pg_temp.got SELECT 'session', count(*) FROM "my Schema".hilo_session() WHERE name IN ('Orders', 'invoices');
INSERT INTO pg_temp.got SELECT 'stats', ranges > 0 FROM "my Schema".hilo_stats() WHERE name = 'Orders';
INSERT INTO pg_temp.got SELECT 'reset', 'ok' FROM "my Schema".hilo_stats_reset();
DO $$
BEGIN
	UPDATE hilo_internal.hilo_hi SET reserved = 0;
	INSERT INTO pg_temp.got VALUES ('guard', 'let it pass');
EXCEPTION WHEN wrong_object_type THEN
	INSERT INTO pg_temp.got VALUES ('guard', 'refused');
END $$;
INSERT INTO pg_temp.got SELECT 'drop', 'ok' FROM "my Schema".hilo_drop('invoices');
RESET search_path;

SELECT is(value, expected, what)
  FROM got JOIN (VALUES ('create', 'ok'), ('next', '1'), ('count', '2 3 4'), ('id', 'Orders/5-A'), ('default', '6'),
	('current', '6'), ('release', 'true'), ('range', '7-11'), ('return', 'true'), ('hi', '1'), ('seed', '100'),
	('alter', 'ok'), ('revoke', 'ok'), ('grant', 'ok'), ('first use', '1'), ('generators', 'Orders 100, invoices 32'),
	('session', '2'), ('stats', 'true'), ('reset', 'ok'), ('guard', 'refused'), ('drop', 'ok')) e (what, expected) USING (what);

SELECT * FROM finish();
ROLLBACK;
