"""A run, and the runs of a session as its log has them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dataagent_core.events import DoneEvent, Event, RunStartedEvent
from dataagent_core.events.system import RunKind
from dataagent_core.session.log import EventLog, read_all


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """The work done for one message, from `start` to `done`."""

    run_id: str
    session_id: str
    message_id: str
    # Newest first; the history of one of them is continued.
    earlier_run_ids: tuple[str, ...] = ()
    attempt: int = 1
    kind: RunKind = "message"


@dataclass(frozen=True, kw_only=True, slots=True)
class RunSummary:
    """A run as the log has it."""

    run_id: str
    message_id: str
    done: bool
    kind: RunKind = "message"


def summarize_runs(events: Iterable[Event]) -> list[RunSummary]:
    """Fold `start` and `done` events into the runs of a session, oldest first."""
    runs: dict[str, RunSummary] = {}
    for event in events:
        if event.run_id is None:
            continue
        match event:
            case RunStartedEvent():
                runs[event.run_id] = RunSummary(
                    run_id=event.run_id, message_id=event.message_id, done=False, kind=event.kind
                )
            case DoneEvent():
                # A `done` without a `start` among the events belongs to no known message.
                if (started := runs.get(event.run_id)) is not None:
                    runs[event.run_id] = replace(started, done=True)
            case _:
                pass
    return list(runs.values())


async def runs_of(log: EventLog, session_id: str) -> list[RunSummary]:
    """Return a session's runs, oldest first; at most one of them is not done."""
    return summarize_runs(await read_all(log, session_id, types=("start", "done")))
