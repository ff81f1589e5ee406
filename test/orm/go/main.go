// main WRITER ROWS TABLE...: inserts rows through pgx, sqlc, ent and GORM, and prints
// the ids it has.  main create: makes the tables.
// main numbers 0 GORM|ent: saves invoices.
// main fixtures: has go-testfixtures load rows, and prints the id of the next.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/go-testfixtures/testfixtures/v3"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hilo/go/db"
	"hilo/go/ent"
)

const batch = 20 // a transaction

var errRollback = errors.New("rolled back")

// byPgx sends the inserts of a transaction together.
func byPgx(ctx context.Context, tx pgx.Tx, writer string) (ids []int64, err error) {
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
	return ids, tx.SendBatch(ctx, inserts).Close()
}

// byCopy takes ids first, and copies the rows.
func byCopy(ctx context.Context, tx pgx.Tx, writer string) ([]int64, error) {
	rows, err := tx.Query(ctx, "SELECT hilo_next('by_copy', $1)", batch)
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, err
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"by_copy"}, []string{"id", "writer"},
		pgx.CopyFromSlice(len(ids), func(i int) ([]any, error) { return []any{ids[i], writer}, nil }))
	return ids, err
}

// bySqlc inserts a row, and copies the others with ids that it takes first.
func bySqlc(ctx context.Context, tx pgx.Tx, writer string) ([]int64, error) {
	queries := db.New(tx)
	first, err := queries.InsertRow(ctx, writer)
	if err != nil {
		return nil, err
	}
	ids, err := queries.TakeIds(ctx, batch-1)
	if err != nil {
		return nil, err
	}
	rows := make([]db.CopyRowsParams, len(ids))
	for i, id := range ids {
		rows[i] = db.CopyRowsParams{ID: id, Writer: writer}
	}
	_, err = queries.CopyRows(ctx, rows)
	return append(ids, first), err
}

// byEnt creates the rows in bulk.
func byEnt(ctx context.Context, tx *ent.Tx, writer string) (ids []int64, err error) {
	creates := make([]*ent.ItemCreate, batch)
	for i := range creates {
		creates[i] = tx.Item.Create().SetWriter(writer)
	}
	items, err := tx.Item.CreateBulk(creates...).Save(ctx)
	for _, item := range items {
		ids = append(ids, item.ID)
	}
	return ids, err
}

// ByGorm has its id by the default of the column.
type ByGorm struct {
	ID     int64 `gorm:"primaryKey;autoIncrement:false;default:hilo_next('by_gorms')"`
	Writer string
}

// byGorm creates half of the rows with the default of the column, and the others with ids
// that it reserves first.
func byGorm(tx *gorm.DB, writer string) ([]int64, error) {
	rows := make([]ByGorm, batch/2)
	for i := range rows {
		rows[i].Writer = writer
	}
	others := append([]ByGorm{}, rows...)
	err := errors.Join(tx.Create(&rows).Error, createWithIDs(tx, others))
	ids := make([]int64, 0, batch)
	for _, row := range append(rows, others...) {
		ids = append(ids, row.ID)
	}
	return ids, err
}

// createWithIDs reserves ids, and creates rows with them.
func createWithIDs(tx *gorm.DB, rows []ByGorm) error {
	var ids []int64
	if err := tx.Raw("SELECT hilo_next('by_gorms', ?)", len(rows)).Scan(&ids).Error; err != nil {
		return err
	}
	for i := range rows {
		rows[i].ID = ids[i]
	}
	return tx.Create(&rows).Error
}

// A way inserts a batch of rows in a transaction, which is rolled back if it must end
// with an error, and returns their ids.
type way func(writer string, end error) ([]int64, error)

func pgxWay(ctx context.Context, pool *pgxpool.Pool, insert func(context.Context, pgx.Tx, string) ([]int64, error)) way {
	return func(writer string, end error) (ids []int64, err error) {
		err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) (err error) {
			if ids, err = insert(ctx, tx, writer); err != nil {
				return err
			}
			return end
		})
		return ids, err
	}
}

func entWay(ctx context.Context, client *ent.Client) way {
	return func(writer string, end error) ([]int64, error) {
		tx, err := client.Tx(ctx)
		if err != nil {
			return nil, err
		}
		ids, err := byEnt(ctx, tx, writer)
		if err = errors.Join(err, end); err != nil {
			return nil, errors.Join(err, tx.Rollback())
		}
		return ids, tx.Commit()
	}
}

func gormWay(orm *gorm.DB, insert func(*gorm.DB, string) ([]int64, error)) way {
	return func(writer string, end error) (ids []int64, err error) {
		err = orm.Transaction(func(tx *gorm.DB) (err error) {
			if ids, err = insert(tx, writer); err != nil {
				return err
			}
			return end
		})
		return ids, err
	}
}

// Invoice has its number by a trigger.
type Invoice struct {
	ID       int64
	Customer int
	State    string
	Total    int
	Number   *int `gorm:"->"`
}

// byGormNumbers saves invoices with GORM.
func byGormNumbers(orm *gorm.DB) error {
	save := func(invoice *Invoice) error {
		return orm.Clauses(clause.Returning{}).Save(invoice).Error
	}
	for _, state := range []string{"posted", "draft"} {
		invoice := Invoice{Customer: 7, State: state, Total: 10}
		err := save(&invoice)
		if state == "draft" {
			invoice.State = "posted"
			err = errors.Join(err, save(&invoice))
		}
		if err != nil {
			return err
		}
		fmt.Println(*invoice.Number)
		invoice.Total = 20
		if err := save(&invoice); err != nil {
			return err
		}
		fmt.Println(*invoice.Number)
	}
	return nil
}

// byEntNumbers saves invoices with ent.
func byEntNumbers(ctx context.Context, client *ent.Client) error {
	for _, state := range []string{"posted", "draft"} {
		invoice, err := client.Invoice.Create().SetCustomer(7).SetState(state).SetTotal(10).Save(ctx)
		if err != nil {
			return err
		}
		if state == "draft" {
			invoice, err = invoice.Update().SetState("posted").Save(ctx)
		} else {
			invoice, err = client.Invoice.Get(ctx, invoice.ID)
		}
		if err != nil {
			return err
		}
		fmt.Println(invoice.Number)
		if invoice, err = invoice.Update().SetTotal(20).Save(ctx); err != nil {
			return err
		}
		fmt.Println(invoice.Number)
	}
	return nil
}

func fixtures(ctx context.Context, pool *pgxpool.Pool) error {
	loader, err := testfixtures.New(testfixtures.Database(stdlib.OpenDBFromPool(pool)), testfixtures.Dialect("postgres"),
		testfixtures.Files("attached.yml"), testfixtures.SkipResetSequences(), testfixtures.DangerousSkipTestDatabaseCheck())
	if err != nil {
		return err
	}
	if err := loader.Load(); err != nil {
		return err
	}
	var id int64
	err = pool.QueryRow(ctx, "INSERT INTO attached (writer) VALUES ('next') RETURNING id").Scan(&id)
	fmt.Println(id)
	return err
}

func run(ctx context.Context) error {
	dsn := fmt.Sprintf("host=%s port=%s user=postgres dbname=postgres", os.Getenv("ORM_HOST"), os.Getenv("ORM_PORT"))
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return err
	}
	defer pool.Close()
	client := ent.NewClient(ent.Driver(entsql.OpenDB(dialect.Postgres, stdlib.OpenDBFromPool(pool))))
	orm, err := gorm.Open(postgres.Open(dsn), &gorm.Config{})
	if err != nil {
		return err
	}
	if os.Args[1] == "create" {
		for _, table := range []string{"by_pgx", "by_copy", "by_sqlc"} {
			_, err := pool.Exec(ctx, fmt.Sprintf("CREATE TABLE %s (id bigint PRIMARY KEY DEFAULT hilo_next('%[1]s'), writer text)", table))
			if err != nil {
				return err
			}
		}
		return errors.Join(client.Schema.Create(ctx), orm.AutoMigrate(&ByGorm{}))
	}
	if os.Args[1] == "fixtures" {
		return fixtures(ctx, pool)
	}
	rows, err := strconv.Atoi(os.Args[2])
	if err != nil {
		return err
	}
	if os.Args[1] == "numbers" {
		if os.Args[3] == "GORM" {
			return byGormNumbers(orm)
		}
		return byEntNumbers(ctx, client)
	}
	ways := map[string]way{
		"by_pgx":   pgxWay(ctx, pool, byPgx),
		"by_copy":  pgxWay(ctx, pool, byCopy),
		"by_sqlc":  pgxWay(ctx, pool, bySqlc),
		"items":    entWay(ctx, client),
		"by_gorms": gormWay(orm, byGorm),
	}
	for _, table := range os.Args[3:] {
		for row := 0; row < rows; row += batch {
			if _, err := ways[table](os.Args[1], errRollback); !errors.Is(err, errRollback) {
				return err
			}
			ids, err := ways[table](os.Args[1], nil)
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
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
