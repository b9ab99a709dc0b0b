"""Skills of tenants and projects, their versions and files, and what a tenant says of the system's.

The columns of S2 §13 with its names; `project_id` is empty for what belongs to the whole tenant: a
key's column cannot be NULL. `content` is the text of SKILL.md as it was written; the other columns
of a skill are what its front matter says.
"""

from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Table, UniqueConstraint

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import Blob, Exact, Id, Json, LongText, Moment

SKILL_NAME_CHARS_MAX = 100
DISPLAY_NAME_CHARS_MAX = 200
CATEGORY_CHARS_MAX = 50
VERSION_CHARS_MAX = 20
_HASH_CHARS = 64


def _time_columns() -> tuple[Column[Any], Column[Any]]:
    return Column("created_at", Moment, nullable=False), Column(
        "updated_at", Moment, nullable=False
    )


skills = Table(
    "skills",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("id", Id, primary_key=True),
    Column("project_id", Id, nullable=False),
    Column("name", Exact(SKILL_NAME_CHARS_MAX), nullable=False),
    Column("display_name", Exact(DISPLAY_NAME_CHARS_MAX), nullable=False),
    Column("description", LongText, nullable=False),
    Column("trigger_type", Exact(16), nullable=False),
    Column("trigger_phrases", Json, nullable=False),
    # `[{pattern, weight}]`
    Column("trigger_patterns", Json, nullable=False),
    Column("summary", LongText, nullable=False),
    Column("content", LongText, nullable=False),
    Column("category", Exact(CATEGORY_CHARS_MAX), nullable=False),
    Column("tags", Json, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("status", Exact(16), nullable=False),
    Column("version", Exact(VERSION_CHARS_MAX), nullable=False),
    Column("scope", Exact(20), nullable=False),
    # Always false: the skills of the system are files. S2 has the column.
    Column("is_system_skill", Boolean, nullable=False),
    Column("tools", Json, nullable=False),
    # NULL: the skill narrows nothing.
    Column("allowed_tools", Json),
    Column("license", LongText),
    Column("compatibility", LongText),
    Column("metadata", Json, nullable=False),
    Column("always_offered", Boolean, nullable=False),
    Column("requires_tools", Json, nullable=False),
    # `[{path, size_bytes, sha256, executable}]`; the bytes are in `skill_blobs`.
    Column("files", Json, nullable=False),
    Column("digest", Exact(_HASH_CHARS), nullable=False),
    Column("created_by", Id, nullable=False),
    # The number of its newest version.
    Column("number", Integer, nullable=False),
    *_time_columns(),
    UniqueConstraint("tenant_id", "project_id", "name"),
    Index("ix_skills_tenant_scope", "tenant_id", "scope"),
)

# Every content a skill has had, the present one included; the oldest are dropped.
skill_versions = Table(
    "skill_versions",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("skill_id", Id, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("version", Exact(VERSION_CHARS_MAX), nullable=False),
    Column("content", LongText, nullable=False),
    Column("files", Json, nullable=False),
    Column("digest", Exact(_HASH_CHARS), nullable=False),
    Column("created_by", Id, nullable=False),
    Column("created_at", Moment, nullable=False),
)

# The bytes of files, once for each tenant, however many versions have them.
skill_blobs = Table(
    "skill_blobs",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("sha256", Exact(_HASH_CHARS), primary_key=True),
    Column("size_bytes", BigInteger, nullable=False),
    Column("content", Blob, nullable=False),
    Column("created_at", Moment, nullable=False),
)

# Which versions have a blob: one that none has is removed.
skill_blob_uses = Table(
    "skill_blob_uses",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("sha256", Exact(_HASH_CHARS), primary_key=True),
    Column("skill_id", Id, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Index(None, "tenant_id", "skill_id", "number"),
)

# The versions that runs use which are not over: they stay, also without their skill.
run_skills = Table(
    "run_skills",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("run_id", Id, primary_key=True),
    Column("skill_id", Id, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("scope", Exact(20), nullable=False),
    Column("digest", Exact(_HASH_CHARS), nullable=False),
    Index(None, "tenant_id", "skill_id", "number"),
)

tenant_skill_configs = Table(
    "tenant_skill_configs",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("id", Id, primary_key=True),
    Column("system_skill_name", Exact(200), nullable=False),
    # disable | override
    Column("action", Exact(20), nullable=False),
    # NULL when the skill that overrode it was deleted.
    Column("override_skill_id", Id),
    *_time_columns(),
    UniqueConstraint("tenant_id", "system_skill_name"),
)

# Raised in the transaction of every change of a tenant's skills: what a process keeps of them is
# current while the number is the same. Its lock is the tenant's turn to change.
skill_revisions = Table(
    "skill_revisions",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("revision", BigInteger, nullable=False),
)

tool_compositions = Table(
    "tool_compositions",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("id", Id, primary_key=True),
    Column("project_id", Id, nullable=False),
    Column("name", Exact(200), nullable=False),
    Column("description", LongText, nullable=False),
    Column("tools", Json, nullable=False),
    Column("execution_template", Json, nullable=False),
    # `{tool: [tools]}`: which are tried when a member fails.
    Column("fallback_alternatives", Json, nullable=False),
    Column("success_count", Integer, nullable=False),
    Column("failure_count", Integer, nullable=False),
    Column("usage_count", Integer, nullable=False),
    Column("created_by", Id, nullable=False),
    # Of its definition: counting does not change it.
    Column("number", Integer, nullable=False),
    *_time_columns(),
    UniqueConstraint("tenant_id", "project_id", "name"),
)

# What was measured of the members of a composition, in all executions together.
tool_composition_members = Table(
    "tool_composition_members",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("composition_id", Id, primary_key=True),
    Column("tool", Id, primary_key=True),
    Column("calls", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("total_ms", BigInteger, nullable=False),
)
