"""Sessions name the store that has their record, and the process when that is a memory."""

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.types import Exact, Id

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns; the rows that are there name no store."""
    op.add_column("sessions", sa.Column("store", Exact(16), nullable=True))
    op.add_column("sessions", sa.Column("store_instance", Id, nullable=True))
