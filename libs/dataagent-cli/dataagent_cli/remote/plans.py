"""The work plan of a server's session."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dataagent_cli.remote.client import ServerClient
from dataagent_core.errors import ConflictError, NotFoundError

if TYPE_CHECKING:
    from dataagent_core.planning import PlanEdit, WorkPlan


async def read_remote_plan(client: ServerClient, session_id: str) -> "WorkPlan | None":
    """Return the session's newest work plan."""
    try:
        return _parse_plan(await client.ask("GET", _path(session_id)))
    except NotFoundError:
        return None


async def change_remote_plan(
    client: ServerClient, session_id: str, edits: "Sequence[PlanEdit]", version: int
) -> "WorkPlan":
    """Change a plan of this version, and return it."""
    changes = [edit.model_dump(exclude_unset=True) for edit in edits]
    body = {"version": version, "edits": changes}
    try:
        answer = await client.ask("PATCH", _path(session_id), body=body)
    except ConflictError:
        from dataagent_core.planning.plan_log import PlanChangedError

        now = await read_remote_plan(client, session_id)
        if now is None or now.version == version:
            raise
        raise PlanChangedError(now) from None
    return _parse_plan(answer)


def _path(session_id: str) -> str:
    return f"/sessions/{session_id}/plan"


def _parse_plan(answer: Any) -> "WorkPlan":
    from dataagent_core.planning import PlanStatus, PlanStep, WorkPlan

    return WorkPlan(
        id=str(answer["plan_id"]),
        conversation_id=str(answer["session_id"]),
        status=PlanStatus(answer["status"]),
        steps=tuple(PlanStep.from_dict(step) for step in answer["steps"]),
        version=int(answer["version"]),
        stage=answer["stage"],
        round=int(answer["round"]),
    )
