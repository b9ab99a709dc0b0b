"""S2's names for the same things: `/api/v1/agent/conversations/{id}/...` (S2 §14.5)."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from dataagent_core.config.limits import EVENTS_PAGE_DEFAULT, EVENTS_PAGE_MAX
from dataagent_core.events.sse import render_sse
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.event_pages import begin_after, event_page
from dataagent_server.api.execution import (
    checkpoint_page,
    execution_page,
    execution_status,
    resume_execution,
    session_runs,
    tool_execution_page,
)
from dataagent_server.api.limits import (
    EXECUTIONS_DEFAULT,
    EXECUTIONS_MAX,
    TOOL_EXECUTIONS_DEFAULT,
)
from dataagent_server.api.models import Page
from dataagent_server.api.models.sessions.event import ConversationEventList
from dataagent_server.api.models.sessions.plan import PlanEditRequest, WorkPlanInfo
from dataagent_server.api.models.sessions.run import (
    CheckpointList,
    ExecutionInfo,
    ExecutionStatus,
    ResumedResponse,
    RunInfo,
    ToolExecutionList,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.path_params import ConversationPath, Seq
from dataagent_server.api.plans import change_plan, load_plan
from dataagent_server.api.v1.sessions.plan import PlanQuery
from dataagent_server.api.v1.sessions.runs import (
    MessageQuery,
    OnlyOpen,
    Position,
    RunLimit,
    RunQuery,
    ToolLimit,
)
from dataagent_server.runs.limits import HISTORY_PAGE_RUNS
from dataagent_server.sessions.live.event_line import EventLine, json_line, line_from

router = APIRouter(prefix="/agent/conversations/{conversation_id}", tags=["sessions"])


@router.get("/events", summary="Events for a replay (S2)", response_model=ConversationEventList)
async def list_conversation_events(
    conversation_id: ConversationPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    from_sequence: Seq | None = None,
    after: Seq | None = None,
    limit: Annotated[int, Query(ge=1, le=EVENTS_PAGE_MAX)] = EVENTS_PAGE_DEFAULT,
) -> Response:
    """List events from a number on, with S2's types and fields."""
    begin = begin_after(after, from_sequence)
    lines, more = await event_page(services, principal, conversation_id, after=begin, limit=limit)
    events = [_render_line(line_from(seq, text)) for seq, text in lines]
    return Response(json_line({"events": events, "has_more": more}), media_type="application/json")


@router.get("/execution-status", summary="What goes on in a conversation (S2)")
async def get_conversation_status(
    conversation_id: ConversationPath, principal: CurrentPrincipal, services: ServicesDep
) -> ExecutionStatus:
    """Say whether a run is under way, and how far the log has come."""
    return await execution_status(services, principal, conversation_id)


@router.get("/execution", summary="The execution history of a conversation (S2)")
async def list_conversation_executions(
    conversation_id: ConversationPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    after: RunQuery = None,
    limit: Annotated[int, Query(ge=1, le=EXECUTIONS_MAX)] = EXECUTIONS_DEFAULT,
) -> Page[ExecutionInfo]:
    """List the runs of a conversation, oldest first, each with its result and its plan."""
    return await execution_page(services, principal, conversation_id, after=after, limit=limit)


@router.get("/plan", summary="The plan of a conversation (S2)")
async def get_conversation_plan(
    conversation_id: ConversationPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    plan_id: PlanQuery = None,
) -> WorkPlanInfo:
    """Show how the plan stands; 404 when there is none."""
    return await load_plan(services, principal, conversation_id, plan_id)


@router.patch("/plan", summary="Change the plan (S2)", responses=errors("CONFLICT"))
async def update_conversation_plan(
    conversation_id: ConversationPath,
    body: PlanEditRequest,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> WorkPlanInfo:
    """Edit, move, skip or add steps of the newest plan; as under `/sessions/{session_id}/plan`."""
    return await change_plan(services, principal, conversation_id, body)


@router.post(
    "/resume",
    status_code=202,
    summary="Go on from the last checkpoint (S2)",
    responses=errors("CONFLICT"),
)
async def resume_conversation(
    conversation_id: ConversationPath, principal: CurrentPrincipal, services: ServicesDep
) -> ResumedResponse:
    """Take up an unfinished run; 404 when there is none."""
    return await resume_execution(services, principal, conversation_id)


@router.get("/runs", summary="The runs of a conversation (S2)")
async def list_conversation_runs(
    conversation_id: ConversationPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    only_open: OnlyOpen = False,
    after: RunQuery = None,
    limit: RunLimit = HISTORY_PAGE_RUNS,
) -> Page[RunInfo]:
    """List the runs of a conversation, oldest first; what still waits shows its message."""
    return await session_runs(
        services, principal, conversation_id, only_open=only_open, after=after, limit=limit
    )


@router.get("/tool-executions", summary="The tool calls of a conversation (S2)")
async def list_conversation_tool_executions(
    conversation_id: ConversationPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    message_id: MessageQuery = None,
    after: Position = 0,
    limit: ToolLimit = TOOL_EXECUTIONS_DEFAULT,
) -> ToolExecutionList:
    """List calls with their receipts, in the order they began."""
    return await tool_execution_page(
        services, principal, conversation_id, message_id=message_id, after=after, limit=limit
    )


@router.get("/checkpoints", summary="Where the runs of a conversation stood (S2)")
async def list_conversation_checkpoints(
    conversation_id: ConversationPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    run_id: RunQuery = None,
    after: Position = 0,
    limit: ToolLimit = TOOL_EXECUTIONS_DEFAULT,
) -> CheckpointList:
    """List S2's markers in the order they were written."""
    return await checkpoint_page(
        services, principal, conversation_id, run_id=run_id, after=after, limit=limit
    )


def _render_line(line: EventLine) -> dict[str, object]:
    shown = render_sse(line.event)
    return {
        "id": shown["event_id"],
        "event_type": shown["type"],
        "event_data": shown["data"],
        "sequence_number": line.seq,
        "created_at": shown["timestamp"],
    }
