"""A data source as it is shown, and what somebody may say of one."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from dataagent_core.errors import ValidationError

PATTERNS_MAX: Final = 1_000
PATTERN_CHARS_MAX: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSource:
    """One source, without its secrets. Without a project it is the whole tenant's."""

    name: str
    project_id: str | None
    owner_id: str
    kind: str
    dialect: str
    place: str
    write_place: str | None
    description: str
    read_only_confirmed: bool
    personal: tuple[str, ...]
    not_personal: tuple[str, ...]
    hidden: tuple[str, ...]
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceWishes:
    """What is said of a source; None leaves what is there. `write_url` "" takes it away."""

    location: str | None = None
    write_url: str | None = None
    description: str | None = None
    read_only_confirmed: bool | None = None
    personal: tuple[str, ...] | None = None
    not_personal: tuple[str, ...] | None = None
    hidden: tuple[str, ...] | None = None


def checked_patterns(patterns: tuple[str, ...], what: str) -> tuple[str, ...]:
    """Return patterns of `table.column`, or say why they cannot be some."""
    if len(patterns) > PATTERNS_MAX:
        raise ValidationError(
            f"{what} holds {len(patterns)} patterns, {PATTERNS_MAX} are possible."
        )
    for pattern in patterns:
        if not pattern or len(pattern) > PATTERN_CHARS_MAX or not pattern.isprintable():
            raise ValidationError(
                f"{what} holds {pattern[:80]!r}: write table.column, with * for any name, in at "
                f"most {PATTERN_CHARS_MAX} characters."
            )
    return patterns
