"""What the stores of memory and of its graph need of a database."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from dataagent_core.memory.sql.vector_cache import VectorCache
from dataagent_core.session.stores.sql.connection import SqlConnection, SqlDatabase

T = TypeVar("T")


class MemoryDatabase(SqlDatabase, Protocol):
    """A database with a cache of the vectors in it, which all stores on it share."""

    @property
    def vectors(self) -> VectorCache: ...

    async def erase(self, work: Callable[[SqlConnection], T], /) -> T:
        """Run `work`, which removes rows, as `write` does.

        Where the database is a file of ours, no byte of them stays in it.
        """
        ...
