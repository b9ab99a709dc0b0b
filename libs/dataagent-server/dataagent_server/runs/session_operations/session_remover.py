"""Deletes sessions, with what every part of the server stores for them.

A user deletes one (`DELETE /sessions/{id}`); retention deletes idle ones.
"""

import logging
from contextlib import suppress
from datetime import datetime

from sqlalchemy import Connection, exists, or_, select

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.session.state import now
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.tables.conversations import sessions
from dataagent_server.db.tables.people import tenants
from dataagent_server.db.tables.runs import OPEN, agent_executions, server_instances
from dataagent_server.identity.auth.principal import Principal, retention
from dataagent_server.runs.limits import IDLE_SESSIONS_AT_ONCE_MAX
from dataagent_server.runs.run_services import RunServices
from dataagent_server.sessions.session_service import SessionService

logger = logging.getLogger(__name__)


class SessionRemover:
    """Deletes sessions."""

    def __init__(self, database: Database, sessions: SessionService, runs: RunServices) -> None:
        self._database = database
        self._sessions = sessions
        self._runs = runs

    async def remove(
        self, principal: Principal, session_id: str, *, unused_since: datetime | None = None
    ) -> None:
        """Delete the session with its rows, then its state in memory, and the checkpoints.

        A crash in between leaves unreferenced checkpoints, which only take space.
        """
        tenant_id = principal.tenant_id
        run_ids = await self._sessions.delete(principal, session_id, unused_since=unused_since)
        self._runs.hub.end(tenant_id, session_id)
        await self._runs.agents.forget(tenant_id, session_id)
        for run_id in run_ids:
            await self._runs.checkpoints.adelete_thread(run_id)

    async def remove_idle(self, unused_since: datetime) -> int:
        """Delete the sessions unused since a time, and return how many.

        One at a time, so that others do not wait; a session whose run waits for a person stays.
        """
        removed = 0
        for tenant_id in await self._database.read(_list_active_tenants):
            while found := await self._remove_some(tenant_id, unused_since):
                removed += found
        if removed:
            logger.info("deleted %d sessions that nobody used since %s", removed, unused_since)
        return removed

    async def remove_lost(self) -> int:
        """Delete the rest of sessions that an ended process had in memory; return how many.

        `server_instances` says which processes have ended.
        """
        removed, after, began = 0, ("", ""), now()
        mine = self._runs.instance_id
        while found := await self._database.read(lambda c, after=after: _list_lost(c, mine, after)):
            for tenant_id, session_id in found:
                # A session whose run still waits for a person is left for the next time. One that
                # is used meanwhile is another session of this id, or its process was frozen and is
                # back.
                with suppress(ConflictError, NotFoundError):
                    await self.remove(retention(tenant_id), session_id, unused_since=began)
                    removed += 1
            after = found[-1]
        return removed

    async def _remove_some(self, tenant_id: TenantId, unused_since: datetime) -> int:
        idle = await self._database.read(lambda c: _list_idle(c, tenant_id, unused_since))
        removed = 0
        for session_id in idle:
            try:
                await self.remove(retention(tenant_id), session_id, unused_since=unused_since)
                removed += 1
            except (ConflictError, NotFoundError):
                # It was used meanwhile, or another process was faster.
                continue
        return removed


def _list_active_tenants(connection: Connection) -> list[TenantId]:
    # Sessions of a suspended tenant stay.
    query = select(tenants.c.tenant_id).where(tenants.c.is_active)
    return [TenantId(name) for name in connection.execute(query).scalars()]


def _list_lost(
    connection: Connection, mine: str, after: tuple[str, str]
) -> list[tuple[TenantId, str]]:
    tenant_id, session_id = after
    columns = sessions.c
    lives = exists().where(server_instances.c.instance_id == columns.store_instance)
    query = (
        select(columns.tenant_id, columns.session_id)
        .where(columns.store == "memory", columns.store_instance != mine, ~lives)
        .where(columns.tenant_id >= tenant_id)
        .where(or_(columns.tenant_id > tenant_id, columns.session_id > session_id))
        .order_by(columns.tenant_id, columns.session_id)
        .limit(IDLE_SESSIONS_AT_ONCE_MAX)
    )
    return [(TenantId(row.tenant_id), row.session_id) for row in connection.execute(query)]


def _list_idle(connection: Connection, tenant_id: TenantId, unused_since: datetime) -> list[str]:
    under_way = exists().where(
        agent_executions.c.tenant_id == tenant_id,
        agent_executions.c.session_id == sessions.c.session_id,
        agent_executions.c.status.in_(OPEN),
    )
    query = (
        select(sessions.c.session_id)
        .where(sessions.c.tenant_id == tenant_id, sessions.c.last_active < unused_since)
        .where(~under_way)
        .order_by(sessions.c.last_active)
        .limit(IDLE_SESSIONS_AT_ONCE_MAX)
    )
    return list(connection.execute(query).scalars())
