from django.db import models
from django.db.models import Func, Value


class HiloNext(Func):
    function = "hilo_next"
    output_field = models.BigIntegerField()


class Order(models.Model):
    id = models.BigIntegerField(primary_key=True, db_default=HiloNext(Value("orders")))
    item = models.TextField(null=True)

    class Meta:
        db_table = "orders"


class Customer(models.Model):
    """hilo_attach leaves its identity as it is."""
    item = models.TextField(null=True)

    class Meta:
        db_table = "customers"
