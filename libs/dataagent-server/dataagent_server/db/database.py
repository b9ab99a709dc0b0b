"""The port to a database: `work` is a function that runs where the connection lives.

`work` is plain synchronous code over SQLAlchemy Core. It composes inside one transaction and is
the same for every dialect; adapters: `sqlite_file.py` (one file, one writer thread) and
`engine_database.py` (PostgreSQL and MySQL or MariaDB, a pool). A deadlock or a lost connection
makes `work` run again, so it has no effect but its SQL.

What the driver cannot do is raised as core's errors: `StorageError` (the database is away, full,
busy), `ConflictError` (a unique or foreign key was broken and `work` did not catch SQLAlchemy's
`IntegrityError` itself), `ValidationError` (a value no column can hold).
"""

from collections.abc import Callable
from typing import Protocol, TypeVar

from sqlalchemy import URL, Connection

from dataagent_core.session.stores.sql.dialect import DialectName

T = TypeVar("T")


class Database(Protocol):
    """An open database."""

    @property
    def dialect(self) -> DialectName: ...

    @property
    def url(self) -> URL:
        """Where it is; may hold a password: show it only as `str(url)`, which hides it."""
        ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work`, which writes nothing."""
        ...

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one transaction that is kept only if it returns."""
        ...

    async def aclose(self) -> None: ...
