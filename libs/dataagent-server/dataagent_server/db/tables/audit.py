"""The audit log: one chain of rows a tenant, and where each chain ends.

`detail` is kept as the very text that was hashed. How is in `identity/audit/chain.py`.
"""

from sqlalchemy import BigInteger, Column, Table

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import Exact, Id, Key, LongText, Moment

_MAC_CHARS = 64

audit_log = Table(
    "audit_log",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    Column("actor", Key, nullable=False),
    Column("action", Exact(64), nullable=False),
    Column("resource", Key, nullable=False),
    Column("detail", LongText, nullable=False),
    Column("key_id", Id, nullable=False),
    Column("prev", Exact(_MAC_CHARS), nullable=False),
    Column("mac", Exact(_MAC_CHARS), nullable=False),
)

audit_heads = Table(
    "audit_heads",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("mac", Exact(_MAC_CHARS), nullable=False),
    Column("key_id", Id, nullable=False),
    Column("head_mac", Exact(_MAC_CHARS), nullable=False),
)
