/*
 * The numbers in text ids: hilo_check, hilo_resync and a first use look at them
 */
SET hilo.prefetch = off;
CREATE TABLE text_users (id text UNIQUE, no text DEFAULT document_id('text_users|'),
	code varchar(100) DEFAULT document_id('text_users/'), plain text DEFAULT hilo_next_tag('text_plain'));
CREATE TRIGGER id BEFORE INSERT ON text_users FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'text_users');
-- as a restore of the table alone brings them; those of others do not count
ALTER TABLE text_users DISABLE TRIGGER id;
INSERT INTO text_users VALUES
	('text_users/7-A', 'text_users/5', 'text_users/0000000000000000300-A', '60'),
	('TEXT_users/41-BC$orders/900-A', 'Text_Users/99$x', 'any/0000000000000000400-B', '8'),
	('text_users/500', 'text_users/1000-A', 'text_users/2000-A', 'text_plain/3000-A'),
	('text_user/501-A', 'text_user/501', 'text_users/3000', ''),
	('text_users/x/502-A', 'x/text_users/502', 'text_users/', NULL),
	('text_users/0503-A', 'text_users/0503', NULL, '-504'),
	('text_users/9223372036854775808-A', 'text_users/99999999999999999999', 'text_users/9999999999999999999-A', '9223372036854775808'),
	('text_usersx504-A', 'text_usersx504', 'text_users/00000000000000000505-A', '1-A'),
	(NULL, NULL, repeat('x', 100), repeat('9', 100000));
ALTER TABLE text_users ENABLE TRIGGER id;
SELECT col, generator, problem, hint FROM hilo_check() WHERE rel = 'text_users'::regclass;
SELECT hilo_create('text_users'), hilo_create('text_users|', 'global');
SELECT col, generator, problem, detail, hint FROM hilo_check() WHERE rel = 'text_users'::regclass;
SELECT hilo_resync('text_users', 'id'), hilo_resync('text_users', 'no');
SELECT col, generator, last FROM hilo_resync_all() WHERE rel = 'text_users'::regclass;
INSERT INTO text_users DEFAULT VALUES RETURNING *;
SELECT col, generator, problem, detail FROM hilo_check() WHERE rel = 'text_users'::regclass;
SELECT hilo_generator_of('text_users', 'id');
-- a text that is longer than an id is not read
INSERT INTO text_users (plain) VALUES (repeat('0', 600) || '777777777');
SELECT problem FROM hilo_check() WHERE rel = 'text_users'::regclass AND col = 'plain';
-- an id is the same in any case
INSERT INTO text_users (id) VALUES ('Text_Users/700-a');
SELECT hilo_resync('text_users', 'id');

-- a first use begins above them, whatever the separators are
SET hilo.identity_parts_separator = '-';
CREATE TABLE text_notes (id text PRIMARY KEY DEFAULT hilo_next_id('text_notes')) PARTITION BY RANGE (id);
CREATE TABLE text_notes_1 PARTITION OF text_notes DEFAULT;
INSERT INTO text_notes VALUES ('text_notes-30-A'), ('text_notes/40-A');
INSERT INTO text_notes DEFAULT VALUES RETURNING *;
RESET hilo.identity_parts_separator;
SELECT problem, detail FROM hilo_check() WHERE rel = 'text_notes'::regclass;

-- also if the name has a "$"
CREATE TABLE text_$notes (id text DEFAULT hilo_next_id('text_$notes'), no text DEFAULT document_id('text_$notes|'));
INSERT INTO text_$notes VALUES ('text_$notes/30-A', 'text_$notes/40$x$y'), ('text_$notes:50-A', 'text/60$notes/70');
SELECT * FROM hilo_check('text_$notes');
INSERT INTO text_$notes DEFAULT VALUES RETURNING *;

-- other types have no such ids, nor has an attach
CREATE TABLE text_numbers (id numeric DEFAULT hilo_next('text_numbers'));
SELECT hilo_resync('text_numbers', 'id');
SELECT problem, detail FROM hilo_check() WHERE rel = 'text_numbers'::regclass;
SELECT hilo_attach('text_users', 'id');

DROP TABLE text_users, text_notes, text_$notes, text_numbers;
DO $$ BEGIN PERFORM hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'text\_%' OR name = '|'; END $$;
