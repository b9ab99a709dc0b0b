"""Whether a person's runs remember, and which process does the periodic work for all."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.types import Key, Moment

revision = "0013"
down_revision = "0012"

# What a MySQL server might default to Latin-1 and MyISAM.
_MYSQL: dict[str, Any] = {
    "mysql_charset": "utf8mb4",
    "mysql_collate": "utf8mb4_bin",
    "mysql_engine": "InnoDB",
}


def upgrade() -> None:
    """Add the switch, which is on until a person says no, and the table, which is empty."""
    op.add_column(
        "s_user",
        sa.Column("uses_memory", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.create_table(
        "chore_claims",
        sa.Column("name", Key, nullable=False),
        sa.Column("until", Moment, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_chore_claims")),
        **_MYSQL,
    )
