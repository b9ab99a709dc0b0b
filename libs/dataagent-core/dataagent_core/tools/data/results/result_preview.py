"""Renders a result for a model: one line about it with the types, then CSV.

Measured: CSV costs the fewest tokens of all lossless formats. Long cells are cut, rows stop at the
byte limit, and the notice says what was left out and how to see it.
"""

import csv
import datetime as dt
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from dataagent_core.config.limits.data import QUERY_CELL_CHARS_MAX, QUERY_PREVIEW_BYTES_MAX
from dataagent_core.tools.data.privacy.cell_masks import make_cell_mask
from dataagent_core.tools.data.privacy.failure_text import remove_values
from dataagent_core.tools.data.results.stored_result import (
    ResultPage,
    StoredResult,
    parse_personal_kinds,
)
from dataagent_core.tools.data.row_count import format_row_count

_FLOAT_DIGITS = 15
_JSON_TEXT_CHARS_MAX = 1_000_000


@dataclass(frozen=True, slots=True)
class ResultPreview:
    """The text, and how many rows of the page are in it."""

    text: str
    rows_shown: int


def render_preview(page: ResultPage, bytes_max: int = QUERY_PREVIEW_BYTES_MAX) -> ResultPreview:
    """Render a page for a model; personal cells are masked."""
    kept = page.kept
    names = tuple(column.name for column in kept.columns)
    kinds, mask = parse_personal_kinds(kept), make_cell_mask(kept)
    lines = [render_csv_line(names)]
    size_bytes = len(lines[0].encode())
    for row in page.rows:
        line = render_csv_line(
            [render_cell_text(mask(n, v)) for n, v in zip(names, row, strict=True)]
        )
        size_bytes += len(line.encode("utf-8", "replace"))
        if size_bytes > bytes_max and len(lines) > 1:
            break
        lines.append(line)
    shown = len(lines) - 1
    types = ", ".join(f"{column.name} {column.kind}" for column in kept.columns)
    head = f"{kept.result_id}: {_describe_row_count(kept)}. Types: {types}"
    notes = [f"(Note: {remove_values(note)})" for note in kept.lineage.notes]
    about = "".join(f"{line}\n" for line in (head, *notes))
    return ResultPreview(about + "".join(lines) + _render_notice(page, shown, kinds), shown)


def render_cell_text(value: object, chars_max: int = QUERY_CELL_CHARS_MAX) -> str:
    """Write one cell as short as possible without losing information."""
    match value:
        case None:
            return ""
        case bool():
            text = "true" if value else "false"
        case float():
            text = format(value, f".{_FLOAT_DIGITS}g")
        case Decimal():
            text = format(value, "f")
        case dt.datetime():
            text = value.isoformat(sep=" ").removesuffix("+00:00").removesuffix(" 00:00:00")
        case bytes():
            text = f"0x{value.hex()}"
        case dict() | list():
            text = json.dumps(value, ensure_ascii=False, default=str)
        case _:
            text = str(value)
    return text if len(text) <= chars_max else f"{text[:chars_max]}…({len(text)} characters)"


def make_json_value(value: object) -> Any:
    """Return a cell as a JSON value without losing digits; other types become text."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case dict() | list():
            return json.loads(json.dumps(value, default=str))
        case _:
            return render_cell_text(value, _JSON_TEXT_CHARS_MAX)


def render_csv_line(cells: Sequence[str]) -> str:
    r"""Write one line, ending in `\n`."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def _describe_row_count(kept: StoredResult) -> str:
    if kept.truncated:
        return (
            f"the first {format_row_count(kept.row_count)} of more; totals over them prove nothing"
        )
    return format_row_count(kept.row_count)


def _render_notice(page: ResultPage, shown: int, kinds: Mapping[str, str]) -> str:
    notes: list[str] = []
    after = page.offset + shown
    if after < page.kept.row_count:
        notes.append(f"rows {page.offset + 1} to {after}; result_page goes on at offset {after}")
    if kinds:
        notes.append(f"masked for you, readable by the person: {', '.join(kinds)}")
    return f"({'; '.join(notes)})\n" if notes else ""
