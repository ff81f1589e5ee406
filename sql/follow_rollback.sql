-- A row of a followed column that is rolled back, with the max_value that allowed it.
CREATE TABLE follow_rollback (id bigint PRIMARY KEY, note text);
SELECT hilo_create('follow_rollback', max_value => 5000);
SELECT hilo_attach('follow_rollback', 'id', 'follow_rollback', follow => true);
INSERT INTO follow_rollback (note) VALUES ('first') RETURNING id;
BEGIN;
SELECT hilo_alter('follow_rollback', max_value => 900000);
INSERT INTO follow_rollback VALUES (70000, 'brought');
ROLLBACK;

-- ids are free, and the hint says how to get them
INSERT INTO follow_rollback (note) VALUES ('second') RETURNING id;
SELECT format('SELECT %s;', substring(hint FROM 'hilo_seed[(].*?[)]'))
  FROM hilo_check('follow_rollback') \gexec
INSERT INTO follow_rollback (note) VALUES ('second') RETURNING id;

-- as long as the higher max_value is not rolled back, nothing stops
BEGIN;
SELECT hilo_alter('follow_rollback', max_value => 900000);
INSERT INTO follow_rollback VALUES (70000, 'brought');
COMMIT;
INSERT INTO follow_rollback (note) VALUES ('above') RETURNING id > 70000 AS above;

-- a limit that is reached in order has the short hint
SELECT hilo_create('follow_rollback_end', max_value => 2);
SELECT hilo_next_tag('follow_rollback_end') FROM generate_series(1, 2);
SELECT hilo_next_tag('follow_rollback_end');
SELECT hilo_drop('follow_rollback_end'), hilo_detach('follow_rollback', 'id'), hilo_drop('follow_rollback');
DROP TABLE follow_rollback;
