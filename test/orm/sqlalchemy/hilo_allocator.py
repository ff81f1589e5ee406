"""Hands out ids of ranges. A connection to a server is that of one process and one database, until a fork."""
from collections import deque
from os import getpid

from sqlalchemy import text

RANGE = text("SELECT low, high FROM hilo_next_range(:generator, :size)")


class HiloAllocator:
    def __init__(self, generator, size):
        self.block = {"generator": generator, "size": size}

    def __call__(self, context):
        ids = context.connection.info.setdefault((self, getpid()), deque())
        if not ids:
            low, high = context.connection.execute(RANGE, self.block).one()
            ids.extend(range(low, high + 1))
        return ids.popleft()
