"""All tables by topic. `metadata` imported from here contains all of them."""

from dataagent_server.db.metadata import metadata
from dataagent_server.db.tables import (
    assistants,
    audit,
    checkpoints,
    conversations,
    data,
    mcp,
    memory,
    patterns,
    people,
    plans,
    reports,
    rules,
    runs,
    skills,
    subagents,
    usage,
    workspaces,
)

__all__ = [
    "assistants",
    "audit",
    "checkpoints",
    "conversations",
    "data",
    "mcp",
    "memory",
    "metadata",
    "patterns",
    "people",
    "plans",
    "reports",
    "rules",
    "runs",
    "skills",
    "subagents",
    "usage",
    "workspaces",
]
