"""insert.py WRITER ROWS TABLE...: inserts rows through Django, and prints the ids it has.
insert.py databases ROWS TABLE: inserts rows into two databases by turns, with ids taken before.
insert.py numbers: saves invoices.
"""
import os
import sys

import django
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction
from django.db.models import Func, Value

from invoices import numbers

settings.configure(
    DATABASES={alias: {
        "ENGINE": "django.db.backends.postgresql", "NAME": name, "USER": "postgres",
        "HOST": os.environ["ORM_HOST"], "PORT": os.environ["ORM_PORT"]}
        for alias, name in {"default": "postgres", "other": "other"}.items()})
django.setup()


class HiloNext(Func):
    function = "hilo_next"
    output_field = models.BigIntegerField()


class Plain(models.Model):
    id = models.BigIntegerField(primary_key=True, db_default=HiloNext(Value("plain")))
    writer = models.TextField()

    class Meta:
        app_label, db_table = "shop", "plain"


class Blocks(models.Model):
    """Ids are known before the rows are sent."""
    id = models.BigIntegerField(primary_key=True, db_default=HiloNext(Value("blocks")))
    writer = models.TextField()

    class Meta:
        app_label, db_table = "shop", "blocks"


class Auto(models.Model):
    """As Django makes it: an identity column, which hilo_attach leaves as it is."""
    id = models.BigAutoField(primary_key=True)
    writer = models.TextField()

    class Meta:
        app_label, db_table = "shop", "auto"


class Invoice(models.Model):
    customer = models.IntegerField()
    state = models.TextField()
    total = models.IntegerField()
    number = models.IntegerField(editable=False, null=True, db_default=None)

    def save(self, *args, **kwargs):
        super().save(*args, **kwargs)
        if self.number is None:
            self.refresh_from_db(fields=["number"])

    class Meta:
        app_label, db_table = "shop", "invoices"


def ids(table, count, using=DEFAULT_DB_ALIAS):
    """Return ids of a table, for bulk_create() and for rows that refer to them."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT hilo_next(%s, %s)", [table, count])
        return [id for id, in cursor]


def insert(model, writer, rows):
    if model is Blocks:
        objects = [Blocks(id=number, writer=writer) for number in ids("blocks", rows)]
    else:
        objects = [model(writer=writer) for _ in range(rows)]
    # bulk_create does not read the db_default of a primary key back
    many = 0 if model is Plain else rows // 2
    model.objects.bulk_create(objects[:many])
    for one in objects[many:]:
        one.save(force_insert=True)
    return objects


class Rollback(Exception):
    pass


def main():
    mapped = {model._meta.db_table: model for model in (Plain, Blocks, Auto)}
    if sys.argv[1] == "create":
        with connection.schema_editor() as editor:
            for model in mapped.values():
                editor.create_model(model)
        return

    if sys.argv[1] == "numbers":
        return numbers(Invoice, Invoice.save)

    writer, rows = sys.argv[1], int(sys.argv[2])
    if writer == "databases":
        for row in range(rows):
            using = ("default", "other")[row % 2]
            for number in ids("blocks", 1, using):
                Blocks.objects.using(using).create(id=number, writer="program-databases")
                print("blocks", number)
        return
    for table in sys.argv[3:]:
        for _ in range(0, rows, 20):
            try:
                with transaction.atomic():
                    insert(mapped[table], writer, 20)
                    raise Rollback
            except Rollback:
                pass
            with transaction.atomic():
                objects = insert(mapped[table], writer, 20)
            for one in objects:
                print(table, one.pk)


main()
