"""Finishes what a crash interrupted: deletions, uploads, and uncorrected counters.

Runs at start and periodically. It removes only what our own rows or trash name; a directory without
a row is reported, because another database may know it.
"""

import asyncio
import logging

from sqlalchemy import Connection, select

from dataagent_core.errors import DataAgentError
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database_clock import database_now
from dataagent_server.db.tables.workspaces import s_workspace, s_workspace_reservation
from dataagent_server.workspaces.limits import SWEPT_AT_ONCE_MAX
from dataagent_server.workspaces.quota.reconcile import reconcile
from dataagent_server.workspaces.store import WorkspaceStore
from dataagent_server.workspaces.workspace import WorkspaceId
from dataagent_server.workspaces.workspace_rows import deleted_workspaces
from dataagent_server.workspaces.workspace_service import finish_deletion

_log = logging.getLogger(__name__)


async def sweep(store: WorkspaceStore) -> int:
    """Sweep once; return how many things were corrected."""
    done = 0
    unfinished = await store.database.read(
        lambda connection: deleted_workspaces(connection, SWEPT_AT_ONCE_MAX)
    )
    for tenant_id, workspace_id, path in unfinished:
        await finish_deletion(store, tenant_id, workspace_id, path)
        done += 1
    for tenant_id, workspace_id in await store.database.read(_list_expired):
        try:
            await reconcile(store, tenant_id, workspace_id)
            done += 1
        except DataAgentError as error:
            _log.warning("workspace %s was not counted: %s", workspace_id, error)
    done += await asyncio.to_thread(store.directories.empty_trash)
    # An upload is a file named by its reservation, which exists before it: so files are listed
    # first.
    found = await asyncio.to_thread(store.directories.incoming_names)
    coming = await store.database.read(_read_reservation_ids)
    left = [name for name in found if name not in coming]
    done += await asyncio.to_thread(store.directories.drop_incoming, left)
    known = await store.database.read(_read_paths)
    for name in await asyncio.to_thread(store.directories.unknown, known):
        _log.warning("%s in %s belongs to no workspace", name, store.directories.base)
    return done


def _list_expired(connection: Connection) -> list[tuple[TenantId, WorkspaceId]]:
    held = s_workspace_reservation.c
    rows = connection.execute(
        select(held.tenant_id, held.workspace_id)
        .where(held.expires_at < database_now(connection))
        .distinct()
        .limit(SWEPT_AT_ONCE_MAX)
    )
    return [(TenantId(row.tenant_id), WorkspaceId(row.workspace_id)) for row in rows]


def _read_reservation_ids(connection: Connection) -> frozenset[str]:
    found = connection.execute(select(s_workspace_reservation.c.reservation_id))
    return frozenset(found.scalars())


def _read_paths(connection: Connection) -> frozenset[str]:
    return frozenset(connection.execute(select(s_workspace.c.path)).scalars())
