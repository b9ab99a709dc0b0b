"""Plans how a JSON file is read: one array, one object, or one object per line."""

from pathlib import Path

import duckdb

from ..csv_reader import text_file
from ..csv_reader.text_charset import find_charset
from ..question_server import QuestionError
from ..table_names import make_column_names, quote_literal, quote_name
from .table_read_plan import ReadLessons, TableReadPlan

_WHOLE_BYTES = 64_000_000
# DuckDB's buffers grow with it: the larger value only after an error.
_OBJECT_BYTES_MAX = (16_777_216, 67_108_864)
STEP_LAST = 2


def read_json_plan(
    connection: duckdb.DuckDBPyConnection,
    path: str,
    compression: str,
    spare: str,
    learned: ReadLessons,
    *,
    chosen_encoding: str | None = None,
) -> TableReadPlan:
    """Plan how to read the file; it may be rewritten to `spare`."""
    data = text_file.read_beginning(path, compression)
    if not data.strip(b"\0 \t\r\n"):
        raise QuestionError("it is empty")
    encoding = find_charset(data, chosen_encoding)
    if encoding.name != "utf-8" or data.startswith(b"\xef\xbb\xbf"):
        text_file.rewrite_as_utf8(path, compression, encoding.name, spare)
        path, compression = spare, ""
    whole = Path(path).stat().st_size <= _WHOLE_BYTES or learned.step > 0
    options = [f"compression={quote_literal(compression)}"] if compression else []
    options += [f"maximum_object_size={_OBJECT_BYTES_MAX[min(1, learned.step)]}"]
    options += ["sample_size=-1"] if whole else []
    options += ["ignore_errors=true"] if learned.step == STEP_LAST else []
    call = f"read_json({', '.join([quote_literal(path), *options])})"
    try:
        described = connection.execute(f"DESCRIBE SELECT * FROM {call}").fetchall()
    except duckdb.Error as error:
        message = str(error).partition("\n")[0]
        raise QuestionError(f"it cannot be read as JSON: {message}") from error
    columns = [(name, kind) for name, kind, *_ in described]
    names = make_column_names([name for name, _ in columns])
    aliases = ", ".join(map(quote_name, names))
    notes = encoding.notes
    if learned.step == STEP_LAST:
        notes += ("lines that are no JSON are left out",)
    return TableReadPlan(
        select=f"SELECT * FROM {call} AS t({aliases})",
        columns=tuple((name, kind) for name, (_, kind) in zip(names, columns, strict=True)),
        notes=notes,
    )
