-- What hilo_resync and hilo_resync_all find, and what they raise.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/attach_setup.sql'
\i :setup

CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE TABLE shares (id int);
CREATE TABLE undone (id bigint);
SELECT hilo_attach('undone', 'id', 'shared');
SELECT hilo_create('narrow', max_value => 10);

-- a column of nulls with an index that still has ids; and a default that no row holds
CREATE TABLE searched (id int DEFAULT hilo_next_tag('searched'), other int);
INSERT INTO searched SELECT i, -i FROM generate_series(1, 1000) i;
CREATE INDEX ON searched (id);
UPDATE searched SET id = NULL;
SELECT hilo_resync('searched', 'id');
ALTER TABLE searched ADD late bigint DEFAULT 5000;
ALTER TABLE searched ALTER late SET DEFAULT hilo_next_tag('searched');
SELECT hilo_resync('searched', 'late');
INSERT INTO searched (late) VALUES (-9223372036854775808), (9223372036854775807);
SELECT hilo_resync('searched', 'late');
-- under any isolation level, and of the transaction itself
BEGIN ISOLATION LEVEL SERIALIZABLE;
UPDATE searched SET late = 6000;
DELETE FROM searched WHERE other < -10;
SELECT hilo_seed('searched', 0, force => true), hilo_resync('searched', 'late');
ROLLBACK;
DROP TABLE searched;
SELECT hilo_drop('searched');

-- resync: what the table holds, and not below what is reserved
SELECT hilo_attach('shares', 'id', '##shares');
INSERT INTO shares VALUES (5000);
SELECT hilo_resync('shares', 'id');
SELECT hilo_resync('shares', 'id');
INSERT INTO shares DEFAULT VALUES RETURNING id;
DELETE FROM shares WHERE id = 5000;
SELECT hilo_resync('shares', 'id') >= 5000 AS kept;
-- one that stayed behind is made anew
CREATE TABLE left_behind (id int DEFAULT hilo_next_tag('left behind'), no text DEFAULT hilo_next_id('left behind'));
INSERT INTO left_behind VALUES (300, 'left behind/300-A');
SELECT hilo_resync('left_behind', 'id');
SELECT * FROM state_of('left_behind', 'id');
INSERT INTO left_behind DEFAULT VALUES RETURNING *;
SELECT hilo_resync('left_behind', 'no');
SELECT hilo_attach('left_behind', 'no');
-- but not one that a restore has brought without its definition, which may have had another source
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, r)).* FROM hilo_internal.hilo_hi h,
	unnest('{"{\"name\": \"restored\", \"reserved\": 5000}","{\"name\": \"restored too\", \"reserved\": 6000}"}'::jsonb[]) r WHERE h.name = 'shares';
CREATE TABLE restored (id bigint DEFAULT hilo_next_tag('restored'), too int DEFAULT hilo_next_tag('restored too'));
INSERT INTO restored VALUES (10, 20);
SELECT hilo_resync('restored', 'id');
SELECT hilo_create('restored'), hilo_create('restored too');
SELECT * FROM hilo_resync_all() WHERE rel = 'restored'::regclass;
INSERT INTO restored DEFAULT VALUES RETURNING *;
DROP TABLE restored;
-- all of them; what cannot be raised is named
CREATE TABLE named_by_setting (id bigint DEFAULT hilo_next_tag(current_setting('my.name')));
SELECT (SELECT hilo_generator_of('named_by_setting', 'id')) IS NULL AS none;
SELECT hilo_resync('named_by_setting', 'id');
SELECT hilo_detach('named_by_setting', 'id');
CREATE TABLE above_max (id bigint DEFAULT hilo_next_tag('narrow'));
INSERT INTO above_max VALUES (12);
SELECT hilo_resync('above_max', 'id');
INSERT INTO left_behind VALUES (900, NULL);
INSERT INTO undone VALUES (100000);
CREATE VIEW has_default AS SELECT * FROM shares;
ALTER VIEW has_default ALTER id SET DEFAULT hilo_next_tag('shares');
CREATE FOREIGN TABLE elsewhere (id bigint DEFAULT hilo_next_tag('shares')) SERVER nowhere;
SELECT * FROM hilo_resync_all();
SET ROLE regress_hilo_other;
SELECT * FROM hilo_resync_all();
RESET ROLE;
-- one that is missing is made for the owner of the table
CREATE TABLE hers (id int DEFAULT hilo_next_tag('hers'));
INSERT INTO hers VALUES (7);
ALTER TABLE hers OWNER TO regress_hilo_other;
SET client_min_messages = error;
SELECT * FROM hilo_resync_all() WHERE rel = 'hers'::regclass;
RESET client_min_messages;
SELECT owner, is_public, last, max_value, max_range_size FROM hilo_generators() WHERE name = 'hers';
DROP TABLE hers;
-- what a role's table holds raises no generator that the role could not
SELECT hilo_create('not_others');
CREATE TABLE others (id bigint DEFAULT hilo_next_tag('not_others'));
ALTER TABLE others OWNER TO regress_hilo_other;
SET client_min_messages = error;
SELECT * FROM hilo_resync_all() WHERE rel = 'others'::regclass;
INSERT INTO others VALUES (5000000000000000000);
SELECT * FROM hilo_resync_all() WHERE rel = 'others'::regclass;
SELECT hilo_resync('others', 'id');
SELECT hilo_attach('others', 'id', 'not_others');
SELECT last FROM hilo_generators() WHERE name = 'not_others';
-- nor does it limit one, or have others use it
CREATE TABLE narrow_others (id serial, wide bigserial);
GRANT USAGE ON SEQUENCE narrow_others_id_seq, narrow_others_wide_seq TO PUBLIC;
ALTER TABLE narrow_others ALTER id SET DEFAULT hilo_next_tag('not_others'), ALTER wide SET DEFAULT hilo_next_tag('not_others'), OWNER TO regress_hilo_other;
SELECT hilo_attach('narrow_others', 'id');
SELECT hilo_attach('narrow_others', 'wide');
SELECT max_value, is_public, grants FROM hilo_generators() WHERE name = 'not_others';
DROP TABLE narrow_others;
SELECT hilo_alter('not_others', owner => 'regress_hilo_other');
SELECT * FROM hilo_resync_all() WHERE rel = 'others'::regclass;
-- ids that are reserved already are passed if only they are in the way
SELECT hilo_create('only_used'), hilo_grant('only_used', 'regress_hilo_other');
CREATE TABLE only_uses (id bigint DEFAULT hilo_next_tag('only_used'));
ALTER TABLE only_uses OWNER TO regress_hilo_other;
INSERT INTO only_uses DEFAULT VALUES RETURNING id;
INSERT INTO only_uses VALUES (2);
SELECT hilo_resync('only_uses', 'id');
INSERT INTO only_uses DEFAULT VALUES RETURNING id;
DROP TABLE only_uses;
SELECT hilo_drop('only_used');

SET client_min_messages = warning;
DROP FOREIGN DATA WRAPPER nowhere CASCADE;

\set teardown :srcdir '/sql/include/attach_teardown.sql'
\i :teardown
