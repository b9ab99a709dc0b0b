"""`SessionState` (S0): mode and plan of a session, from the last events about them in its log."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import JsonValue

from dataagent_core.events import Event, ModeChangedEvent, TodoUpdateEvent
from dataagent_core.events.system import Mode
from dataagent_core.session.log import EventLog
from dataagent_core.session.mode import DEFAULT_MODE

Todos = list[dict[str, JsonValue]]
_TYPES = ("mode_changed", "todo_update")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """The state of one session, which S0 calls a thread."""

    thread_id: str
    auto_approve: bool = False
    current_todos: Todos = field(default_factory=Todos)


async def session_state(log: EventLog, session_id: str) -> SessionState:
    """Read the state of a session; without events it has the default mode and no plan."""
    mode: Mode = DEFAULT_MODE
    todos: Todos = []
    after = 0
    while page := await log.read(session_id, after=after, types=_TYPES):
        for event in page:
            if isinstance(event, ModeChangedEvent):
                mode = event.mode
        todos = last_todos(page, todos)
        after = page[-1].seq or after
    return SessionState(thread_id=session_id, auto_approve=mode == "auto", current_todos=todos)


def last_todos(events: Iterable[Event], before: Todos | None = None) -> Todos:
    """Return the to-do list after these events; `before` is the list before them."""
    todos = before or []
    for event in events:
        if isinstance(event, TodoUpdateEvent):
            todos = event.todos
    return todos
