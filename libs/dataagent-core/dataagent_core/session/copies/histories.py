"""What a model knows of a conversation, as those see it who only move it: an opaque value.

The engine keeps it in its checkpoints and fulfils this port
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
    """How much of a history is meant: up to the first of these messages, and with this plan."""

    # Of the session, newest first; one of them holds the history.
    run_ids: Sequence[str]
    before: frozenset[str]
    todos: Sequence[Any]


class Histories(Protocol):
    """Reads and writes what a model knows, by run."""

    async def read(self, extent: HistoryExtent) -> Any | None:
        """Return the history, or None where nothing is kept of it."""
        ...

    async def write(self, run_id: str, history: Any, ids: IdMapping) -> None:
        """Let a run of another session be where the next one begins."""
        ...

    def pack(self, history: Any | None) -> dict[str, Any]:
        """Give a history as JSON values, for a file that others read."""
        ...

    def unpack(self, values: Any) -> Any:
        """Make a history of JSON values of unknown origin; a `ValidationError` if it is none."""
        ...

    async def forget(self, run_id: str) -> None:
        """Remove what `write` wrote."""
        ...


def extent_of(part: SessionPart) -> HistoryExtent:
    """Say how much of a session's history a part of it has."""
    newest_first = (*reversed(part.left_runs), *reversed(part.runs))
    return HistoryExtent(
        run_ids=[run.run_id for run in newest_first],
        before=frozenset(run.message_id for run in part.left_runs),
        todos=last_todos(part.events),
    )
