"""Core's event log on the server's database. Writing: `log_writer.py` and `appends.py`."""

from collections.abc import Sequence

from dataagent_core.events import Event
from dataagent_core.session.log import NO_RUN, JournalRecord
from dataagent_core.session.stores.sql import event_log as core
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.event_appends import Append, prepare_event
from dataagent_server.db.store_connection import StoreDatabase
from dataagent_server.stores.fences import Fences, NoFences
from dataagent_server.stores.log_writer import LogWriter


class ServerEventLog(core.SqlEventLog):
    """Events and tool calls of one tenant's sessions."""

    def __init__(self, writer: LogWriter, tenant_id: str, fences: Fences | None = None) -> None:
        super().__init__(StoreDatabase(writer.database), tenant_id)
        self._writer = writer
        self._fences = fences or NoFences()

    async def append(
        self,
        session_id: str,
        run_id: str,
        events: Sequence[Event],
        journal: Sequence[JournalRecord] = (),
    ) -> list[Event]:
        """Append as the port says; raise `LeaseLostError` for a run that was taken over."""
        ready = [prepare_event(event, session_id, run_id) for event in events]
        if not ready and not journal:
            return []
        return await self._writer.append(
            Append(
                tenant_id=self._tenant_id,
                session_id=session_id,
                run_id=run_id,
                # Events without a run have no worker that could lose it.
                fence=None if run_id == NO_RUN else self._fences.fence_of(run_id),
                events=ready,
                journal=journal,
            )
        )

    def _delete(self, connection: SqlConnection, session_id: str) -> None:
        super()._delete(connection, session_id)
        # Its numbers begin again at 1.
        connection.execute(
            "DELETE FROM session_counters WHERE tenant_id = ? AND session_id = ?",
            (self._tenant_id, session_id),
        )
