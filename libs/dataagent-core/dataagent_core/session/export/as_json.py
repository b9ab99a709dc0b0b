"""A session as JSON: its events and messages, with the version of the format."""

import json
from typing import Any, Final

from dataagent_core.session.export.turns import ExportedSession
from dataagent_core.session.state import Message, Session

FORMAT: Final = "dataagent.session"
VERSION: Final = 1


def json_document(exported: ExportedSession) -> str:
    """Write the whole session as JSON."""
    return json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "session": session_values(exported.session, exported.title),
            "messages": [message_values(message) for message in exported.messages],
            "events": [event.to_dict() for event in exported.events],
        },
        allow_nan=False,
        indent=1,
    )


def session_values(session: Session, title: str) -> dict[str, Any]:
    """Return a session as JSON values, without what only its own installation uses."""
    return {
        "session_id": session.session_id,
        "assistant_id": session.assistant_id,
        "title": title,
        "created_at": session.created_at.isoformat(),
        "last_active": session.last_active.isoformat(),
    }


def message_values(message: Message) -> dict[str, Any]:
    """Return a message as JSON values, without metadata, which holds local paths."""
    return {
        "message_id": message.message_id,
        "role": message.role,
        "content": message.content,
        "created_at": message.created_at.isoformat(),
    }
