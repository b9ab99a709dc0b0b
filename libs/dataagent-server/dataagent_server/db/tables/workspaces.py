"""Workspaces (S4), who may use them, and what is counted against their quotas.

Beyond S4's columns: whose a workspace is, `change_no` (raised by every change of its counters, so
that a slow count of the disk knows when it is outdated) and `deleted_at` (set first; the row goes
when the directory is gone). `default_slot` holds the user's id in the row of their default and NULL
in the others: a unique key over it allows one default each, which every database understands.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    UniqueConstraint,
)

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import Exact, Id, Json, LongText, Moment

_Number = BigInteger().with_variant(Integer, "sqlite")

s_workspace = Table(
    "s_workspace",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    # Not a key of `tenants`: a row must outlive its tenant until its directory is gone.
    Column("tenant_id", Id, nullable=False),
    Column("workspace_id", Id, nullable=False, unique=True),
    Column("owner_id", Id, nullable=False),
    Column("name", Exact(128), nullable=False),
    Column("path", Exact(512), nullable=False),
    Column("description", LongText),
    Column("max_size_bytes", BigInteger, nullable=False, server_default="1073741824"),
    Column("max_files", Integer, nullable=False, server_default="10000"),
    Column("current_size_bytes", BigInteger, nullable=False, server_default="0"),
    Column("current_file_count", Integer, nullable=False, server_default="0"),
    Column("is_active", Boolean, nullable=False, default=True),
    Column("settings", Json),
    Column("change_no", BigInteger, nullable=False, server_default="0"),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Column("last_accessed_at", Moment),
    Column("deleted_at", Moment),
    Index(None, "tenant_id", "owner_id"),
)

s_user_workspace_rel = Table(
    "s_user_workspace_rel",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("tenant_id", Id, nullable=False),
    Column("user_id", Id, ForeignKey("s_user.user_id", ondelete="CASCADE"), nullable=False),
    Column(
        "workspace_id",
        Id,
        ForeignKey("s_workspace.workspace_id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("is_default", Boolean, nullable=False, default=False),
    Column("default_slot", Id),
    Column("permission", Exact(32), nullable=False, server_default="read_write"),
    Column("created_at", Moment, nullable=False),
    UniqueConstraint("user_id", "workspace_id"),
    UniqueConstraint("tenant_id", "default_slot"),
)

# One row per tenant: the sum over its workspaces, kept in step in the same transactions, and the
# user number its files belong to where tenants have one.
s_workspace_usage = Table(
    "s_workspace_usage",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("current_size_bytes", BigInteger, nullable=False, server_default="0"),
    Column("current_file_count", BigInteger, nullable=False, server_default="0"),
    Column("change_no", BigInteger, nullable=False, server_default="0"),
    Column("uid", Integer, unique=True),
)

# Room taken before a write and not yet filled. While it is `landing` its file may be on disk
# already, so a count of the disk that overlaps it is done again.
s_workspace_reservation = Table(
    "s_workspace_reservation",
    metadata,
    Column("reservation_id", Id, primary_key=True),
    Column("tenant_id", Id, nullable=False),
    Column(
        "workspace_id",
        Id,
        ForeignKey("s_workspace.workspace_id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("size_bytes", BigInteger, nullable=False),
    Column("files", Integer, nullable=False),
    Column("landing", Boolean, nullable=False, default=False),
    Column("expires_at", Moment, nullable=False),
    Index(None, "tenant_id", "workspace_id"),
)
