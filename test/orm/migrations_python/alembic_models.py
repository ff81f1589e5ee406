"""What Alembic compares with the database.

If ORM_MODELS is without_cast, orders has its default as psql's users write it.
"""
import os

from sqlalchemy import BigInteger, Identity, Text, func, literal_column, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

state = os.environ["ORM_MODELS"]


class Base(DeclarativeBase):
    pass


class Order(Base):
    __tablename__ = "orders"
    if state == "without_cast":
        id: Mapped[int] = mapped_column(
            BigInteger, primary_key=True, server_default=func.hilo_next("orders"))
    else:
        id: Mapped[int] = mapped_column(
            BigInteger, primary_key=True,
            server_default=text("hilo_next('orders'::regclass)"))
    item: Mapped[str] = mapped_column(Text)


class Invoice(Base):
    __tablename__ = "invoices"
    id: Mapped[int] = mapped_column(
        BigInteger, primary_key=True,
        server_default=func.hilo_next(literal_column("'invoices'::regclass"), monotonic=True))
    item: Mapped[str] = mapped_column(Text)


class Customer(Base):
    __tablename__ = "customers"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    item: Mapped[str] = mapped_column(Text)
