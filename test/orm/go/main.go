// main WRITER ROWS TABLE...: inserts rows through pgx, ent, and prints
// the ids it has.  main create: makes the tables.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"hilo/go/ent"
)

const batch = 20 // a transaction

// byPgx sends the inserts of a transaction together.
func byPgx(ctx context.Context, pool *pgxpool.Pool, writer string, commit bool) (ids []int64, err error) {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback(ctx)
	inserts := &pgx.Batch{}
	for range batch {
		inserts.Queue("INSERT INTO by_pgx (writer) VALUES ($1) RETURNING id", writer).
			QueryRow(func(row pgx.Row) error {
				var id int64
				err := row.Scan(&id)
				ids = append(ids, id)
				return err
			})
	}
	if err := tx.SendBatch(ctx, inserts).Close(); err != nil {
		return nil, err
	}
	if !commit {
		return ids, nil
	}
	return ids, tx.Commit(ctx)
}

// byCopy takes ids first, and copies the rows.
func byCopy(ctx context.Context, pool *pgxpool.Pool, writer string, commit bool) ([]int64, error) {
	rows, err := pool.Query(ctx, "SELECT hilo_next('by_copy', $1)", batch)
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, err
	}
	tx, err := pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback(ctx)
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"by_copy"}, []string{"id", "writer"},
		pgx.CopyFromSlice(len(ids), func(i int) ([]any, error) { return []any{ids[i], writer}, nil }))
	if err != nil || !commit {
		return ids, err
	}
	return ids, tx.Commit(ctx)
}

// byEnt creates the rows in bulk.
func byEnt(ctx context.Context, client *ent.Client, writer string, commit bool) (ids []int64, err error) {
	tx, err := client.Tx(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	creates := make([]*ent.ItemCreate, batch)
	for i := range creates {
		creates[i] = tx.Item.Create().SetWriter(writer)
	}
	items, err := tx.Item.CreateBulk(creates...).Save(ctx)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		ids = append(ids, item.ID)
	}
	if !commit {
		return ids, nil
	}
	return ids, tx.Commit()
}

func run() error {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, fmt.Sprintf("host=%s port=%s user=postgres dbname=postgres", os.Getenv("ORM_HOST"), os.Getenv("ORM_PORT")))
	if err != nil {
		return err
	}
	defer pool.Close()
	client := ent.NewClient(ent.Driver(entsql.OpenDB(dialect.Postgres, stdlib.OpenDBFromPool(pool))))
	if os.Args[1] == "create" {
		for _, table := range []string{"by_pgx", "by_copy"} {
			_, err := pool.Exec(ctx, fmt.Sprintf("CREATE TABLE %s (id bigint PRIMARY KEY DEFAULT hilo_next('%[1]s'), writer text)", table))
			if err != nil {
				return err
			}
		}
		return client.Schema.Create(ctx)
	}
	ways := map[string]func(string, bool) ([]int64, error){
		"by_pgx":  func(writer string, commit bool) ([]int64, error) { return byPgx(ctx, pool, writer, commit) },
		"by_copy": func(writer string, commit bool) ([]int64, error) { return byCopy(ctx, pool, writer, commit) },
		"items":   func(writer string, commit bool) ([]int64, error) { return byEnt(ctx, client, writer, commit) },
	}
	rows, err := strconv.Atoi(os.Args[2])
	if err != nil {
		return err
	}
	for _, table := range os.Args[3:] {
		for row := 0; row < rows; row += batch {
			if _, err := ways[table](os.Args[1], false); err != nil {
				return err
			}
			ids, err := ways[table](os.Args[1], true)
			if err != nil {
				return err
			}
			for _, id := range ids {
				fmt.Println(table, id)
			}
		}
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
