"""The program of a worker for files, DuckDB files and earlier results: one locked DuckDB.

`source.json` in its own folder describes the source; it also writes there.
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

# Retries of a query: each after a table was made readable, or a file is read less strictly.
_TRIES_MAX = 600
_MISSING = re.compile(r'Table with name "?(.+?)"? does not exist')
_SEEKABLE_FORMATS = frozenset({"parquet", "xlsx"})


class DuckdbProgram:
    """Handles the requests for one source."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._config = config
        self._opened: tuple[duckdb.DuckDBPyConnection, DuckdbTables] | None = None
        self._macros: DuckdbMacros | None = None

    def catalogue(self, start: int = 0) -> dict[str, Any]:
        """Describe tables from number `start`; `next` is the number to continue with."""
        connection, tables = self._open_source()
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
        connection, tables = self._open_source()
        # Arrow takes as long to import as DuckDB; a catalogue does not need it.
        from .duckdb_worker.duckdb_output import write_query_rows

        drop_earlier_files(into)
        self._check_macros(sql)
        answer, notes = self._run_with_retries(
            lambda: write_query_rows(connection, sql, into, rows_max, bytes_max)
        )
        read = [note for note in tables.notes_for(sql) if note not in notes]
        return {**answer, "notes": [*notes, *read], "learned": tables.learned}

    def estimate(self, sql: str) -> dict[str, Any]:
        """Estimate the cost of a query."""
        connection, _ = self._open_source()
        self._check_macros(sql)
        return self._run_with_retries(lambda: estimate_duckdb_query(connection, sql))[0]

    def profile(
        self, table: str, schema: str, columns: list[list[str]], sample_rows: int, rows: int | None
    ) -> list[dict[str, Any]]:
        """Profile a sample of a table."""
        connection, tables = self._open_source()
        self._check_macros()
        origin = tables.origins.get(tables.find(table) or "")
        named = f"{quote_name(schema)}.{quote_name(table)}" if schema else quote_name(table)
        return self._run_with_retries(
            lambda: profile_duckdb_table(
                connection,
                named,
                [(name, kind) for name, kind in columns],
                sample_rows,
                rows,
                cheap_to_jump=origin is None or origin.format in _SEEKABLE_FORMATS,
            )
        )[0]

    def _open_source(self) -> tuple[duckdb.DuckDBPyConnection, DuckdbTables]:
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
        """Refuse to call macros of a DuckDB file; other files have none."""
        if not self._config.get("database"):
            return
        if self._macros is None:
            self._macros = DuckdbMacros(self._open_source()[0])
        self._macros.check(sql)

    def _run_with_retries(self, run: Any) -> tuple[Any, list[str]]:
        """Run; make missing tables readable, learn from errors, and retry."""
        _, tables = self._open_source()
        tables.refresh()
        notes: list[str] = []
        for _ in range(_TRIES_MAX):
            try:
                return run(), notes
            except (duckdb.Error, OSError, ValueError) as error:  # Arrow raises the last two
                message = str(error)
                missing = _MISSING.search(message)
                name = tables.find(missing[1]) if missing else None
                if name is not None:
                    tables.prepare(name)
                    continue
                note = tables.learn(message)
                if note is None:
                    why = "; ".join([tables.clean_message(message), *notes])
                    raise QuestionError(why) from error
                notes.append(note)
        raise QuestionError("the files change faster than they can be read")


if __name__ == "__main__":
    serve_questions(DuckdbProgram(json.loads(Path("source.json").read_text("utf-8"))))
