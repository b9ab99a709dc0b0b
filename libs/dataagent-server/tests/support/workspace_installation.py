"""Tenants, people and their workspaces to test with: real rows, real directories."""

import itertools
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.workspaces.directories import WorkspaceDirectories
from dataagent_core.secrets import open_keyring
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.tables.people import s_user, tenants, user_tenants
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth.principal import Principal, Role
from dataagent_server.workspaces.files.workspace_files import WorkspaceFiles
from dataagent_server.workspaces.owners import UidRange
from dataagent_server.workspaces.quota.counter_rows import WorkspaceCounters, read_counters
from dataagent_server.workspaces.store import WorkspaceStore, now
from dataagent_server.workspaces.workspace import StorageAmount, Workspace
from dataagent_server.workspaces.workspace_service import WorkspaceChanges, WorkspaceService
from dataagent_server.workspaces.workspace_shares import WorkspaceSharing

_numbers = itertools.count(1)


@dataclass(frozen=True)
class WorkspaceInstallation:
    """The parts of the workspace services over one database and one base path."""

    store: WorkspaceStore

    @property
    def database(self) -> Database:
        return self.store.database

    @property
    def base(self) -> Path:
        return self.store.directories.base

    @property
    def service(self) -> WorkspaceService:
        return WorkspaceService(self.store)

    @property
    def files(self) -> WorkspaceFiles:
        return WorkspaceFiles(self.store)

    @property
    def sharing(self) -> WorkspaceSharing:
        return WorkspaceSharing(self.store)

    def with_maximum(self, size_bytes: int, files: int) -> "WorkspaceInstallation":
        return WorkspaceInstallation(replace(self.store, maximum=StorageAmount(size_bytes, files)))

    async def tenant(self, quota_bytes: int = 1 << 40) -> TenantId:
        tenant_id = TenantId(f"tenant-{next(_numbers)}")
        await self.database.write(
            lambda c: c.execute(
                tenants.insert().values(
                    tenant_id=tenant_id, name=tenant_id, max_users=100, max_sessions_per_user=10,
                    max_mcp_servers=5, workspace_quota_bytes=quota_bytes, is_active=True, version=1,
                    created_at=now(), updated_at=now(),
                )
            )
        )  # fmt: skip
        return tenant_id

    async def person(self, tenant_id: TenantId | None = None, role: Role = "member") -> Principal:
        tenant = tenant_id or await self.tenant()
        user_id = f"user-{next(_numbers)}"

        def work(connection: Connection) -> None:
            connection.execute(
                s_user.insert().values(
                    user_id=user_id, tenant_id=tenant, username=user_id, display_name=user_id,
                    is_active=True, created_at=now(), updated_at=now(),
                )
            )  # fmt: skip
            connection.execute(
                user_tenants.insert().values(
                    tenant_id=tenant, user_id=user_id, role=role, created_at=now()
                )
            )

        await self.database.write(work)
        return Principal(tenant, user_id, role)

    async def workspace(self, person: Principal, name: str = "One", **wishes: Any) -> Workspace:
        return await self.service.create(person, WorkspaceChanges(name, **wishes))

    async def put(self, person: Principal, workspace: Workspace, path: str, data: bytes) -> None:
        async with await self.files.upload(person, workspace.workspace_id, path) as upload:
            await upload.write(data)
            await upload.finish()

    async def read(self, person: Principal, workspace: Workspace, path: str) -> bytes:
        opened = await self.files.open(person, workspace.workspace_id, path)
        try:
            return await opened.piece(0, opened.node.size_bytes)
        finally:
            opened.close()

    async def counted(self, workspace: Workspace) -> WorkspaceCounters:
        return await self.database.read(
            lambda c: read_counters(c, TenantId(workspace.tenant_id), workspace.workspace_id)
        )

    def on_disk(self, workspace: Workspace) -> StorageAmount:
        measured = self.store.directories.measure(workspace.path)
        return StorageAmount(measured.size_bytes, measured.entries)


async def refusal(doing: Awaitable[object]) -> str | None:
    """Give the code of what was refused, `None` when it was done."""
    try:
        await doing
    except DataAgentError as error:
        return error.code
    return None


def names(folder: Path) -> list[str]:
    """List what is in a folder."""
    return sorted(entry.name for entry in folder.iterdir())


def make_world(
    database: Database, folder: Path, uids: UidRange | None = None
) -> WorkspaceInstallation:
    folder.mkdir(exist_ok=True)
    return WorkspaceInstallation(
        WorkspaceStore(
            database,
            WorkspaceDirectories(folder / "workspaces", reachable=uids is not None),
            StorageAmount(1 << 30, 10_000),
            AuditTrail(open_keyring(folder / "secret.key")),
            uids,
        )
    )
