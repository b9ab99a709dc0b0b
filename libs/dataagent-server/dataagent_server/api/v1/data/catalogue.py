"""`/api/v1/data/tables` and `/search`: what there is to ask."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from dataagent_core.config.limits.data import (
    CATALOGUE_FOUND_DEFAULT,
    CATALOGUE_FOUND_MAX,
    CATALOGUE_WAIT_S,
    DESCRIBE_SAMPLE_ROWS,
    PROFILE_COLUMNS_MAX,
    PROFILE_SAMPLE_ROWS,
)
from dataagent_core.errors import DataAgentError
from dataagent_core.tools.data.agent_tools.catalogue_tools import find_table
from dataagent_core.tools.data.catalog import filter_visible, make_table_entries, search_entries
from dataagent_core.tools.data.data_model import Table
from dataagent_core.tools.data.semantic.semantic_entries import make_semantic_entries
from dataagent_core.tools.data.time_left import TimeLeft
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.models import Page
from dataagent_server.api.models.data.tables import (
    DescribedTable,
    FoundEntries,
    FoundEntry,
    ProfileInfo,
    TableInfo,
)
from dataagent_server.api.v1.data.shared import (
    QUERY_ERRORS,
    ProjectQuery,
    SourceQuery,
    map_data_errors,
)

router = APIRouter(prefix="/data", tags=["data"], dependencies=[WithoutTimeout])

_TABLES_MAX = 500
_NAME_CHARS_MAX = 500


@router.get("/tables", summary="List tables", responses=QUERY_ERRORS)
async def list_data_tables(
    principal: CurrentPrincipal,
    services: ServicesDep,
    source: SourceQuery,
    project_id: ProjectQuery = None,
    *,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=_TABLES_MAX)] = 100,
) -> Page[TableInfo]:
    """List the tables of a source with their columns; `next` is the next `offset`."""
    queries = await services.data.open_queries(principal, project_id)
    with map_data_errors():
        tables = (await queries.load_catalogue(source)).tables
    shown = tables[offset : offset + limit]
    more = offset + len(shown)
    return Page(
        items=[table_info(table) for table in shown],
        next=str(more) if more < len(tables) else None,
        total=len(tables),
    )


@router.get("/tables/describe", summary="Describe a table", responses=QUERY_ERRORS)
async def describe_data_table(
    principal: CurrentPrincipal,
    services: ServicesDep,
    source: SourceQuery,
    table: Annotated[str, Query(min_length=1, max_length=_NAME_CHARS_MAX, examples=["orders"])],
    project_id: ProjectQuery = None,
    *,
    profile: Annotated[bool, Query(description="Look at a larger sample")] = False,
) -> DescribedTable:
    """Show columns, keys, comments and what a sample of the first 200 columns holds.

    You see values as they are.
    """
    queries = await services.data.open_queries(principal, project_id)
    with map_data_errors():
        opened = await queries.open_source(source)
        whole = await opened.catalogue.get()
        found = find_table(filter_visible(whole, opened.spec), table, whole)
    sample_rows = PROFILE_SAMPLE_ROWS if profile else DESCRIBE_SAMPLE_ROWS
    names = [column.name for column in found.columns[:PROFILE_COLUMNS_MAX]]
    seen = await opened.engine.profile(found, names, sample_rows)
    return DescribedTable(
        table=table_info(found), profile=[ProfileInfo.model_validate(one) for one in seen]
    )


@router.get("/search", summary="Search the catalogue", responses=QUERY_ERRORS)
async def search_data_catalogue(
    principal: CurrentPrincipal,
    services: ServicesDep,
    query: Annotated[
        str, Query(max_length=_NAME_CHARS_MAX, description="Words, English or Chinese")
    ] = "",
    source: Annotated[
        str | None, Query(min_length=1, max_length=_NAME_CHARS_MAX, description="Only this one")
    ] = None,
    project_id: ProjectQuery = None,
    *,
    limit: Annotated[int, Query(ge=1, le=CATALOGUE_FOUND_MAX)] = CATALOGUE_FOUND_DEFAULT,
) -> FoundEntries:
    """Find tables, columns, metrics and verified questions by words, in all sources at once."""
    queries = await services.data.open_queries(principal, project_id)
    model = await services.data.models.model_for(principal.tenant_id, project_id)
    entries = make_semantic_entries(model)
    names = [source] if source else [spec.name for spec in await queries.sources.listed()]
    notes: list[str] = []
    left = TimeLeft(CATALOGUE_WAIT_S)
    for name in names:
        try:
            catalogue = await queries.load_catalogue(name, left.s())
        except DataAgentError as error:
            if source:
                raise
            notes.append(f"{name} cannot be read: {error}")
            continue
        entries += make_table_entries(name, catalogue)
        notes += [f"{name}: {note}" for note in catalogue.notes]
    found = search_entries(query, entries, limit)
    items = [FoundEntry.model_validate(entry) for entry in found.entries]
    return FoundEntries(items=items, more=found.more, notes=notes)


def table_info(table: Table) -> TableInfo:
    """Show a table."""
    values: dict[str, Any] = {
        name: getattr(table, name)
        for name in ("name", "comment", "rows", "rows_exact", "is_view", "columns", "notes")
    }
    return TableInfo.model_validate({**values, "schema": table.schema})
