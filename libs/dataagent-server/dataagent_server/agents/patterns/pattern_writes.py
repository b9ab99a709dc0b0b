"""Core's statements with more in the same transaction: what is audited, or must go along."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_server.db.database import Database
from dataagent_server.db.store_connection import StoreDatabase, sql_connection

T = TypeVar("T")


class PatternWrites(StoreDatabase):
    """The database as a pattern store uses it."""

    def __init__(
        self,
        database: Database,
        *,
        before: Callable[[Connection], None] | None = None,
        after: Callable[[Connection], None],
    ) -> None:
        super().__init__(database)
        self._before = before
        self._after = after

    async def write(self, work: Callable[[SqlConnection], T], /) -> T:
        def whole(connection: Connection) -> T:
            if self._before is not None:
                self._before(connection)
            result = work(sql_connection(connection))
            has_deleted_nothing = result is False
            if not has_deleted_nothing:
                self._after(connection)
            return result

        return await self._database.write(whole)
