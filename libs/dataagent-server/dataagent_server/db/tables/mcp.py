"""MCP servers (S0), the tokens people hold at them, and sign-ins that are under way.

A server is a person's, a project's or the tenant's; `user_id` and `project_id` are empty where it
is not theirs, because a key's column cannot be NULL. What may hold a secret is encrypted with the
tenant and the row bound in: `env`, `headers`, `url`, `oauth`, tokens and pending sign-ins.
"""

from sqlalchemy import Boolean, Column, Index, Integer, Table, UniqueConstraint

from dataagent_server.db.metadata import metadata
from dataagent_server.db.tables.shared_table import Counting
from dataagent_server.db.types import Exact, Id, Json, LongText, Moment

NAME_CHARS_MAX = 128
COMMAND_CHARS_MAX = 256
_HASH_CHARS = 64

mcp_servers = Table(
    "mcp_servers",
    metadata,
    Column("id", Counting, primary_key=True, autoincrement=True),
    Column("tenant_id", Id, nullable=False),
    Column("scope", Exact(16), nullable=False),
    Column("user_id", Id, nullable=False),
    Column("project_id", Id, nullable=False),
    Column("name", Exact(NAME_CHARS_MAX), nullable=False),
    Column("created_by", Id, nullable=False),
    Column("transport", Exact(16), nullable=False),
    Column("command", Exact(COMMAND_CHARS_MAX), nullable=False),
    Column("args", Json, nullable=False),
    Column("env", LongText, nullable=False),
    Column("url", LongText, nullable=False),
    Column("headers", LongText, nullable=False),
    Column("oauth", LongText),
    Column("network", Exact(16)),
    Column("hosts", Json, nullable=False),
    Column("read_paths", Json, nullable=False),
    Column("write_paths", Json, nullable=False),
    Column("disabled", Boolean, nullable=False),
    Column("timeout", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    UniqueConstraint("tenant_id", "user_id", "project_id", "name"),
)

# A resource is an address without a length, so its digest is the key. `lock_owner` is whoever may
# renew them just now; after `locked_until` it is considered dead.
mcp_tokens = Table(
    "mcp_tokens",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("user_id", Id, primary_key=True),
    Column("resource_hash", Exact(_HASH_CHARS), primary_key=True),
    Column("resource", LongText, nullable=False),
    Column("tokens", LongText),
    # Who we are to its authorization server.
    Column("client", LongText),
    Column("lock_owner", Id),
    Column("locked_until", Moment),
    Column("updated_at", Moment, nullable=False),
)

# `login_id` is the browser's log-in that began it; a key has none.
oauth_flows = Table(
    "oauth_flows",
    metadata,
    Column("state_hash", Exact(_HASH_CHARS), primary_key=True),
    Column("tenant_id", Id, nullable=False),
    Column("user_id", Id, nullable=False),
    Column("server", Exact(NAME_CHARS_MAX), nullable=False),
    Column("login_id", Id),
    Column("pending", LongText, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Index("ix_oauth_flows_tenant_id_user_id", "tenant_id", "user_id"),
    Index("ix_oauth_flows_expires_at", "expires_at"),
)
