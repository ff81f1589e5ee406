// main WRITER ROWS TABLE...: inserts rows through GORM.
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

func insert(tx *gorm.DB, table, writer string) error {
	if table == "items" {
		items := make([]Item, 20)
		for i := range items {
			items[i].Writer = writer
		}
		if err := tx.Create(&items).Error; err != nil {
			return err
		}
		if items[19].ID == 0 {
			return errors.New("the id did not come back")
		}
		return nil
	}
	blocks := make([]Block, 20)
	for i := range blocks {
		blocks[i].Writer = writer
	}
	return tx.Create(&blocks).Error
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
		for row := 0; row < rows; row += 20 {
			err := db.Transaction(func(tx *gorm.DB) error {
				if err := insert(tx, table, writer); err != nil {
					return err
				}
				return errRollback
			})
			if !errors.Is(err, errRollback) {
				return err
			}
			if err := db.Transaction(func(tx *gorm.DB) error { return insert(tx, table, writer) }); err != nil {
				return err
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
