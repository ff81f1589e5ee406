"""migrations/env.py of Alembic, which compares the defaults of columns, too."""
import os

from alembic import context
from sqlalchemy import create_engine

from alembic_models import Base

engine = create_engine(
    "postgresql+psycopg://postgres@{ORM_HOST}:{ORM_PORT}/alembic".format(**os.environ))


def include_name(name, type_, parent_names):
    return type_ != "schema" or name != "hilo_internal"


with engine.connect() as connection:
    context.configure(
        connection=connection, target_metadata=Base.metadata, compare_server_default=True,
        include_schemas=True, include_name=include_name)
    with context.begin_transaction():
        context.run_migrations()
