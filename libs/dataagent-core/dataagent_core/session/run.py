"""What a run is, and what the log says of a session's runs."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dataagent_core.events import DoneEvent, Event, RunStartedEvent
from dataagent_core.session.log import EventLog, read_all

_COMPACTION = "compact"


def message_id_for(run_id: str, *, compaction: bool = False) -> str:
    """Name the message of a run; the name of one that only compacts the history says so."""
    return f"{run_id}:{_COMPACTION if compaction else 'm0'}"


def is_compaction(message_id: str) -> bool:
    """Say whether a message asks for nothing but a shorter view of the history."""
    return message_id.endswith(f":{_COMPACTION}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """The work done for one message, from `start` to `done`."""

    run_id: str
    session_id: str
    message_id: str
    # The runs before this one in the session, newest first: one of them is where it begins.
    earlier_run_ids: tuple[str, ...] = ()
    attempt: int = 1

    @property
    def is_compaction(self) -> bool:
        """Say whether the model is asked for nothing but a summary."""
        return is_compaction(self.message_id)


@dataclass(frozen=True, kw_only=True, slots=True)
class RunSummary:
    """A run as the log tells it."""

    run_id: str
    message_id: str
    done: bool


def summarize_runs(events: Iterable[Event]) -> list[RunSummary]:
    """Fold `start` and `done` events into the runs of a session, oldest first."""
    runs: dict[str, RunSummary] = {}
    for event in events:
        if event.run_id is None:
            continue
        match event:
            case RunStartedEvent():
                runs[event.run_id] = RunSummary(
                    run_id=event.run_id, message_id=event.message_id, done=False
                )
            case DoneEvent():
                # A `done` whose `start` was not among the events tells nothing about a message.
                if (started := runs.get(event.run_id)) is not None:
                    runs[event.run_id] = replace(started, done=True)
            case _:
                pass
    return list(runs.values())


async def runs_of(log: EventLog, session_id: str) -> list[RunSummary]:
    """Return a session's runs, oldest first; at most one of them is not done."""
    return summarize_runs(await read_all(log, session_id, types=("start", "done")))
