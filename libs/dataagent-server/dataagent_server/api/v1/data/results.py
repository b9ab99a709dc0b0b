"""`/api/v1/data/results`: what your queries and your agents' gave, kept for some days."""

import asyncio
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Path, Query

from dataagent_core.config.limits.data import RESULT_PAGE_ROWS_DEFAULT, RESULT_PAGE_ROWS_MAX
from dataagent_core.tools.data.complete_rows import FOR_A_MEMBER, RowSelection, open_complete_rows
from dataagent_core.tools.data.results.result_export import write_export
from dataagent_server.api.answers.bytes_answer import once_answer
from dataagent_server.api.answers.file_answer import FileAnswer
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.models import Page
from dataagent_server.api.models.data.tables import ResultInfo, RowsInfo
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.page_params import Paging
from dataagent_server.api.v1.data.shared import QUERY_ERRORS, map_data_errors, read_rows

router = APIRouter(prefix="/data/results", tags=["data"])

ResultPath = Annotated[str, Path(pattern=ID_PATTERN, examples=["r_0123456789ab"])]
BINARY: Final = {"type": "string", "format": "binary"}
_XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def describe_download(*kinds: str) -> dict[int | str, dict[str, Any]]:
    """Describe a download of one of these types."""
    return {200: {"content": {kind: {"schema": BINARY} for kind in kinds}}}


@router.get("", summary="List results")
async def list_data_results(
    principal: CurrentPrincipal, services: ServicesDep, page_request: Paging
) -> Page[ResultInfo]:
    """List your own results, the oldest first."""
    data = services.data
    results = data.own_results(principal)
    found = await results.page(page_request)
    items = [
        ResultInfo.of(kept, may_export_all=await data.may_export_all(principal, results, kept))
        for kept in found.items
    ]
    return Page(items=items, next=found.next)


@router.get("/{result_id}", summary="One result")
async def get_data_result(
    result_id: ResultPath, principal: CurrentPrincipal, services: ServicesDep
) -> ResultInfo:
    """Say where a result came from and what it holds: one of yours, or of a session you see."""
    results = await services.data.readable_results(principal, result_id)
    kept = await results.get(result_id)
    may_all = await services.data.may_export_all(principal, results, kept)
    return ResultInfo.of(kept, may_export_all=may_all)


@router.get("/{result_id}/rows", summary="Rows of a result")
async def read_data_rows(
    result_id: ResultPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    offset: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=RESULT_PAGE_ROWS_MAX)] = RESULT_PAGE_ROWS_DEFAULT,
) -> RowsInfo:
    """Read some rows; go on at `next_offset`."""
    results = await services.data.readable_results(principal, result_id)
    kept = await results.get(result_id)
    may_all = await services.data.may_export_all(principal, results, kept)
    return await read_rows(results, result_id, offset, limit, may_export_all=may_all)


@router.get(
    "/{result_id}/export",
    summary="Download a result",
    status_code=200,
    response_class=FileAnswer,
    dependencies=[WithoutTimeout],
    responses={
        **QUERY_ERRORS,
        **describe_download("text/csv", "application/vnd.apache.parquet", _XLSX),
    },
)
async def export_data_result(
    result_id: ResultPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    form: Annotated[Literal["csv", "parquet", "xlsx"], Query(alias="format")] = "csv",
    rows: Annotated[
        RowSelection, Query(description="`kept`: only the rows that a cut result keeps")
    ] = "all",
) -> FileAnswer:
    """Send all rows as a file, every column as it is.

    A result keeps a limited number of rows (`truncated`): for the others its query is run again,
    by its owner only, with the rights its owner has now.
    """
    results = await services.data.readable_results(principal, result_id)
    kept = await results.get(result_id)
    target = results.draft().with_suffix(f".{form}")
    try:
        if kept.truncated and rows == "all":
            queries = await services.data.open_queries_of_result(principal, results, kept)
            with map_data_errors(), services.data.limit_exports(principal):
                async with open_complete_rows(queries, kept, FOR_A_MEMBER) as found:
                    await write_export(found.kept, found.path, target, form, for_model=False)
        else:
            await write_export(kept, await results.path(result_id), target, form, for_model=False)
        return await asyncio.to_thread(once_answer, target, f"{result_id}.{form}")
    finally:
        await asyncio.to_thread(target.unlink, missing_ok=True)


@router.delete("/{result_id}", status_code=204, summary="Delete a result")
async def delete_data_result(
    result_id: ResultPath, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Forget a result before its days are over; its room is yours again."""
    await services.data.own_results(principal, "result.delete").remove(result_id)
