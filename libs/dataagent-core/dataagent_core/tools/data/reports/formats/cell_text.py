"""Renders cells and figures for a person."""

import datetime as dt
import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from dataagent_core.config.limits.data import REPORT_CELL_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts.chart_data.column_roles import names_no_amount
from dataagent_core.tools.data.reports.report_blocks import FigureAggregate, FigureFormat

_FLOAT_DIGITS = 15
_NO_DECIMALS_FROM = 1_000_000


def render_cell_value(value: Any, column: str = "") -> str:
    """Render one cell: with thousands separators, except in years and identifiers."""
    match value:
        case None:
            return ""
        case bool():
            text = "true" if value else "false"
        case int():
            text = str(value) if names_no_amount(column) else f"{value:,}"
        case float():
            text = _render_float(value)
        case Decimal():
            text = f"{value:,f}"
        case dt.datetime():
            text = value.isoformat(sep=" ", timespec="seconds").removesuffix(" 00:00:00")
        case bytes():
            text = f"0x{value.hex()}"
        case dict() | list():
            text = json.dumps(value, ensure_ascii=False, default=str)
        case _:
            text = str(value)
    cut = len(text) > REPORT_CELL_CHARS_MAX
    return f"{text[: REPORT_CELL_CHARS_MAX - 1]}…" if cut else text


def _render_float(value: float) -> str:
    if not abs(value) >= 1:
        return f"{value:.4g}"
    text = f"{value:,.2f}"
    return (
        text.removesuffix(".00") if value.is_integer() or abs(value) >= _NO_DECIMALS_FROM else text
    )


def render_figure(value: Any, how: FigureFormat, column: str = "") -> str:
    """Render one figure; a percent is given as a fraction."""
    match how:
        case "number":
            return render_cell_value(value, column)
        case "plain":
            return "" if value is None else str(value)
        case "percent":
            if not _is_number(value):
                raise ValidationError(f"{value!r:.60} is no number, and so no percent.")
            return f"{value * 100:,.1f}%"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def aggregate_column(values: Sequence[Any], how: FigureAggregate, column: str) -> Any:
    """Aggregate a column; empty cells do not count."""
    present = [value for value in values if value is not None]
    if how == "count":
        return len(present)
    wrong = next((value for value in present if not _is_number(value)), None)
    if wrong is not None:
        raise ValidationError(
            f"{how} of {column!r} is not possible: it holds {wrong!r:.60}. Use count, or a column "
            "of numbers."
        )
    if not present:
        return None
    match how:
        case "sum":
            return _round_float(sum(present))
        case "mean":
            return _round_float(sum(present) / len(present))
        case "min":
            return min(present)
        case "max":
            return max(present)


def _round_float(value: Any) -> Any:
    return float(f"{value:.{_FLOAT_DIGITS}g}") if isinstance(value, float) else value
