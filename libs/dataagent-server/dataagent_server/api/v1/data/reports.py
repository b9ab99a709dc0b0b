"""`/api/v1/reports`: reports of data, kept as definitions and run again with fresh data."""

import asyncio
import re
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Response

from dataagent_server.api.answers.bytes_answer import file_answer, open_file
from dataagent_server.api.answers.file_answer import FileAnswer
from dataagent_server.api.answers.inline_answer import page_in_frame
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.models import Page
from dataagent_server.api.models.data.reports import (
    ReportChange,
    ReportCreate,
    ReportDetail,
    ReportInfo,
    ReportRunAsked,
    ReportRunInfo,
)
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging, page_of
from dataagent_server.api.v1.data.results import describe_download
from dataagent_server.data.reports.cron import validate_time_zone
from dataagent_server.data.reports.limits import RUN_WAITED_FOR_S
from dataagent_server.data.reports.report_runner import ReportRunRequest

router = APIRouter(prefix="/reports", tags=["reports"])

ReportPath = Annotated[str, Path(pattern=ID_PATTERN)]
RunPath = Annotated[str, Path(pattern=ID_PATTERN)]
_NAME_CHARS_MAX = 500
_PREFER_CHARS_MAX = 200
_RESPOND_ASYNC = re.compile(r"(?:^|,)\s*respond-async\s*(?:;|,|$)", re.IGNORECASE)


@router.get("", summary="List reports")
async def list_reports(
    principal: CurrentPrincipal, services: ServicesDep, page_request: Paging
) -> Page[ReportInfo]:
    """List your own reports, the oldest first."""
    return page_of(ReportInfo, await services.reports.service.list(principal, page_request))


@router.post(
    "", status_code=201, summary="Create a report", responses=errors("NOT_FOUND", "LIMIT_REACHED")
)
async def create_report(
    body: ReportCreate, principal: CurrentPrincipal, services: ServicesDep
) -> ReportInfo:
    """Keep a report's definition; nothing is run yet."""
    made = await services.reports.service.create(principal, body.definition, body.project_id)
    return ReportInfo.model_validate(made)


@router.get("/{report_id}", summary="One report")
async def get_report(
    report_id: ReportPath, principal: CurrentPrincipal, services: ServicesDep
) -> ReportDetail:
    """Show a report of your own, or as an admin anybody's, with its parameters."""
    report = await services.reports.service.get(principal, report_id)
    # A long YAML takes a moment.
    return await asyncio.to_thread(ReportDetail.of, report)


@router.patch("/{report_id}", summary="Change a report", responses=errors("CONFLICT"))
async def change_report(
    report_id: ReportPath, body: ReportChange, principal: CurrentPrincipal, services: ServicesDep
) -> ReportInfo:
    """Replace the definition; schedules go on with the new one."""
    changed = await services.reports.service.change(
        principal, report_id, body.definition, body.version
    )
    return ReportInfo.model_validate(changed)


@router.delete("/{report_id}", status_code=204, summary="Delete a report")
async def delete_report(
    report_id: ReportPath, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Delete a report with its schedules and everything its runs wrote."""
    await services.reports.service.delete(principal, report_id)


@router.post(
    "/{report_id}/run",
    summary="Run a report",
    responses={
        202: {"model": ReportRunInfo, "description": "It is still running; `Location` is the run"},
        **errors("LIMIT_REACHED"),
    },
    dependencies=[WithoutTimeout],
)
async def run_report_now(
    report_id: ReportPath,
    body: ReportRunAsked,
    principal: CurrentPrincipal,
    services: ServicesDep,
    response: Response,
    *,
    prefer: Annotated[
        str | None, Header(max_length=_PREFER_CHARS_MAX, description="`respond-async`: do not wait")
    ] = None,
) -> ReportRunInfo:
    """Run your report with fresh data; one that fails says why in `error`.

    A run that takes longer than a few seconds is answered with 202 and goes on: look at the run
    named in `Location` until its `status` is `done` or `failed`.
    """
    request = ReportRunRequest(body.parameters, body.formats, validate_time_zone(body.time_zone))
    wait_s = 0.0 if _RESPOND_ASYNC.search(prefer or "") else RUN_WAITED_FOR_S
    run = await services.reports.service.run(principal, report_id, request, wait_s)
    if run.status == "running":
        response.status_code = 202
        response.headers["Location"] = f"/api/v1/reports/{report_id}/runs/{run.run_id}"
    return ReportRunInfo.model_validate(run)


@router.get("/{report_id}/runs", summary="List a report's runs")
async def list_report_runs(
    report_id: ReportPath, principal: CurrentPrincipal, services: ServicesDep, page_request: Paging
) -> Page[ReportRunInfo]:
    """List what came of running a report, the oldest first."""
    found = await services.reports.service.runs(principal, report_id, page_request)
    return page_of(ReportRunInfo, found)


@router.get("/{report_id}/runs/{run_id}", summary="One run of a report")
async def get_report_run(
    report_id: ReportPath, run_id: RunPath, principal: CurrentPrincipal, services: ServicesDep
) -> ReportRunInfo:
    """Show what came of a run."""
    found = await services.reports.service.get_run(principal, report_id, run_id)
    return ReportRunInfo.model_validate(found)


@router.get(
    "/{report_id}/runs/{run_id}/file",
    summary="Download a report",
    status_code=200,
    response_class=FileAnswer,
    responses=describe_download(
        "application/pdf", "text/plain", "text/html", "image/png", "application/octet-stream"
    ),
)
async def download_report(
    report_id: ReportPath,
    run_id: RunPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    name: Annotated[
        str,
        Query(min_length=1, max_length=_NAME_CHARS_MAX, description="A file's name, or its ending"),
    ] = "pdf",
    *,
    preview: Annotated[bool, Query(description="HTML only: to be shown in a frame")] = False,
) -> FileAnswer:
    """Send a file of a run as a download, or its HTML for a frame, where no script runs."""
    path, shown = await services.reports.service.file(principal, report_id, run_id, name)
    if preview:
        return page_in_frame(await asyncio.to_thread(open_file, path, shown))
    return await asyncio.to_thread(file_answer, path, shown)
