"""Tenants, the people in them, and how they show who they are (S0).

No secret stands here in the clear: keys, cookies and tokens as keyed hashes, passwords as argon2id,
the tenants' model keys encrypted.
"""

from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Index, Integer, Table, true
from sqlalchemy import UniqueConstraint as Unique

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import Exact, Id, Json, Key, LongText, Moment

_HASH_CHARS = 64
_NAME_CHARS = 256


def _time_columns() -> tuple[Column[Any], Column[Any]]:
    return Column("created_at", Moment, nullable=False), Column(
        "updated_at", Moment, nullable=False
    )


tenants = Table(
    "tenants",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("name", Exact(_NAME_CHARS), nullable=False),
    Column("max_users", Integer, nullable=False),
    Column("max_sessions_per_user", Integer, nullable=False),
    Column("max_mcp_servers", Integer, nullable=False),
    Column("workspace_quota_bytes", BigInteger, nullable=False),
    Column("features_enabled", Json),
    # What MCP programs may do (`agents/mcp_servers/mcp_policy.py`); None: nothing is allowed yet.
    Column("mcp_policy", Json),
    Column("is_active", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    *_time_columns(),
)

# `tenant_id` is the person's home: the tenant that administers them and in which their user name
# is unique. Were it unique everywhere, one tenant could find out who works in another.
s_user = Table(
    "s_user",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("tenant_id", Id, nullable=False),
    Column("username", Key),
    Column("display_name", Exact(_NAME_CHARS), nullable=False),
    Column("password_hash", Exact(_NAME_CHARS)),
    Column("is_active", Boolean, nullable=False),
    # Whether the person's runs use patterns and are learned from (S2 §6.5.8).
    Column("learns_patterns", Boolean, nullable=False, server_default=true()),
    # Whether the person's runs use notes and memories, and remember.
    Column("uses_memory", Boolean, nullable=False, server_default=true()),
    *_time_columns(),
    Unique("tenant_id", "username"),
)

user_tenants = Table(
    "user_tenants",
    metadata,
    Column("tenant_id", Id, ForeignKey("tenants.tenant_id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, primary_key=True),
    Column("role", Exact(32), nullable=False),
    Column("created_at", Moment, nullable=False),
    Index("ix_user_tenants_user_id", "user_id"),
)

projects = Table(
    "projects",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("project_id", Id, primary_key=True),
    Column("owner_id", Id, nullable=False),
    Column("name", Exact(_NAME_CHARS), nullable=False),
    Column("description", LongText, nullable=False),
    Column("default_model", Key),
    Column("version", Integer, nullable=False),
    *_time_columns(),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("key_id", Id, primary_key=True),
    Column("user_id", Id, nullable=False),
    Column("name", Exact(_NAME_CHARS), nullable=False),
    Column("prefix", Exact(32), nullable=False),
    Column("key_hash", Exact(_HASH_CHARS), nullable=False, unique=True),
    Column("scopes", Json),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment),
    Column("last_used_at", Moment),
    Column("revoked_at", Moment),
    Index("ix_api_keys_tenant_id_user_id", "tenant_id", "user_id"),
)

# A browser that is signed in.
web_sessions = Table(
    "web_sessions",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("login_id", Id, primary_key=True),
    Column("user_id", Id, nullable=False),
    Column("token_hash", Exact(_HASH_CHARS), nullable=False, unique=True),
    Column("created_at", Moment, nullable=False),
    Column("last_seen_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Index("ix_web_sessions_user_id", "user_id"),
    Index("ix_web_sessions_expires_at", "expires_at"),
)

# Sign-in URLs and WebSocket tickets. `key_id` or `login_id` vouched for whoever asked for a ticket.
one_time_tokens = Table(
    "one_time_tokens",
    metadata,
    Column("token_hash", Exact(_HASH_CHARS), primary_key=True),
    Column("tenant_id", Id, nullable=False),
    Column("user_id", Id, nullable=False),
    Column("purpose", Exact(32), nullable=False),
    Column("key_id", Id),
    Column("login_id", Id),
    Column("session_id", Id),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("used_at", Moment),
    Index("ix_one_time_tokens_tenant_id_user_id", "tenant_id", "user_id"),
    Index("ix_one_time_tokens_expires_at", "expires_at"),
)

model_credentials = Table(
    "model_credentials",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("provider", Id, primary_key=True),
    Column("secret", LongText),
    Column("last_four", Exact(4)),
    Column("base_url", LongText),
    Column("default_model", Key),
    Column("version", Integer, nullable=False),
    *_time_columns(),
)

# What a tenant says of single models: that it wants them offered, and its own figures.
tenant_models = Table(
    "tenant_models",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("model", Key, primary_key=True),
    Column("context_length", BigInteger),
    Column("max_output_tokens", BigInteger),
    Column("input_cost_per_1m", Float),
    Column("output_cost_per_1m", Float),
    *_time_columns(),
)
