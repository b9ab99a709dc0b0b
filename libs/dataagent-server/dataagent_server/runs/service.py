"""The operations of users on runs: start, resume, cancel, answer, read (S3's `AgentService`).

check the right > check the capacity > store > wake the runner

Nothing here waits for an agent. Clients read the results in the log.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError
from dataagent_core.events import Event
from dataagent_core.hitl import ActionRequest
from dataagent_core.session import check_prompt
from dataagent_core.usage.budget_request import ROOM_AGAIN
from dataagent_server.agents.rules.kept_rule import RuleOrigin
from dataagent_server.agents.rules.rule_service import RuleService, list_always_rules
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.hitl import requests
from dataagent_server.hitl.requests import HumanRequest
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth.may import Action, Resource, may, require
from dataagent_server.identity.auth.principal import Principal, outranks
from dataagent_server.runs import run_rows, transitions
from dataagent_server.runs.history.executions import Execution, executions_of_session
from dataagent_server.runs.history.run_lists import ListedRun, history_of_user, runs_of_session
from dataagent_server.runs.limits import HISTORY_PAGE_RUNS, REQUESTS_SHOWN_MAX
from dataagent_server.runs.run_capacity import RunLimits
from dataagent_server.runs.run_row import NewRun, RunRow
from dataagent_server.runs.usage_service import UsageService
from dataagent_server.runs.worker.budget_waits import list_affordable_requests
from dataagent_server.runs.worker.runner import Runner
from dataagent_server.sessions.live.hub import Hub
from dataagent_server.sessions.session_service import is_shared_for
from dataagent_server.sessions.share_rows import permission_of
from dataagent_server.stores.session_lists import SharePermission

Also = Callable[[Connection, RunRow], None]


class RunService:
    """Every operation on runs; each checks the right to it."""

    def __init__(
        self,
        database: Database,
        hub: Hub,
        runner: Runner,
        limits: RunLimits,
        *,
        rules: RuleService,
        usage: UsageService,
        audit: AuditTrail,
    ) -> None:
        self._database = database
        self._usage = usage
        self._rules = rules
        self._audit = audit
        self._hub = hub
        self._runner = runner
        self._limits = limits

    async def execute(self, principal: Principal, new: NewRun, also: Also | None = None) -> RunRow:
        """Store a message; its run begins when the session's earlier ones are over.

        `also` runs in the same transaction: a new session, the idempotency key.
        """
        require(principal, "run.start", _resource(principal, new.user_id))
        return await self.execute_for(principal.tenant_id, new, also)

    async def execute_for(
        self, tenant_id: TenantId, new: NewRun, also: Also | None = None
    ) -> RunRow:
        """Store a run whose right the caller has checked: a message, or a task of another run."""
        if new.text or new.kind == "message":
            check_prompt(new.text)

        def work(connection: Connection) -> RunRow:
            run = run_rows.insert_run(connection, tenant_id, new, self._limits)
            if also is not None:
                also(connection, run)
            return run

        run = await self._database.write(work)
        self._runner.wake()
        return run

    async def resume(self, principal: Principal, session_id: str) -> RunRow:
        """Resume a session's run that no process works on, from its last checkpoint."""
        run = await self._open_run(principal.tenant_id, session_id)
        require(principal, "run.start", _resource(principal, run.user_id))
        if run.status == "waiting_approval":
            raise ConflictError(
                f"run {run.run_id} waits for a person: answer its request, or cancel it."
            )
        self._runner.wake()
        return run

    async def cancel(self, principal: Principal, run_id: str) -> RunRow:
        """Cancel a run; its results so far are kept."""
        run = await self._find(principal.tenant_id, run_id)
        require(principal, "run.cancel", _resource(principal, run.user_id))
        return await self.cancel_for(principal.tenant_id, run_id)

    async def cancel_for(self, tenant_id: TenantId, run_id: str) -> RunRow:
        """Cancel a run; the caller has checked the right."""
        stopped, events = await self._database.write(
            lambda c: transitions.cancel(c, tenant_id, run_id)
        )
        self._hub.publish(tenant_id, stopped.session_id, events)
        self._runner.stop_run(stopped)
        self._runner.wake()
        return stopped

    async def cancel_session(self, principal: Principal, session_id: str) -> RunRow:
        """Cancel all active runs of a session."""
        run = await self._open_run(principal.tenant_id, session_id)
        return await self.cancel(principal, run.run_id)

    async def answer(
        self, principal: Principal, interrupt_id: str, decision: object
    ) -> HumanRequest:
        """Take a person's decision; the first one counts."""
        request, run = await self._find_answerable(principal, interrupt_id)
        if request.kind == "oauth" and principal.user_id != run.user_id:
            raise DeniedError(
                "Only the person whose run this is can say that they have signed in. Others may "
                "cancel the run."
            )
        decided = requests.check_given_decision(request, decision)
        approved = decided["type"] == "approve"
        if request.kind == "budget" and approved:
            self._usage.require_may_raise(principal)
        starts_program = approved and requests.starts_program(request)
        if starts_program:
            # The approval is stored: it extends what the operator allows.
            require(principal, "installation.manage", Resource(principal.tenant_id, "mcp_policy"))
        kept = list_always_rules(decided, request.event.action_requests)
        if kept:
            # "Always" counts for the owner of the run; a share covers only this session.
            rule = Resource(principal.tenant_id, "rule", owner_id=run.user_id)
            require(principal, "rule.create", rule)
        allowed = RuleOrigin(
            tenant_id=run.tenant_id,
            user_id=run.user_id,
            project_id=run.project_id,
            session_id=run.session_id,
            by=principal.user_id,
        )

        def also(connection: Connection) -> None:
            self._rules.keep(connection, principal, allowed, kept)
            if starts_program:
                arguments = requests.call_of(request)["args"]
                named = f"mcp_server:{arguments['server']}"
                detail = {"command": arguments["command"]}
                tenant_id, actor = principal.tenant_id, principal.actor
                self._audit.record(connection, tenant_id, actor, "mcp_server.allow", named, detail)
            if request.kind == "budget" and approved and decided.get("scope") == "always":
                self._usage.raise_for_good(connection, principal, request.event)

        return await self.close(request, decided, principal.user_id, also)

    async def close(
        self,
        request: HumanRequest,
        decision: dict[str, Any],
        by: str,
        also: Callable[[Connection], None] | None = None,
    ) -> HumanRequest:
        """Store a decision, of a person or of a timeout."""

        def work(connection: Connection) -> Sequence[Event]:
            events = transitions.answer(connection, request, decision, by)
            if also is not None:
                also(connection)
            return events

        events = await self._database.write(work)
        self._hub.publish(request.tenant_id, request.session_id, events)
        self._runner.wake()
        return await self._find_request(request.tenant_id, request.interrupt_id)

    async def resume_after_sign_in(self, tenant_id: TenantId, user_id: str, server: str) -> None:
        """Resume a user's runs that waited for their sign-in at a server."""
        found = await self._database.read(
            lambda c: requests.list_sign_in_requests(c, tenant_id, user_id, server)
        )
        for request in found:
            decided = requests.check_given_decision(
                request, {"type": "answer", "answer": "signed in"}
            )
            # Unless they have answered it themselves meanwhile.
            with suppress(ConflictError):
                await self.close(request, decided, user_id)

    async def resume_after_budget(self, tenant_id: TenantId | None, by: str) -> None:
        """Resume runs that waited for a budget and fit now; `by` is who raised it."""
        for request in await list_affordable_requests(self._database, self._usage, tenant_id):
            decided = requests.check_given_decision(
                request, {"type": "approve", "answer": ROOM_AGAIN}
            )
            # Unless it was answered meanwhile, or the run is over.
            with suppress(ConflictError, NotFoundError):
                await self.close(request, decided, by)

    async def find_open_request(
        self, principal: Principal, interrupt_id: str
    ) -> tuple[ActionRequest | None, RunRow]:
        """Return an open request and its run, to a principal who may answer it."""
        request, run = await self._find_answerable(principal, interrupt_id)
        if request.status != "open":
            # The effect of an answered request is not shown, and may be another file by now.
            raise requests.already_answered(interrupt_id)
        calls = request.kind in {"approval", "doom_loop"} and request.event.action_requests
        return requests.call_of(request) if calls else None, run

    async def requests_to_answer(self, principal: Principal, *, mine: bool) -> list[HumanRequest]:
        """List the open requests of the principal: own runs, shared ones, for admins all.

        `mine` selects those that notify: for admins it leaves out what is neither their own nor
        shared with them, and for a principal who may answer nothing it is empty.
        """
        require(principal, "session.read", _resource(principal, principal.user_id))
        if mine and not outranks(principal.role, "member"):
            return []
        everybody = not mine and may(principal, "session.read", _resource(principal, None))
        whose = None if everybody else principal.user_id
        return await self._database.read(
            lambda c: requests.list_answerable(c, principal.tenant_id, whose, REQUESTS_SHOWN_MAX)
        )

    async def open_requests(self, principal: Principal, session_id: str) -> list[HumanRequest]:
        """List the open requests of a session."""
        return await self._database.read(
            lambda c: requests.list_requests(c, principal.tenant_id, session_id=session_id)
        )

    async def run(
        self, principal: Principal, run_id: str, action: Action = "session.read"
    ) -> RunRow:
        """Return a run to a principal who may do `action` with it."""
        found = await self._find(principal.tenant_id, run_id)
        await self._require(principal, action, found)
        return found

    async def runs(
        self,
        tenant_id: TenantId,
        session_id: str,
        *,
        only_open: bool,
        after: str | None = None,
        limit: int = HISTORY_PAGE_RUNS,
    ) -> list[ListedRun]:
        """List a session's runs, oldest first; the caller has checked the session."""
        return await self._database.read(
            lambda c: runs_of_session(
                c, tenant_id, session_id, only_open=only_open, after=after, limit=limit
            )
        )

    async def executions(
        self, tenant_id: TenantId, session_id: str, *, after: str | None, limit: int
    ) -> list[Execution]:
        """List a session's runs with their results; the caller has checked the session."""
        return await self._database.read(
            lambda c: executions_of_session(c, tenant_id, session_id, after=after, limit=limit)
        )

    async def history(
        self,
        principal: Principal,
        user_id: str,
        *,
        project_id: str | None = None,
        only_open: bool = False,
        before: str | None,
        limit: int,
    ) -> list[ListedRun]:
        """List a user's runs, newest first."""
        require(principal, "session.read", _resource(principal, user_id))
        return await self._database.read(
            lambda c: history_of_user(
                c,
                principal.tenant_id,
                user_id,
                project_id=project_id,
                only_open=only_open,
                before=before,
                limit=limit,
            )
        )

    async def _require(self, principal: Principal, action: Action, run: RunRow) -> None:
        """Raise unless the principal may, also by a share of the session."""
        permission: SharePermission | None = await self._database.read(
            lambda c: permission_of(c, principal.tenant_id, run.session_id, principal.user_id)
        )
        shared = is_shared_for(action, permission)
        resource = Resource(principal.tenant_id, "run", owner_id=run.user_id, shared=shared)
        require(principal, action, resource)

    async def _find_answerable(
        self, principal: Principal, interrupt_id: str
    ) -> tuple[HumanRequest, RunRow]:
        request = await self._find_request(principal.tenant_id, interrupt_id)
        run = await self._find(principal.tenant_id, request.run_id)
        await self._require(principal, "request.answer", run)
        return request, run

    async def _open_run(self, tenant_id: TenantId, session_id: str) -> RunRow:
        found = await self.runs(tenant_id, session_id, only_open=True, limit=1)
        if not found:
            raise NotFoundError(f"nothing is under way in session {session_id!r:.100}.")
        return await self._find(tenant_id, found[0].run_id)

    async def _find(self, tenant_id: TenantId, run_id: str) -> RunRow:
        found = await self._database.read(lambda c: run_rows.find_run(c, tenant_id, run_id))
        if found is None:
            raise NotFoundError(f"there is no run {run_id!r:.100}.")
        return found

    async def _find_request(self, tenant_id: TenantId, interrupt_id: str) -> HumanRequest:
        request = await self._database.read(
            lambda c: requests.find_request(c, tenant_id, interrupt_id)
        )
        if request is None:
            raise NotFoundError(f"there is no request {interrupt_id!r:.100}.")
        return request


def _resource(principal: Principal, owner_id: str | None) -> Resource:
    return Resource(principal.tenant_id, "run", owner_id=owner_id)
