"""Every table, by theme. Import `metadata` from here, and all of them are in it."""

from dataagent_server.db.metadata import metadata
from dataagent_server.db.tables import (
    assistants,
    audit,
    checkpoints,
    conversations,
    data,
    mcp,
    people,
    reports,
    rules,
    runs,
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
    "metadata",
    "people",
    "reports",
    "rules",
    "runs",
    "usage",
    "workspaces",
]
