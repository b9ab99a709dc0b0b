"""Which process does the periodic work that one of them does for all."""

from sqlalchemy import Column, Table

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import Key, Moment

chore_claims = Table(
    "chore_claims",
    metadata,
    Column("name", Key, primary_key=True),
    # Nobody else begins before.
    Column("until", Moment, nullable=False),
)
