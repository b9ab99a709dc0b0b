"""Sessions whose record is in another store than the database: Redis, or this process's memory.

A record is S0's `Session`, in the store of `DATAAGENT_SESSION_STORE`. It decides whether the
session exists. The row in the database remains, because runs, the log, leases and rights join on it
in one transaction; its column `store` names the store, so a session stays where it was created when
the setting changes. A session in memory also names its process, `store_instance`: it ends with that
process.

A new session is written into its row first and moved to its store afterwards. So it is complete at
every moment, and one whose store is unreachable stays in the database.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, Literal

from sqlalchemy import Connection, select, update

from dataagent_core.errors import ConflictError, StorageError
from dataagent_core.session.state import Session
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.tables.conversations import sessions
from dataagent_server.stores.factory import SessionStoreOf
from dataagent_server.stores.session_lists import ListedSession

RecordStore = Literal["redis", "memory"]
# How often a row that changes while it is moved is read again.
_MOVE_TRIES: Final = 5

logger = logging.getLogger(__name__)


class SessionRecords:
    """The records in one store; sessions of another are not found."""

    def __init__(
        self,
        kind: RecordStore,
        store_of: SessionStoreOf,
        database: Database,
        instance_id: str,
    ) -> None:
        self.kind: RecordStore = kind
        self._store_of = store_of
        self._database = database
        self._instance_id = instance_id

    async def move_in(self, tenant_id: TenantId, session: Session) -> None:
        """Move the record of a new session from its row into the store."""
        try:
            for _ in range(_MOVE_TRIES):
                await self._put(tenant_id, session)
                found = await self._database.write(
                    lambda c, session=session: self._point_row(c, tenant_id, session)
                )
                if found is None:
                    return
                session = found
        except StorageError as error:
            logger.warning(
                "session %s stays in the database, its store cannot be reached: %s",
                session.session_id,
                error,
            )

    async def find(self, tenant_id: TenantId, listed: ListedSession) -> ListedSession | None:
        """Return a session with its record, or None where that is gone."""
        if listed.store is None:
            return await self._find_unnamed(tenant_id, listed)
        if listed.store != self.kind:
            return None
        row = listed.session
        record = await self._store_of(tenant_id).get(row.session_id)
        # A record left by an earlier session of this id is ignored.
        if record is None or record.created_at != row.created_at:
            return None
        return _join(listed, record)

    async def find_all(
        self, tenant_id: TenantId, listed: Sequence[ListedSession]
    ) -> list[ListedSession]:
        """Return the sessions whose record exists."""
        found = await asyncio.gather(*(self.find(tenant_id, one) for one in listed))
        return [one for one in found if one is not None]

    async def change(self, tenant_id: TenantId, session: Session) -> None:
        """Replace a session's record."""
        await self._store_of(tenant_id).update(session)

    async def remove(self, tenant_id: TenantId, session_id: str) -> None:
        """Remove the record of a deleted session; a record that remains is ignored."""
        try:
            await self._store_of(tenant_id).delete(session_id)
        except StorageError as error:
            logger.warning("the record of session %s is left behind: %s", session_id, error)

    async def _find_unnamed(self, tenant_id: TenantId, listed: ListedSession) -> ListedSession:
        """Return a session whose row names no store, with its record in Redis if it has one.

        Servers before migration 0002 kept state and metadata in Redis and noted it nowhere. The
        row names the store from the first time that such a record is found.
        """
        row = listed.session
        if self.kind != "redis" or row.state or row.metadata:
            return listed
        try:
            record = await self._store_of(tenant_id).get(row.session_id)
        except StorageError as error:
            logger.warning("session %s is shown as its row has it: %s", row.session_id, error)
            return listed
        if record is None or record.created_at != row.created_at:
            return listed
        changed = await self._database.write(lambda c: self._point_row(c, tenant_id, row))
        if changed is not None:
            return replace(listed, session=changed)
        return replace(_join(listed, record), store=self.kind)

    async def _put(self, tenant_id: TenantId, session: Session) -> None:
        store = self._store_of(tenant_id)
        # The row makes an id unique: a record of that id belongs to a deleted session.
        with suppress(ConflictError):
            await store.create(session.user_id, session.assistant_id, session_id=session.session_id)
        await store.update(session)

    def _point_row(
        self, connection: Connection, tenant_id: TenantId, session: Session
    ) -> Session | None:
        """Let the row name the store; return the session if it was changed meanwhile."""
        mine = (
            sessions.c.tenant_id == tenant_id,
            sessions.c.session_id == session.session_id,
            sessions.c.created_at == session.created_at,
        )
        held = select(sessions.c.state, sessions.c.metadata).where(*mine).with_for_update()
        row = connection.execute(held).first()
        if row is None:
            return None
        if (row.state, row.metadata) != (session.state, session.metadata):
            return replace(session, state=row.state, metadata=row.metadata)
        named = {"store": self.kind}
        if self.kind == "memory":
            named["store_instance"] = self._instance_id
        connection.execute(update(sessions).where(*mine).values(**named, state={}, metadata={}))
        return None


def _join(listed: ListedSession, record: Session) -> ListedSession:
    # Runs store the last use in the row.
    return replace(listed, session=replace(record, last_active=listed.session.last_active))
