"""A report names the session whose agent wrote it."""

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.types import Id

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column; the reports that are there were written by their owners."""
    op.add_column("reports", sa.Column("session_id", Id, nullable=True))
