-- tables with rows, of each kind of id, for test/demo/run to attach while it writes to them

CREATE TABLE orders (id serial PRIMARY KEY);
CREATE TABLE customers (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
CREATE TABLE parts (id numeric PRIMARY KEY);
CREATE SEQUENCE parts_seq OWNED BY parts.id;
ALTER TABLE parts ALTER id SET DEFAULT nextval('parts_seq');
CREATE TABLE users (id text PRIMARY KEY);
CREATE TABLE imported (id bigserial PRIMARY KEY);
CREATE TABLE invoices (customer int, year int, number int, PRIMARY KEY (customer, year, number));
INSERT INTO orders SELECT FROM generate_series(1, 100);
INSERT INTO customers SELECT FROM generate_series(1, 100);
INSERT INTO parts SELECT FROM generate_series(1, 100);
INSERT INTO users SELECT 'users/' || i || '-A' FROM generate_series(1, 100) i;
INSERT INTO imported SELECT FROM generate_series(1, 100);
INSERT INTO invoices SELECT 7, 2026, i FROM generate_series(1, 100) i;
CREATE TRIGGER number BEFORE INSERT ON invoices
	FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer', 'year');

CREATE PROCEDURE write_rows(count int) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1..count LOOP
		INSERT INTO orders DEFAULT VALUES;
		COMMIT;
		INSERT INTO customers DEFAULT VALUES;
		COMMIT;
		INSERT INTO parts DEFAULT VALUES;
		COMMIT;
		INSERT INTO imported DEFAULT VALUES;
		COMMIT;
		INSERT INTO invoices (customer, year) VALUES (7, 2026), (8, 2026);
		COMMIT;
	END LOOP;
END $$;
