// main WRITER ROWS TABLE...: inserts rows through GORM, and prints the ids it has.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// Item has its id by the default of the column.
type Item struct {
	ID     int64 `gorm:"primaryKey;autoIncrement:false;default:hilo_next('items')"`
	Writer string
}

// Block has its id before the row is sent.
type Block struct {
	ID     int64 `gorm:"primaryKey;autoIncrement:false;default:hilo_next('blocks')"`
	Writer string
}

var next, high int64 = 1, 0

// BeforeCreate takes an id out of a block of hilo_next_range.
func (block *Block) BeforeCreate(tx *gorm.DB) error {
	if next > high {
		row := tx.Session(&gorm.Session{NewDB: true}).
			Raw("SELECT low, high FROM hilo_next_range('blocks', 10)").Row()
		if err := row.Scan(&next, &high); err != nil {
			return err
		}
	}
	block.ID = next
	next++
	return nil
}

var errRollback = errors.New("rolled back")

const batch = 20 // a transaction

func insert(tx *gorm.DB, table, writer string) (ids []int64, err error) {
	if table == "items" {
		items := make([]Item, batch)
		for i := range items {
			items[i].Writer = writer
		}
		err = tx.Create(&items).Error
		for _, item := range items {
			ids = append(ids, item.ID)
		}
		return ids, err
	}
	blocks := make([]Block, batch)
	for i := range blocks {
		blocks[i].Writer = writer
	}
	err = tx.Create(&blocks).Error
	for _, block := range blocks {
		ids = append(ids, block.ID)
	}
	return ids, err
}

func run() error {
	dsn := fmt.Sprintf("host=%s port=%s user=postgres dbname=postgres", os.Getenv("ORM_HOST"), os.Getenv("ORM_PORT"))
	db, err := gorm.Open(postgres.Open(dsn), &gorm.Config{})
	if err != nil {
		return err
	}
	if os.Args[1] == "create" {
		return db.AutoMigrate(&Item{}, &Block{})
	}
	writer := os.Args[1]
	rows, err := strconv.Atoi(os.Args[2])
	if err != nil {
		return err
	}
	for _, table := range os.Args[3:] {
		for row := 0; row < rows; row += batch {
			err := db.Transaction(func(tx *gorm.DB) error {
				if _, err := insert(tx, table, writer); err != nil {
					return err
				}
				return errRollback
			})
			if !errors.Is(err, errRollback) {
				return err
			}
			var ids []int64
			err = db.Transaction(func(tx *gorm.DB) (err error) {
				ids, err = insert(tx, table, writer)
				return err
			})
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
