"""`/api/v1/data/sources`: the databases and folders people and agents of a tenant may ask."""

import time
from typing import Annotated

from fastapi import APIRouter, Path

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.models import Page
from dataagent_server.api.models.data.sources import (
    DataSourceChange,
    DataSourceCreate,
    DataSourceInfo,
    SourceTest,
)
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.openapi import errors
from dataagent_server.api.v1.data.shared import QUERY_ERRORS, ProjectQuery

router = APIRouter(prefix="/data/sources", tags=["data"])

SourcePath = Annotated[str, Path(pattern=ID_PATTERN, examples=["shop"])]
_SAVING = errors(
    "CONFLICT", "LIMIT_REACHED", "NOT_FOUND", "PATH_ESCAPE_ERROR", "QUERY_REFUSED",
    "VALIDATION_ERROR",
)  # fmt: skip


@router.get("", summary="List data sources", responses=errors("NOT_FOUND"))
async def list_data_sources(
    principal: CurrentPrincipal, services: ServicesDep, project_id: ProjectQuery = None
) -> Page[DataSourceInfo]:
    """List the tenant's sources, or those seen from a project; this is the only page."""
    found = await services.data.sources.list(principal, project_id)
    return Page(items=[DataSourceInfo.model_validate(one) for one in found])


@router.post("", status_code=201, summary="Add a data source", responses=_SAVING)
async def create_data_source(
    body: DataSourceCreate,
    principal: CurrentPrincipal,
    services: ServicesDep,
    project_id: ProjectQuery = None,
) -> DataSourceInfo:
    """Add a source to the tenant, as an admin, or to a project, as its owner."""
    made = await services.data.sources.create(
        principal, body.name, project_id, body.wishes(body.location)
    )
    return DataSourceInfo.model_validate(made)


@router.get("/{name}", summary="One data source")
async def get_data_source(
    name: SourcePath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    project_id: ProjectQuery = None,
) -> DataSourceInfo:
    """Show a source; from a project, its own before the tenant's of that name."""
    return DataSourceInfo.model_validate(
        await services.data.sources.get(principal, name, project_id)
    )


@router.patch("/{name}", summary="Change a data source", responses=_SAVING)
async def change_data_source(
    name: SourcePath,
    body: DataSourceChange,
    principal: CurrentPrincipal,
    services: ServicesDep,
    project_id: ProjectQuery = None,
) -> DataSourceInfo:
    """Change what is given; of a project's source only with its `project_id`."""
    changed = await services.data.sources.change(
        principal, name, project_id, body.wishes(body.location), body.version
    )
    return DataSourceInfo.model_validate(changed)


@router.delete("/{name}", status_code=204, summary="Delete a data source")
async def delete_data_source(
    name: SourcePath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    project_id: ProjectQuery = None,
) -> None:
    """Forget a source; the data stays where it is."""
    await services.data.sources.delete(principal, name, project_id)


@router.post(
    "/{name}/test",
    summary="Connect to a data source",
    responses=QUERY_ERRORS,
    dependencies=[WithoutTimeout],
)
async def try_data_source(
    name: SourcePath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    project_id: ProjectQuery = None,
) -> SourceTest:
    """Connect, count the tables, and say loudly what the login may do beyond reading."""
    await services.data.sources.get(principal, name, project_id)
    queries = await services.data.open_queries(principal, project_id)
    began = time.monotonic()
    opened = await queries.open_source(name)
    opened.catalogue.forget()
    catalogue = await opened.catalogue.get()
    warnings = await opened.engine.warnings()
    return SourceTest(
        name=name,
        tables=len(catalogue.tables),
        notes=list(catalogue.notes),
        warnings=list(warnings),
        elapsed_ms=round((time.monotonic() - began) * 1_000),
    )
