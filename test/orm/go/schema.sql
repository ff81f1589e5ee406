CREATE TABLE by_sqlc (id bigint PRIMARY KEY DEFAULT hilo_next('by_sqlc'), writer text NOT NULL);
