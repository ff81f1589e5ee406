-- Ids near the end of a type, and types that end soon, or hold no id.
SET hilo.prefetch = off;
SET client_min_messages = warning;
CREATE SCHEMA se;
SET search_path = se, public;
CREATE ROLE regress_hilo_clerk;
GRANT CREATE, USAGE ON SCHEMA se TO regress_hilo_clerk;

-- sentinels: named, and left out
CREATE TABLE sentinel (id serial PRIMARY KEY, note text);
INSERT INTO sentinel (note) VALUES ('a');
INSERT INTO sentinel VALUES (2147483647, 'unknown');
INSERT INTO sentinel (note) VALUES ('b');
SELECT hilo_attach('sentinel', 'id');
INSERT INTO sentinel (note) VALUES ('c') RETURNING id;
SELECT hilo_resync('sentinel', 'id') < 1000 AS low;
SELECT problem FROM hilo_check('sentinel');
SELECT hilo_attach('sentinel', 'id') IS NULL AS attached;
SELECT hilo_detach('sentinel', 'id');
INSERT INTO sentinel (note) VALUES ('d') RETURNING id < 1000 AS low;
-- ids near the end that the column's own source gave are none, whatever rows are left
CREATE TABLE purged (id smallserial, note text);
SELECT setval('purged_id_seq', 32000);
INSERT INTO purged (note) VALUES ('a');
SELECT hilo_attach('purged', 'id', 'purged', follow => true);
INSERT INTO purged (note) VALUES ('b') RETURNING id;
SELECT hilo_attach('purged', 'id', follow => true) IS NULL AS attached, hilo_resync('purged', 'id') > 32001 AS above;
-- but a role that may not see the generator's last id learns nothing of it
CREATE TABLE curious (id smallint);
INSERT INTO curious VALUES (32000);
ALTER TABLE curious OWNER TO regress_hilo_clerk;
SET ROLE regress_hilo_clerk;
SELECT hilo_attach('curious', 'id', 'purged');
ALTER TABLE curious ALTER id SET DEFAULT hilo_next('purged');
SELECT hilo_resync('curious', 'id');
RESET ROLE;
DROP TABLE curious;
-- and the hint for a type that ends goes round the trigger, if it is the column's
ALTER TABLE purged ADD no smallserial;
SELECT setval('purged_no_seq', 32000);
SELECT col, problem, hint FROM hilo_check('purged');
ALTER TABLE purged DROP no;
SELECT hilo_attach('purged', 'id');
ALTER TABLE purged ALTER id TYPE bigint;
SELECT hilo_attach('purged', 'id', follow => true), hilo_alter('purged', max_value => 9223372036854775807);
INSERT INTO purged VALUES (40000, 'c');
INSERT INTO purged (note) VALUES ('d') RETURNING id;
SELECT problem, hint FROM hilo_check('purged');
SELECT hilo_detach('purged', 'id');
INSERT INTO purged (note) VALUES ('e') RETURNING id > 40001 AS above;
CREATE TABLE sentinels (id smallint DEFAULT hilo_next('sentinels'));
CREATE TABLE sentinel_texts (id text DEFAULT hilo_next('sentinel_texts'));
CREATE TABLE sentinel_bigints (id bigint DEFAULT hilo_next('sentinel_bigints'));
INSERT INTO sentinels VALUES (5), (32000);
INSERT INTO sentinel_texts VALUES ('7'), ('9223372036854775807');
INSERT INTO sentinel_bigints VALUES (9), (9223372036854775806);
INSERT INTO sentinels DEFAULT VALUES RETURNING *;
INSERT INTO sentinel_texts DEFAULT VALUES RETURNING *;
INSERT INTO sentinel_bigints DEFAULT VALUES RETURNING *;
-- not where other ids are near, or the type ends so soon that no tenth of it is left
CREATE TABLE digit (id numeric(1) DEFAULT hilo_next('digit'), k int);
INSERT INTO digit VALUES (1), (2), (3);
INSERT INTO digit (k) VALUES (1) RETURNING id;
-- a type that holds no id: a restore, which checks the definition as this does, goes on
CREATE TABLE fraction (id numeric(2, 2) DEFAULT hilo_next('fraction'), k int);
INSERT INTO fraction (k) VALUES (1);
SELECT hilo_alter('fraction');
-- nor does one that rounds ids, which would repeat
CREATE TABLE hundreds (id numeric(3, -2) DEFAULT hilo_next('hundreds'), k int);
INSERT INTO hundreds (k) VALUES (1), (2);
SELECT hilo_attach('hundreds', 'id');
CREATE TRIGGER number BEFORE INSERT ON hundreds FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('id', 'global', 'k');
CREATE TABLE dense (id smallint DEFAULT hilo_next('dense'));
INSERT INTO dense SELECT g FROM generate_series(15000, 31000, 1000) g;
INSERT INTO dense DEFAULT VALUES RETURNING id;
CREATE DOMAIN of_id53 AS id53;
CREATE TABLE ends_there (id of_id53 DEFAULT hilo_next('ends_there'), k int);
INSERT INTO ends_there (k) VALUES (1);
SELECT max_value FROM hilo_generators() WHERE name = 'ends_there';
-- a domain stays its owner's when the table changes hands, whichever roles may use the name
SET ROLE regress_hilo_clerk;
CREATE TABLE changes_hands (k int);
CREATE DOMAIN kept AS bigint DEFAULT hilo_next('changes_hands');
ALTER TABLE changes_hands ADD id kept;
INSERT INTO changes_hands SELECT 1, g::bigint FROM generate_series(1, 10) g;
RESET ROLE;
ALTER TABLE changes_hands OWNER TO CURRENT_USER;
INSERT INTO changes_hands (k) VALUES (1) RETURNING id;
SELECT col, generator, problem FROM hilo_check('changes_hands');
CREATE TABLE sole (id int PRIMARY KEY DEFAULT hilo_next('sole'), note text);
INSERT INTO sole VALUES (2147483647);
INSERT INTO sole (note) VALUES ('a') RETURNING id;
-- a row that came with the greatest id is undone as the hint says
SELECT hilo_seed('sole', 2147483647);
INSERT INTO sole (note) VALUES ('a');
DELETE FROM sole;
ALTER TABLE sole ALTER id TYPE numeric;
SELECT hilo_seed('sole', coalesce(max(id::bigint), 0), force => true) FROM sole;
INSERT INTO sole (note) VALUES ('a') RETURNING id;

DROP SCHEMA se CASCADE;
DROP ROLE regress_hilo_clerk;
