"""Shows a session's plan, and changes what of it has not begun, for a person.

Core says what may be changed (`planning/plan_edits.py`). It is decided and stored in one
transaction that holds the rows of session and run, so that a step cannot begin in between.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from dataagent_core.engine.delegation.general_purpose import GENERAL_PURPOSE
from dataagent_core.errors import NotFoundError
from dataagent_core.events import Event
from dataagent_core.planning import PlanEdit, WorkPlan, apply_edits
from dataagent_core.planning.plan_log import PlanChangedError
from dataagent_core.session.log import NO_RUN
from dataagent_core.session.stores.sql.event_appends import Append, prepare_event
from dataagent_server.agents.subagents.subagent_service import SubAgentService
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.history.plan_rows import find_plan, write_progress
from dataagent_server.runs.run_rows import find_run
from dataagent_server.sessions.live.hub import Hub
from dataagent_server.sessions.session_rows import hold_session
from dataagent_server.sessions.session_service import SessionService
from dataagent_server.stores.appends import commit_appends


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEditor:
    """The plans of sessions."""

    database: Database
    audit: AuditTrail
    sessions: SessionService
    subagents: SubAgentService
    hub: Hub

    async def get(self, principal: Principal, session_id: str, plan_id: str | None) -> WorkPlan:
        """Return the plan of that id (its run's), or the session's newest plan."""
        await self.sessions.get(principal, session_id)
        found = await self.database.read(
            lambda c: find_plan(c, principal.tenant_id, session_id, plan_id)
        )
        return _require_found(found, session_id, plan_id)

    async def edit(
        self,
        principal: Principal,
        session_id: str,
        edits: Sequence[PlanEdit],
        *,
        version: int,
        plan_id: str | None = None,
    ) -> WorkPlan:
        """Change the session's newest plan, also while its run goes on, and return it.

        `version` and `plan_id` are of the plan that was looked at.
        """
        session = await self.sessions.get(principal, session_id, "session.change")
        subagents = await self.subagents.subagents_for(principal.tenant_id, session.project_id)
        agents = {GENERAL_PURPOSE, *(one.name for one in subagents)}

        def work(connection: Connection) -> tuple[WorkPlan, Sequence[Event]]:
            plan = _hold_plan(connection, principal.tenant_id, session_id)
            if plan.version != version or plan_id not in (None, plan.id):
                raise PlanChangedError(plan)
            events = _append_edits(connection, principal, plan, edits, agents)
            detail = {"plan": plan.id, "version": version + 1}
            self.audit.record(
                connection,
                principal.tenant_id,
                principal.actor,
                "session.plan",
                f"session:{session_id}",
                detail,
            )
            found = find_plan(connection, principal.tenant_id, session_id, plan.id)
            return _require_found(found, session_id, plan.id), events

        changed, events = await self.database.write(work)
        self.hub.publish(principal.tenant_id, session_id, events)
        return changed


def _hold_plan(connection: Connection, tenant_id: TenantId, session_id: str) -> WorkPlan:
    """Lock the session, so that it is not deleted, and the plan's run, so that no step begins."""
    hold_session(connection, tenant_id, session_id)
    newest = _require_found(find_plan(connection, tenant_id, session_id), session_id)
    find_run(connection, tenant_id, newest.id, locked=True)
    # Read again: what was read before the lock may be older.
    return _require_found(find_plan(connection, tenant_id, session_id), session_id)


def _append_edits(
    connection: Connection,
    principal: Principal,
    plan: WorkPlan,
    edits: Sequence[PlanEdit],
    agents: Collection[str],
) -> Sequence[Event]:
    # A sub-agent that is gone by now does not keep the other steps from being changed.
    known = {*agents, *(step.assigned_agent for step in plan.steps if step.assigned_agent)}
    changed = apply_edits(plan, edits, known)
    session_id = plan.conversation_id
    event = prepare_event(changed.to_event("edited", principal.user_id), session_id, NO_RUN)
    item = Append(
        tenant_id=principal.tenant_id, session_id=session_id, run_id=NO_RUN, events=[event]
    )
    (stored,) = commit_appends(connection, [item], check_known=True)
    if isinstance(stored, Exception):
        raise stored
    if not stored:
        # The log has this version, though no row does: it was appended without the projection.
        raise PlanChangedError(changed)
    write_progress(connection, principal.tenant_id, stored)
    return stored


def _require_found(plan: WorkPlan | None, session_id: str, plan_id: str | None = None) -> WorkPlan:
    if plan is None:
        which = "no plan" if plan_id is None else f"no plan {plan_id[:80]!r}"
        raise NotFoundError(f"session {session_id!r} has {which}.")
    return plan
