"""The program of a worker for a SQLite file, which `source.json` in its folder describes."""

import json
from pathlib import Path
from typing import Any

from .catalogue_part import take_catalogue_part
from .question_server import serve_questions
from .sqlite_worker import sqlite_profile
from .sqlite_worker.sqlite_catalogue import describe_sqlite_tables
from .sqlite_worker.sqlite_open import open_for_reading
from .sqlite_worker.sqlite_rows import write_typed
from .worker_folder import drop_earlier_files

_LOOK_S = 100.0
_PLAN_CHARS_MAX = 20_000


class SqliteProgram:
    """Handles the requests for one file."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._path: str = config["database"]

    def catalogue(self, start: int = 0) -> dict[str, Any]:
        """Describe tables from number `start`; `next` is the number to continue with."""
        with open_for_reading(self._path, _LOOK_S) as connection:
            return {
                **take_catalogue_part(describe_sqlite_tables(connection, start), start),
                "learned": {},
            }

    def query(self, sql: str, into: str, rows_max: int, bytes_max: int) -> dict[str, Any]:
        """Run a query and write its rows; the host watches its time."""
        drop_earlier_files(into)
        with open_for_reading(self._path) as connection:
            written = write_typed(lambda: connection.execute(sql), into, rows_max, bytes_max)
        return {**written, "notes": [], "learned": {}}

    def estimate(self, sql: str) -> dict[str, Any]:
        """Return the plan; SQLite gives no costs."""
        with open_for_reading(self._path, _LOOK_S) as connection:
            steps = connection.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall()
        plan = "\n".join(str(step[3]) for step in steps)[:_PLAN_CHARS_MAX]
        return {"rows": None, "cost": None, "plan": plan}

    def profile(
        self, table: str, schema: str, columns: list[list[str]], sample_rows: int, rows: int | None
    ) -> list[dict[str, Any]]:
        """Profile a sample of a table."""
        del schema
        with open_for_reading(self._path, _LOOK_S) as connection:
            return sqlite_profile.profile_sqlite_table(
                connection, table, columns, sample_rows, rows
            )


if __name__ == "__main__":
    serve_questions(SqliteProgram(json.loads(Path("source.json").read_text("utf-8"))))
