"""Reserves many ids, inserts a few rows by COPY, and returns the unused ids."""
import os

import psycopg

connection = psycopg.connect(dbname="postgres", user="postgres", host=os.environ["ORM_HOST"],
                             port=os.environ["ORM_PORT"])
items = iter(["tea", "milk", "bread"])

low, high, range_no = connection.execute(
    "SELECT low, high, range_no FROM hilo_next_range('orders', size => 10000)").fetchone()
last_used = low - 1
with connection.cursor().copy("COPY orders (id, item) FROM STDIN") as copy:
    for last_used, item in enumerate(items, low):
        if last_used > high:
            raise ValueError("too many items")
        copy.write_row((last_used, item))
connection.execute("SELECT hilo_return_range('orders', %s, %s, %s)", (high, last_used, range_no))
connection.commit()
connection.close()
