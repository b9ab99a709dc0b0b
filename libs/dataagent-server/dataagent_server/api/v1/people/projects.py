"""`/api/v1/projects`: groups of sessions inside a tenant."""

from typing import Annotated

from fastapi import APIRouter, Path

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.people.projects import ProjectChange, ProjectCreate, ProjectInfo
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging, page_of

router = APIRouter(prefix="/projects", tags=["projects"])

_ProjectPath = Annotated[str, Path(pattern=ID_PATTERN)]


@router.get("", summary="List projects")
async def list_projects(
    principal: CurrentPrincipal, services: ServicesDep, page_request: Paging
) -> Page[ProjectInfo]:
    """List the projects of your tenant, the oldest first."""
    return page_of(ProjectInfo, await services.people.projects.list(principal, page_request))


@router.post("", status_code=201, summary="Create a project", responses=errors("LIMIT_REACHED"))
async def create_project(
    body: ProjectCreate, principal: CurrentPrincipal, services: ServicesDep
) -> ProjectInfo:
    """Make a project of your own."""
    made = await services.people.projects.create(
        principal, body.name, body.description, body.default_model
    )
    return ProjectInfo.model_validate(made)


@router.get("/{project_id}", summary="One project")
async def get_project(
    project_id: _ProjectPath, principal: CurrentPrincipal, services: ServicesDep
) -> ProjectInfo:
    """Show a project."""
    return ProjectInfo.model_validate(await services.people.projects.get(principal, project_id))


@router.patch("/{project_id}", summary="Change a project", responses=errors("CONFLICT"))
async def change_project(
    project_id: _ProjectPath,
    body: ProjectChange,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> ProjectInfo:
    """Change what is given, as its owner or an admin."""
    changed = await services.people.projects.change(
        principal,
        project_id,
        name=body.name,
        description=body.description,
        default_model=body.default_model,
        version=body.version,
    )
    return ProjectInfo.model_validate(changed)


@router.delete("/{project_id}", status_code=204, summary="Delete a project")
async def delete_project(
    project_id: _ProjectPath, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Delete a project with what was remembered in it; its sessions stay, without one."""
    await services.people.projects.delete(principal, project_id)
    await services.memory_remover.remove_project(principal.tenant_id, project_id)
