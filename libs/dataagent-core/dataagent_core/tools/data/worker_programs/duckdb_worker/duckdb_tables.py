"""The tables of a source of files: named at once, read on first use, and again on change."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from ..csv_reader.csv_values import ValueChoice
from ..question_server import QuestionError
from ..table_names import find_free_name, make_sql_name, quote_literal, quote_name
from . import duckdb_csv, duckdb_json
from .duckdb_xlsx import read_sheet_plan
from .table_read_plan import ReadLessons, TableReadPlan
from .xlsx_tables import XlsxSheet, list_sheets

_WRONG_TYPE = re.compile(
    r'Error when converting column "(.*?)"\.? Could not convert string "(.*?)" to', re.DOTALL
)
_ORIGINAL_LINE = re.compile(r"Original Line: (.*)")
_LINE = re.compile(r"CSV Error on Line: (\d+)")
_HINTS = ("Did you mean", "Candidate bindings", "Possible fixes", "Error when converting")
_STEPS = {"csv": duckdb_csv.STEP_LAST, "json": duckdb_json.STEP_LAST}
_NEXT_STEPS = (
    "csv error",
    "json transform error",
    "malformed json",
    "invalid unicode",
    "line size",
    "maximum_object_size",
)


@dataclass(frozen=True, slots=True)
class TableOrigin:
    """The file, or its sheet, of a table."""

    path: str
    file: str
    format: str
    compression: str
    spare: str
    sheet: XlsxSheet | None = None


class DuckdbTables:
    """The tables by name."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        files: list[dict[str, Any]],
        learned: dict[str, Any],
        wanted: ValueChoice,
    ) -> None:
        self._connection = connection
        self._wanted = wanted
        self.notes: list[str] = []
        self.origins: dict[str, TableOrigin] = {}
        self._prepared: dict[str, tuple[tuple[int, ...], TableReadPlan]] = {}
        self._learned = {
            name: ReadLessons(given["step"], frozenset(given["text"]))
            for name, given in learned.items()
        }
        for file in files:
            self._add_file(file)

    @property
    def learned(self) -> dict[str, Any]:
        """The lessons for the next process."""
        return {
            name: {"step": known.step, "text": sorted(known.text)}
            for name, known in self._learned.items()
        }

    def find(self, name: str) -> str | None:
        """Return the table's own spelling of a name."""
        return next((known for known in self.origins if known.lower() == name.lower()), None)

    def refresh(self) -> None:
        """Read changed files again; a missing file is reported when it is queried."""
        for name in list(self._prepared):
            try:
                self.prepare(name)
            except QuestionError:
                del self._prepared[name]
                object_kind = "TABLE" if self.origins[name].sheet is not None else "VIEW"
                self._connection.execute(f"DROP {object_kind} IF EXISTS {quote_name(name)}")

    def prepare(self, name: str) -> TableReadPlan:
        """Make a table readable, unless it is and its file did not change."""
        origin = self.origins[name]
        stamp = _stat_origin(origin)
        known = self._prepared.get(name)
        if known is not None and known[0] == stamp:
            return known[1]
        try:
            plan = self._make_plan(origin, self._learned.get(name, ReadLessons()))
            # A sheet is slow to read, so it is loaded once into a table.
            object_kind = "TABLE" if origin.sheet is not None else "VIEW"
            self._connection.execute(
                f"CREATE OR REPLACE {object_kind} {quote_name(name)} AS {plan.select}"
            )
        except QuestionError as error:
            raise QuestionError(f"{origin.file}: {error}") from error
        except (duckdb.Error, OSError) as error:
            raise QuestionError(f"{origin.file}: {self.clean_message(str(error))}") from error
        self._prepared[name] = stamp, plan
        return plan

    def notes_for(self, sql: str) -> list[str]:
        """Return the notes on the files that a query reads."""
        try:
            named = self._connection.get_table_names(sql)
        except duckdb.Error:  # the tables cannot be listed: take all that were read
            named = set(self._prepared)
        used = [name for name in self._prepared if name.lower() in {one.lower() for one in named}]
        return [
            f"{self.origins[name].file}: {note}"
            for name in used
            for note in self._prepared[name][1].notes_for(sql)
        ]

    def learn(self, message: str) -> str | None:
        """Read a file less strictly after an error that names it; return a note."""
        name = next(
            (
                name
                for name, origin in self.origins.items()
                if origin.path in message or origin.spare in message
            ),
            None,
        )
        if name is None or self.origins[name].format not in ("csv", "json"):
            return None
        known, origin = self._learned.get(name, ReadLessons()), self.origins[name]
        wrong = _WRONG_TYPE.search(message)
        is_regular = known.step == duckdb_csv.STEP_LAST or self._is_regular(name, message)
        if wrong and origin.format == "csv" and wrong[1] not in known.text and is_regular:
            self._learned[name] = replace(known, text=known.text | {wrong[1]})
            line = _LINE.search(message)
            where = f" in line {line[1]}" if line else ""
            note = f"column {wrong[1]!r} of {name} is read as text: {wrong[2]!r}{where}"
        elif (
            any(mark in message.lower() for mark in _NEXT_STEPS)
            and known.step < _STEPS[origin.format]
        ):
            self._learned[name] = replace(known, step=known.step + 1)
            note = f"{origin.file} is read less strictly"
        else:
            return None
        self._prepared.pop(name, None)
        self.prepare(name)
        return note

    def _is_regular(self, name: str, message: str) -> bool:
        """Say whether the line in an error is as wide as the table."""
        line = _ORIGINAL_LINE.search(message)
        dialect = self._prepared[name][1].dialect if name in self._prepared else None
        if line is None or dialect is None:
            return True
        return [len(cells) for cells in dialect.rows(iter([line[1]]))] == [dialect.width]

    def clean_message(self, message: str) -> str:
        """Put the files' own names into a message, and drop advice for programmers."""
        for origin in self.origins.values():
            message = message.replace(origin.path, origin.file).replace(origin.spare, origin.file)
        first, *rest = filter(None, map(str.strip, message.splitlines()))
        hints = [line for line in rest if line.startswith(_HINTS)]
        return " ".join([first, *hints[:1]])

    def _make_plan(self, origin: TableOrigin, learned: ReadLessons) -> TableReadPlan:
        if origin.sheet is not None:
            return read_sheet_plan(self._connection, origin.path, origin.sheet)
        if origin.format == "parquet":
            return _make_parquet_plan(self._connection, origin.path)
        location = origin.path, origin.compression, origin.spare
        if origin.format == "json":
            return duckdb_json.read_json_plan(
                self._connection, *location, learned, chosen_encoding=self._wanted.encoding
            )
        return duckdb_csv.read_csv_plan(self._connection, *location, learned, wanted=self._wanted)

    def _add_file(self, file: dict[str, Any]) -> None:
        origin = TableOrigin(
            file["path"], file["name"], file["format"], file["compression"], file["spare"]
        )
        if origin.format != "xlsx":
            self._add(file.get("table") or make_sql_name(file["stem"]), file["ending"], origin)
            return
        try:
            for sheet in list_sheets(origin.path):
                of_sheet = replace(origin, file=f"{origin.file}, sheet {sheet.name!r}", sheet=sheet)
                self._add(make_sql_name(f"{file['stem']}_{sheet.name}"), "", of_sheet)
        except QuestionError as error:
            self.notes.append(f"{origin.file}: {error}")

    def _add(self, wanted: str, ending: str, origin: TableOrigin) -> None:
        name = find_free_name(wanted, ending, self.origins)
        if name != wanted:
            other = self.origins[self.find(wanted) or wanted].file
            self.notes.append(f"{origin.file} is the table {name}: {wanted} is {other}")
        self.origins[name] = origin


def _make_parquet_plan(connection: duckdb.DuckDBPyConnection, path: str) -> TableReadPlan:
    select = f"SELECT * FROM read_parquet({quote_literal(path)})"
    try:
        columns = connection.execute(f"DESCRIBE {select}").fetchall()
        counted = connection.execute(
            f"SELECT num_rows FROM parquet_file_metadata({quote_literal(path)})"
        ).fetchone()
    except duckdb.Error as error:
        message = str(error).partition("\n")[0].replace(path, "the file")
        raise QuestionError(f"it is not a whole Parquet file: {message}") from error
    return TableReadPlan(
        select=select,
        columns=tuple((str(row[0]), str(row[1])) for row in columns),
        rows_estimate=None if counted is None else int(counted[0]),
    )


def _stat_origin(origin: TableOrigin) -> tuple[int, ...]:
    try:
        status = Path(origin.path).stat()
    except OSError as error:
        raise QuestionError(f"{origin.file} is not there any more") from error
    return status.st_ino, status.st_size, status.st_mtime_ns
