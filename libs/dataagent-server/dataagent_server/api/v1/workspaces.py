"""`/api/v1/workspaces` (S4): the directories agents work in."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.workspaces import (
    WorkspaceCreate,
    WorkspaceInfo,
    WorkspaceMember,
    WorkspaceShare,
    WorkspaceUpdate,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Cursor
from dataagent_server.common.pagination import PAGE_ROWS_DEFAULT, PAGE_ROWS_MAX, PageRequest
from dataagent_server.workspaces.workspace import WorkspaceId
from dataagent_server.workspaces.workspace_service import WorkspaceChanges

router = APIRouter(prefix="/workspaces", tags=["workspaces"])

WorkspacePath = Annotated[WorkspaceId, Path(alias="workspace_id", pattern=ID_PATTERN)]
_UserPath = Annotated[str, Path(alias="user_id", pattern=ID_PATTERN)]
_NOT_FOUND = errors("WORKSPACE_NOT_FOUND")


@router.get("", summary="List your workspaces")
async def list_workspaces(
    principal: CurrentPrincipal,
    services: ServicesDep,
    after: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=PAGE_ROWS_MAX)] = PAGE_ROWS_DEFAULT,
) -> Page[WorkspaceInfo]:
    """List what you own or what was shared with you, oldest first."""
    page = await services.workspaces.service.list(principal, PageRequest(after, limit))
    return Page(items=[WorkspaceInfo.of(one) for one in page.items], next=page.next)


@router.get("/default", summary="Your default workspace", responses=errors("DIRECTORY_ERROR"))
async def get_default_workspace(
    principal: CurrentPrincipal, services: ServicesDep
) -> WorkspaceInfo:
    """Show the workspace your agents work in; it is made when there is none."""
    return WorkspaceInfo.of(await services.workspaces.service.default(principal))


@router.post(
    "",
    status_code=201,
    summary="Create a workspace",
    responses=errors("CONFLICT", "DIRECTORY_ERROR"),
)
async def create_workspace(
    body: WorkspaceCreate, principal: CurrentPrincipal, services: ServicesDep
) -> WorkspaceInfo:
    """Make a workspace; your first becomes your default."""
    made = await services.workspaces.service.create(
        principal, WorkspaceChanges(**body.model_dump())
    )
    return WorkspaceInfo.of(made)


@router.get("/{workspace_id}", summary="One workspace", responses=_NOT_FOUND)
async def get_workspace(
    workspace_id: WorkspacePath, principal: CurrentPrincipal, services: ServicesDep
) -> WorkspaceInfo:
    """Show a workspace of yours, or one that was shared with you."""
    return WorkspaceInfo.of(await services.workspaces.service.get(principal, workspace_id))


@router.patch("/{workspace_id}", summary="Change a workspace", responses=_NOT_FOUND)
async def update_workspace(
    workspace_id: WorkspacePath,
    body: WorkspaceUpdate,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> WorkspaceInfo:
    """Change its name, limits or settings; only an admin may raise limits above the defaults."""
    wishes = WorkspaceChanges(**body.model_dump())
    return WorkspaceInfo.of(
        await services.workspaces.service.change(principal, workspace_id, wishes)
    )


@router.delete(
    "/{workspace_id}",
    status_code=204,
    summary="Delete a workspace",
    responses=errors("WORKSPACE_NOT_FOUND", "CONFLICT", "DIRECTORY_ERROR"),
)
async def delete_workspace(
    workspace_id: WorkspacePath, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Delete it with its files. If it was your default, your oldest other one takes its place."""
    await services.workspaces.service.delete(principal, workspace_id)


@router.post(
    "/{workspace_id}/set-default",
    summary="Make it your default",
    responses=errors("WORKSPACE_NOT_FOUND", "CONFLICT"),
)
async def set_default_workspace(
    workspace_id: WorkspacePath, principal: CurrentPrincipal, services: ServicesDep
) -> WorkspaceInfo:
    """Let your agents work in this one from now on."""
    return WorkspaceInfo.of(await services.workspaces.service.set_default(principal, workspace_id))


@router.get("/{workspace_id}/members", summary="Who may use it", responses=_NOT_FOUND)
async def list_workspace_members(
    workspace_id: WorkspacePath, principal: CurrentPrincipal, services: ServicesDep
) -> Page[WorkspaceMember]:
    """List its owner and everybody it was shared with."""
    members = await services.workspaces.sharing.members(principal, workspace_id)
    return Page(items=[WorkspaceMember.of(one) for one in members], total=len(members))


@router.put(
    "/{workspace_id}/members/{user_id}",
    summary="Share it",
    responses=errors("WORKSPACE_NOT_FOUND", "CONFLICT"),
)
async def share_workspace(
    workspace_id: WorkspacePath,
    user_id: _UserPath,
    body: WorkspaceShare,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> Page[WorkspaceMember]:
    """Let somebody of your tenant read it, or read and write it."""
    members = await services.workspaces.sharing.share(
        principal, workspace_id, user_id, body.permission
    )
    return Page(items=[WorkspaceMember.of(one) for one in members], total=len(members))


@router.delete(
    "/{workspace_id}/members/{user_id}",
    status_code=204,
    summary="Stop sharing it",
    responses=errors("WORKSPACE_NOT_FOUND", "CONFLICT"),
)
async def unshare_workspace(
    workspace_id: WorkspacePath,
    user_id: _UserPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> None:
    """Take somebody's right to it away; you can always give up your own."""
    await services.workspaces.sharing.unshare(principal, workspace_id, user_id)
