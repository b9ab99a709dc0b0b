"""A session at a glance: the number of runs, its state, the last user message."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from dataagent_cli.wiring import session_lock
from dataagent_core.events import Event, HITLAnswerEvent, HITLRequestEvent
from dataagent_core.session import RunSummary, Session, read_all, runs_of
from dataagent_core.session.titles import title_of

if TYPE_CHECKING:
    from dataagent_core.config import Settings
    from dataagent_core.session.stores.bundle import Stores

State = Literal["new", "done", "waiting", "interrupted", "running"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """One line of `sessions list`."""

    session: Session
    runs: int
    state: State
    last_message: str

    def to_dict(self) -> dict[str, Any]:
        """Return the overview as JSON values."""
        return {
            "session_id": self.session.session_id,
            "title": title_of(self.session),
            "created_at": self.session.created_at.isoformat(),
            "last_active": self.session.last_active.isoformat(),
            "runs": self.runs,
            "state": self.state,
            "last_message": self.last_message,
        }


async def overview_of(settings: "Settings", stores: "Stores", session: Session) -> Overview:
    """Read the overview of a session from the stores."""
    runs = await runs_of(stores.log, session.session_id)
    message = (
        await stores.messages.get_message(session.session_id, runs[-1].message_id) if runs else None
    )
    return Overview(
        session=session,
        runs=len(runs),
        state=await _state(settings, stores, session.session_id, runs),
        last_message=message.content if message else "",
    )


async def _state(
    settings: "Settings", stores: "Stores", session_id: str, runs: list[RunSummary]
) -> State:
    if not runs:
        return "new"
    if runs[-1].done:
        return "done"
    if session_lock(settings, session_id).is_held():
        return "running"
    requests = await read_all(
        stores.log,
        session_id,
        run_id=runs[-1].run_id,
        types=("hitl_request", "hitl_answer"),
    )
    return "waiting" if _has_open_request(requests) else "interrupted"


def _has_open_request(events: list[Event]) -> bool:
    open_requests: set[str] = set()
    for event in events:
        if isinstance(event, HITLRequestEvent):
            open_requests.add(event.interrupt_id)
        elif isinstance(event, HITLAnswerEvent):
            open_requests.discard(event.interrupt_id)
    return bool(open_requests)
