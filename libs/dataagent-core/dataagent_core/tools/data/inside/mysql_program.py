"""The program of a worker for MySQL and MariaDB."""

import tempfile
from pathlib import Path
from typing import Any

from . import mysql_catalogue, mysql_plan, mysql_rights, mysql_write
from .mysql_connect import Connection, connected
from .mysql_query import query_into
from .mysql_resolution import check_resolution
from .serving import AskedWronglyError, serve
from .sql_address import Patience
from .sql_catalogue import Pages
from .sql_handler import LOOK, ServerHandler
from .sql_profile import profile_of

_RUNNING = """
SELECT id FROM information_schema.processlist
WHERE info LIKE %s AND id <> CONNECTION_ID()
"""
_IDLE = "SELECT id FROM information_schema.processlist WHERE id = %s AND command = 'Sleep'"


class MysqlHandler(ServerHandler):
    """Answers for MySQL and MariaDB."""

    def run_query(
        self, sql: str, into: str, patience: Patience, most: tuple[int, int]
    ) -> dict[str, Any]:
        """Run a query in a read-only transaction."""
        with connected(self.address, patience, raw=True) as connection:
            check_resolution(connection, sql)
            return self._query_into(connection, sql, into, most)

    def read_catalogue(self, columns_max: int) -> Pages:
        """Read what there is."""
        with connected(self.address, LOOK) as connection:
            return mysql_catalogue.read_catalogue(connection, self.address.database, columns_max)

    def fingerprint(self) -> str:
        """Give a text that changes with the catalogue."""
        with connected(self.address, LOOK) as connection:
            return mysql_catalogue.fingerprint(connection, self.address.database)

    def estimate(self, sql: str, timeout_s: float) -> dict[str, Any]:
        """Ask for the plan."""
        with connected(self.address, Patience(statement_s=timeout_s)) as connection:
            check_resolution(connection, sql)
            return mysql_plan.estimate(connection, sql)

    def warnings(self) -> list[str]:
        """Say what the login may do beyond reading."""
        address = self.address
        with connected(address, LOOK) as connection:
            return mysql_rights.warnings(connection, address.user, address.database)

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
        """Look at the beginning of a table: there is no other sample to be had cheaply."""
        del rows
        names = ", ".join(_quoted(name) for name in columns)
        sql = f"SELECT {names} FROM {_quoted(schema)}.{_quoted(table)} LIMIT {sample_rows:d}"
        with (
            tempfile.TemporaryDirectory() as folder,
            connected(self.address, Patience(statement_s=timeout_s), raw=True) as connection,
        ):
            into = str(Path(folder, "sample.parquet"))
            ran = self._query_into(connection, sql, into, (sample_rows, bytes_max))
            return profile_of(into, is_whole=ran["row_count"] < sample_rows)

    def _query_into(
        self, connection: Connection, sql: str, into: str, most: tuple[int, int]
    ) -> dict[str, Any]:
        token = self.address.token
        return query_into(connection, sql, into, most, token, end_statement=self._end_statement)

    def _end_statement(self, number: int) -> bool:
        with connected(self.address, LOOK) as connection, connection.cursor() as cursor:
            # Behind a balancer this may be another server, where the number is another statement.
            cursor.execute(_RUNNING, (f"/* {self.address.token} */%",))
            if number in {int(row[0]) for row in cursor.fetchall()}:
                cursor.execute(f"KILL QUERY {number:d}")
                return True
            if cursor.execute(_IDLE, (number,)):
                return False
            raise AskedWronglyError("The statement does not run on the server that answers.")

    def write(self, **asked: Any) -> dict[str, Any]:
        """Run one statement that writes, and keep it only when it did what was expected."""
        return mysql_write.write(self.address, **asked)

    def cancel(self, token: str) -> int:
        """End what another worker's connections still do."""
        with connected(self.address, LOOK) as connection, connection.cursor() as cursor:
            cursor.execute(_RUNNING, (f"/* {token} */%",))
            running = [int(row[0]) for row in cursor.fetchall()]
            for number in running:
                connection.kill(number)
            return len(running)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


if __name__ == "__main__":
    serve(MysqlHandler())
