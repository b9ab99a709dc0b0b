"""What a statement that writes reports, and the one rule under which it is kept."""

from dataclasses import dataclass, field
from typing import Any

from ..question_server import OwnQuestionError


def _nothing() -> list[str]:
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRequest:
    """One statement, regenerated from its tree, over one table; `expected` is None for a try."""

    sql: str
    verb: str
    schema: str
    table: str
    timeout_s: float
    expected: int | None = None


@dataclass(slots=True)
class SideEffects:
    """What a statement sets off besides the rows it names."""

    notes: list[str] = field(default_factory=_nothing)

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


def keep(asked: WriteRequest, count: int) -> bool:
    """Say whether to commit: only when asked to, and only what was announced."""
    if asked.expected is None:
        return False
    if count != asked.expected:
        raise OwnQuestionError(
            f"Nothing was changed: the {asked.verb} would now change {count} rows, and "
            f"{asked.expected} were announced. Somebody changed the table meanwhile: try it again "
            "and look at the new number."
        )
    return True


def report(count: int, around: SideEffects, *, committed: bool) -> dict[str, Any]:
    """Answer for a statement that ran."""
    return {"count": count, "notes": around.notes, "committed": committed}
