"""`/api/v1/runs` and what goes on in a session: the work done for messages (S2 §14.5, S3)."""

from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.execution import (
    checkpoint_page,
    execution_status,
    resume_execution,
    run_page,
    session_runs,
    tool_execution_page,
)
from dataagent_server.api.limits import SEQ_MAX, TOOL_EXECUTIONS_DEFAULT, TOOL_EXECUTIONS_MAX
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.sessions.run import (
    CancelledResponse,
    CheckpointList,
    ExecutionStatus,
    ResumedResponse,
    RunDetail,
    RunInfo,
    ToolExecutionList,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.path_params import RunPath, SessionPath
from dataagent_server.runs.limits import HISTORY_PAGE_RUNS, HISTORY_PAGE_RUNS_MAX

router = APIRouter(tags=["runs"])
MessageQuery = Annotated[str | None, Query(max_length=255, pattern=r"^[^\x00]*$")]
ToolLimit = Annotated[int, Query(ge=1, le=TOOL_EXECUTIONS_MAX)]
Position = Annotated[int, Query(ge=0, le=SEQ_MAX)]
RunQuery = Annotated[str | None, Query(pattern=ID_PATTERN)]
RunLimit = Annotated[int, Query(ge=1, le=HISTORY_PAGE_RUNS_MAX)]
OnlyOpen = Annotated[bool, Query(description="Only what is under way, waits or is queued")]


@router.get("/runs", summary="A person's runs")
async def list_runs(
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    user_id: Annotated[str | None, Query(pattern=ID_PATTERN)] = None,
    project_id: Annotated[str | None, Query(pattern=ID_PATTERN)] = None,
    only_open: OnlyOpen = False,
    after: RunQuery = None,
    limit: RunLimit = HISTORY_PAGE_RUNS,
) -> Page[RunInfo]:
    """List your runs, newest first (S3's history); an admin may ask for somebody else's."""
    runs = await services.runs.service.history(
        principal,
        user_id or principal.user_id,
        project_id=project_id,
        only_open=only_open,
        before=after,
        limit=limit + 1,
    )
    return run_page(runs, limit)


@router.get("/runs/{run_id}", summary="One run")
async def get_run(run_id: RunPath, principal: CurrentPrincipal, services: ServicesDep) -> RunDetail:
    """Show a run and what came of it."""
    return RunDetail.of(await services.runs.service.run(principal, run_id))


@router.post("/runs/{run_id}/cancel", summary="Stop a run")
async def cancel_run(
    run_id: RunPath, principal: CurrentPrincipal, services: ServicesDep
) -> CancelledResponse:
    """Stop it; what was done stays. 404 when it is over already."""
    run = await services.runs.service.cancel(principal, run_id)
    return CancelledResponse(session_id=run.session_id, run_id=run.run_id)


@router.get("/sessions/{session_id}/runs", summary="The runs of a session")
async def list_session_runs(
    session_id: SessionPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    only_open: OnlyOpen = False,
    after: RunQuery = None,
    limit: RunLimit = HISTORY_PAGE_RUNS,
) -> Page[RunInfo]:
    """List the runs of a session, oldest first; what still waits shows its message."""
    return await session_runs(
        services, principal, session_id, only_open=only_open, after=after, limit=limit
    )


@router.get("/sessions/{session_id}/execution-status", summary="What goes on in a session")
async def get_execution_status(
    session_id: SessionPath, principal: CurrentPrincipal, services: ServicesDep
) -> ExecutionStatus:
    """Say whether a run is under way, and how far the log has come."""
    return await execution_status(services, principal, session_id)


@router.post(
    "/sessions/{session_id}/resume",
    status_code=202,
    summary="Go on from the last checkpoint",
    responses=errors("CONFLICT"),
)
async def resume_session(
    session_id: SessionPath, principal: CurrentPrincipal, services: ServicesDep
) -> ResumedResponse:
    """Take up an unfinished run; 404 when there is none, 409 when it waits for an answer."""
    return await resume_execution(services, principal, session_id)


@router.get("/sessions/{session_id}/tool-executions", summary="The tool calls of a session")
async def list_tool_executions(
    session_id: SessionPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    message_id: MessageQuery = None,
    after: Position = 0,
    limit: ToolLimit = TOOL_EXECUTIONS_DEFAULT,
) -> ToolExecutionList:
    """List calls with their receipts, in the order they began; `after` is a `position`."""
    return await tool_execution_page(
        services, principal, session_id, message_id=message_id, after=after, limit=limit
    )


@router.get("/sessions/{session_id}/checkpoints", summary="Where the runs of a session stood")
async def list_checkpoints(
    session_id: SessionPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    run_id: RunQuery = None,
    after: Position = 0,
    limit: ToolLimit = TOOL_EXECUTIONS_DEFAULT,
) -> CheckpointList:
    """List S2's markers in the order they were written; `after` is a `position`."""
    return await checkpoint_page(
        services, principal, session_id, run_id=run_id, after=after, limit=limit
    )
