package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
)

// Item has its id by the default of the column.
type Item struct{ ent.Schema }

// Fields of the Item.
func (Item) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id").Annotations(entsql.DefaultExpr("hilo_next('items')")),
		field.String("writer"),
	}
}
