from django.test import TestCase

from shop.models import Customer, Order


class Orders(TestCase):
    """The rows of the migration are there again after the first test, which does not see them."""

    def test_1(self):
        Order.objects.all().delete()
        Order.objects.create(item="tea")

    def test_2(self):
        Order.objects.create(item="tea")
        self.assertEqual(Order.objects.count(), 4)


class Customers(TestCase):
    def test_1(self):
        Customer.objects.create(item="Ada")

    def test_2(self):
        Customer.objects.create(item="Ada")
