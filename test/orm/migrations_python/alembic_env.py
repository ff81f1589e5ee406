"""migrations/env.py of Alembic, which compares the defaults of columns, too."""
import os

from alembic import context
from sqlalchemy import create_engine

from alembic_models import Base

engine = create_engine(
    "postgresql+psycopg://postgres@{ORM_HOST}:{ORM_PORT}/alembic".format(**os.environ))

with engine.connect() as connection:
    context.configure(
        connection=connection, target_metadata=Base.metadata, compare_server_default=True)
    with context.begin_transaction():
        context.run_migrations()
