CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'), item text);
