"""A source, and a data file of a workspace, say how a person chose to have text files read."""

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.types import AnyText, ExactText, Id, UtcTimestamp

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns and the table; for what is there nobody has chosen."""
    for column in _choice():
        op.add_column("data_sources", column)
    op.create_table(
        "file_readings",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("path_sha256", ExactText(64), nullable=False),
        sa.Column("path", AnyText, nullable=False),
        *_choice(),
        sa.Column("updated_at", UtcTimestamp, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["s_workspace.workspace_id"],
            name=op.f("fk_file_readings_workspace_id_s_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "tenant_id", "workspace_id", "path_sha256", name=op.f("pk_file_readings")
        ),
    )


def _choice() -> tuple[sa.Column[str], ...]:
    return (
        sa.Column("dates", ExactText(16), nullable=True),
        sa.Column("decimals", ExactText(16), nullable=True),
        sa.Column("encoding", ExactText(32), nullable=True),
    )
