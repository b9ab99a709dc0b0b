"""A source, and a data file of a workspace, say how a person chose to have text files read."""

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.types import AnyText, Exact, Id, Moment

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
        sa.Column("path_sha256", Exact(64), nullable=False),
        sa.Column("path", AnyText, nullable=False),
        *_choice(),
        sa.Column("updated_at", Moment, nullable=False),
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
        sa.Column("dates", Exact(16), nullable=True),
        sa.Column("decimals", Exact(16), nullable=True),
        sa.Column("encoding", Exact(32), nullable=True),
    )
