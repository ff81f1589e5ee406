"""insert.py WRITER ROWS TABLE...: inserts rows through SQLAlchemy, and prints the ids it has.

Three ways to leave the ids to hilo, and SQLAlchemy's own sequence.
"""
import os
import sys

from sqlalchemy import BigInteger, Sequence, Text, create_engine, func, text
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from hilo_allocator import HiloAllocator

engine = create_engine(
    "postgresql+psycopg://postgres@{ORM_HOST}:{ORM_PORT}/postgres".format(**os.environ))


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
        default=HiloAllocator(engine, "allocated", 10), server_default=text("hilo_next('allocated')"))
    writer: Mapped[str] = mapped_column(Text)


class Numbered(Base):
    """SQLAlchemy takes each id from the sequence; hilo takes the rest of a block."""
    __tablename__ = "numbered"
    id: Mapped[int] = mapped_column(
        BigInteger, Sequence("numbered_id_seq", increment=10), primary_key=True)
    writer: Mapped[str] = mapped_column(Text)


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
            print(mapped.__tablename__, number)


def main():
    if sys.argv[1] == "create":
        Base.metadata.create_all(engine)
        return
    classes = {cls.__tablename__: cls for cls in Base.__subclasses__()}
    for table in sys.argv[3:]:
        insert(classes[table], sys.argv[1], int(sys.argv[2]))


main()
