CREATE TABLE customers (id bigserial PRIMARY KEY, item text);
SELECT hilo_attach('customers', 'id');
