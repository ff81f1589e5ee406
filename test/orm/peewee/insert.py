"""insert.py WRITER ROWS TABLE...: inserts rows through Peewee, and prints the ids it has."""
import os
import sys

from peewee import SQL, BigAutoField, BigIntegerField, Model, PostgresqlDatabase, TextField

db = PostgresqlDatabase(
    "postgres", user="postgres", host=os.environ["ORM_HOST"], port=os.environ["ORM_PORT"])


class Plain(Model):
    id = BigIntegerField(primary_key=True, constraints=[SQL("DEFAULT hilo_next('plain')")])
    writer = TextField()

    class Meta:
        database = db


class Auto(Model):
    """As Peewee makes it: a serial column, until hilo_attach."""
    id = BigAutoField()
    writer = TextField()

    class Meta:
        database = db


def insert(model, writer):
    known = [model.create(writer=writer).id for _ in range(10)]
    return known + [row[0] for row in model.insert_many([{"writer": writer}] * 10).returning(model.id).tuples()]


def main():
    if sys.argv[1] == "create":
        db.create_tables([Plain, Auto])
        db.execute_sql("SELECT hilo_attach('auto', 'id')")
        return
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
