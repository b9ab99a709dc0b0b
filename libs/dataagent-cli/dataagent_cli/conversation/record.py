"""The record of a session: what is stored, and what can be done with it while no run is active.

Part of the conversation's port: `local/record.py` uses this process's stores, `remote/record.py` a
server's API. Plain values and core's own types only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from dataagent_core.context.report import ContextReport
    from dataagent_core.events.feedback import Rating
    from dataagent_core.tools.workspace_history import ChangeReport, RewindResult
    from dataagent_core.usage import Total

Format = Literal["md", "html", "json"]


@dataclass(frozen=True, slots=True)
class UserQuestion:
    """A user message with its number, which names a place in the session; the first is 1."""

    number: int
    message_id: str
    text: str
    # The part that the person wrote: only that may be sent again as their own text.
    own: str


@dataclass(frozen=True, slots=True)
class SessionFork:
    """A session that was forked from another one."""

    session_id: str
    runs: int
    # The original has an unfinished run, which is not in the fork.
    left_unfinished: bool


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One of the person's sessions, as a list shows it."""

    session_id: str
    last_active: datetime
    # Its title or last message; for a search, the passage with the words.
    about: str
    # As `dataagent sessions list` names it; empty if it was not looked up.
    state: str = ""
    # Its directory; empty if that is not on this machine, or not known.
    place: str = ""


class SessionRecord(Protocol):
    """The record of the conversation's own session, and the list of the person's others."""

    async def questions(self) -> Sequence[UserQuestion]:
        """List the user messages, the oldest first."""
        ...

    async def rename(self, title: str) -> str:
        """Set the session's title; return it as it is stored."""
        ...

    async def fork(self, message_id: str | None) -> SessionFork:
        """Make a session from the events before a message; by default from all that is finished."""
        ...

    async def remove_fork(self, made: SessionFork) -> None:
        """Remove a session that `fork` made and nobody used."""
        ...

    async def rewind(self, message_id: str | None) -> "RewindResult":
        """Take files back to before a message; without one, before the last that changed any."""
        ...

    async def changes(self, since_message_id: str | None) -> "ChangeReport":
        """List what the agent changed in files, in the whole session or since a message."""
        ...

    async def export(self, kind: Format) -> str:
        """Give the session as a document."""
        ...

    async def rate(self, rating: "Rating", correction: str) -> None:
        """Say how good the last answer was, and what should have been different, as an event.

        The last word of each person counts; both empty take it back.
        """
        ...

    async def recalled(self) -> "Sequence[Mapping[str, Any]]":
        """List the memories that the last answer was given, as its events describe them."""
        ...

    async def mark_wrong(self, memory_id: str, correction: str) -> "Mapping[str, Any] | None":
        """Say that a memory was never true, and what is true instead.

        Return it and its replacement as a server does, or None where events of the session say so.
        """
        ...

    async def forget(self, memory_id: str) -> "Mapping[str, Any]":
        """Remove a memory, as an event; return the receipt as a server gives it."""
        ...

    async def want_memory(self, *, wanted: bool) -> None:
        """Switch memory on or off in this session."""
        ...

    async def context(self) -> "ContextReport | None":
        """Return how the context window of the last model call was used."""
        ...

    async def usage(self) -> "Total":
        """Add up what the session's model calls used."""
        ...

    async def sessions(self, words: str) -> Sequence[SessionRow]:
        """List the person's sessions, the last used first: all, or those that hold every word."""
        ...

    async def may_open(self, session_id: str) -> None:
        """Refuse a session that is missing (`NotFoundError`) or in use (`SessionBusyError`)."""
        ...
