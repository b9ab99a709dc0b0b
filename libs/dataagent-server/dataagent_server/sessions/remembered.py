"""Where a session's `state` and `metadata` are kept when it is not in the session's own row.

The row in the database stays the truth about a session: whose it is, its title, its last use, and
what runs, leases and rights join on. Only what S0's `Session` carries for its owner goes to the
store that `DATAAGENT_SESSION_STORE=redis|memory` names, under the same id. A record there counts
only for the very session it was written for, so one left behind by a crash means nothing.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from dataagent_core.errors import ConflictError, StorageError
from dataagent_core.session.state import Session, now
from dataagent_core.session.store import SessionStore
from dataagent_server.ids import TenantId

logger = logging.getLogger(__name__)

StoreOf = Callable[[TenantId], SessionStore]


class Remembered:
    """What sessions remember, in stores of their own, one a tenant."""

    def __init__(self, store_of: StoreOf) -> None:
        self._store_of = store_of

    async def recall(self, tenant_id: TenantId, session: Session) -> Session:
        """Return the session with what it remembers."""
        kept = await self._store_of(tenant_id).get(session.session_id)
        if kept is None or kept.created_at != session.created_at:
            return replace(session, state={}, metadata={})
        return replace(session, state=kept.state, metadata=kept.metadata)

    async def keep(self, tenant_id: TenantId, session: Session) -> None:
        """Keep what the session remembers now."""
        store = self._store_of(tenant_id)
        if await store.get(session.session_id) is None:
            # Somebody else may do so at the same moment; the later of the two writes stays.
            with suppress(ConflictError):
                await store.create(
                    session.user_id, session.assistant_id, session_id=session.session_id
                )
        await store.update(replace(session, last_active=now()))

    async def forget(self, tenant_id: TenantId, session_id: str) -> None:
        """Drop what a deleted session remembered; what cannot be dropped counts for nobody."""
        try:
            await self._store_of(tenant_id).delete(session_id)
        except StorageError as error:
            logger.warning("what session %s remembered is left behind: %s", session_id, error)
