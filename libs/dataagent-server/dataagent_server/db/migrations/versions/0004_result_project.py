"""A kept result has the project in which it was asked, and says whether it was only looked at.

In that project its query can be run again.
"""

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.types import Id

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns; of results that belong to no session neither is known."""
    op.add_column("results", sa.Column("project_id", Id, nullable=True))
    op.add_column("results", sa.Column("is_look", sa.Boolean(), nullable=True))
    op.execute(
        "UPDATE results SET is_look = FALSE, project_id = (SELECT sessions.project_id FROM sessions"
        " WHERE sessions.tenant_id = results.tenant_id"
        " AND sessions.session_id = results.session_id)"
        " WHERE session_id IS NOT NULL"
    )
