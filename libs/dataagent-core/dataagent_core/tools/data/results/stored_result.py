"""One kept result: where it came from, what it holds, and how it can be told from another."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dataagent_core.errors import NotFoundError
from dataagent_core.tools.data.data_model import Dialect, ResultColumn
from dataagent_core.tools.data.results.result_lineage import ResultLineage

# Starts with a letter, so that SQL takes it as a table's name as it is.
_RESULT_ID = re.compile(r"r_[0-9a-f]{12}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResult:
    """What is known of a result; the rows are in its Parquet file."""

    result_id: str
    source: str
    dialect: Dialect
    # As the guard let it run.
    sql: str
    columns: tuple[ResultColumn, ...]
    row_count: int
    # It holds not all rows, so nothing can be said of a total.
    truncated: bool
    bytes: int
    # Of the Parquet file.
    sha256: str
    elapsed_ms: int
    created_at: float
    expires_at: float
    # Columns a model reads masked.
    personal: tuple[str, ...] = ()
    # Who asked, where somebody did in a session.
    session_id: str | None = None
    lineage: ResultLineage = field(default_factory=ResultLineage)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPage:
    """Some rows of a result, as plain Python values."""

    kept: StoredResult
    offset: int
    rows: tuple[tuple[Any, ...], ...]


def parse_personal_kinds(kept: StoredResult) -> dict[str, str]:
    """Read which columns are masked, and as what (`name=kind`)."""
    pairs = (mark.rpartition("=") for mark in kept.personal)
    return {name: kind for name, _, kind in pairs}


def write_personal_marks(kinds: Mapping[str, str]) -> tuple[str, ...]:
    """Write the same for keeping."""
    return tuple(f"{name}={kind}" for name, kind in kinds.items())


def make_result_id() -> str:
    """Make an id that is also a table's name."""
    return f"r_{secrets.token_hex(6)}"


def check_result_id(value: str) -> str:
    """Return an id that can be one; anything else names no result."""
    if not _RESULT_ID.match(value):
        raise make_missing_result_error(value)
    return value


def make_missing_result_error(value: str) -> NotFoundError:
    """Say that there is no such result, and why that may be."""
    return NotFoundError(
        f"There is no result {value!r:.80}: it has expired, or the id is another one's. Run the "
        "query again."
    )
