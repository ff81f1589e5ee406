-- name: InsertRow :one
INSERT INTO by_sqlc (writer) VALUES ($1) RETURNING id;

-- name: TakeIds :many
SELECT hilo_next('by_sqlc', sqlc.arg(count)::bigint)::bigint;

-- name: CopyRows :copyfrom
INSERT INTO by_sqlc (id, writer) VALUES ($1, $2);
