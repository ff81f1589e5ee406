from collections import deque

from sqlalchemy import text

RANGE = text("SELECT low, high FROM hilo_next_range(:generator, :size)")


class HiloAllocator:
    """Hands out ids of ranges. A connection to a server is that of one process and one database."""

    def __init__(self, generator, size):
        self.block = {"generator": generator, "size": size}

    def __call__(self, context):
        ids = context.connection.info.setdefault(self, deque())
        if not ids:
            low, high = context.connection.execute(RANGE, self.block).one()
            ids.extend(range(low, high + 1))
        return ids.popleft()
