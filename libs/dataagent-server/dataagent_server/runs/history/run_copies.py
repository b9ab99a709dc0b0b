"""Copies of the skills and sub-agents that a run uses, for its next segments.

Written with the events (`runs/projection.py`) and gone with `done`: a run that waited, or whose
process ended, goes on with what it began to use, whatever became of it. The rows are
`agents/skills/run_skill_rows.py` and `agents/subagents/run_subagent_rows.py`.
"""

from collections.abc import Sequence
from typing import Final

from pydantic import JsonValue
from sqlalchemy import Connection, select, update

from dataagent_core.config.limits.subagents import SUBAGENT_STEPS_MAX
from dataagent_core.events import (
    Event,
    HITLRequestEvent,
    SkillEvent,
    SubAgentEvent,
    ToolCallEvent,
)
from dataagent_core.skills import SkillScope
from dataagent_server.agents.skills.orphans import remove_orphans_of
from dataagent_server.agents.skills.run_skill_rows import add_used, remove_used
from dataagent_server.agents.subagents.run_subagent_rows import (
    add_copy,
    add_named,
    remove_all,
)
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.db.tables.subagents import NAME_CHARS_MAX

# Those of the system do not change while a server runs.
_SCOPES: Final = {scope.value: scope for scope in (SkillScope.TENANT, SkillScope.PROJECT)}


def write_copies(connection: Connection, tenant_id: TenantId, events: Sequence[Event]) -> None:
    """Keep what the events say that their run begins to use."""
    for event in events:
        match event:
            case SkillEvent(phase="activated"):
                is_new = _keep_skill(connection, tenant_id, event)
            # A task in the background is a run of its own, which says it again.
            case SubAgentEvent(phase="assigned" | "started") if event.agent_id:
                is_new = add_copy(connection, tenant_id, event.run_id or "", event.agent_id)
            # Its sub-agents are kept from when the model asks for them: a person may have to agree,
            # and later steps wait for earlier ones.
            case ToolCallEvent(tool_name="task"):
                is_new = _keep_tasks(connection, tenant_id, event, [event.tool_args])
            case HITLRequestEvent():
                asked = [
                    one.get("args") for one in event.action_requests if one.get("name") == "task"
                ]
                is_new = _keep_tasks(connection, tenant_id, event, asked)
            case _:
                continue
        if is_new:
            _note(connection, tenant_id, event.run_id or "")


def remove_copies(connection: Connection, tenant_id: TenantId, run_id: str) -> None:
    """Forget what a run used, and what nobody else has of it any more."""
    remove_all(connection, tenant_id, run_id)
    skill_ids = remove_used(connection, tenant_id, run_id)
    if skill_ids:
        remove_orphans_of(connection, tenant_id, skill_ids)


def _keep_skill(connection: Connection, tenant_id: TenantId, event: SkillEvent) -> bool:
    scope = _SCOPES.get(str(event.detail.get("scope")))
    skill_id, digest = event.detail.get("skill_id"), event.detail.get("digest")
    if scope is None or not isinstance(skill_id, str) or not isinstance(digest, str):
        return False
    return add_used(connection, tenant_id, event.run_id or "", skill_id, scope=scope, digest=digest)


def _keep_tasks(
    connection: Connection, tenant_id: TenantId, event: Event, asked: Sequence[JsonValue]
) -> bool:
    names = dict.fromkeys(name for arguments in asked for name in _list_names(arguments))
    if not names:
        return False
    run_id = event.run_id or ""
    query = select(runs.c.project_id).where(runs.c.tenant_id == tenant_id, runs.c.run_id == run_id)
    project_id = connection.execute(query).scalar()
    kept = [
        add_named(connection, tenant_id, run_id, project_id=project_id, name=name) for name in names
    ]
    return any(kept)


def _list_names(arguments: JsonValue) -> list[str]:
    """List the sub-agents that a `task` call names; a model may have written anything."""
    if not isinstance(arguments, dict):
        return []
    later = arguments.get("then")
    steps = [arguments, *(later if isinstance(later, list) else [])[:SUBAGENT_STEPS_MAX]]
    names = [step.get("subagent_type") for step in steps if isinstance(step, dict)]
    return [
        name
        for name in names
        if isinstance(name, str)
        and name.isascii()
        and name.isprintable()
        and len(name) <= NAME_CHARS_MAX
    ]


def _note(connection: Connection, tenant_id: TenantId, run_id: str) -> None:
    connection.execute(
        update(runs)
        .where(runs.c.tenant_id == tenant_id, runs.c.run_id == run_id)
        .values(has_copies=True)
    )
