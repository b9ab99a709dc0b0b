"""The tables of a source of files: named at once, read when first asked for, anew on change."""

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
_ORIGINAL = re.compile(r"Original Line: (.*)")
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
    """The file, or the sheet of it, behind a table."""

    path: str
    file: str
    format: str
    compression: str
    spare: str
    sheet: XlsxSheet | None = None


class DuckdbTables:
    """What there is, by table name."""

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
        self._readings: dict[str, tuple[tuple[int, ...], TableReadPlan]] = {}
        self._learned = {
            name: ReadLessons(given["step"], frozenset(given["text"]))
            for name, given in learned.items()
        }
        for file in files:
            self._name(file)

    @property
    def learned(self) -> dict[str, Any]:
        """Give what was learned, to be handed to the next process."""
        return {
            name: {"step": known.step, "text": sorted(known.text)}
            for name, known in self._learned.items()
        }

    def found(self, name: str) -> str | None:
        """Give the table's own spelling of a name."""
        return next((known for known in self.origins if known.lower() == name.lower()), None)

    def refresh(self) -> None:
        """Read anew what was changed since; what is gone says so when it is asked for."""
        for name in list(self._readings):
            try:
                self.reading(name)
            except QuestionError:
                del self._readings[name]
                way = "TABLE" if self.origins[name].sheet is not None else "VIEW"
                self._connection.execute(f"DROP {way} IF EXISTS {quote_name(name)}")

    def reading(self, name: str) -> TableReadPlan:
        """Make a table readable, unless it already is and its file did not change."""
        origin = self.origins[name]
        stamp = _stamp(origin)
        known = self._readings.get(name)
        if known is not None and known[0] == stamp:
            return known[1]
        try:
            reading = self._plan(origin, self._learned.get(name, ReadLessons()))
            # A sheet is slow to read: it becomes a table, once.
            way = "TABLE" if origin.sheet is not None else "VIEW"
            self._connection.execute(
                f"CREATE OR REPLACE {way} {quote_name(name)} AS {reading.select}"
            )
        except QuestionError as error:
            raise QuestionError(f"{origin.file}: {error}") from error
        except (duckdb.Error, OSError) as error:
            raise QuestionError(f"{origin.file}: {self.shown(str(error))}") from error
        self._readings[name] = stamp, reading
        return reading

    def notes_for(self, sql: str) -> list[str]:
        """Give what to know of the files that a query reads."""
        try:
            named = self._connection.get_table_names(sql)
        except duckdb.Error:  # a form that names its tables in another way: all that were read
            named = set(self._readings)
        used = [name for name in self._readings if name.lower() in {one.lower() for one in named}]
        return [
            f"{self.origins[name].file}: {note}"
            for name in used
            for note in self._readings[name][1].notes_for(sql)
        ]

    def learn(self, said: str) -> str | None:
        """Read a file less strictly after an error that names it; say what to know of it."""
        name = next(
            (
                name
                for name, origin in self.origins.items()
                if origin.path in said or origin.spare in said
            ),
            None,
        )
        if name is None or self.origins[name].format not in ("csv", "json"):
            return None
        known, origin = self._learned.get(name, ReadLessons()), self.origins[name]
        wrong = _WRONG_TYPE.search(said)
        is_regular = known.step == duckdb_csv.STEP_LAST or self._is_regular(name, said)
        if wrong and origin.format == "csv" and wrong[1] not in known.text and is_regular:
            self._learned[name] = replace(known, text=known.text | {wrong[1]})
            line = _LINE.search(said)
            where = f" in line {line[1]}" if line else ""
            note = f"column {wrong[1]!r} of {name} is read as text: {wrong[2]!r}{where}"
        elif (
            any(mark in said.lower() for mark in _NEXT_STEPS) and known.step < _STEPS[origin.format]
        ):
            self._learned[name] = replace(known, step=known.step + 1)
            note = f"{origin.file} is read less strictly"
        else:
            return None
        self._readings.pop(name, None)
        self.reading(name)
        return note

    def _is_regular(self, name: str, said: str) -> bool:
        """Say whether the line that an error shows is as wide as the table."""
        line = _ORIGINAL.search(said)
        dialect = self._readings[name][1].dialect if name in self._readings else None
        if line is None or dialect is None:
            return True
        return [len(cells) for cells in dialect.rows(iter([line[1]]))] == [dialect.width]

    def shown(self, said: str) -> str:
        """Put the files' own names into a message, and leave out the advice for programmers."""
        for origin in self.origins.values():
            said = said.replace(origin.path, origin.file).replace(origin.spare, origin.file)
        first, *rest = filter(None, map(str.strip, said.splitlines()))
        hints = [line for line in rest if line.startswith(_HINTS)]
        return " ".join([first, *hints[:1]])

    def _plan(self, origin: TableOrigin, learned: ReadLessons) -> TableReadPlan:
        if origin.sheet is not None:
            return read_sheet_plan(self._connection, origin.path, origin.sheet)
        if origin.format == "parquet":
            return _parquet(self._connection, origin.path)
        place = origin.path, origin.compression, origin.spare
        if origin.format == "json":
            return duckdb_json.read_json_plan(
                self._connection, *place, learned, chosen_encoding=self._wanted.encoding
            )
        return duckdb_csv.read_csv_plan(self._connection, *place, learned, wanted=self._wanted)

    def _name(self, file: dict[str, Any]) -> None:
        origin = TableOrigin(
            file["path"], file["name"], file["format"], file["compression"], file["spare"]
        )
        if origin.format != "xlsx":
            self._add(file.get("table") or make_sql_name(file["stem"]), file["ending"], origin)
            return
        try:
            for sheet in list_sheets(origin.path):
                shown = replace(origin, file=f"{origin.file}, sheet {sheet.name!r}", sheet=sheet)
                self._add(make_sql_name(f"{file['stem']}_{sheet.name}"), "", shown)
        except QuestionError as error:
            self.notes.append(f"{origin.file}: {error}")

    def _add(self, wanted: str, ending: str, origin: TableOrigin) -> None:
        name = find_free_name(wanted, ending, self.origins)
        if name != wanted:
            other = self.origins[self.found(wanted) or wanted].file
            self.notes.append(f"{origin.file} is the table {name}: {wanted} is {other}")
        self.origins[name] = origin


def _parquet(connection: duckdb.DuckDBPyConnection, path: str) -> TableReadPlan:
    select = f"SELECT * FROM read_parquet({quote_literal(path)})"
    try:
        columns = connection.execute(f"DESCRIBE {select}").fetchall()
        counted = connection.execute(
            f"SELECT num_rows FROM parquet_file_metadata({quote_literal(path)})"
        ).fetchone()
    except duckdb.Error as error:
        said = str(error).partition("\n")[0].replace(path, "the file")
        raise QuestionError(f"it is not a whole Parquet file: {said}") from error
    return TableReadPlan(
        select=select,
        columns=tuple((str(row[0]), str(row[1])) for row in columns),
        rows_estimate=None if counted is None else int(counted[0]),
    )


def _stamp(origin: TableOrigin) -> tuple[int, ...]:
    try:
        status = Path(origin.path).stat()
    except OSError as error:
        raise QuestionError(f"{origin.file} is not there any more") from error
    return status.st_ino, status.st_size, status.st_mtime_ns
