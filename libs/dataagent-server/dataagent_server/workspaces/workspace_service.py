"""S4's operations on workspaces, for a principal.

When a default is deleted or deactivated, the user's oldest other workspace becomes the default;
without one, a new one is created at its first use (`agent_workspace.py`).
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError, DeniedError, ValidationError
from dataagent_core.ids import new_id
from dataagent_server.common.ids import TenantId
from dataagent_server.common.names import validate_name, validate_text
from dataagent_server.common.pagination import ItemPage, PageRequest
from dataagent_server.identity.auth.may import Resource, require
from dataagent_server.identity.auth.principal import Principal, outranks
from dataagent_server.workspaces import limits, workspace_member_rows, workspace_rows
from dataagent_server.workspaces.access import find_accessible
from dataagent_server.workspaces.agent_workspace import ensure_user_default_workspace
from dataagent_server.workspaces.quota.counter_rows import lock_tenant
from dataagent_server.workspaces.store import WorkspaceStore, now
from dataagent_server.workspaces.workspace import StorageAmount, Workspace, WorkspaceId

# Returns whether a run uses a workspace; passed in by `runs/`, which is above this layer.
InUse = Callable[[TenantId, WorkspaceId], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class WorkspaceChanges:
    """The changes of a workspace; `None` keeps a value."""

    name: str | None = None
    description: str | None = None
    max_size_bytes: int | None = None
    max_files: int | None = None
    is_active: bool | None = None
    settings: dict[str, Any] | None = None


async def _never_in_use(tenant_id: TenantId, workspace_id: WorkspaceId) -> bool:
    del tenant_id, workspace_id
    return False


@dataclass(frozen=True, slots=True)
class WorkspaceService:
    """The operations of routes on workspaces."""

    store: WorkspaceStore
    in_use: InUse = field(default=_never_in_use)

    async def list(self, principal: Principal, page_request: PageRequest) -> ItemPage[Workspace]:
        """List the workspaces the principal owns or shares."""
        require(principal, "workspace.read", _own_resource(principal))
        return await self.store.database.read(
            lambda connection: workspace_rows.list_workspaces(
                connection, principal.tenant_id, principal.user_id, page_request
            )
        )

    async def default(self, principal: Principal) -> Workspace:
        """Return the principal's default workspace, created at the first use."""
        require(principal, "workspace.read", _own_resource(principal))
        return await ensure_user_default_workspace(
            self.store, principal.tenant_id, principal.user_id
        )

    async def get(self, principal: Principal, workspace_id: WorkspaceId) -> Workspace:
        """Give one workspace."""
        return await self.store.database.read(
            lambda connection: find_accessible(connection, principal, workspace_id, "read")
        )

    async def create(self, principal: Principal, wishes: WorkspaceChanges) -> Workspace:
        """Create a workspace with its directory; a user's first becomes their default."""
        require(principal, "workspace.change", _own_resource(principal))
        checked = self._validate_changes(principal, wishes)
        tenant_id, user_id = principal.tenant_id, principal.user_id
        new = workspace_rows.NewWorkspace(
            workspace_id=WorkspaceId(new_id()),
            owner_id=user_id,
            name=checked.get("name", ""),
            description=checked.get("description"),
            maximum=StorageAmount(
                checked.get("max_size_bytes", self.store.maximum.size_bytes),
                checked.get("max_files", self.store.maximum.files),
            ),
            settings=checked.get("settings", {}),
            now=now(),
        )

        def make(connection: Connection) -> Workspace:
            lock_tenant(connection, tenant_id)
            if (
                workspace_rows.count_owned(connection, tenant_id, user_id)
                >= limits.WORKSPACES_PER_USER_MAX
            ):
                raise ConflictError(
                    f"You have {limits.WORKSPACES_PER_USER_MAX} workspaces, which is the most. "
                    "Delete one first."
                )
            workspace_rows.insert_workspace(connection, tenant_id, new)
            if workspace_rows.find_default(connection, tenant_id, user_id) is None:
                workspace_member_rows.make_default(connection, tenant_id, user_id, new.workspace_id)
            made = find_accessible(connection, principal, new.workspace_id, "read")
            self.store.record(
                connection, principal, "workspace.create", new.workspace_id, name=new.name
            )
            return made

        made = await self.store.database.write(make)
        try:
            await self.store.directory(made)
        except BaseException:
            # A workspace without a directory is useless.
            await asyncio.shield(self._forget(tenant_id, made))
            raise
        return made

    async def change(
        self, principal: Principal, workspace_id: WorkspaceId, wishes: WorkspaceChanges
    ) -> Workspace:
        """Change what is said about a workspace."""

        def work(connection: Connection) -> Workspace:
            lock_tenant(connection, principal.tenant_id)
            before = find_accessible(connection, principal, workspace_id, "manage")
            values = self._validate_changes(principal, wishes, before)
            workspace_rows.change_workspace(
                connection, principal.tenant_id, workspace_id, {**values, "updated_at": now()}
            )
            if values.get("is_active") is False:
                _move_defaults(connection, principal.tenant_id, workspace_id)
            after = find_accessible(connection, principal, workspace_id, "read")
            self.store.record(
                connection, principal, "workspace.change", workspace_id, changed=sorted(values)
            )
            return after

        return await self.store.database.write(work)

    async def set_default(self, principal: Principal, workspace_id: WorkspaceId) -> Workspace:
        """Make a workspace the principal's default."""

        def work(connection: Connection) -> Workspace:
            lock_tenant(connection, principal.tenant_id)
            found = find_accessible(connection, principal, workspace_id, "write")
            if found.permission is None:
                raise DeniedError(
                    f"The workspace {workspace_id!r} is somebody else's and not shared with you; "
                    "it cannot be your default."
                )
            if not found.is_active:
                raise ConflictError(
                    f"The workspace {workspace_id!r} is switched off. Activate it first."
                )
            workspace_member_rows.make_default(
                connection, principal.tenant_id, principal.user_id, workspace_id
            )
            after = find_accessible(connection, principal, workspace_id, "read")
            self.store.record(connection, principal, "workspace.set_default", workspace_id)
            return after

        return await self.store.database.write(work)

    async def delete(self, principal: Principal, workspace_id: WorkspaceId) -> None:
        """Delete a workspace with its files; it is gone for all users before this returns."""
        tenant_id = principal.tenant_id
        await self.store.database.read(
            lambda connection: find_accessible(connection, principal, workspace_id, "manage")
        )
        if await self.in_use(tenant_id, workspace_id):
            raise ConflictError("An agent works in this workspace just now. Stop its run first.")

        def mark(connection: Connection) -> Workspace:
            lock_tenant(connection, tenant_id)
            found = find_accessible(connection, principal, workspace_id, "manage")
            _move_defaults(connection, tenant_id, workspace_id)
            workspace_rows.change_workspace(
                connection, tenant_id, workspace_id, {"deleted_at": now(), "is_active": False}
            )
            self.store.record(
                connection, principal, "workspace.delete", workspace_id, name=found.name
            )
            return found

        await asyncio.shield(self._forget(tenant_id, await self.store.database.write(mark)))

    async def _forget(self, tenant_id: TenantId, workspace: Workspace) -> None:
        await finish_deletion(self.store, tenant_id, workspace.workspace_id, workspace.path)

    def _validate_changes(
        self, principal: Principal, wishes: WorkspaceChanges, before: Workspace | None = None
    ) -> dict[str, Any]:
        values: dict[str, Any] = {}
        if wishes.name is not None or before is None:
            values["name"] = _validate_name(wishes.name or "")
        if wishes.description is not None:
            values["description"] = validate_text(wishes.description, "description")
        if wishes.settings is not None:
            values["settings"] = _validate_settings(wishes.settings)
        if wishes.is_active is not None:
            values["is_active"] = wishes.is_active
        for column, most in (
            ("max_size_bytes", self.store.maximum.size_bytes),
            ("max_files", self.store.maximum.files),
        ):
            value: int | None = getattr(wishes, column)
            if value is None:
                continue
            known = most if before is None else max(most, getattr(before, column))
            if value > known and not outranks(principal.role, "admin"):
                raise DeniedError(
                    f"{column} of {value} is more than the {known} a member may choose. Ask an "
                    "admin of the tenant."
                )
            values[column] = value
        return values


async def finish_deletion(
    store: WorkspaceStore, tenant_id: TenantId, workspace_id: WorkspaceId, path: str
) -> None:
    """Remove the directory of a workspace whose row is marked, then the row."""

    def mark(connection: Connection) -> None:
        lock_tenant(connection, tenant_id)
        workspace_rows.change_workspace(connection, tenant_id, workspace_id, {"deleted_at": now()})

    def forget(connection: Connection) -> None:
        lock_tenant(connection, tenant_id)
        workspace_rows.forget_workspace(connection, tenant_id, workspace_id)

    await store.database.write(mark)
    await asyncio.to_thread(store.directories.remove, path)
    await store.database.write(forget)


def _move_defaults(connection: Connection, tenant_id: TenantId, workspace_id: WorkspaceId) -> None:
    for user_id in workspace_member_rows.defaulting_users(connection, tenant_id, workspace_id):
        others = [
            other
            for other in workspace_rows.owned_ids(connection, tenant_id, user_id)
            if other != workspace_id
        ]
        workspace_member_rows.make_default(
            connection, tenant_id, user_id, others[0] if others else None
        )


def _own_resource(principal: Principal) -> Resource:
    return Resource(principal.tenant_id, "workspace", owner_id=principal.user_id)


def _validate_name(text: str) -> str:
    name = validate_name(text, "name of a workspace")
    if len(name) > limits.NAME_CHARS_MAX:
        raise ValidationError(
            f"The name has {len(name)} characters, {limits.NAME_CHARS_MAX} are possible."
        )
    return name


def _validate_settings(settings: dict[str, Any]) -> dict[str, Any]:
    try:
        size = len(json.dumps(settings, allow_nan=False).encode())
    except ValueError as error:
        raise ValidationError(f"The settings cannot be kept as JSON: {error}.") from error
    if size > limits.SETTINGS_BYTES_MAX:
        raise ValidationError(
            f"The settings have {size} bytes, {limits.SETTINGS_BYTES_MAX} are possible."
        )
    return settings
