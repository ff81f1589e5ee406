from threading import Lock


class HiloAllocator:
    """Hands out ids of blocks that it takes with hilo_next_range."""

    def __init__(self, engine, generator, size):
        self.engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self.block, self.ids, self.lock = (generator, size), iter(()), Lock()

    def __call__(self):
        with self.lock:
            for number in self.ids:
                return number
            with self.engine.connect() as connection:
                low, high = connection.exec_driver_sql(
                    "SELECT low, high FROM hilo_next_range(%s, %s)", self.block).one()
            self.ids = iter(range(low + 1, high + 1))
            return low
