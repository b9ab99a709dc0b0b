"""Writes a result as a spreadsheet: typed numbers and dates, and no cell is ever a formula."""

import datetime as dt
import math
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
from xlsxwriter import Workbook

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.results.result_preview import render_cell_text

# Excel's limits: rows of a sheet, characters of a cell, exact integers.
_SHEET_ROWS_MAX = 1_048_576
_CELL_CHARS_MAX = 32_000
_EXACT_MAX = 10**15
_FIRST_DAY = dt.date(1900, 1, 1)

_Write = Callable[[int, int, Any], Any]


def write_xlsx(
    names: Sequence[str], batches: Iterable[pa.RecordBatch], row_count: int, target: Path
) -> None:
    """Write one sheet with a bold, frozen first row."""
    if row_count >= _SHEET_ROWS_MAX:
        raise ValidationError(
            f"{row_count} rows do not fit into a sheet of {_SHEET_ROWS_MAX}: export CSV or "
            "Parquet, or ask for fewer rows."
        )
    with Workbook(target, {"constant_memory": True}) as workbook:
        sheet = workbook.add_worksheet("result")
        bold = workbook.add_format({"bold": True})
        date = workbook.add_format({"num_format": "yyyy-mm-dd"})
        date_time = workbook.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        for index, name in enumerate(names):
            sheet.write_string(0, index, name, bold)
        sheet.freeze_panes(1, 0)

        def write(row: int, index: int, value: object) -> None:
            match value:
                case bool():
                    sheet.write_boolean(row, index, value)
                case int() | float() | Decimal() if _is_exact(value):
                    sheet.write_number(row, index, float(value))
                case dt.datetime() if value.date() >= _FIRST_DAY:
                    sheet.write_datetime(row, index, value.replace(tzinfo=None), date_time)
                case dt.date() if value >= _FIRST_DAY:
                    midnight = dt.datetime.combine(value, dt.time.min)
                    sheet.write_datetime(row, index, midnight, date)
                case _:
                    # Written as a string, so that `=1+1` stays text.
                    sheet.write_string(row, index, render_cell_text(value, _CELL_CHARS_MAX))

        _write_rows(batches, write)


def _write_rows(batches: Iterable[pa.RecordBatch], write: _Write) -> None:
    row = 0
    for batch in batches:
        for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            row += 1
            for index, value in enumerate(cells):
                if value is not None:
                    write(row, index, value)


def _is_exact(number: float | Decimal) -> bool:
    return math.isfinite(number) and abs(number) < _EXACT_MAX
