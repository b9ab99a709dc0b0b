"""A recorded tool call has the number of the model's turn that made it."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; calls of an earlier version have no number."""
    op.add_column("tool_execution_records", sa.Column("step_number", sa.Integer(), nullable=True))
