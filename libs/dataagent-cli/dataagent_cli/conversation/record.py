"""What is kept of a session, and what can be done with it while its agent does nothing.

Part of a conversation's port: this process does it with its own stores (`local/record.py`), a
server does it for whoever is attached to it. Plain values and core's own types only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from dataagent_core.context.report import ContextReport
    from dataagent_core.tools.workspace_history import ChangeReport, RewindResult
    from dataagent_core.usage import Total

Format = Literal["md", "html", "json"]


@dataclass(frozen=True, slots=True)
class UserQuestion:
    """Something the person said, by which a place in the session is named; the first is 1."""

    number: int
    message_id: str
    text: str
    # The part of it that the person wrote: only that may be sent again as their words.
    own: str


@dataclass(frozen=True, slots=True)
class SessionFork:
    """A session that was made of another one."""

    session_id: str
    runs: int
    # The original has a run that is not finished; it stayed there.
    left_unfinished: bool


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One of the person's sessions, as a list shows it."""

    session_id: str
    last_active: datetime
    # Its title, or what was last said in it; for a search, where the words stand.
    about: str
    # As `dataagent sessions list` names it; empty where nobody looked.
    state: str = ""
    # The directory it works in; empty where that is not this machine's, or not known.
    place: str = ""


class SessionRecord(Protocol):
    """The record of the conversation's own session, and the list of the person's others."""

    async def questions(self) -> Sequence[UserQuestion]:
        """List what the person said, the first first."""
        ...

    async def rename(self, title: str) -> str:
        """Give the session a title; returns it as it is kept."""
        ...

    async def fork(self, message_id: str | None) -> SessionFork:
        """Make a session of what stands before a message; without one, of all that is finished."""
        ...

    async def remove_fork(self, made: SessionFork) -> None:
        """Remove a session that `fork` made and nobody went on in."""
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

    async def context(self) -> "ContextReport | None":
        """Say how the window of the last model call was spent."""
        ...

    async def usage(self) -> "Total":
        """Add up what the session's model calls used."""
        ...

    async def sessions(self, words: str) -> Sequence[SessionRow]:
        """List the person's sessions, the last used first: all, or those that hold every word."""
        ...

    async def may_open(self, session_id: str) -> None:
        """Refuse a session that is not there (`NotFoundError`) or in use (`SessionBusyError`)."""
        ...
