"""The port to the model's history of a conversation, for copies: the history is an opaque value.

The engine keeps it in its checkpoints and implements this port
(`engine/checkpoints/checkpoint_histories.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dataagent_core.session.copies.new_ids import IdMapping
from dataagent_core.session.copies.session_part import SessionPart
from dataagent_core.session.session_state import last_todos


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryExtent:
    """A part of a history: up to the first of the messages in `before`, and with this plan."""

    # The session's runs, newest first; one of them holds the history.
    run_ids: Sequence[str]
    before: frozenset[str]
    todos: Sequence[Any]


class Histories(Protocol):
    """Reads and writes histories by run."""

    async def read(self, extent: HistoryExtent) -> Any | None:
        """Return the history, or None if nothing is stored."""
        ...

    async def write(self, run_id: str, history: Any, ids: IdMapping) -> None:
        """Write a history under a run of another session, whose next run continues it."""
        ...

    def pack(self, history: Any | None) -> dict[str, Any]:
        """Convert a history to JSON values for a bundle."""
        ...

    def unpack(self, values: Any) -> Any:
        """Convert untrusted JSON values to a history; raise `ValidationError` if invalid."""
        ...

    async def forget(self, run_id: str) -> None:
        """Remove the history that `write` wrote."""
        ...


def extent_of(part: SessionPart) -> HistoryExtent:
    """Return the extent of the history that belongs to a part of a session."""
    newest_first = (*reversed(part.left_runs), *reversed(part.runs))
    return HistoryExtent(
        run_ids=[run.run_id for run in newest_first],
        before=frozenset(run.message_id for run in part.left_runs),
        todos=last_todos(part.events),
    )
