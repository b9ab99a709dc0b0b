"""Runs to test with: the real service, runner, stores and engine; only the model plays a script."""

import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eventually import eventually
from sqlalchemy import Connection

from dataagent_core.config import Settings
from dataagent_core.config.limits import SESSION_TIMEOUT_S
from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.events import Event
from dataagent_core.hitl import HITLHandler
from dataagent_core.models import Script, ScriptedChatModel
from dataagent_core.secrets import open_keyring
from dataagent_core.session import read_all
from dataagent_server.common.ids import TenantId
from dataagent_server.composition.runs import RunDependencies, open_runs
from dataagent_server.db.database import Database
from dataagent_server.db.database_clock import database_now
from dataagent_server.db.tables.people import tenants
from dataagent_server.db.upsert import insert_ignore
from dataagent_server.hitl.websocket_handler import WebSocketHITLHandler
from dataagent_server.identity.audit.trail import AuditTrail
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.agents.agent_pool import AgentSubject
from dataagent_server.runs.background_runs import FindRunService, QueuedBackgroundRuns
from dataagent_server.runs.run_capacity import RunLimits
from dataagent_server.runs.run_row import NewRun, RunRow
from dataagent_server.runs.run_services import RunServices
from dataagent_server.runs.tenant_stores import StoresOf
from dataagent_server.sessions.live.bus.choose_bus import NoBus
from dataagent_server.sessions.live.bus.port import Bus
from dataagent_server.settings.limits import LEASE_S
from dataagent_server.stores.factory import session_stores

TENANT = TenantId("t")
PERSON = Principal(TENANT, "u", "member")
HOME = Path(tempfile.mkdtemp(prefix="dataagent-test-"))
Step = dict[str, Any]
# The id of a session, and the background runs of its user.
Plan = tuple[str, QueuedBackgroundRuns]


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@dataclass
class Builder:
    """Agents that play the steps of `script` in a workspace of their own session.

    Steps with a `match` are scripts of their own, chosen by the message.
    """

    database: Database
    stores_of: StoresOf
    find_service: FindRunService
    script: Sequence[Step]
    built: list[str] = field(default_factory=list[str])
    # Sessions whose agent is kept, and so holds what its person's agents share.
    holding: list[str] = field(default_factory=list[str])

    async def plan(self, run: AgentSubject) -> Plan:
        return run.session_id, QueuedBackgroundRuns.of(self.database, self.find_service, run)

    @asynccontextmanager
    async def hold(self, plan: Plan) -> AsyncGenerator[None]:
        self.holding.append(plan[0])
        try:
            yield
        finally:
            self.holding.remove(plan[0])

    async def aclose(self) -> None:
        assert not self.holding

    def create_executor(
        self, config: Plan, hitl_handler: HITLHandler | None = None
    ) -> AgentExecutor:
        session_id, background = config
        tenant_id = background.tenant_id
        self.built.append(session_id)
        key = "scripts" if any("match" in step for step in self.script) else "steps"
        model = ScriptedChatModel(script=Script.model_validate({key: list(self.script)}))
        workspace = HOME / "workspaces" / tenant_id / session_id
        workspace.mkdir(parents=True, exist_ok=True)
        factory = AgentFactory(
            Settings(home=HOME, model_retries=0),
            hitl_handler or WebSocketHITLHandler(),
            stores=self.stores_of(tenant_id),
        )
        return factory.create_executor(
            AgentConfig(
                assistant_id="a",
                model=model,
                workspace_path=workspace,
                background_runs=background,
            )
        )


@asynccontextmanager
async def open_scripted_runs(
    database: Database,
    *script: Step,
    bus: Bus | None = None,
    clock: Callable[[], float] = time.monotonic,
    **limits: int,
) -> AsyncGenerator[RunServices]:
    """Open a server's runs; several on one database stand for several processes."""
    await database.write(lambda c: _add_tenant(c, limits.get("per_user", 100)))
    wanted = RunDependencies(
        settings=Settings(home=HOME),
        database=database,
        audit=AuditTrail(open_keyring(HOME / "secret.key")),
        bus=bus or NoBus(),
        limits=RunLimits(
            per_tenant=limits.get("per_tenant", 100),
            queued_per_session=limits.get("queued_per_session", 10),
        ),
        approval_timeout_s=limits.get("approval_timeout_s", 3600),
        lease_s=LEASE_S,
        drain_s=1,
        instances_dir=HOME / "instances",
        builder=lambda stores_of, find_service: Builder(database, stores_of, find_service, script),
        session_store_of=session_stores("sqlite", database, None),
        agent_idle_s=limits.get("agent_idle_s", SESSION_TIMEOUT_S),
        clock=clock,
    )
    async with open_runs(wanted) as runs:
        yield runs


async def send_message(
    runs: RunServices, text: str = "go", session_id: str = "s", who: Principal = PERSON
) -> RunRow:
    """Send a message in a session, created if it is new."""
    sessions = runs.stores_of(who.tenant_id).sessions
    if await sessions.get(session_id) is None:
        await sessions.create(who.user_id, "a", session_id=session_id)
    new = NewRun(
        session_id=session_id,
        user_id=who.user_id,
        assistant_id="a",
        project_id=None,
        text=text,
        context={},
    )
    return await runs.service.execute(who, new)


async def wait_for_status(
    runs: RunServices, run: RunRow, *statuses: str, who: Principal = PERSON
) -> RunRow:
    """Wait until a run has one of these states."""
    found: list[RunRow] = []

    async def there() -> bool:
        found[:] = [await runs.service.run(who, run.run_id)]
        return found[0].status in statuses

    await eventually(there)
    return found[0]


async def log_of(
    runs: RunServices, session_id: str = "s", tenant: TenantId = TENANT
) -> list[Event]:
    """Return everything a session's log holds."""
    return await read_all(runs.stores_of(tenant).log, session_id)


def types(events: Sequence[Event]) -> list[str]:
    return [event.event_type for event in events]


def _add_tenant(connection: Connection, per_user: int) -> None:
    now = database_now(connection)
    row = {
        "tenant_id": TENANT,
        "name": "T",
        "max_users": 100,
        "max_sessions_per_user": per_user,
        "max_mcp_servers": 5,
        "workspace_quota_bytes": 1 << 30,
        "is_active": True,
        "version": 1,
        "created_at": now,
        "updated_at": now,
    }
    insert_ignore(connection, tenants, row)
