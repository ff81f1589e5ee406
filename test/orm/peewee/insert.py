"""insert.py WRITER ROWS TABLE...: inserts rows through Peewee, and prints the ids it has.
insert.py numbers: saves invoices.
"""
import os
import sys

from peewee import SQL, BigAutoField, BigIntegerField, IntegerField, Model, PostgresqlDatabase, TextField

from invoices import numbers

db = PostgresqlDatabase(
    "postgres", user="postgres", host=os.environ["ORM_HOST"], port=os.environ["ORM_PORT"])


class Plain(Model):
    id = BigIntegerField(primary_key=True, constraints=[SQL("DEFAULT hilo_next('plain')")])
    writer = TextField()

    class Meta:
        database = db


class Auto(Model):
    """As Peewee makes it: a serial column, which hilo_attach leaves as it is."""
    id = BigAutoField()
    writer = TextField()

    class Meta:
        database = db


class Invoice(Model):
    id = BigAutoField()
    customer = IntegerField()
    state = TextField()
    total = IntegerField()
    number = IntegerField(null=True)

    def save(self, *args, **kwargs):
        rows = super().save(*args, **kwargs)
        self.number = Invoice.get_by_id(self.id).number
        return rows

    class Meta:
        database = db
        table_name = "invoices"


def insert(model, writer):
    known = [model.create(writer=writer).id for _ in range(10)]
    return known + [row[0] for row in model.insert_many([{"writer": writer}] * 10).returning(model.id).tuples()]


def main():
    if sys.argv[1] == "create":
        db.create_tables([Plain, Auto])
        db.execute_sql("SELECT hilo_attach('auto', 'id')")
        return
    if sys.argv[1] == "numbers":
        return numbers(Invoice, Invoice.save)
    models = {model._meta.table_name: model for model in (Plain, Auto)}
    for table in sys.argv[3:]:
        for _ in range(0, int(sys.argv[2]), 20):
            with db.atomic() as transaction:
                insert(models[table], sys.argv[1])
                transaction.rollback()
            with db.atomic():
                ids = insert(models[table], sys.argv[1])
            for number in ids:
                print(table, number)


main()
