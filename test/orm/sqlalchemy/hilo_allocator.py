from threading import Lock

from sqlalchemy import text


class HiloAllocator:
    """Hands out ids of blocks that it takes with hilo_next_range."""

    def __init__(self, engine, generator, size):
        self.engine, self.generator, self.size = engine, generator, size
        self.ids, self.lock = iter(()), Lock()

    def __call__(self):
        with self.lock:
            for number in self.ids:
                return number
            with self.engine.connect() as connection:
                low, high = connection.execute(
                    text("SELECT low, high FROM hilo_next_range(:generator, :size)"),
                    {"generator": self.generator, "size": self.size}).one()
            self.ids = iter(range(low + 1, high + 1))
            return low
