"""Reads the columns of a CSV file: names, types, and the SELECT that converts the texts."""

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from ..duckdb_worker.table_read_plan import ColumnNote, TableReadPlan
from ..table_names import make_column_names, quote_literal, quote_name
from .csv_cells import classify_columns, find_text_digits
from .csv_dialect import CsvDialect, read_rows
from .csv_text import CsvText
from .csv_values import ValueChoice, decide_formats
from .language_hint import find_language_hint
from .number_values import may_be_groups
from .value_format import Texts

_ISO = "%Y"


def read_columns(
    connection: duckdb.DuckDBPyConnection,
    text: CsvText,
    dialect: CsvDialect,
    *,
    as_text: frozenset[str],
    wanted: ValueChoice,
    more_options: Sequence[str] = (),
) -> TableReadPlan:
    """Decide about each column; DuckDB raises its error where lines differ in width."""
    options = [*text.options, *_make_options(dialect), *more_options]
    sniffed = _sniff(connection, text, options)
    options += _make_found_options(sniffed)
    body = [row.cells for row in read_rows(text.beginning, dialect)]
    names = make_column_names([column["name"] for column in sniffed["Columns"]])
    left_as_text = as_text | {names[n] for n in find_text_digits(body) if n < len(names)}
    types = {
        name: "VARCHAR" if name in left_as_text else str(column["type"])
        for name, column in zip(names, sniffed["Columns"], strict=True)
    }
    seen = dict(zip(names, classify_columns(body, len(names)), strict=True))
    mixed = {name for name in names if types[name] == "VARCHAR" and seen[name] != "text"}
    hint = find_language_hint(dialect.heading or (), body)
    is_comma_likely = text.delimiter == ";" or wanted.decimals == "comma"
    # One such column makes all of them doubtful: the others decide for it.
    if hint.decimals == "comma" and not is_comma_likely:
        doubles = [n for n, name in enumerate(names) if types[name] == "DOUBLE"]
        is_comma_likely = any(
            may_be_groups(row[n] for row in body if n < len(row)) for n in doubles
        )
    doubtful_columns = [
        name
        for name in names
        if name not in left_as_text
        and (name in mixed or _is_doubtful(types[name], sniffed, is_comma_likely=is_comma_likely))
    ]
    texts = _count_texts(
        connection,
        _write_read_call(text, options, dict.fromkeys(names, "VARCHAR")),
        text,
        doubtful_columns,
    )
    formats = decide_formats(texts, text.delimiter, wanted, hint)
    whole = {name: made for name, made in formats.items() if made.is_whole}
    types |= dict.fromkeys(formats, "VARCHAR")
    picked = ", ".join(
        whole[name].select(name, text.path) if name in whole else quote_name(name) for name in names
    )
    lines = text.beginning.count("\n") or 1
    return TableReadPlan(
        select=f"SELECT {picked if whole else '*'} FROM {_write_read_call(text, options, types)}",
        columns=tuple((n, whole[n].type if n in whole else kind) for n, kind in types.items()),
        column_notes=tuple(ColumnNote(name, made.note) for name, made in formats.items()),
        rows_estimate=max(0, int(lines * text.times) - dialect.skip - 1),
        dialect=dialect,
        has_misfits=bool(mixed - left_as_text - whole.keys()),
    )


def _write_read_call(text: CsvText, options: Sequence[str], types: Mapping[str, str]) -> str:
    columns = ", ".join(
        f"{quote_literal(name)}: {quote_literal(kind)}" for name, kind in types.items()
    )
    return f"read_csv({', '.join([quote_literal(text.path), *options, f'columns={{{columns}}}'])})"


def _make_options(dialect: CsvDialect) -> list[str]:
    return [
        f"delim={quote_literal(dialect.delimiter)}",
        f"quote={quote_literal(dialect.quote)}",
        f"header={str(dialect.heading is not None).lower()}",
        f"skip={dialect.skip}",
    ]


def _sniff(
    connection: duckdb.DuckDBPyConnection, text: CsvText, options: Sequence[str]
) -> dict[str, Any]:
    call = ", ".join([quote_literal(text.path), *options, f"sample_size={text.sample_rows}"])
    cursor = connection.execute(f"FROM sniff_csv({call})")
    row = cursor.fetchone()
    assert row is not None
    return dict(zip((column[0] for column in cursor.description), row, strict=True))


def _make_found_options(sniffed: dict[str, Any]) -> list[str]:
    """Write what was found as options, so that nothing is guessed again."""
    call = ["auto_detect=false", f"escape={quote_literal(_remove_quotes(sniffed['Escape']))}"]
    if (mark := _remove_quotes(sniffed["Comment"])) and mark != "\0":
        call.append(f"comment={quote_literal(mark)}")
    formats = [name for name in ("DateFormat", "TimestampFormat") if sniffed[name]]
    return [*call, *(f"{name.lower()}={quote_literal(sniffed[name])}" for name in formats)]


def _remove_quotes(value: str) -> str:
    return "" if value == "(empty)" else value


def _is_doubtful(kind: str, sniffed: dict[str, Any], *, is_comma_likely: bool) -> bool:
    """Say whether values could be other numbers or dates than DuckDB takes them for."""
    if kind == "DOUBLE":
        return is_comma_likely
    formats = {"DATE": "DateFormat", "TIMESTAMP": "TimestampFormat"}
    return kind in formats and not (sniffed[formats[kind]] or _ISO).startswith(_ISO)


def _count_texts(
    connection: duckdb.DuckDBPyConnection, read: str, text: CsvText, names: Sequence[str]
) -> dict[str, Texts]:
    """Count the texts of some columns, in the whole file where it is small enough."""
    if not names:
        return {}
    sample = f"LIMIT {text.sample_rows}" if text.sample_rows > 0 else ""
    counted = ", ".join(f"histogram({quote_name(name)})" for name in names)
    row = connection.execute(f"SELECT {counted} FROM (FROM {read} {sample})").fetchone()
    assert row is not None
    return {name: texts or {} for name, texts in zip(names, row, strict=True)}
