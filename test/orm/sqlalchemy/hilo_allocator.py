import os
from collections import deque
from weakref import WeakKeyDictionary

from sqlalchemy import text

RANGE = text("SELECT low, high FROM hilo_next_range(:generator, :size)")


class HiloAllocator:
    """Hands out ids of ranges. A pool of connections is that of one process and one database."""

    def __init__(self, generator, size):
        self.block, self.pools = {"generator": generator, "size": size}, WeakKeyDictionary()
        os.register_at_fork(after_in_child=self.pools.clear)

    def __call__(self, context):
        ids = self.pools.setdefault(context.engine.pool, deque())
        try:
            return ids.popleft()
        except IndexError:
            low, high = context.connection.execute(RANGE, self.block).one()
            ids.extend(range(low + 1, high + 1))
            return low
