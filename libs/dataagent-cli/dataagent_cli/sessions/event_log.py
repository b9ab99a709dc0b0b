"""`sessions events`: the event log, page by page."""

import json
from datetime import datetime
from typing import TYPE_CHECKING

from dataagent_cli.output.json_lines import write_event
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut
from dataagent_cli.sessions.lookup import existing_session
from dataagent_cli.wiring import App, open_stores

if TYPE_CHECKING:
    from dataagent_core.events import Event

_NOT_SHOWN = frozenset({"event_type", "timestamp", "event_id", "session_id", "run_id", "seq"})


async def print_events(app: App, session_id: str, after: int, as_json: bool) -> None:
    """Print the events with a higher number than `after`."""
    async with open_stores(app.settings) as stores:
        await existing_session(app, stores, session_id)
        while page := await stores.log.read(session_id, after=after):
            for event in page:
                if as_json:
                    write_event(event)
                else:
                    app.output.line(cut(_line(event), app.output.width_cells))
            after = page[-1].seq or after


def _line(event: "Event") -> str:
    fields = {
        name: value
        for name, value in event.to_dict().items()
        if name not in _NOT_SHOWN and value not in (None, "", [], {})
    }
    moment = datetime.fromtimestamp(event.timestamp).astimezone()
    text = one_line(json.dumps(fields, ensure_ascii=False)[1:-1])
    return f"{event.seq or 0:>5}  {moment:%H:%M:%S}  {event.event_type:<14} {text}"
