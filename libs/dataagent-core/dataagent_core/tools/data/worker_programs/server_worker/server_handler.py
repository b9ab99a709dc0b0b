"""The base handler of the workers for database servers.

Every request has its own connection, so that no setting, lock or temporary table of one affects the
next.
"""

import time
from abc import ABC, abstractmethod
from typing import Any

from ..question_server import QuestionError
from .sql_address import ServerAddress, StatementTimeouts
from .sql_catalogue import CataloguePages

# For queries on the server's own catalogs.
LOOK = StatementTimeouts(statement_s=60.0)


class ServerHandler(ABC):
    """Holds the address; `postgres_program.py` and `mysql_program.py` implement the queries."""

    def __init__(self) -> None:
        self._address: ServerAddress | None = None
        self._pages = CataloguePages()

    @property
    def address(self) -> ServerAddress:
        """The address of the server."""
        if self._address is None:
            raise QuestionError("The source was not opened.")
        return self._address

    def open(self, address: dict[str, Any]) -> bool:
        """Keep the address; each request connects."""
        self._address = ServerAddress(**address)
        return True

    def query(
        self, sql: str, into: str, timeout_s: float, rows_max: int, bytes_max: int
    ) -> dict[str, Any]:
        """Run checked SQL into a Parquet file."""
        began = time.monotonic()
        answer = self.run_query(
            sql, into, StatementTimeouts(statement_s=timeout_s), (rows_max, bytes_max)
        )
        return {**answer, "elapsed_ms": int((time.monotonic() - began) * 1_000)}

    def catalogue(self, offset: int, reply_bytes_max: int, columns_max: int) -> dict[str, Any]:
        """Return a page of the catalogue; the first page reads it again."""
        if offset == 0:
            self._pages = self.read_catalogue(columns_max)
        return self._pages.page(offset, reply_bytes_max)

    @abstractmethod
    def run_query(
        self, sql: str, into: str, timeouts: StatementTimeouts, limits: tuple[int, int]
    ) -> dict[str, Any]:
        """Run a query within the limits (rows, bytes)."""

    @abstractmethod
    def read_catalogue(self, columns_max: int) -> CataloguePages:
        """Read the tables, columns and keys."""
