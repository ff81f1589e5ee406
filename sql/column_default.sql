-- Columns with a generator as default.
SET client_min_messages = warning;

CREATE TABLE attach_orders (id bigint PRIMARY KEY DEFAULT hilo_next_tag('Attach'), note text);
CREATE TABLE attach_lines (id varchar(20) DEFAULT hilo_next_id('attach'::varchar), note text);
INSERT INTO attach_orders (note) VALUES ('a'), ('b') RETURNING id;
SELECT hilo_generator_of('attach_orders', 'id'), hilo_generator_of('attach_lines', 'id');

-- a function of the same name elsewhere is not ours
CREATE SCHEMA attach_elsewhere;
CREATE FUNCTION attach_elsewhere.hilo_next_tag(text) RETURNS bigint LANGUAGE sql AS 'SELECT 7::bigint';
CREATE FUNCTION attach_elsewhere.hilo_next(regclass) RETURNS bigint LANGUAGE sql AS 'SELECT 7::bigint';
CREATE TABLE attach_theirs (id bigint DEFAULT attach_elsewhere.hilo_next_tag('attach'), no bigint DEFAULT attach_elsewhere.hilo_next('attach_theirs'));
SELECT hilo_generator_of('attach_theirs', 'id');
SELECT hilo_generator_of('attach_theirs', 'no');

-- an identity is a generator, too
CREATE TABLE attach_users (id bigint DEFAULT identity_next('Attach_Users'), path text DEFAULT identity_next_id('attach_users|'));
INSERT INTO attach_users DEFAULT VALUES RETURNING *;
SELECT hilo_generator_of('attach_users', 'id'), hilo_generator_of('attach_users', 'path');
SELECT hilo_drop('attach_users|');
ALTER TABLE attach_users DROP path;
INSERT INTO attach_users VALUES (100);
SELECT hilo_resync('attach_users', 'id'), identity_next('attach_users');
DROP TABLE attach_users;
SELECT hilo_drop('attach_users|');

-- a generator that a default calls is not dropped
SELECT hilo_drop('attach');
ALTER TABLE attach_orders ALTER id DROP DEFAULT;
SELECT hilo_drop('ATTACH', if_exists => true);
DROP TABLE attach_lines;
SELECT hilo_drop('attach');

-- casts, and nothing else
CREATE DOMAIN attach_number AS int CHECK (VALUE > 0);
CREATE DOMAIN attach_id AS bigint DEFAULT hilo_next_tag('attach_a');
CREATE TABLE attach_written (
	narrow smallint DEFAULT hilo_next_tag('Attach_A'),
	of_domain attach_number DEFAULT hilo_next_tag('attach_a'::varchar)::attach_number,
	as_dumped bigint DEFAULT hilo_next_tag(('attach_a'::character varying)::text),
	as_text varchar(10) DEFAULT hilo_next_tag('attach_a')::text,
	as_numeric numeric DEFAULT hilo_next_tag('attach_a'),
	argument bigint DEFAULT hilo_next_tag(tag => 'attach_b'),
	of_name bigint DEFAULT hilo_next_tag('attach_b'::name),
	cut bigint DEFAULT hilo_next_tag('attach_bcd'::varchar(8)),
	cast_ bigint DEFAULT hilo_next_tag('attach_b')::numeric,
	of_oid oid DEFAULT hilo_next_tag('attach_b')::oid,
	cut_short text DEFAULT substring(hilo_next_tag('attach_b')::text FROM 2),
	second text DEFAULT hilo_next_tag('attach_b') || '-' || hilo_next_tag('attach_b'),
	by_domain attach_id,
	nothing bigint DEFAULT hilo_next_tag(NULL),
	own smallint DEFAULT hilo_next('attach_written'),
	own_text text DEFAULT hilo_next(rel => 'attach_written'::regclass)::text,
	no_constant bigint DEFAULT hilo_next('attach_written'::text::regclass));
SELECT attname, (SELECT hilo_generator_of('attach_written', attname)) FROM pg_attribute
 WHERE attrelid = 'attach_written'::regclass AND attnum > 0 ORDER BY attnum;
SELECT hilo_create('attach_a'), hilo_create('attach_b');
SELECT hilo_drop('attach_a');
SELECT hilo_drop('attach_b');
SELECT col, generator, problem FROM hilo_check() WHERE rel = 'attach_written'::regclass;
DROP TABLE attach_written;
-- a first use is refused if the rows do not show their ids
CREATE TABLE attach_oids (id oid DEFAULT hilo_next('attach_oids')::oid);
INSERT INTO attach_oids VALUES (5);
INSERT INTO attach_oids DEFAULT VALUES;
SELECT hilo_create('attach_oids'), hilo_seed('attach_oids', 5);
INSERT INTO attach_oids DEFAULT VALUES RETURNING id;
DROP TABLE attach_oids;
-- or if a default is too long to be read; but not for a constant
DO $$
BEGIN
	EXECUTE format('CREATE TABLE attach_long (id bigint DEFAULT hilo_next(''attach_long'')%s, of text)', repeat(' + 0', 100));
	EXECUTE format('CREATE TABLE attach_text (id bigint DEFAULT hilo_next(''attach_text''), of text DEFAULT %L)', repeat('x', 10000));
END $$;
INSERT INTO attach_long VALUES (1);
INSERT INTO attach_long DEFAULT VALUES;
INSERT INTO attach_text VALUES (1);
INSERT INTO attach_text DEFAULT VALUES RETURNING id;
DROP TABLE attach_long, attach_text;
-- a call within an expression counts, and one in the default of a domain
CREATE TABLE attach_inner (id bigint, no text, of_domain bigint, k int);
CREATE DOMAIN attach_domain AS bigint DEFAULT hilo_next('attach_inner');
ALTER TABLE attach_inner ALTER id SET DEFAULT coalesce(hilo_next('attach_inner'), 0), ALTER no SET DEFAULT 'no ' || hilo_next('attach_inner'),
	ALTER of_domain TYPE attach_domain;
INSERT INTO attach_inner (id, no, of_domain) VALUES (NULL, 'no 3', 20);
INSERT INTO attach_inner (k) VALUES (1);
UPDATE attach_inner SET no = NULL;
INSERT INTO attach_inner (k) VALUES (1) RETURNING id, no, of_domain;
SELECT hilo_drop('attach_inner');
SELECT hilo_attach('attach_inner', 'id');
SELECT hilo_attach('attach_inner', 'of_domain');
SELECT col, generator, problem, hint FROM hilo_check() WHERE rel = 'attach_inner'::regclass;
DROP TABLE attach_inner;
DROP TABLE attach_inner CASCADE;
CREATE DOMAIN attach_domain AS bigint DEFAULT hilo_next_tag('attach_domain');
CREATE TABLE attach_inner (no text DEFAULT 'no ' || hilo_next_tag('attach_inner_no'), of_domain attach_domain);
INSERT INTO attach_inner VALUES (NULL, 3);
INSERT INTO attach_inner DEFAULT VALUES RETURNING *;
SELECT hilo_drop('attach_inner_no');
SELECT hilo_drop('attach_domain');
SELECT hilo_rename('attach_inner_no', 'attach_new');
SELECT hilo_rename('attach_domain', 'attach_new');
DROP TABLE attach_inner;
DROP DOMAIN attach_domain;
SELECT hilo_drop('attach_inner_no'), hilo_drop('attach_new');
-- each of two in one expression, but not in a view, nor in the trigger of another's function
CREATE DOMAIN attach_domain AS bigint DEFAULT hilo_next_tag('attach_two');
CREATE TABLE attach_inner (
	either bigint DEFAULT CASE WHEN current_user = '' THEN hilo_next_tag('attach_one') ELSE hilo_next_tag('attach_two') END, of_domain attach_domain);
CREATE VIEW attach_shown AS SELECT of_domain FROM attach_inner;
CREATE FUNCTION attach_elsewhere.document_id_assign() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TABLE attach_assigned (id text);
CREATE TRIGGER assign BEFORE INSERT ON attach_assigned FOR EACH ROW EXECUTE FUNCTION attach_elsewhere.document_id_assign('id', 'attach_one');
SELECT (SELECT hilo_generator_of('attach_assigned', 'id')), hilo_create('attach_one'), hilo_create('attach_two');
SELECT hilo_drop('attach_one');
SELECT hilo_drop('attach_two');
DROP TABLE attach_inner, attach_assigned CASCADE;
DROP DOMAIN attach_domain;
SELECT hilo_drop('attach_one'), hilo_drop('attach_two');
-- if the expression makes other numbers, or is one of two, or is too long to read, rows show nothing
CREATE TABLE attach_inner (
	minus bigint DEFAULT -hilo_next('attach_inner'), less bigint DEFAULT hilo_next('attach_inner')::int - 1000,
	either bigint DEFAULT CASE WHEN current_user = '' THEN hilo_next_tag('attach_either') ELSE hilo_next('attach_inner') END);
SELECT format('ALTER TABLE attach_inner ADD long bigint, ALTER long SET DEFAULT CASE %s ELSE hilo_next(''attach_inner'') END',
	string_agg(format('WHEN current_user = %L THEN %s', n, n), ' ')) AS add_long FROM generate_series(1, 50) n \gset
:add_long;
INSERT INTO attach_inner VALUES (-1, NULL, NULL, NULL);
SELECT hilo_next('attach_inner');
UPDATE attach_inner SET minus = NULL, less = -999;
SELECT hilo_next('attach_inner');
UPDATE attach_inner SET less = NULL, either = 1;
SELECT hilo_next('attach_inner');
UPDATE attach_inner SET either = NULL, long = 1;
SELECT hilo_next('attach_inner');
DELETE FROM attach_inner;
INSERT INTO attach_inner DEFAULT VALUES RETURNING *;
SELECT hilo_drop('attach_inner');
DROP TABLE attach_inner;
-- nor is a hi value, or a batch, an id of the column
CREATE TABLE attach_inner (hi bigint DEFAULT hilo_next_hi('attach_hi', 10), batch bigint DEFAULT (identity_next('attach_batch', 1)).low,
	low bigint DEFAULT (hilo_next_range('attach_range', size => 1)).low);
INSERT INTO attach_inner DEFAULT VALUES RETURNING *;
SELECT hilo_drop('attach_hi');
SELECT hilo_drop('attach_range');
DROP TABLE attach_inner;
SELECT hilo_drop('attach_hi'), hilo_drop('attach_batch|'), hilo_drop('attach_range');
DROP DOMAIN attach_number, attach_id;
SELECT hilo_drop('attach_a'), hilo_drop('attach_b');

-- a trigger of documents counts as a default, whatever collection its arguments, or the table's name, stand for
CREATE TABLE attach_notes (id text, path text, no text, guid text, anchor text);
CREATE TRIGGER a BEFORE INSERT ON attach_notes FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
CREATE TRIGGER b BEFORE INSERT ON attach_notes FOR EACH ROW EXECUTE FUNCTION document_id_assign('path', 'Attach_Paths', NULL, 'anchor');
CREATE TRIGGER c BEFORE INSERT ON attach_notes FOR EACH ROW EXECUTE FUNCTION document_id_assign('no', 'attach_no', 'identity');
CREATE TRIGGER d BEFORE INSERT ON attach_notes FOR EACH ROW EXECUTE FUNCTION document_id_assign('guid', 'attach_no', 'guid');
INSERT INTO attach_notes DEFAULT VALUES RETURNING id, path, no;
SELECT attname, (SELECT hilo_generator_of('attach_notes', attname)) FROM pg_attribute
 WHERE attrelid = 'attach_notes'::regclass AND attnum > 0 ORDER BY attnum;
SELECT hilo_drop(name) FROM unnest('{attach_notes}'::text[]) name;
SELECT hilo_drop('attach_paths');
SELECT hilo_drop('attach_no|');
DROP TRIGGER b ON attach_notes;
DROP TRIGGER c ON attach_notes;
SELECT hilo_resync('attach_notes', 'id');
SELECT col, generator, problem, detail FROM hilo_check() WHERE rel = 'attach_notes'::regclass;
SELECT hilo_drop('attach_paths'), hilo_drop('attach_no|');
ALTER TABLE attach_notes RENAME id TO key;
SELECT hilo_drop('attach_notes');
DROP TABLE attach_notes;
-- that of a partition goes with the table's
CREATE TABLE attach_parts (id text, part int) PARTITION BY LIST (part);
CREATE TABLE attach_parts_1 PARTITION OF attach_parts FOR VALUES IN (1);
CREATE TRIGGER a BEFORE INSERT ON attach_parts FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
SELECT hilo_generator_of('attach_parts_1', 'id');
SELECT rel, generator, problem FROM hilo_check() WHERE rel::text LIKE 'attach_parts%';
DROP TABLE attach_parts;

-- nor that of a pattern
CREATE TABLE attach_documents (
	id text DEFAULT document_id('attach_documents|'),
	code text DEFAULT document_id('attach_documents/'),
	guid text DEFAULT document_id(),
	name text DEFAULT document_id('attach_documents/one'),
	other text DEFAULT document_id(current_user::text));
INSERT INTO attach_documents DEFAULT VALUES;
SELECT attname, (SELECT hilo_generator_of('attach_documents', attname)) FROM pg_attribute
 WHERE attrelid = 'attach_documents'::regclass AND attnum > 0 ORDER BY attnum;
SELECT col, generator, problem, detail FROM hilo_check() WHERE rel = 'attach_documents'::regclass;
SELECT hilo_drop('attach_documents|');
SELECT hilo_drop('|');
DROP TABLE attach_documents;
-- whichever separator the session has that drops it
CREATE TABLE attach_dashes (id text DEFAULT document_id('attach_dashes-'), name text DEFAULT document_id('attach_dashes'), blank text DEFAULT document_id(' '));
SET hilo.identity_parts_separator = '-';
INSERT INTO attach_dashes DEFAULT VALUES;
SELECT hilo_generator_of('attach_dashes', 'id');
RESET hilo.identity_parts_separator;
SELECT hilo_generator_of('attach_dashes', 'id');
SELECT count(*) FROM hilo_check() WHERE rel = 'attach_dashes'::regclass;
SELECT hilo_drop('|');
DROP TABLE attach_dashes;
SELECT hilo_drop('attach_documents|'), hilo_drop('|');

-- tables of owners who may not use the generator have no say
CREATE ROLE regress_hilo_pinner;
CREATE TABLE attach_pin (id bigint DEFAULT hilo_next_tag('attach_private'));
ALTER TABLE attach_pin OWNER TO regress_hilo_pinner;
SET client_min_messages = notice;
SELECT hilo_create('attach_private'), hilo_revoke('attach_private', 'public');
SELECT hilo_grant('attach_private', 'regress_hilo_pinner');
SELECT hilo_drop('attach_private');
SELECT hilo_revoke('attach_private', 'regress_hilo_pinner');
SELECT hilo_drop('attach_private');
SET client_min_messages = warning;
DROP TABLE attach_pin;
DROP ROLE regress_hilo_pinner;

DROP TABLE attach_orders, attach_theirs;
DROP SCHEMA attach_elsewhere CASCADE;
