\set ECHO none
-- What the files about rights to a generator's source begin with
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_app;
CREATE SCHEMA shop;
GRANT ALL ON SCHEMA shop TO regress_hilo_alice, regress_hilo_bob;
GRANT USAGE ON SCHEMA shop TO regress_hilo_app;
CREATE TABLE shop.seen (code text, who text);
GRANT INSERT ON shop.seen TO PUBLIC;
-- the role with the rights of which a trigger runs
CREATE FUNCTION shop.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO shop.seen VALUES (TG_NAME, current_user);
	RETURN NEW;
END $$;
\set ECHO all
