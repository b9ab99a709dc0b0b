"""A kept result has the project in which it was asked, so that its query can be run again there."""

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.types import Id

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column; results of an earlier version were asked in no project that is known."""
    op.add_column("results", sa.Column("project_id", Id, nullable=True))
