"""The request and the reply of a write, and the rule for its commit."""

from dataclasses import dataclass, field
from typing import Any

from ..question_server import OwnQuestionError


def _make_empty() -> list[str]:
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRequest:
    """One rebuilt statement on one table; `expected` is None for a trial."""

    sql: str
    verb: str
    schema: str
    table: str
    timeout_s: float
    expected: int | None = None


@dataclass(slots=True)
class SideEffects:
    """The effects of a statement besides its own rows."""

    notes: list[str] = field(default_factory=_make_empty)

    def triggers(self, names: list[str]) -> None:
        """Note the triggers that run with it."""
        if names:
            self.notes.append(
                f"Triggers run with it and may do more than is counted: {', '.join(names)}."
            )

    def cascades(self, tables: list[str], verb: str) -> None:
        """Note the tables whose rows change because they point here."""
        if tables:
            self.notes.append(
                f"Foreign keys carry the {verb} on to rows of {', '.join(tables)}, which are not "
                "counted."
            )


def keep(request: WriteRequest, count: int) -> bool:
    """Say whether to commit: only if requested, and only the announced number of rows."""
    if request.expected is None:
        return False
    if count != request.expected:
        raise OwnQuestionError(
            f"Nothing was changed: the {request.verb} would now change {count} rows, and "
            f"{request.expected} were announced. Somebody changed the table meanwhile: try it "
            "again and look at the new number."
        )
    return True


def report(count: int, side_effects: SideEffects, *, committed: bool) -> dict[str, Any]:
    """Make the reply for a statement that ran."""
    return {"count": count, "notes": side_effects.notes, "committed": committed}
