"""One stored result: its id, its query and its columns."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dataagent_core.errors import NotFoundError
from dataagent_core.tools.data.data_model import Dialect, ResultColumn
from dataagent_core.tools.data.results.result_lineage import ResultLineage

# Starts with a letter, so that it is a table name in SQL without quotes.
_RESULT_ID = re.compile(r"r_[0-9a-f]{12}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResult:
    """The metadata of a result; the rows are in its Parquet file."""

    result_id: str
    source: str
    dialect: Dialect
    # As the guard rewrote it.
    sql: str
    columns: tuple[ResultColumn, ...]
    row_count: int
    # Rows are missing, so a total over it proves nothing.
    truncated: bool
    bytes: int
    # Of the Parquet file.
    sha256: str
    elapsed_ms: int
    created_at: float
    expires_at: float
    # Columns that are masked for a model.
    personal: tuple[str, ...] = ()
    # The session of the query, if there was one.
    session_id: str | None = None
    lineage: ResultLineage = field(default_factory=ResultLineage)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPage:
    """Some rows of a result, as plain Python values."""

    kept: StoredResult
    offset: int
    rows: tuple[tuple[Any, ...], ...]


def parse_personal_kinds(kept: StoredResult) -> dict[str, str]:
    """Return the masked columns with their kinds (stored as `name=kind`)."""
    pairs = (mark.rpartition("=") for mark in kept.personal)
    return {name: kind for name, _, kind in pairs}


def write_personal_marks(kinds: Mapping[str, str]) -> tuple[str, ...]:
    """Write the masked columns as `name=kind`."""
    return tuple(f"{name}={kind}" for name, kind in kinds.items())


def make_result_id() -> str:
    """Make an id that is also a table name."""
    return f"r_{secrets.token_hex(6)}"


def check_result_id(value: str) -> str:
    """Return a well-formed id; anything else raises `make_missing_result_error`."""
    if not _RESULT_ID.match(value):
        raise make_missing_result_error(value)
    return value


def make_missing_result_error(value: str) -> NotFoundError:
    """Make the error of a missing result, with the likely reasons."""
    return NotFoundError(
        f"There is no result {value!r:.80}: it has expired, or the id is another one's. Run the "
        "query again."
    )
