"""How a CSV file is read: its options found once, by DuckDB's sniffer and a look of our own.

The strictness falls step by step until the file can be read; each step is noted. What the sniffer
could not see (a word in the last line of a column of numbers) is learned from the error of a query.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from . import csv_look, text_look
from .serving import AskedWronglyError
from .table_names import column_names, literal

# Up to here every line is looked at before a type is believed.
_WHOLE_BYTES = 32_000_000
_SAMPLE_ROWS = 100_000
# What packing is taken to save, where only the packed size is known.
_PACKED_TIMES = 5
# Only where it is needed: DuckDB's buffers grow with it.
_LONG_LINES = "max_line_size=16000000, buffer_size=64000000, parallel=false"
# Python's name of an encoding, and DuckDB's; others are written anew first.
_ENCODINGS = {"utf-8": "utf-8", "utf-16-le": "utf-16", "latin-1": "latin-1"}
_STEPS: tuple[tuple[str, str], ...] = (
    ("", ""),
    (f"null_padding=true, {_LONG_LINES}", "rows of different lengths are filled up"),
    (
        f"null_padding=true, {_LONG_LINES}, strict_mode=false, ignore_errors=true",
        "lines that fit no column are left out",
    ),
)
STEP_LAST = len(_STEPS) - 1
_TURNED = "holds text further down: it is read as text, TRY_CAST gives the numbers"
_DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True)
class Learned:
    """What queries taught about a file."""

    step: int = 0
    text: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Reading:
    """A SELECT that reads a file, and what a person should know about it."""

    select: str
    columns: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = field(default=())
    rows_estimate: int | None = None


@dataclass(frozen=True, slots=True)
class _Text:
    """A file DuckDB can decode, with its beginning as text."""

    path: str
    options: list[str]
    beginning: str
    # The whole file is this many times as long.
    times: float
    sample_rows: int


def read_csv_plan(
    connection: duckdb.DuckDBPyConnection,
    path: str,
    compression: str,
    spare: str,
    learned: Learned,
) -> Reading:
    """Find out how to read it; `spare` is where it may be written anew."""
    text = _text(path, compression, spare)
    failure = "no columns were found"
    for step in range(learned.step, len(_STEPS)):
        options = [*text.options, *([_STEPS[step][0]] if _STEPS[step][0] else [])]
        try:
            sniffed = _sniff(connection, text, options)
        except duckdb.Error as error:
            failure = str(error).partition("\n")[0]
            continue
        if step == 0 and len(sniffed["Columns"]) == 1 and _hides_columns(text.beginning):
            continue
        return _reading(text, [*options, *_call(sniffed)], sniffed, learned.text, step)
    raise AskedWronglyError(f"it cannot be read as a table: {failure}")


def _text(path: str, compression: str, spare: str) -> _Text:
    data = text_look.beginning(path, compression)
    if not data.strip(b"\0 \t\r\n"):
        raise AskedWronglyError("it is empty")
    encoding = text_look.encoding_of(data)
    if encoding not in _ENCODINGS or (compression and encoding != "utf-8"):
        text_look.rewritten(path, compression, encoding, spare)
        path, compression = spare, ""
        data, encoding = text_look.beginning(path, ""), "utf-8"
    size = Path(path).stat().st_size
    return _Text(
        path=path,
        options=[
            f"encoding={literal(_ENCODINGS[encoding])}",
            f"compression={literal(compression or 'none')}",
        ],
        beginning=data.decode(encoding, errors="replace").removeprefix("\ufeff"),
        times=size / max(1, len(data)) * (_PACKED_TIMES if compression else 1),
        sample_rows=-1 if size <= _WHOLE_BYTES and not compression else _SAMPLE_ROWS,
    )


def _sniff(
    connection: duckdb.DuckDBPyConnection, text: _Text, options: list[str]
) -> dict[str, Any]:
    call = ", ".join([literal(text.path), *options, f"sample_size={text.sample_rows}"])
    found = _sniffed(connection, call)
    mark = found["Delimiter"]
    rows = list(csv_look.rows_with_lines(text.beginning, mark, _plain(found["Quote"])))
    skip = csv_look.heading_line(rows)
    if skip > found["SkipRows"]:
        found = _sniffed(connection, f"{call}, skip={skip}, header=true, delim={literal(mark)}")
    return found


def _sniffed(connection: duckdb.DuckDBPyConnection, call: str) -> dict[str, Any]:
    cursor = connection.execute(f"FROM sniff_csv({call})")
    row = cursor.fetchone()
    assert row is not None
    return dict(zip((column[0] for column in cursor.description), row, strict=True))


def _plain(value: str) -> str:
    return "" if value == "(empty)" else value


def _some(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""  # noqa: PLR2004
    return f"column {', '.join(map(repr, names[:3]))}{more}"


def _hides_columns(text: str) -> bool:
    """Say whether one column may be several in rows of different lengths."""
    lines = [line for line in text.splitlines()[:50] if line.strip()]
    return any(sum(mark in line for line in lines) > 0.6 * len(lines) for mark in _DELIMITERS)


def _call(sniffed: dict[str, Any]) -> list[str]:
    """Write what was found as options, so that nothing is guessed again."""
    call = ["auto_detect=false", f"header={str(sniffed['HasHeader']).lower()}"]
    call += [f"skip={sniffed['SkipRows']}", f"delim={literal(sniffed['Delimiter'])}"]
    call += [f"{name.lower()}={literal(_plain(sniffed[name]))}" for name in ("Quote", "Escape")]
    if (mark := _plain(sniffed["Comment"])) and mark != "\0":
        call.append(f"comment={literal(mark)}")
    formats = [name for name in ("DateFormat", "TimestampFormat") if sniffed[name]]
    return [*call, *(f"{name.lower()}={literal(sniffed[name])}" for name in formats)]


def _reading(
    text: _Text, call: list[str], sniffed: dict[str, Any], as_text: frozenset[str], step: int
) -> Reading:
    rows = csv_look.rows_with_lines(text.beginning, sniffed["Delimiter"], _plain(sniffed["Quote"]))
    skipped = sniffed["SkipRows"] + sniffed["HasHeader"]
    body = [row for row in rows if row[0] >= skipped]
    digits = csv_look.digits_that_are_text(body)
    names = column_names([column["name"] for column in sniffed["Columns"]])
    columns = tuple(
        (name, "VARCHAR" if name in as_text or position in digits else column["type"])
        for position, (name, column) in enumerate(zip(names, sniffed["Columns"], strict=True))
    )
    numbers = csv_look.numbers_so_far(body) - digits
    turned = [name for n, (name, kind) in enumerate(columns) if kind == "VARCHAR" and n in numbers]
    typed = ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in columns)
    lines = text.beginning.count("\n") or 1
    options = ", ".join([literal(text.path), *call, f"columns={{{typed}}}"])
    return Reading(
        select=f"SELECT * FROM read_csv({options})",
        columns=columns,
        notes=(
            *((_STEPS[step][1],) if _STEPS[step][1] else ()),
            *((f"{_some(turned)} begins with numbers and {_TURNED}",) if turned else ()),
        ),
        rows_estimate=max(0, int(lines * text.times) - skipped),
    )
