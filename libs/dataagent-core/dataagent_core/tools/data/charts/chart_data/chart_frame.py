"""Reads a result for drawing: its columns with their roles, its cells as JSON values.

Reading runs in a thread. The mask is applied before anything is counted or summed, so that the
chart reveals nothing it hides.
"""

import asyncio
import datetime as dt
import math
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dataagent_core.config.limits.data import CHART_CELL_CHARS_MAX, CHART_COLUMNS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts.chart_data.column_roles import ColumnRole, find_role
from dataagent_core.tools.data.charts.chart_model import MaskCell
from dataagent_core.tools.data.data_model import ColumnKind
from dataagent_core.tools.data.results.result_reader import read_table
from dataagent_core.tools.data.results.result_store import ResultStore
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.definition.name_suggestions import suggest_names

if TYPE_CHECKING:
    import pyarrow as pa

_LOOKED_AT_ROWS = 200
_LOOKALIKES = str.maketrans({"\\": "\u29f5", "'": "\u2019", '"': "\u201d"})
_CLOCKS = (dt.datetime, dt.date, dt.time)


@dataclass(frozen=True)
class ChartField:
    """One column: its name, its role, and its cells, which are read lazily."""

    name: str
    role: ColumnRole
    column: "pa.ChunkedArray"
    # The name in the result, which the mask uses.
    written: str
    mask: MaskCell | None = None

    @cached_property
    def cells(self) -> list[Any]:
        """The cells as JSON values, in the order of the rows."""
        return [
            _write_time(value) if self.role == "time" else make_json_cell(value)
            for value in _mask_values(self.written, self.column.to_pylist(), self.mask)
        ]


@dataclass(frozen=True, slots=True)
class ChartFrame:
    """The columns of a result that can be drawn."""

    kept: StoredResult
    fields: tuple[ChartField, ...]

    @property
    def row_count(self) -> int:
        return len(self.fields[0].column)

    @property
    def names(self) -> list[str]:
        return [field.name for field in self.fields]

    def of(self, *roles: ColumnRole) -> list[ChartField]:
        """Return the columns with one of these roles, in the result's order."""
        return [field for field in self.fields if field.role in roles]

    def field(self, name: str) -> ChartField:
        """Return a column by its name, ignoring case if only one fits."""
        wanted = make_drawable_name(name)
        exact = [field for field in self.fields if field.name == wanted]
        found = exact or [f for f in self.fields if f.name.lower() == wanted.lower()]
        if len(found) == 1:
            return found[0]
        raise ValidationError(
            f"{self.kept.result_id} has no column {name!r:.80}. "
            f"{suggest_names(name, self.names)} It has: {', '.join(self.names[:30])}."
        )


async def read_frame(
    results: ResultStore, result_id: str, mask: MaskCell | None = None
) -> ChartFrame:
    """Read a result for drawing."""
    kept = await results.get(result_id)
    table = await read_table(results, result_id)
    return await asyncio.to_thread(_make_frame, kept, table, mask)


def _make_frame(kept: StoredResult, table: "pa.Table", mask: MaskCell | None) -> ChartFrame:
    if not table.num_rows:
        raise ValidationError(f"{kept.result_id} has no rows, so there is nothing to draw.")
    fields: list[ChartField] = []
    seen: set[str] = set()
    for column, cells in zip(kept.columns, table.columns, strict=True):
        name = make_drawable_name(column.name)
        if name in seen or len(fields) >= CHART_COLUMNS_MAX:
            continue  # a second column of the same name cannot be told from the first
        seen.add(name)
        fields.append(_make_field(column.name, column.kind, cells, mask))
    return ChartFrame(kept, tuple(fields))


def make_drawable_name(name: str) -> str:
    """Remove quotes, backslashes and line ends from a name: Vega-Lite fails on them."""
    printable = "".join(c if c.isprintable() else " " for c in name)
    return printable.translate(_LOOKALIKES) or " "


def _make_field(
    name: str, kind: ColumnKind, column: "pa.ChunkedArray", mask: MaskCell | None
) -> ChartField:
    beginning = _mask_values(name, column.slice(0, _LOOKED_AT_ROWS).to_pylist(), mask)
    present = [value for value in beginning if value is not None]
    if mask is not None and present and all(isinstance(value, str) for value in present):
        kind = "text"  # what stands in for a number cannot be added up
    return ChartField(make_drawable_name(name), find_role(name, kind, present), column, name, mask)


def _mask_values(name: str, values: list[Any], mask: MaskCell | None) -> list[Any]:
    if mask is None:
        return values
    known: dict[Any, Any] = {}
    shown: list[Any] = []
    for value in values:
        if isinstance(value, (dict, list)):
            shown.append(mask(name, value))
            continue
        if value not in known:
            known[value] = mask(name, value)
        shown.append(known[value])
    return shown


def _write_time(value: Any) -> str | None:
    """Write a time as wall-clock time, which every viewer shows unchanged."""
    match value:
        case None:
            return None
        case dt.datetime():
            at = value.replace(tzinfo=None)
        case dt.date():
            at = dt.datetime(value.year, value.month, value.day)  # noqa: DTZ001 - a wall clock's
        case int():
            if not dt.MINYEAR <= value <= dt.MAXYEAR:
                return None
            at = dt.datetime(value, 1, 1)  # noqa: DTZ001 - a wall clock's
        case _:
            written = _parse_time(str(value))
            if written is None:
                return None
            at = written
    return at.isoformat(timespec="seconds")


def _parse_time(text: str) -> dt.datetime | None:
    whole = text if len(text) > len("2026-01") else f"{text}-01"
    try:
        return dt.datetime.fromisoformat(whole)
    except ValueError:  # the thirteenth month: no time
        return None


def make_json_cell(value: Any) -> Any:
    """Write any cell as a JSON value that a chart can hold."""
    match value:
        case None | bool() | int():
            return value
        case float() | Decimal():
            return float(value) if math.isfinite(value) else None
        case dt.timedelta():
            return value.total_seconds()
        case bytes():
            return f"0x{value[:16].hex()}"
        case _:
            text = value.isoformat() if isinstance(value, _CLOCKS) else str(value)
            cut = len(text) > CHART_CELL_CHARS_MAX
            return f"{text[: CHART_CELL_CHARS_MAX - 1]}…" if cut else text
