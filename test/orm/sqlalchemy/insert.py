"""insert.py WRITER ROWS TABLE...: inserts rows through SQLAlchemy, and prints the ids it has.
insert.py databases ROWS known: inserts rows into two databases by turns.
insert.py numbers: saves invoices.

Three ways to leave the ids to hilo, and SQLAlchemy's own sequence.
"""
import os
import sys

from sqlalchemy import BigInteger, FetchedValue, Sequence, Text, create_engine, func, literal_column, text
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from invoices import numbers


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
        server_default=func.hilo_next(literal_column("'monotonic'::regclass"), monotonic=True))
    writer: Mapped[str] = mapped_column(Text)


class Known(Base):
    """Ids are known before the rows are sent."""
    __tablename__ = "known"
    id: Mapped[int] = mapped_column(
        BigInteger, primary_key=True,
        server_default=func.hilo_next(literal_column("'known'::regclass"), monotonic=True))
    writer: Mapped[str] = mapped_column(Text)


class Numbered(Base):
    """SQLAlchemy takes each id from the sequence; hilo takes the rest of a block."""
    __tablename__ = "numbered"
    id: Mapped[int] = mapped_column(
        BigInteger, Sequence("numbered_id_seq", increment=10), primary_key=True)
    writer: Mapped[str] = mapped_column(Text)


class Attached(Base):
    """As numbered, without blocks; hilo_attach leaves the sequence to it."""
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


def add(session, mapped, writer, count):
    if mapped is Known:
        ids = session.scalars(text("SELECT hilo_next('known', :count)"), {"count": count})
        objects = [Known(id=id, writer=writer) for id in ids]
    else:
        objects = [mapped(writer=writer) for _ in range(count)]
    session.add_all(objects)
    return objects


def insert(mapped, writer, rows):
    for start in range(0, rows, 20):
        batch = min(20, rows - start)
        with Session(engine) as session:
            add(session, mapped, writer, batch)
            session.flush()
            session.rollback()
        with Session(engine) as session:
            objects = add(session, mapped, writer, batch)
            session.flush()
            ids = [one.id for one in objects]
            session.commit()
        for number in ids:
            print(mapped.__tablename__, number)


def databases(mapped, rows):
    engines = engine, connect("other")
    for row in range(rows):
        with Session(engines[row % 2]) as session:
            [one] = add(session, mapped, "program-databases", 1)
            session.commit()
            print(mapped.__tablename__, one.id)


def save_numbers():
    with Session(engine) as session:

        def save(invoice):
            session.add(invoice)
            session.flush()

        numbers(Invoice, save)
        session.commit()


def main():
    if sys.argv[1] == "create":
        Base.metadata.create_all(engine)
        return
    if sys.argv[1] == "numbers":
        return save_numbers()
    classes = {cls.__tablename__: cls for cls in Base.__subclasses__()}
    case, rows = sys.argv[1], int(sys.argv[2])
    for table in sys.argv[3:]:
        if case == "databases":
            databases(classes[table], rows)
        else:
            insert(classes[table], case, rows)


main()
