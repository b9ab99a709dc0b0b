"""Polls the database for what no notice told: which sessions have grown or were deleted.

Without a bus, processes learn of each other this way; with one, it makes a lost notice harmless.
Only sessions with readers in this process are polled.
"""

import asyncio
import logging

from sqlalchemy import Connection, select, tuple_

from dataagent_core.errors import StorageError
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.tables.conversations import session_counters as counters
from dataagent_server.sessions.live.bus.port import Bus
from dataagent_server.sessions.live.hub import Hub
from dataagent_server.sessions.live.limits import POLL_BESIDE_BUS_S, POLL_S, POLLED_SESSIONS_MAX

logger = logging.getLogger(__name__)

_NEWEST = "SELECT MAX(seq) FROM agent_execution_events WHERE tenant_id = ? AND session_id = ?"


async def poll(database: Database, hub: Hub, bus: Bus) -> None:
    """Poll until cancelled: often without a bus, rarely with one."""
    while True:
        await asyncio.sleep(POLL_BESIDE_BUS_S if bus.connected else POLL_S)
        waited_for = hub.list_waited()
        for start in range(0, len(waited_for), POLLED_SESSIONS_MAX):
            wanted = [(t, s) for t, s, _ in waited_for[start : start + POLLED_SESSIONS_MAX]]
            try:
                grown = await database.read(lambda c, w=wanted: last_numbers(c, w))
            except StorageError as error:
                logger.warning("cannot look for new events: %s", error)
                break
            for tenant_id, session_id, known in waited_for[start : start + POLLED_SESSIONS_MAX]:
                seq = grown.get((tenant_id, session_id), 0)
                if seq < known:
                    hub.forget_ended(tenant_id, session_id)
                else:
                    hub.note_growth(tenant_id, session_id, seq)


def last_numbers(
    connection: Connection, wanted: list[tuple[TenantId, str]]
) -> dict[tuple[TenantId, str], int]:
    """Return the newest event number of each of these sessions of any tenants."""
    if connection.dialect.name == "sqlite":
        # One index lookup each; a single statement would scan the table.
        found = {key: connection.exec_driver_sql(_NEWEST, key).scalar() for key in wanted}
        return {key: seq for key, seq in found.items() if seq is not None}
    rows = connection.execute(
        select(counters.c.tenant_id, counters.c.session_id, counters.c.last_seq).where(
            tuple_(counters.c.tenant_id, counters.c.session_id).in_(wanted)
        )
    )
    return {(TenantId(tenant), session): seq for tenant, session, seq in rows}
