"""`SessionState` (S0): what a conversation is set to and plans just now, read from its log.

The log is the one place that has it: the last `mode_changed` and the last `todo_update` count.
"""

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
    """The state of one session; S0's thread is our session."""

    thread_id: str
    auto_approve: bool = False
    current_todos: Todos = field(default_factory=Todos)


async def session_state(log: EventLog, session_id: str) -> SessionState:
    """Read the state of a session; one without events asks first and plans nothing."""
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
    """Give the to-do list as these events leave it; `before` is the list they began with."""
    todos = before or []
    for event in events:
        if isinstance(event, TodoUpdateEvent):
            todos = event.todos
    return todos
