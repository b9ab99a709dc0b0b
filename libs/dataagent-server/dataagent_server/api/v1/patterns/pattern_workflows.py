"""`/api/v1/agent/patterns/{id}/workflow`: a pattern as fixed calls with inputs."""

from fastapi import APIRouter

from dataagent_core.errors import ConflictError
from dataagent_server.api.chat.start_run import MessageRequest, start_run
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.patterns.workflow_info import (
    WorkflowCheck,
    WorkflowDraft,
    WorkflowInfo,
    WorkflowRun,
    WorkflowStarted,
    WorkflowUpdate,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.path_params import IdempotencyHeader
from dataagent_server.api.v1.patterns.shared import PatternPath, show_pattern
from dataagent_server.common.errors import PatternVersionError
from dataagent_server.runs.idempotency import key_for

router = APIRouter(prefix="/agent/patterns/{pattern_id}/workflow", tags=["patterns"])


@router.get("", summary="The workflow of a pattern")
async def get_workflow(
    pattern_id: PatternPath, principal: CurrentPrincipal, services: ServicesDep
) -> WorkflowInfo:
    """Show its file and what it has saved, to the owner of the pattern and to admins.

    404 when there is none.
    """
    return WorkflowInfo.of(await services.workflows.get(principal, pattern_id))


@router.put("", summary="Store the workflow of a pattern", responses=errors("CONFLICT"))
async def store_workflow(
    pattern_id: PatternPath,
    body: WorkflowUpdate,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> WorkflowInfo:
    """Store a file; 409 with the newer pattern when it has changed."""
    try:
        stored = await services.workflows.store(
            principal, pattern_id, body.text, version=body.version
        )
    except ConflictError as error:
        shown = await show_pattern(services, principal, pattern_id)
        raise PatternVersionError(str(error), {"pattern": shown.model_dump(mode="json")}) from None
    return WorkflowInfo.of(stored)


@router.delete("", status_code=204, summary="Delete the workflow of a pattern")
async def delete_workflow(
    pattern_id: PatternPath, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Delete the workflow; the pattern stays."""
    await services.workflows.delete(principal, pattern_id)


@router.post("/compile", summary="Compile a workflow from the runs of a pattern")
async def compile_workflow(
    pattern_id: PatternPath, principal: CurrentPrincipal, services: ServicesDep
) -> WorkflowDraft:
    """Compile it from clean runs that you may see, and store nothing.

    422 says why it cannot be compiled. Of another person's pattern an admin compiles the runs of
    that person and their own.
    """
    return WorkflowDraft.of(await services.workflows.compile(principal, pattern_id))


@router.post("/check", summary="Check a changed file of a workflow")
async def check_workflow(
    pattern_id: PatternPath,
    body: WorkflowCheck,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> WorkflowDraft:
    """Read a file, compare it with the stored one, and store nothing; 422 says what is wrong."""
    return WorkflowDraft.of(await services.workflows.check(principal, pattern_id, body.text))


@router.post(
    "/run",
    status_code=202,
    summary="Run the workflow of a pattern",
    responses=errors("CONFLICT", "SESSION_BUSY"),
)
async def run_workflow(
    pattern_id: PatternPath,
    body: WorkflowRun,
    principal: CurrentPrincipal,
    services: ServicesDep,
    idempotency_key: IdempotencyHeader = None,
) -> WorkflowStarted:
    """Start a run that follows it; each call is asked about as always.

    A model is used only where data differ; at the first surprise the agent goes on. The same
    request under the same `Idempotency-Key` starts nothing and gets the same answer.
    """
    key = None
    if idempotency_key is not None:
        parts = body.model_dump() | {"pattern_id": pattern_id}
        key = key_for(principal.tenant_id, principal.user_id, idempotency_key, "workflow", parts)
    request = MessageRequest(
        text="",
        session_id=body.session_id,
        assistant_id=body.assistant_id,
        project_id=body.project_id,
        model=body.model,
        planning={"workflow": pattern_id, "inputs": body.inputs},
        key=key,
    )
    run = (await start_run(services, principal, request)).run
    return WorkflowStarted(session_id=run.session_id, run_id=run.run_id, message_id=run.message_id)
