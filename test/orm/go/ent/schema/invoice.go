package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Invoice has its number by a trigger.
type Invoice struct{ ent.Schema }

// Fields of the Invoice.
func (Invoice) Fields() []ent.Field {
	return []ent.Field{
		field.Int("customer"),
		field.String("state"),
		field.Int("total"),
		field.Int("number").Optional().Immutable(),
	}
}
