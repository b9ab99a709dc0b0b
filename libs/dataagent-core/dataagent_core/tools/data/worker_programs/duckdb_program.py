"""The worker of files, DuckDB files and earlier results: one DuckDB, opened once and locked.

What it works on stands in `source.json` in its own folder, which is also where it writes.
"""

import json
import re
from pathlib import Path
from typing import Any

import duckdb

from .catalogue_part import take_catalogue_part
from .csv_reader.csv_values import ValueChoice
from .duckdb_worker.duckdb_catalogue import describe_database, describe_files
from .duckdb_worker.duckdb_macros import DuckdbMacros
from .duckdb_worker.duckdb_open import open_locked_duckdb
from .duckdb_worker.duckdb_plan import estimate_duckdb_query
from .duckdb_worker.duckdb_profile import profile_duckdb_table
from .duckdb_worker.duckdb_tables import DuckdbTables
from .question_server import QuestionError, serve_questions
from .table_names import quote_name
from .worker_folder import drop_earlier_files

# How often a query is tried again: each time a table was made readable, or a file less strictly.
_TRIES_MAX = 600
_MISSING = re.compile(r'Table with name "?(.+?)"? does not exist')
_JUMPABLE = frozenset({"parquet", "xlsx"})


class DuckdbProgram:
    """Answers for one source."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._config = config
        self._opened: tuple[duckdb.DuckDBPyConnection, DuckdbTables] | None = None
        self._macros: DuckdbMacros | None = None

    def catalogue(self, start: int = 0) -> dict[str, Any]:
        """Describe tables from a number on; `next` is where to go on."""
        connection, tables = self._source()
        if self._config.get("database"):
            self._check_macros()
            return {
                **take_catalogue_part(describe_database(connection)[start:], start),
                "learned": {},
            }
        tables.refresh()
        names = list(tables.origins)[start:]
        answer = take_catalogue_part(describe_files(connection, tables, names), start)
        notes = [*(tables.notes if start == 0 else ()), *answer["notes"]]
        return {**answer, "notes": notes, "learned": tables.learned}

    def query(self, sql: str, into: str, rows_max: int, bytes_max: int) -> dict[str, Any]:
        """Run a query and write its rows."""
        connection, tables = self._source()
        # Arrow takes as long to load as DuckDB; a catalogue needs none.
        from .duckdb_worker.duckdb_output import write_query_rows

        drop_earlier_files(into)
        self._check_macros(sql)
        answer, notes = self._tried(
            lambda: write_query_rows(connection, sql, into, rows_max, bytes_max)
        )
        read = [note for note in tables.notes_for(sql) if note not in notes]
        return {**answer, "notes": [*notes, *read], "learned": tables.learned}

    def estimate(self, sql: str) -> dict[str, Any]:
        """Ask what a query would cost."""
        connection, _ = self._source()
        self._check_macros(sql)
        return self._tried(lambda: estimate_duckdb_query(connection, sql))[0]

    def profile(
        self, table: str, schema: str, columns: list[list[str]], sample_rows: int, rows: int | None
    ) -> list[dict[str, Any]]:
        """Look at a sample."""
        connection, tables = self._source()
        self._check_macros()
        origin = tables.origins.get(tables.found(table) or "")
        named = f"{quote_name(schema)}.{quote_name(table)}" if schema else quote_name(table)
        return self._tried(
            lambda: profile_duckdb_table(
                connection,
                named,
                [(name, kind) for name, kind in columns],
                sample_rows,
                rows,
                cheap_to_jump=origin is None or origin.format in _JUMPABLE,
            )
        )[0]

    def _source(self) -> tuple[duckdb.DuckDBPyConnection, DuckdbTables]:
        if self._opened is None:
            files = self._config["files"]
            paths = [path for file in files for path in (file["path"], file["spare"])]
            connection = open_locked_duckdb(
                self._config, [] if self._config.get("database") else paths
            )
            read = [] if self._config.get("database") else files
            self._opened = (
                connection,
                DuckdbTables(
                    connection, read, self._config["learned"], ValueChoice(**self._config["wanted"])
                ),
            )
        return self._opened

    def _check_macros(self, sql: str = "") -> None:
        """Refuse to run what a DuckDB file brings along; other files bring nothing."""
        if not self._config.get("database"):
            return
        if self._macros is None:
            self._macros = DuckdbMacros(self._source()[0])
        self._macros.check(sql)

    def _tried(self, run: Any) -> tuple[Any, list[str]]:
        """Run, making tables readable as they are asked for and learning from what fails."""
        _, tables = self._source()
        tables.refresh()
        notes: list[str] = []
        for _ in range(_TRIES_MAX):
            try:
                return run(), notes
            except (duckdb.Error, OSError, ValueError) as error:  # Arrow's are of the last two
                said = str(error)
                missing = _MISSING.search(said)
                name = tables.found(missing[1]) if missing else None
                if name is not None:
                    tables.reading(name)
                    continue
                note = tables.learn(said)
                if note is None:
                    why = "; ".join([tables.shown(said), *notes])
                    raise QuestionError(why) from error
                notes.append(note)
        raise QuestionError("the files change faster than they can be read")


if __name__ == "__main__":
    serve_questions(DuckdbProgram(json.loads(Path("source.json").read_text("utf-8"))))
