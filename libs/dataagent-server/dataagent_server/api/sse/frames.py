"""Events as `text/event-stream`: `id`, `event`, `data`, an empty line; never CRLF. Pure."""

import time
from datetime import UTC, datetime
from typing import Final

from dataagent_core.errors import DataAgentError, ValidationError
from dataagent_core.events.sse import SSEEvent, render_sse
from dataagent_server.api.limits import SEQ_MAX
from dataagent_server.common.error_table import PUBLIC_MESSAGES
from dataagent_server.common.host_paths import hide_host_paths
from dataagent_server.sessions.live.event_line import EventLine, json_line

STILL_HERE = ": still here\n\n"
_DIGITS_MAX = len(str(SEQ_MAX))
LAST_EVENT_ID_PATTERN: Final = rf"^[0-9]{{1,{_DIGITS_MAX}}}$"


def event_frame(line: EventLine) -> str:
    """Write an event of the log; its number is where a reader resumes."""
    shown = render_sse(line.event)
    return f"id: {line.seq}\nevent: {shown['type']}\ndata: {json_line(shown)}\n\n"


def error_frame(error: DataAgentError, session_id: str, home: str) -> str:
    """Write why the stream ends; without an id, because it is not in the log.

    `home` is the folder of this server's files, which is not shown.
    """
    message = PUBLIC_MESSAGES.get(error.code) or hide_host_paths(str(error), home) or error.code
    moment = datetime.fromtimestamp(time.time(), UTC).isoformat().replace("+00:00", "Z")
    shown: SSEEvent = {
        "type": "error",
        "data": {"message": message, "code": error.code, "recoverable": error.recoverable},
        "timestamp": moment,
        "conversation_id": session_id,
        "event_id": None,
    }
    return f"event: error\ndata: {json_line(shown)}\n\n"


def last_event_id(header: str) -> int:
    """Read `Last-Event-ID`: one of our event numbers."""
    text = header.strip()
    if not text.isascii() or not text.isdigit() or len(text) > _DIGITS_MAX or int(text) > SEQ_MAX:
        raise ValidationError(f"Last-Event-ID is {header[:80]!r}; it is the `id` of an event.")
    return int(text)
