"""Corrects the counters by the disk, after a command wrote without announcing it."""

import asyncio
from collections.abc import Callable

from sqlalchemy import Connection

from dataagent_server.common.errors import WorkspaceNotFoundError
from dataagent_server.common.ids import TenantId
from dataagent_server.workspaces.limits import RECONCILE_TRIES_MAX
from dataagent_server.workspaces.quota.counter_rows import WorkspaceCounters, correct, read_counters
from dataagent_server.workspaces.quota.reservation_rows import drop_expired
from dataagent_server.workspaces.store import WorkspaceStore
from dataagent_server.workspaces.workspace import StorageAmount, WorkspaceId
from dataagent_server.workspaces.workspace_rows import find_workspace


async def reconcile(
    store: WorkspaceStore, tenant_id: TenantId, workspace_id: WorkspaceId
) -> StorageAmount:
    """Count the directory and correct the counters; return them.

    A count takes a while. If an announced write happened meanwhile, it is repeated; in a workspace
    that never rests the counters are finally only raised.
    """

    def look(connection: Connection) -> tuple[WorkspaceCounters, str]:
        workspace = find_workspace(connection, tenant_id, workspace_id, "")
        if workspace is None:
            raise WorkspaceNotFoundError(f"There is no workspace {workspace_id!r}.")
        return read_counters(connection, tenant_id, workspace_id), workspace.path

    on_disk = StorageAmount()
    for _ in range(RECONCILE_TRIES_MAX):
        seen, path = await store.database.read(look)
        if seen.expired:
            await store.database.write(
                lambda connection: drop_expired(connection, tenant_id, workspace_id)
            )
            continue
        measured = await asyncio.to_thread(store.directories.measure, path)
        on_disk = StorageAmount(measured.size_bytes, measured.entries)
        if not measured.complete:
            break
        if seen.amount == on_disk + seen.waiting + seen.beside and not seen.landing:
            return seen.amount
        if await store.database.write(_make_correction(tenant_id, workspace_id, on_disk, seen)):
            return on_disk + seen.waiting + seen.beside
    await store.database.write(_make_correction(tenant_id, workspace_id, on_disk, None))
    return (await store.database.read(look))[0].amount


def _make_correction(
    tenant_id: TenantId,
    workspace_id: WorkspaceId,
    on_disk: StorageAmount,
    seen: WorkspaceCounters | None,
) -> Callable[[Connection], bool]:
    return lambda connection: correct(connection, tenant_id, workspace_id, on_disk, seen=seen)
