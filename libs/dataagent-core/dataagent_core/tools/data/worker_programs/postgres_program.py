"""The program of a worker for PostgreSQL."""

import tempfile
from pathlib import Path
from typing import Any

from psycopg import sql as text

from .postgres_worker import (
    postgres_catalogue,
    postgres_plan,
    postgres_rights,
    postgres_write,
)
from .postgres_worker.postgres_connection import open_postgres_connection
from .postgres_worker.postgres_query import run_postgres_query
from .postgres_worker.postgres_resolution import check_resolution
from .question_server import serve_questions
from .server_worker.server_handler import LOOK, ServerHandler
from .server_worker.sql_address import StatementTimeouts
from .server_worker.sql_catalogue import CataloguePages
from .server_worker.sql_profile import profile_parquet

# A larger table is sampled by random pages instead of by its first rows.
_READ_WHOLE_ROWS_MAX = 200_000
_SAMPLE_SPARE = 3
_END = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = %s AND usename = current_user AND pid <> pg_backend_pid()
"""


class PostgresHandler(ServerHandler):
    """Handles the requests for PostgreSQL."""

    def run_query(
        self, sql: str, into: str, timeouts: StatementTimeouts, limits: tuple[int, int]
    ) -> dict[str, Any]:
        """Run a query in a read-only transaction."""
        with open_postgres_connection(self.address, timeouts) as connection:
            check_resolution(connection, sql)
            return run_postgres_query(connection, sql, into, limits)

    def read_catalogue(self, columns_max: int) -> CataloguePages:
        """Read the tables, columns and keys."""
        with open_postgres_connection(self.address, LOOK) as connection:
            return postgres_catalogue.read_catalogue(connection, columns_max)

    def fingerprint(self) -> str:
        """Return a text that changes with the catalogue."""
        with open_postgres_connection(self.address, LOOK) as connection:
            return postgres_catalogue.read_fingerprint(connection)

    def estimate(self, sql: str, timeout_s: float) -> dict[str, Any]:
        """Estimate the cost by the plan."""
        with open_postgres_connection(
            self.address, StatementTimeouts(statement_s=timeout_s)
        ) as connection:
            check_resolution(connection, sql)
            return postgres_plan.estimate(connection, sql)

    def warnings(self) -> list[str]:
        """Return a warning for each right beyond reading."""
        with open_postgres_connection(self.address, LOOK) as connection:
            return postgres_rights.find_postgres_warnings(connection)

    def profile(  # noqa: PLR0917 - called by name
        self,
        schema: str,
        table: str,
        columns: list[str],
        rows: int | None,
        sample_rows: int,
        timeout_s: float,
        bytes_max: int,
    ) -> list[dict[str, Any]]:
        """Profile a sample of a table."""
        names = text.SQL(", ").join(map(text.Identifier, columns))
        with (
            tempfile.TemporaryDirectory() as folder,
            open_postgres_connection(
                self.address, StatementTimeouts(statement_s=timeout_s)
            ) as connection,
        ):
            into = str(Path(folder, "sample.parquet"))
            # Random pages may all be empty; then the first rows are used.
            random_pages = _make_sample_clause(rows, sample_rows)
            for clause in (random_pages, text.SQL("")):
                query = text.SQL("SELECT {} FROM {}{} LIMIT {}").format(
                    names, text.Identifier(schema, table), clause, text.Literal(sample_rows)
                )
                sql = query.as_string(connection)
                count = run_postgres_query(connection, sql, into, (sample_rows, bytes_max))[
                    "row_count"
                ]
                if count:
                    break
            is_whole = clause == text.SQL("") and count < sample_rows
            return profile_parquet(into, is_whole=is_whole)

    def write(self, **request: Any) -> dict[str, Any]:
        """Run one write, and commit it only if it changes the expected rows."""
        return postgres_write.write(self.address, **request)

    def cancel(self, token: str) -> int:
        """Cancel the statements of another worker's connections."""
        with open_postgres_connection(self.address, LOOK) as connection:
            return len(connection.execute(_END, (token,)).fetchall())


def _make_sample_clause(rows: int | None, sample_rows: int) -> text.Composable:
    if rows is None or rows <= max(_READ_WHOLE_ROWS_MAX, sample_rows):
        return text.SQL("")
    percent = min(100.0, 100.0 * _SAMPLE_SPARE * sample_rows / rows)
    return text.SQL(" TABLESAMPLE SYSTEM ({})").format(text.Literal(percent))


if __name__ == "__main__":
    serve_questions(PostgresHandler())
