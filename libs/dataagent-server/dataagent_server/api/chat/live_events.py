"""Reads a session live, for WebSockets and event streams; it survives a database that is away."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import cast

from dataagent_core.errors import StorageError
from dataagent_server.api.limits import READ_AGAIN_S, RECHECK_S
from dataagent_server.common.ids import TenantId
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.sessions.live.event_line import EventLine
from dataagent_server.sessions.live.follow import follow
from dataagent_server.sessions.session_rows import not_found
from dataagent_server.stores.event_log import ServerEventLog

logger = logging.getLogger(__name__)


def log_of(services: Services, tenant_id: TenantId) -> ServerEventLog:
    """Return the log of a tenant's sessions."""
    return cast("ServerEventLog", services.runs.stores_of(tenant_id).log)


async def lines_after(
    services: Services, tenant_id: TenantId, session_id: str, after: int, *, idle_s: float
) -> AsyncGenerator[list[EventLine]]:
    """Yield the events after a number, then live; empty batches when it is quiet.

    Raises "not found" when the session is deleted.
    """
    log = log_of(services, tenant_id)
    while True:
        batches = follow(
            services.runs.hub,
            log.read_lines,
            tenant_id,
            session_id,
            after=after,
            idle_s=idle_s,
        )
        try:
            async with aclosing(batches):
                async for lines in batches:
                    if lines:
                        after = lines[-1].seq
                    yield lines
            raise not_found(session_id)
        except StorageError as error:
            logger.warning("a reader of session %s has to wait: %s", session_id, error)
            await asyncio.sleep(READ_AGAIN_S)


class AccessWatch:
    """Checks periodically whether a reader may still read; roles may have changed."""

    def __init__(
        self,
        services: Services,
        principal: Principal,
        session_id: str,
        *,
        every_s: float = RECHECK_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._services = services
        self.principal = principal
        self._session_id = session_id
        self._every_s = every_s
        self._clock = clock
        self._looked_at = clock()
        self._rights_no = self._read_rights_no()

    async def check(self) -> None:
        """Refuse a reader whose key, log-in, role or session is gone, if a check is due.

        It is due after `Hub.notify_rights_changed`, and every few minutes.
        """
        rights_no = self._read_rights_no()
        if self._clock() - self._looked_at < self._every_s and rights_no == self._rights_no:
            return
        self._rights_no = rights_no
        # A database that is away revokes no rights; the next check will tell.
        with suppress(StorageError):
            await self.renew()

    async def renew(self) -> Principal:
        """Check now, and return the principal."""
        self.principal = await self._services.authenticator.recheck(self.principal)
        await self._services.sessions.get(self.principal, self._session_id)
        self._looked_at = self._clock()
        return self.principal

    def _read_rights_no(self) -> int:
        return self._services.runs.hub.rights_no(self.principal.tenant_id, self._session_id)
