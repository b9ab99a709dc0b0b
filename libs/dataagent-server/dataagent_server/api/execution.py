"""The state of a session's runs, under our names and S2's (`api/v1/sessions/conversations.py`)."""

import asyncio
from collections.abc import Sequence

from dataagent_server.api.chat.live_events import log_of
from dataagent_server.api.models import Page
from dataagent_server.api.models.sessions.run import (
    CheckpointInfo,
    CheckpointList,
    ExecutionInfo,
    ExecutionStatus,
    ResumedResponse,
    RunInfo,
    ToolExecutionInfo,
    ToolExecutionList,
)
from dataagent_server.composition import Services
from dataagent_server.db.tables.runs import ACTIVE
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.history.markers import last_marker, markers_of_session
from dataagent_server.runs.history.run_lists import ListedRun
from dataagent_server.sessions.tool_records import tool_executions


async def execution_status(
    services: Services, principal: Principal, session_id: str
) -> ExecutionStatus:
    """Return which run is active and the last number of the log."""
    await services.sessions.get(principal, session_id)
    tenant_id = principal.tenant_id
    limit = services.settings.max_queued_per_session + 1
    runs = await services.runs.service.runs(tenant_id, session_id, only_open=True, limit=limit)
    last = await log_of(services, tenant_id).last_seq(session_id)
    if not runs:
        return ExecutionStatus(is_running=False, last_sequence=last, current_message_id=None)
    current = runs[0]
    marker = await services.database.read(lambda c: last_marker(c, tenant_id, current.run_id))
    return ExecutionStatus(
        is_running=current.status in ACTIVE,
        last_sequence=last,
        current_message_id=current.message_id,
        run_id=current.run_id,
        status=current.status,  # pyright: ignore[reportArgumentType] (open runs only)
        queued=len(runs) - 1,
        last_checkpoint=None if marker is None else CheckpointInfo.model_validate(marker),
    )


def run_page(found: Sequence[ListedRun], limit: int) -> Page[RunInfo]:
    """Return a page of runs; one row more than the limit shows that there is another page."""
    shown = [RunInfo.of(run) for run in found[:limit]]
    return Page(items=shown, next=shown[-1].run_id if len(found) > limit else None)


async def session_runs(
    services: Services,
    principal: Principal,
    session_id: str,
    *,
    only_open: bool,
    after: str | None,
    limit: int,
) -> Page[RunInfo]:
    """List the runs of a session."""
    await services.sessions.get(principal, session_id)
    found = await services.runs.service.runs(
        principal.tenant_id, session_id, only_open=only_open, after=after, limit=limit + 1
    )
    return run_page(found, limit)


async def execution_page(
    services: Services, principal: Principal, session_id: str, *, after: str | None, limit: int
) -> Page[ExecutionInfo]:
    """List the runs of a session with their results and plans."""
    await services.sessions.get(principal, session_id)
    found = await services.runs.service.executions(
        principal.tenant_id, session_id, after=after, limit=limit + 1
    )
    shown = [ExecutionInfo.of_execution(one) for one in found[:limit]]
    return Page(items=shown, next=shown[-1].run_id if len(found) > limit else None)


async def resume_execution(
    services: Services, principal: Principal, session_id: str
) -> ResumedResponse:
    """Resume a run that no process works on."""
    await services.sessions.get(principal, session_id)
    run = await services.runs.service.resume(principal, session_id)
    return ResumedResponse(session_id=session_id, run_id=run.run_id)


async def tool_execution_page(
    services: Services,
    principal: Principal,
    session_id: str,
    *,
    message_id: str | None,
    after: int,
    limit: int,
) -> ToolExecutionList:
    """List the tool calls of a session, or of one message."""
    await services.sessions.get(principal, session_id)
    tenant_id = principal.tenant_id
    page = await services.database.read(
        lambda c: tool_executions(
            c, tenant_id, session_id, message_id=message_id, after=after, limit=limit
        )
    )
    # Unpacking many results takes a while.
    shown = await asyncio.to_thread(lambda: [ToolExecutionInfo.of(one) for one in page.calls])
    return ToolExecutionList(tool_executions=shown, has_more=page.has_more)


async def checkpoint_page(
    services: Services,
    principal: Principal,
    session_id: str,
    *,
    run_id: str | None,
    after: int,
    limit: int,
) -> CheckpointList:
    """List the checkpoints of a session's runs."""
    await services.sessions.get(principal, session_id)
    found = await services.database.read(
        lambda c: markers_of_session(
            c, principal.tenant_id, session_id, run_id=run_id, after=after, limit=limit + 1
        )
    )
    shown = [CheckpointInfo.model_validate(one) for one in found[:limit]]
    return CheckpointList(checkpoints=shown, has_more=len(found) > limit)
