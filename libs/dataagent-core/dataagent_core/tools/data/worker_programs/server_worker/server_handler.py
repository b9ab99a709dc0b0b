"""What a worker for a database server answers: the same operations for every server.

Every question has a connection of its own, so that nothing of one (a setting, a lock, a temporary
table) is there for the next.
"""

import time
from abc import ABC, abstractmethod
from typing import Any

from ..question_server import QuestionError
from .sql_address import ServerAddress, StatementTimeouts
from .sql_catalogue import CataloguePages

# What a look at the server's own catalogs may take.
LOOK = StatementTimeouts(statement_s=60.0)


class ServerHandler(ABC):
    """Holds the address; `postgres_program.py` and `mysql_program.py` know how to ask."""

    def __init__(self) -> None:
        self._address: ServerAddress | None = None
        self._pages = CataloguePages()

    @property
    def address(self) -> ServerAddress:
        """Say where the server is."""
        if self._address is None:
            raise QuestionError("The source was not opened.")
        return self._address

    def open(self, address: dict[str, Any]) -> bool:
        """Remember the address; a connection is made when something is asked."""
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
        """Give a page of the catalogue; the first one reads it anew."""
        if offset == 0:
            self._pages = self.read_catalogue(columns_max)
        return self._pages.page(offset, reply_bytes_max)

    @abstractmethod
    def run_query(
        self, sql: str, into: str, timeouts: StatementTimeouts, limits: tuple[int, int]
    ) -> dict[str, Any]:
        """Run a query, at most so many rows and bytes."""

    @abstractmethod
    def read_catalogue(self, columns_max: int) -> CataloguePages:
        """Read what there is."""
