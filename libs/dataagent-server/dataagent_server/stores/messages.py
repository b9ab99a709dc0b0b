"""Core's message store on the server's database, fenced."""

from collections.abc import Callable

from dataagent_core.session.state import Message
from dataagent_core.session.stores.sql import message_store as core
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_server.db.database import Database
from dataagent_server.db.store_connection import StoreDatabase
from dataagent_server.stores.fences import Fences, NoFences, hold_run


class ServerMessageStore(core.SqlMessageStore):
    """The messages of one tenant's sessions."""

    def __init__(self, database: Database, tenant_id: str, fences: Fences | None = None) -> None:
        super().__init__(StoreDatabase(database), tenant_id)
        self._fences = fences or NoFences()

    def _make_insert(self, message: Message) -> Callable[[SqlConnection], None]:
        # The engine names a run's messages after it; a process that lost the run may not write
        # them.
        run_id, named, _ = message.message_id.partition(":")
        fence = self._fences.fence_of(run_id) if named else None

        def insert(connection: SqlConnection) -> None:
            hold_run(connection, run_id, fence)
            core.insert_message(connection, self._tenant_id, message)

        return insert
