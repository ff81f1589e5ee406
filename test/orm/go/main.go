// main WRITER ROWS TABLE...: inserts rows through pgx, sqlc, ent and GORM, and prints
// the ids it has.  main create: makes the tables.
// main tasks|databases|models|failed|moved|short ROWS TABLE...: inserts rows in a case of OrmTest.
// main panics 1: inserts a row after the driver has panicked.  main refers 1: inserts one that refers to another.
// main numbers 0 GORM|ent: saves invoices.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
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

// Block has its id before the row is sent.
type Block struct {
	HiloID
	Writer string
}

// Other has so, too, in a table of the same name in another schema.
type Other struct {
	HiloID
	Writer string
}

// TableName is that of a Block, but for the schema.
func (Other) TableName() string { return "apart.blocks" }

// HiloID is an id out of a range of the table's generator.
type HiloID struct {
	ID int64 `gorm:"primaryKey;autoIncrement:false;default:(-)"`
}

// BeforeCreate takes an id, in the transaction of its row.
func (row *HiloID) BeforeCreate(tx *gorm.DB) error {
	pool, err := tx.DB()
	if row.ID != 0 || err != nil {
		return err
	}
	table := tx.Statement.Quote(tx.Statement.Table)
	if tx.Statement.TableExpr != nil {
		table = tx.Statement.TableExpr.SQL // with its schema
	}
	from, key := held.Load(), [2]any{pool, table}
	if row.ID = from.take(key); row.ID == 0 {
		var more []int64
		err = tx.Raw("SELECT generate_series(low, high) FROM hilo_next_range(?, 10)", key[1]).Scan(&more).Error
		row.ID = from.take(key, more...)
	}
	return err
}

var held atomic.Pointer[ranges]

type ranges struct {
	sync.Mutex
	of map[any][]int64
}

// take adds ids to those of a key, and takes one, or 0.
func (r *ranges) take(key any, more ...int64) (id int64) {
	r.Lock()
	defer r.Unlock()
	if ids := append(r.of[key], more...); len(ids) > 0 {
		id, r.of[key] = ids[0], ids[1:]
	}
	return id
}

// forget drops the ids: a new connection may lead to another database.
func forget(context.Context, *pgx.Conn) error {
	held.Store(&ranges{of: map[any][]int64{}})
	return nil
}

// byGorm creates the rows of a type in bulk.
func byGorm[Row any](of func(writer string) Row, id func(Row) int64) func(*gorm.DB, string) ([]int64, error) {
	return func(tx *gorm.DB, writer string) (ids []int64, err error) {
		rows := make([]Row, batch)
		for i := range rows {
			rows[i] = of(writer)
		}
		err = tx.Create(&rows).Error
		for _, row := range rows {
			ids = append(ids, id(row))
		}
		return ids, err
	}
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

// insertOne inserts a row into a table, which is that of Block unless told, and prints its id.
func insertOne(orm *gorm.DB, writer string, table ...string) error {
	row := Block{Writer: writer}
	name := append(table, "blocks")[0]
	err := orm.Table(name).Create(&row).Error
	if err == nil {
		fmt.Println(name, row.ID)
	}
	return err
}

// models inserts rows into the tables of several models by turns.
func models(orm *gorm.DB, rows int, tables []string) (err error) {
	for row := 0; row < rows && err == nil; row++ {
		err = insertOne(orm, "program-models", tables[row%len(tables)])
	}
	return err
}

// tasks has 32 goroutines insert rows.
func tasks(orm *gorm.DB, rows int) error {
	failures := make(chan error)
	for range 32 {
		go func() {
			var err error
			for range rows {
				err = errors.Join(err, insertOne(orm, "program-tasks"))
			}
			failures <- err
		}()
	}
	var err error
	for range 32 {
		err = errors.Join(err, <-failures)
	}
	return err
}

func dsn(database string) string {
	return fmt.Sprintf("host=%s port=%s user=postgres dbname=%s", os.Getenv("ORM_HOST"), os.Getenv("ORM_PORT"), database)
}

// open opens a pool of connections, each of which drops the ids that are held.
func open(database string) (*gorm.DB, error) {
	config, err := pgx.ParseConfig(dsn(database))
	if err != nil {
		return nil, err
	}
	pool := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(forget))
	pool.SetMaxIdleConns(32) // as many as work at once
	return gorm.Open(postgres.New(postgres.Config{Conn: pool}), &gorm.Config{})
}

// databases inserts rows into two databases by turns.
func databases(orm *gorm.DB, rows int) error {
	other, err := open("other")
	for row := 0; row < rows && err == nil; row++ {
		err = insertOne([]*gorm.DB{orm, other}[row%2], "program-databases")
	}
	return err
}

// again inserts rows, and tries again where it fails.
func again(orm *gorm.DB, rows int, writer string) error {
	for tries := 2 * rows; rows > 0 && tries > 0; tries-- {
		if err := insertOne(orm, writer); err != nil {
			fmt.Println("failed", err)
		} else {
			rows--
		}
	}
	return nil
}

// panics inserts a row after the driver has panicked.
func panics(orm *gorm.DB) error {
	if err := orm.Callback().Row().Before("gorm:row").Register("panic", func(*gorm.DB) { panic("driver") }); err != nil {
		return err
	}
	func() {
		defer func() { fmt.Println("panicked", recover()) }()
		_ = insertOne(orm, "program-panics")
	}()
	if err := orm.Callback().Row().Remove("panic"); err != nil {
		return err
	}
	return insertOne(orm, "program-panics")
}

// Child refers to a block, which GORM saves with it.
type Child struct {
	ID      int64
	Writer  string
	BlockID int64
	Block   Block
}

// refers inserts a row that refers to one that is there.
func refers(orm *gorm.DB) error {
	row := Child{Writer: "program-refers", Block: Block{Writer: "program-refers"}}
	err := errors.Join(orm.AutoMigrate(&row), orm.Create(&row.Block).Error)
	fmt.Println("blocks", row.Block.ID)
	err = errors.Join(err, orm.Create(&row).Error)
	fmt.Println("children", row.BlockID)
	return err
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

// short inserts each row through a pool of its own, as a program does that ends.
func short(rows int) error {
	for range rows {
		orm, err := open("postgres")
		if err != nil {
			return err
		}
		if err := insertOne(orm, "program-short"); err != nil {
			return err
		}
		pool, err := orm.DB()
		if err != nil {
			return err
		}
		if err := pool.Close(); err != nil {
			return err
		}
	}
	return nil
}

func run(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, dsn("postgres"))
	if err != nil {
		return err
	}
	defer pool.Close()
	client := ent.NewClient(ent.Driver(entsql.OpenDB(dialect.Postgres, stdlib.OpenDBFromPool(pool))))
	orm, err := open("postgres")
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
		return errors.Join(client.Schema.Create(ctx), orm.AutoMigrate(&ByGorm{}, &Block{}, &Other{}))
	}
	rows, err := strconv.Atoi(os.Args[2])
	if err != nil {
		return err
	}
	switch os.Args[1] {
	case "tasks":
		return tasks(orm, rows)
	case "databases":
		return databases(orm, rows)
	case "models":
		return models(orm, rows, os.Args[3:])
	case "failed", "moved":
		return again(orm, rows, "program-"+os.Args[1])
	case "panics":
		return panics(orm)
	case "refers":
		return refers(orm)
	case "numbers":
		if os.Args[3] == "GORM" {
			return byGormNumbers(orm)
		}
		return byEntNumbers(ctx, client)
	case "short":
		return short(rows)
	}
	ways := map[string]way{
		"by_pgx":  pgxWay(ctx, pool, byPgx),
		"by_copy": pgxWay(ctx, pool, byCopy),
		"by_sqlc": pgxWay(ctx, pool, bySqlc),
		"items":   entWay(ctx, client),
		"by_gorms": gormWay(orm, byGorm(
			func(writer string) ByGorm { return ByGorm{Writer: writer} }, func(row ByGorm) int64 { return row.ID })),
		"blocks": gormWay(orm, byGorm(
			func(writer string) Block { return Block{Writer: writer} }, func(row Block) int64 { return row.ID })),
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
