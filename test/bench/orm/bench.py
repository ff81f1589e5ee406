"""bench.py ROWS: inserts so many entities through SQLAlchemy, by each way to give
them ids, and prints "WAY;ENTITIES A SECOND".  bench.py create: makes the tables."""
import os
import sys
import time
from collections import deque

from sqlalchemy import BigInteger, Identity, Sequence, create_engine, func, text
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

RANGE = text("SELECT low, high FROM hilo_next_range(:generator, :size)")
TRANSACTION, BATCH = 1000, 50
engine = create_engine(f"postgresql+psycopg://postgres@127.0.0.1:{os.environ['PGPORT']}/orm")


class HiloAllocator:
    """Hands out the ids of ranges."""

    def __init__(self, generator, size):
        self.block = {"generator": generator, "size": size}
        self.ids = deque()

    def __call__(self, context):
        if not self.ids:
            low, high = context.connection.execute(RANGE, self.block).one()
            self.ids.extend(range(low, high + 1))
        return self.ids.popleft()


class Base(DeclarativeBase):
    pass


class Item:
    number: Mapped[int]
    name: Mapped[str]


def key(*args, **keywords):
    return mapped_column(BigInteger, *args, primary_key=True, **keywords)


class OwnSequence(Item, Base):
    __tablename__ = "py_own_sequence"
    id: Mapped[int] = key(Sequence("py_own_sequence_seq"))


class HiloRange(Item, Base):
    __tablename__ = "py_hilo_range"
    id: Mapped[int] = key(autoincrement=False, default=HiloAllocator("py_hilo_range", BATCH))


class HiloLongRange(Item, Base):
    __tablename__ = "py_hilo_long_range"
    id: Mapped[int] = key(autoincrement=False, default=HiloAllocator("py_hilo_long_range", TRANSACTION))


class HiloDefault(Item, Base):
    __tablename__ = "py_hilo_default"
    id: Mapped[int] = key(server_default=func.hilo_next("py_hilo_default", monotonic=True))


class IdentityColumn(Item, Base):
    __tablename__ = "py_identity"
    id: Mapped[int] = key(Identity())


WAYS = {"own sequence": OwnSequence, "hilo_next_range of 50": HiloRange,
        "hilo_next_range of 1000": HiloLongRange,
        "DEFAULT hilo_next": HiloDefault, "identity column": IdentityColumn}


def insert(way, rows):
    """Gives the seconds it took."""
    started = time.perf_counter()
    for row in range(0, rows, TRANSACTION):
        with Session(engine) as session:
            session.add_all(way(number=42, name="item") for _ in range(min(TRANSACTION, rows - row)))
            session.commit()
    return time.perf_counter() - started


if sys.argv[1] == "create":
    Base.metadata.create_all(engine)
else:
    rows = int(sys.argv[1])
    for way in WAYS.values():
        insert(way, min(rows, 5 * TRANSACTION))  # to warm up
    for name, way in WAYS.items():
        print(f"{name};{rows / insert(way, rows)}")
