"""How a JSON file is read: one array, one object, or an object a line."""

from pathlib import Path

import duckdb

from . import text_look
from .reading import Learned, Reading
from .serving import AskedWronglyError
from .table_names import column_names, literal, quoted
from .text_encoding import encoding_of

_WHOLE_BYTES = 64_000_000
# DuckDB's buffers grow with it: the larger one only after an error.
_OBJECT_BYTES_MAX = (16_777_216, 67_108_864)
STEP_LAST = 2


def read_json_plan(
    connection: duckdb.DuckDBPyConnection,
    path: str,
    compression: str,
    spare: str,
    learned: Learned,
    *,
    chosen_encoding: str | None = None,
) -> Reading:
    """Find out how to read it; `spare` is where it may be written anew."""
    data = text_look.beginning(path, compression)
    if not data.strip(b"\0 \t\r\n"):
        raise AskedWronglyError("it is empty")
    encoding = encoding_of(data, chosen_encoding)
    if encoding.name != "utf-8" or data.startswith(b"\xef\xbb\xbf"):
        text_look.rewritten(path, compression, encoding.name, spare)
        path, compression = spare, ""
    whole = Path(path).stat().st_size <= _WHOLE_BYTES or learned.step > 0
    options = [f"compression={literal(compression)}"] if compression else []
    options += [f"maximum_object_size={_OBJECT_BYTES_MAX[min(1, learned.step)]}"]
    options += ["sample_size=-1"] if whole else []
    options += ["ignore_errors=true"] if learned.step == STEP_LAST else []
    call = f"read_json({', '.join([literal(path), *options])})"
    try:
        described = connection.execute(f"DESCRIBE SELECT * FROM {call}").fetchall()
    except duckdb.Error as error:
        said = str(error).partition("\n")[0]
        raise AskedWronglyError(f"it cannot be read as JSON: {said}") from error
    found = [(name, kind) for name, kind, *_ in described]
    names = column_names([name for name, _ in found])
    aliases = ", ".join(map(quoted, names))
    notes = encoding.notes
    if learned.step == STEP_LAST:
        notes += ("lines that are no JSON are left out",)
    return Reading(
        select=f"SELECT * FROM {call} AS t({aliases})",
        columns=tuple((name, kind) for name, (_, kind) in zip(names, found, strict=True)),
        notes=notes,
    )
