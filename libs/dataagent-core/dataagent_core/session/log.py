"""The event log and the tool-call journal, which are written in one transaction.

The log numbers the events of a session 1, 2, 3 ... without gaps. The journal holds for each tool
call that it was about to run (`Intent`) and its result (`Outcome`), so that a run resumed after a
crash never repeats a finished call.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from dataagent_core.config.limits import EVENTS_PAGE_DEFAULT
from dataagent_core.events.codec import Event

# The run of an event that belongs to the session and to no run of it, such as a switched mode.
NO_RUN = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Intent:
    """A call is about to run; `probe`, if any, helps to find out later whether it did."""

    call_key: str
    tool_name: str
    args_hash: str
    probe: str | None = None
    # Which turn of the model in its run made the call, from 1 (`tools/pipeline/agent_call.py`).
    step_number: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """A call has run; `payload` is its serialized result."""

    call_key: str
    tool_name: str
    payload: bytes
    receipt: str
    # As in `Intent`, because a refused call has no intent.
    step_number: int | None = None


JournalRecord = Intent | Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalEntry:
    """The journal's entry for one call; without a `payload` its outcome is unknown."""

    run_id: str
    call_key: str
    tool_name: str
    args_hash: str
    payload: bytes | None = None
    receipt: str | None = None
    probe: str | None = None


class EventLog(ABC):
    """Stores events and journal of one tenant's sessions."""

    @abstractmethod
    async def append(
        self,
        session_id: str,
        run_id: str,
        events: Sequence[Event],
        journal: Sequence[JournalRecord] = (),
    ) -> list[Event]:
        """Append events and journal records together or not at all.

        Returns the events as stored, with their numbers. An event whose `event_id` the session
        already has is left out, so that appending a fact twice is harmless. An event that JSON
        cannot hold is a `ValidationError`.
        """

    @abstractmethod
    async def read(
        self,
        session_id: str,
        *,
        after: int = 0,
        limit: int = EVENTS_PAGE_DEFAULT,
        run_id: str | None = None,
        types: Sequence[str] | None = None,
    ) -> list[Event]:
        """Return events with `seq > after` in order, at most `limit` of them.

        A negative `limit` is a `ValidationError`.
        """

    @abstractmethod
    async def last_seq(self, session_id: str) -> int:
        """Return the newest number, 0 for a session without events."""

    @abstractmethod
    async def journal(self, run_id: str) -> list[JournalEntry]:
        """Return the entries of a run's tool calls, in the order they began."""

    @abstractmethod
    async def delete(self, session_id: str) -> None:
        """Remove a session's events and journal."""


async def read_all(
    log: EventLog,
    session_id: str,
    *,
    after: int = 0,
    run_id: str | None = None,
    types: Sequence[str] | None = None,
) -> list[Event]:
    """Read all pages behind a number."""
    events: list[Event] = []
    while True:
        after = events[-1].seq or 0 if events else after
        page = await log.read(session_id, after=after, run_id=run_id, types=types)
        if not page:
            return events
        events.extend(page)
