-- One column that several triggers number, each for some of the rows.
CREATE SCHEMA sev;
SET search_path = sev, public;
CREATE TABLE docs (id text PRIMARY KEY, collection text);
CREATE TRIGGER u BEFORE INSERT ON docs FOR EACH ROW WHEN (new.collection = 'Users')
	EXECUTE FUNCTION document_id_assign('id', 'users');
CREATE TRIGGER s BEFORE INSERT ON docs FOR EACH ROW WHEN (new.collection = 'Sales')
	EXECUTE FUNCTION document_id_assign('id', 'sales');
-- a second one for the same generator
CREATE TRIGGER v BEFORE INSERT ON docs FOR EACH ROW WHEN (new.collection = 'VIPs')
	EXECUTE FUNCTION document_id_assign('id', 'Users');
INSERT INTO docs (collection) VALUES ('Users'), ('Sales'), ('VIPs') RETURNING id;
INSERT INTO docs VALUES ('users/40-A', 'import'), ('sales/50-A', 'import');

SELECT generator, problem, hint FROM hilo_check('docs');
SELECT name, columns FROM hilo_generators() WHERE name IN ('users', 'sales');
SELECT * FROM hilo_generator_of('docs', 'id');

-- all of them are raised
SELECT hilo_resync('docs', 'id');
SELECT generator, problem FROM hilo_check('docs');
INSERT INTO docs VALUES ('users/140-A', 'import'), ('sales/150-A', 'import');
SELECT * FROM hilo_resync_all() WHERE rel = 'docs'::regclass;
SELECT generator, problem FROM hilo_check('docs');
INSERT INTO docs (collection) VALUES ('Users'), ('Sales'), ('VIPs') RETURNING id;

-- none is dropped while its trigger is there
SELECT hilo_drop('users');
SELECT hilo_drop('sales');

-- a default that is no number of hilo's changes nothing
ALTER TABLE docs ALTER id SET DEFAULT '';
SELECT * FROM hilo_generator_of('docs', 'id');
SELECT hilo_resync('docs', 'id');
ALTER TABLE docs ALTER id DROP DEFAULT;

-- in partitions, the triggers of which are the whole's
CREATE TABLE parted (id text, collection text) PARTITION BY LIST (collection);
CREATE TABLE parted_a PARTITION OF parted FOR VALUES IN ('A', 'B');
CREATE TRIGGER a BEFORE INSERT ON parted FOR EACH ROW WHEN (new.collection = 'A')
	EXECUTE FUNCTION document_id_assign('id', 'apples');
CREATE TRIGGER b BEFORE INSERT ON parted FOR EACH ROW WHEN (new.collection = 'B')
	EXECUTE FUNCTION document_id_assign('id', 'bananas');
INSERT INTO parted (collection) VALUES ('A'), ('B') RETURNING id;
INSERT INTO parted VALUES ('apples/70-A', 'A'), ('bananas/80-A', 'B');
SELECT rel, generator, problem FROM hilo_check() WHERE rel::text ~ 'parted';
SELECT * FROM hilo_resync_all() WHERE rel = 'parted'::regclass;
SELECT rel, generator, problem FROM hilo_check() WHERE rel::text ~ 'parted';
-- a part's own trigger for a generator that the whole does not have
CREATE TRIGGER c BEFORE INSERT ON parted_a FOR EACH ROW WHEN (new.collection = 'C')
	EXECUTE FUNCTION document_id_assign('id', 'cherries');
SELECT rel, generator, problem, detail FROM hilo_check() WHERE rel::text ~ 'parted';

-- inherited: a child with a trigger for one of the parent's generators
CREATE TABLE child () INHERITS (docs);
CREATE TRIGGER s BEFORE INSERT ON child FOR EACH ROW WHEN (new.collection = 'Sales')
	EXECUTE FUNCTION document_id_assign('id', 'sales');
INSERT INTO child VALUES ('sales/250-A', 'import'), ('users/240-A', 'import');
SELECT rel, generator, problem FROM hilo_check() WHERE rel IN ('docs'::regclass, 'child'::regclass);
SELECT rel, generator, last FROM hilo_resync_all() WHERE rel IN ('docs'::regclass, 'child'::regclass);
INSERT INTO docs (collection) VALUES ('Users'), ('Sales') RETURNING id;

-- below a table without a trigger, one of the generators, and another one
CREATE TABLE between () INHERITS (docs);
CREATE TABLE leaf () INHERITS (between);
CREATE TRIGGER s BEFORE INSERT ON leaf FOR EACH ROW WHEN (new.collection = 'Sales')
	EXECUTE FUNCTION document_id_assign('id', 'sales');
CREATE TRIGGER t BEFORE INSERT ON leaf FOR EACH ROW WHEN (new.collection = 'Taxes')
	EXECUTE FUNCTION document_id_assign('id', 'taxes');
SELECT rel, generator, problem, detail FROM hilo_check('leaf');

SET client_min_messages = warning;
DROP SCHEMA sev CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name IN ('users', 'sales', 'apples', 'bananas', 'cherries');
