"""The files made by a session's tools, found in its log by their ids."""

import json
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, select

from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.conversations import agent_execution_events as events

# More than one event may name an id: in a result that quotes another.
_LOOKED_AT_MAX: Final = 20


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file in the workspace of the session's owner, as it was when its call ended."""

    path: str
    size_bytes: int
    made_at_s: float


def find_artifact(
    connection: Connection, tenant_id: TenantId, session_id: str, artifact_id: str
) -> Artifact | None:
    """Find an artifact in the log."""
    query = (
        select(events.c.event_data)
        .where(
            events.c.tenant_id == tenant_id,
            events.c.session_id == session_id,
            events.c.event_type == "tool_result",
            events.c.event_data.contains(artifact_id, autoescape=True),
        )
        .order_by(events.c.seq)
        .limit(_LOOKED_AT_MAX)
    )
    for text in connection.execute(query).scalars():
        event: dict[str, Any] = json.loads(text)
        for made in event.get("artifacts", ()):
            if made.get("id") == artifact_id:
                return Artifact(made["path"], made["bytes"], event["timestamp"])
    return None
