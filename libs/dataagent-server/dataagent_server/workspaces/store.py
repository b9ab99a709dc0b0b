"""The base of all workspace services: the rows, the directories, and the defaults."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from dataagent_core.errors import ConfigurationError, ConflictError
from dataagent_core.sandbox.workspaces.directories import WorkspaceDirectories
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.settings.limits import UPLOAD_BYTES_MAX
from dataagent_server.workspaces.owners import UidRange
from dataagent_server.workspaces.uid_rows import allot_uid, find_uid
from dataagent_server.workspaces.workspace import StorageAmount, Workspace, WorkspaceId

_TRIES = 8


@dataclass(frozen=True, slots=True)
class WorkspaceStore:
    """Rows and directories of all workspaces; `maximum` is the quota of a new one."""

    database: Database
    directories: WorkspaceDirectories
    maximum: StorageAmount
    audit: AuditTrail
    uids: UidRange | None = None
    upload_bytes_max: int = UPLOAD_BYTES_MAX
    known_uids: dict[TenantId, int] = field(default_factory=dict[TenantId, int])

    def record(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        workspace_id: WorkspaceId,
        **detail: Any,
    ) -> None:
        """Record a user's change in the audit log, last in its transaction."""
        self.audit.record(
            connection,
            principal.tenant_id,
            principal.actor,
            action,
            f"workspace:{workspace_id}",
            detail,
        )

    async def directory(self, workspace: Workspace) -> Path:
        """Return a workspace's directory on this host, created if missing."""
        owner = await self.owner(TenantId(workspace.tenant_id))
        return await asyncio.to_thread(self.directories.ensure, workspace.path, owner)

    async def owner(self, tenant_id: TenantId) -> int | None:
        """Return the user id of a tenant's files; `None`: the server's own."""
        uids = self.uids
        if uids is None or tenant_id in self.known_uids:
            return self.known_uids.get(tenant_id)
        for _ in range(_TRIES):
            uid = await self.database.read(lambda connection: find_uid(connection, tenant_id))
            if uid is not None:
                if not uids.first <= uid <= uids.last:
                    raise ConfigurationError(
                        f"Tenant {tenant_id!r} has user number {uid}, outside the configured "
                        f"{uids.first}-{uids.last}. Widen the range: its files belong to {uid}."
                    )
                self.known_uids[tenant_id] = uid
                return uid
            try:
                await self.database.write(lambda connection: allot_uid(connection, tenant_id, uids))
            except ConflictError:
                continue  # another tenant got this number just now
        raise ConflictError("No user number could be allotted to the tenant. Try again.")


def now() -> datetime:
    """Return the current time."""
    return datetime.now(UTC)
