"""A data source as it is shown, and the changes of one."""

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.sources.read_options import ReadOptions
from dataagent_core.tools.data.sources.source_spec import DateOrder, DecimalMark, TextEncoding

# Without a choice, the content of the files decides.
Auto = Literal["auto"]

PATTERNS_MAX: Final = 1_000
PATTERN_CHARS_MAX: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSource:
    """One source, without its secrets. Without a project it belongs to the tenant."""

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
    reading: ReadOptions
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingChanges:
    """The changes of how text files are read; None keeps a choice, "auto" removes it."""

    dates: DateOrder | Auto | None = None
    decimals: DecimalMark | Auto | None = None
    encoding: TextEncoding | Auto | None = None

    def over(self, known: ReadOptions) -> ReadOptions:
        """Apply the changes to the current choices."""
        choices: dict[str, Any] = {
            name: None if value == "auto" else value
            for name, value in asdict(self).items()
            if value is not None
        }
        return replace(known, **choices)


_AS_IT_IS: Final = ReadingChanges()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceChanges:
    """The changes of a source; None keeps the stored value. `write_url` "" removes it."""

    location: str | None = None
    write_url: str | None = None
    description: str | None = None
    read_only_confirmed: bool | None = None
    personal: tuple[str, ...] | None = None
    not_personal: tuple[str, ...] | None = None
    hidden: tuple[str, ...] | None = None
    reading: ReadingChanges = _AS_IT_IS


def validate_patterns(patterns: tuple[str, ...], what: str) -> tuple[str, ...]:
    """Return patterns of `table.column`, or raise with the reason why they are not valid."""
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
