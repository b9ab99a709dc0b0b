"""What goes on in a session, under our names and under S2's (`api/v1/conversations.py`)."""

from dataagent_server.api.following import log_of
from dataagent_server.api.models.run import (
    ExecutionStatus,
    ResumedResponse,
    ToolExecutionInfo,
    ToolExecutionList,
)
from dataagent_server.auth.principal import Principal
from dataagent_server.sessions.tool_records import tool_executions
from dataagent_server.wiring import Services


async def execution_status(
    services: Services, principal: Principal, session_id: str
) -> ExecutionStatus:
    """Say what is under way and how far the log has come."""
    await services.sessions.get(principal, session_id)
    tenant_id = principal.tenant_id
    runs = await services.runs.service.runs(tenant_id, session_id, only_open=True)
    last = await log_of(services, tenant_id).last_seq(session_id)
    if not runs:
        return ExecutionStatus(is_running=False, last_sequence=last, current_message_id=None)
    current = runs[0]
    return ExecutionStatus(
        is_running=current.active,
        last_sequence=last,
        current_message_id=current.message_id,
        run_id=current.run_id,
        status=current.status,  # pyright: ignore[reportArgumentType] (open runs only)
        queued=len(runs) - 1,
    )


async def resume_execution(
    services: Services, principal: Principal, session_id: str
) -> ResumedResponse:
    """Take up a run that nobody works on."""
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
    found = await services.database.read(
        lambda c: tool_executions(
            c,
            principal.tenant_id,
            session_id,
            message_id=message_id,
            after=after,
            limit=limit + 1,
        )
    )
    shown = [ToolExecutionInfo.of(one) for one in found[:limit]]
    return ToolExecutionList(tool_executions=shown, has_more=len(found) > limit)
