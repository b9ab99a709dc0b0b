"""Plans how a sheet of a workbook is read into a table.

DuckDB takes a column's type from its first cell. So each sheet is read twice, as typed values and
as text: a column with fewer typed values is mixed and becomes text; whole numbers become integers.
"""

from itertools import starmap

import duckdb

from ..question_server import QuestionError
from ..table_names import make_column_names, quote_literal, quote_name
from .table_read_plan import TableReadPlan
from .xlsx_tables import XlsxSheet, find_table_area


def read_sheet_plan(
    connection: duckdb.DuckDBPyConnection, path: str, sheet: XlsxSheet
) -> TableReadPlan:
    """Find the table on a sheet and the types of its columns."""
    area = find_table_area(path, sheet)
    if area is None:
        raise QuestionError("the sheet is empty")
    name, cells = quote_literal(sheet.name), quote_literal(area.range)
    arguments = f"{quote_literal(path)}, sheet={name}, range={cells}"
    arguments += f", header={str(not area.names).lower()}, stop_at_empty=false"
    try:
        described = connection.execute(
            f"DESCRIBE SELECT * FROM read_xlsx({arguments}, ignore_errors=true)"
        ).fetchall()
        types = [str(row[1]) for row in described]
        count = range(len(types))
        joined = _write_join(arguments, len(types))
        counts = connection.execute(
            f"SELECT {', '.join(starmap(_write_counts, enumerate(types)))} FROM {joined}"
        ).fetchone()
    except duckdb.Error as error:
        message = str(error).partition("\n")[0]
        raise QuestionError(f"the sheet cannot be read: {message}") from error
    assert counts is not None
    names = make_column_names(area.names or [str(row[0]) for row in described])
    chosen = [_choose_type(n, types[n], *counts[3 * n : 3 * n + 3]) for n in count]
    picked = ", ".join(
        f"{expression} AS {quote_name(name)}"
        for name, (expression, _, _) in zip(names, chosen, strict=True)
    )
    is_blank = " AND ".join(f"v.c{n} IS NULL" for n in count)
    mixed = [name for name, (_, _, is_mixed) in zip(names, chosen, strict=True) if is_mixed]
    notes = [f"column {name!r} holds values of several types and is read as text" for name in mixed]
    if area.heading_row > 1:
        notes.append(f"the heading was found in row {area.heading_row}")
    if area.names:
        notes.append(f"the heading has two rows, {area.heading_row} and {area.heading_row + 1}")
    if area.formulas_without_value:
        notes.append(
            f"formulas without a value: {area.formulas_without_value:,} cells are read as empty. "
            "Open the file in a spreadsheet program, which calculates them, and save it"
        )
    return TableReadPlan(
        select=f"SELECT {picked} FROM {joined} WHERE NOT ({is_blank})",
        columns=tuple((name, kind) for name, (_, kind, _) in zip(names, chosen, strict=True)),
        notes=tuple(notes),
    )


def _write_join(arguments: str, width: int) -> str:
    names = ", ".join(f"c{n}" for n in range(width))
    return (
        f"read_xlsx({arguments}, ignore_errors=true) AS t({names}) "
        f"POSITIONAL JOIN read_xlsx({arguments}, all_varchar=true) AS v({names})"
    )


def _write_counts(n: int, kind: str) -> str:
    whole = (
        f"count_if(t.c{n} = floor(t.c{n}) AND abs(t.c{n}) < 9007199254740992)"
        if kind == "DOUBLE"
        else "0"
    )
    return f"count(t.c{n}), count(v.c{n}), {whole}"


def _choose_type(n: int, kind: str, typed: int, text: int, whole: int) -> tuple[str, str, bool]:
    """Return the expression of a column, its type, and whether its values are mixed."""
    if kind == "VARCHAR" or text == 0:
        return f"v.c{n}", "VARCHAR", False
    if typed < text:
        # Dates are numbers in the file; the text is what a person saw.
        shown = f"v.c{n}" if kind == "DOUBLE" else f"coalesce(t.c{n}::VARCHAR, v.c{n})"
        return shown, "VARCHAR", True
    if kind == "DOUBLE" and whole == typed:
        return f"t.c{n}::BIGINT", "BIGINT", False
    return f"t.c{n}", kind, False
