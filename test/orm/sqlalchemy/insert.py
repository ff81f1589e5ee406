"""insert.py WRITER ROWS TABLE...: inserts rows through SQLAlchemy, and prints the ids it has.
insert.py fork|tasks|databases|models|failed|moved|short ROWS TABLE...: does so in a case of OrmTest.
insert.py numbers: saves invoices.

Three ways to leave the ids to hilo, and SQLAlchemy's own sequence.
"""
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import BigInteger, FetchedValue, Sequence, Text, create_engine, func, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from hilo_allocator import HiloAllocator

def connect(database):
    return create_engine(
        "postgresql+psycopg://postgres@{ORM_HOST}:{ORM_PORT}/".format(**os.environ) + database)


engine = connect("postgres")


class Base(DeclarativeBase):
    pass


class Plain(Base):
    __tablename__ = "plain"
    id: Mapped[int] = mapped_column(
        BigInteger, primary_key=True, server_default=text("hilo_next('plain')"))
    writer: Mapped[str] = mapped_column(Text)


class Monotonic(Base):
    """monotonic: ids rise within a statement, so that it may have many rows."""
    __tablename__ = "monotonic"
    id: Mapped[int] = mapped_column(
        BigInteger, primary_key=True,
        server_default=func.hilo_next("monotonic", monotonic=True))
    writer: Mapped[str] = mapped_column(Text)


class Allocated(Base):
    __tablename__ = "allocated"
    id: Mapped[int] = mapped_column(
        BigInteger, primary_key=True, autoincrement=False,
        default=HiloAllocator("allocated", 10), server_default=text("hilo_next('allocated')"))
    writer: Mapped[str] = mapped_column(Text)


class Other(Base):
    __tablename__ = "other"
    id: Mapped[int] = mapped_column(
        BigInteger, primary_key=True, autoincrement=False,
        default=HiloAllocator("other", 10), server_default=text("hilo_next('other')"))
    writer: Mapped[str] = mapped_column(Text)


class Numbered(Base):
    """SQLAlchemy takes each id from the sequence; hilo takes the rest of a block."""
    __tablename__ = "numbered"
    id: Mapped[int] = mapped_column(
        BigInteger, Sequence("numbered_id_seq", increment=10), primary_key=True)
    writer: Mapped[str] = mapped_column(Text)


class Attached(Base):
    """As numbered; hilo_attach takes the sequence away."""
    __tablename__ = "attached"
    id: Mapped[int] = mapped_column(BigInteger, Sequence("attached_id_seq"), primary_key=True)
    writer: Mapped[str] = mapped_column(Text)


class Invoice(Base):
    __tablename__ = "invoices"
    __mapper_args__ = {"eager_defaults": True}
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    customer: Mapped[int]
    state: Mapped[str]
    total: Mapped[int]
    number: Mapped[int | None] = mapped_column(
        server_default=FetchedValue(), server_onupdate=FetchedValue())


def tell(mapped, number):
    """Prints an id at once, so that threads and children do not print into each other's lines."""
    print(f"{mapped.__tablename__} {number}\n", end="", flush=True)


def insert(mapped, writer, rows):
    for start in range(0, rows, 20):
        batch = min(20, rows - start)
        with Session(engine) as session:
            session.add_all(mapped(writer=writer) for _ in range(batch))
            session.flush()
            session.rollback()
        with Session(engine) as session:
            objects = [mapped(writer=writer) for _ in range(batch)]
            session.add_all(objects)
            session.flush()
            ids = [one.id for one in objects]
            session.commit()
        for number in ids:
            tell(mapped, number)


def insert_one(mapped, writer, engine=engine):
    with Session(engine) as session:
        row = mapped(writer=writer)
        session.add(row)
        session.commit()
        tell(mapped, row.id)


def fork(work, is_alone=False):
    pid = os.fork()
    if pid == 0:
        if not is_alone:
            engine.dispose(close=False)
        work()
        os._exit(0)
    return pid


def await_children(*pids):
    if any(os.waitpid(pid, 0)[1] for pid in pids):
        sys.exit("a child failed")


def forked(mapped, writer, rows):
    insert_one(mapped, writer)
    # one at a time can use the connection of the parent
    for _ in range(2):
        await_children(fork(lambda: insert_one(mapped, writer), is_alone=True))
    await_children(*[fork(lambda: [insert_one(mapped, writer) for _ in range(rows)]) for _ in range(2)])


def tasks(mapped, writer, rows):
    with ThreadPoolExecutor(32) as executor:
        list(executor.map(lambda _: insert(mapped, writer, rows), range(32)))


def databases(mapped, writer, rows):
    engines = engine, connect("other")
    for row in range(rows):
        insert_one(mapped, writer, engines[row % 2])


def again(mapped, writer, rows):
    tries = 2 * rows
    while rows and tries:
        tries -= 1
        try:
            insert_one(mapped, writer)
            rows -= 1
        except DBAPIError as error:
            print("failed", error)


def short(mapped, writer, rows):
    for _ in range(rows):
        await_children(fork(lambda: insert_one(mapped, writer)))


def numbers():
    with Session(engine) as session:
        invoice = Invoice(customer=7, state="posted", total=10)
        session.add(invoice)
        session.flush()
        print(invoice.number)
        invoice.total = 20
        session.flush()
        print(invoice.number)
        invoice = Invoice(customer=7, state="draft", total=10)
        session.add(invoice)
        session.flush()
        invoice.state = "posted"
        session.flush()
        print(invoice.number)
        invoice.total = 20
        session.flush()
        print(invoice.number)
        session.commit()


CASES = {"fork": forked, "tasks": tasks, "databases": databases, "failed": again, "moved": again, "short": short}


def main():
    if sys.argv[1] == "create":
        Base.metadata.create_all(engine)
        return
    if sys.argv[1] == "numbers":
        return numbers()
    classes = {cls.__tablename__: cls for cls in Base.__subclasses__()}
    case, rows = sys.argv[1], int(sys.argv[2])
    if case == "models":
        for row in range(rows):
            insert_one(classes[sys.argv[3 + row % 2]], "program-models")
        return
    for table in sys.argv[3:]:
        if case in CASES:
            CASES[case](classes[table], f"program-{case}", rows)
        else:
            insert(classes[table], case, rows)


main()
