"""The program of a worker for MySQL and MariaDB."""

import tempfile
from pathlib import Path
from typing import Any

from .mysql_worker import mysql_catalogue, mysql_plan, mysql_rights, mysql_write
from .mysql_worker.mysql_connection import Connection, open_mysql_connection
from .mysql_worker.mysql_query import run_mysql_query
from .mysql_worker.mysql_resolution import check_resolution
from .question_server import QuestionError, serve_questions
from .server_worker.server_handler import LOOK, ServerHandler
from .server_worker.sql_address import StatementTimeouts
from .server_worker.sql_catalogue import CataloguePages
from .server_worker.sql_profile import profile_parquet

_RUNNING = """
SELECT id FROM information_schema.processlist
WHERE info LIKE %s AND id <> CONNECTION_ID()
"""
_IDLE = "SELECT id FROM information_schema.processlist WHERE id = %s AND command = 'Sleep'"


class MysqlHandler(ServerHandler):
    """Handles the requests for MySQL and MariaDB."""

    def run_query(
        self, sql: str, into: str, timeouts: StatementTimeouts, limits: tuple[int, int]
    ) -> dict[str, Any]:
        """Run a query in a read-only transaction."""
        with open_mysql_connection(self.address, timeouts, raw=True) as connection:
            check_resolution(connection, sql)
            return self._write_query(connection, sql, into, limits)

    def read_catalogue(self, columns_max: int) -> CataloguePages:
        """Read the tables, columns and keys."""
        with open_mysql_connection(self.address, LOOK) as connection:
            return mysql_catalogue.read_catalogue(connection, self.address.database, columns_max)

    def fingerprint(self) -> str:
        """Return a text that changes with the catalogue."""
        with open_mysql_connection(self.address, LOOK) as connection:
            return mysql_catalogue.read_fingerprint(connection, self.address.database)

    def estimate(self, sql: str, timeout_s: float) -> dict[str, Any]:
        """Estimate the cost by the plan."""
        with open_mysql_connection(
            self.address, StatementTimeouts(statement_s=timeout_s)
        ) as connection:
            check_resolution(connection, sql)
            return mysql_plan.estimate(connection, sql)

    def warnings(self) -> list[str]:
        """Return a warning for each right beyond reading."""
        address = self.address
        with open_mysql_connection(address, LOOK) as connection:
            return mysql_rights.find_mysql_warnings(connection, address.user, address.database)

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
        """Profile the first rows of a table: no other sample is cheap."""
        del rows
        names = ", ".join(_quote_name(name) for name in columns)
        sql = (
            f"SELECT {names} FROM {_quote_name(schema)}.{_quote_name(table)} LIMIT {sample_rows:d}"
        )
        with (
            tempfile.TemporaryDirectory() as folder,
            open_mysql_connection(
                self.address, StatementTimeouts(statement_s=timeout_s), raw=True
            ) as connection,
        ):
            into = str(Path(folder, "sample.parquet"))
            ran = self._write_query(connection, sql, into, (sample_rows, bytes_max))
            return profile_parquet(into, is_whole=ran["row_count"] < sample_rows)

    def _write_query(
        self, connection: Connection, sql: str, into: str, limits: tuple[int, int]
    ) -> dict[str, Any]:
        token = self.address.token
        return run_mysql_query(
            connection, sql, into, limits, token, end_statement=self._end_statement
        )

    def _end_statement(self, number: int) -> bool:
        with open_mysql_connection(self.address, LOOK) as connection, connection.cursor() as cursor:
            # Behind a load balancer this may be another server, with another statement.
            cursor.execute(_RUNNING, (f"/* {self.address.token} */%",))
            if number in {int(row[0]) for row in cursor.fetchall()}:
                cursor.execute(f"KILL QUERY {number:d}")
                return True
            if cursor.execute(_IDLE, (number,)):
                return False
            raise QuestionError("The statement does not run on the server that answers.")

    def write(self, **request: Any) -> dict[str, Any]:
        """Run one write, and commit it only if it changes the expected rows."""
        return mysql_write.write(self.address, **request)

    def cancel(self, token: str) -> int:
        """Cancel the statements of another worker's connections."""
        with open_mysql_connection(self.address, LOOK) as connection, connection.cursor() as cursor:
            cursor.execute(_RUNNING, (f"/* {token} */%",))
            running = [int(row[0]) for row in cursor.fetchall()]
            for number in running:
                connection.kill(number)
            return len(running)


def _quote_name(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


if __name__ == "__main__":
    serve_questions(MysqlHandler())
