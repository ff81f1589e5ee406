-- Rows that join a table below the last id of its generator, where this session still holds lower ids
SET hilo.prefetch = off;
CREATE SCHEMA jh;
SET search_path = jh, public;
-- the next ids lie above the rows of a partition
CREATE TABLE months (id bigint DEFAULT hilo_next('months'), month int, PRIMARY KEY (id, month)) PARTITION BY LIST (month);
CREATE TABLE january PARTITION OF months FOR VALUES IN (1);
INSERT INTO months (month) VALUES (1) RETURNING id;
CREATE TABLE february (LIKE months);
INSERT INTO february SELECT i, 2 FROM generate_series(2, 9) i;
ALTER TABLE months ATTACH PARTITION february FOR VALUES IN (2);
INSERT INTO months (month) VALUES (1), (2) RETURNING id > 9 AS above;
-- of a child
CREATE TABLE whole (id bigint PRIMARY KEY DEFAULT hilo_next('whole'));
INSERT INTO whole DEFAULT VALUES RETURNING id;
CREATE TABLE child (id bigint NOT NULL);
INSERT INTO child VALUES (2), (3);
ALTER TABLE child INHERIT whole;
INSERT INTO whole DEFAULT VALUES RETURNING id > 3 AS above;
-- and of a table that gets the default, by itself or by its domain
CREATE TABLE other (id bigint);
INSERT INTO other SELECT i FROM generate_series(40, 44) i;
ALTER TABLE other ALTER id SET DEFAULT hilo_next('whole');
INSERT INTO whole DEFAULT VALUES RETURNING id > 44 AS above;
CREATE DOMAIN number AS bigint;
CREATE TABLE by_domain (id number);
INSERT INTO by_domain SELECT max(id) + 2 FROM whole;
ALTER DOMAIN number SET DEFAULT hilo_next('whole');
INSERT INTO whole SELECT FROM generate_series(1, 3) RETURNING id > (SELECT max(id) FROM by_domain) AS above;
-- scattered ids do not show which were used: a warning says so, and names what helps
CREATE TABLE scattered (id bigint PRIMARY KEY);
SELECT hilo_create('scattered', ordering => 'scattered');
ALTER TABLE scattered ALTER id SET DEFAULT hilo_next('scattered');
CREATE TABLE joins (id bigint NOT NULL);
INSERT INTO joins VALUES (7);
ALTER TABLE joins INHERIT scattered;
SET client_min_messages = error;
DROP SCHEMA jh CASCADE;
