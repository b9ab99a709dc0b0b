"""Opens what runs need, in the order of their dependencies."""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dataagent_core.config import Settings
from dataagent_core.config.limits import SESSION_TIMEOUT_S
from dataagent_core.session.stores.bundle import Stores
from dataagent_server.agents.rules.rule_service import RuleService
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.hitl.requests import RequestTimeouts
from dataagent_server.identity.audit.trail import AuditTrail
from dataagent_server.runs.agents.agent_pool import AgentBuilder, AgentPool
from dataagent_server.runs.background import run_in_background
from dataagent_server.runs.background_runs import FindRunService
from dataagent_server.runs.projection import Projection
from dataagent_server.runs.run_capacity import RunLimits
from dataagent_server.runs.run_services import RunServices
from dataagent_server.runs.service import RunService
from dataagent_server.runs.tenant_stores import StoresOf
from dataagent_server.runs.usage_service import UsageService
from dataagent_server.runs.worker.inline_runner import InlineRunner
from dataagent_server.runs.worker.instance import Instance
from dataagent_server.runs.worker.leases import Leases
from dataagent_server.runs.worker.upkeep import Upkeep
from dataagent_server.sessions.live.bus.poll import poll
from dataagent_server.sessions.live.bus.port import Bus
from dataagent_server.sessions.live.hub import Hub
from dataagent_server.sessions.live.notice import Notice
from dataagent_server.stores.batched_writes import BatchedWrites
from dataagent_server.stores.checkpoints import open_checkpoints
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.factory import SessionStoreOf
from dataagent_server.stores.log_writer import LogWriter
from dataagent_server.stores.messages import ServerMessageStore
from dataagent_server.stores.usage import open_usage_store


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDependencies:
    """What runs are made from."""

    # The limits of the settings for every tenant.
    settings: Settings
    database: Database
    audit: AuditTrail
    bus: Bus
    limits: RunLimits
    approval_timeout_s: float
    # After this long without a heartbeat a process's runs are given to others.
    lease_s: float
    # How long runs may finish when the server stops, before they are handed over.
    drain_s: float
    # The folder of the lock files by which processes of this machine see each other.
    instances_dir: Path
    builder: Callable[[StoresOf, FindRunService], AgentBuilder]
    # The session store of `DATAAGENT_SESSION_STORE`.
    session_store_of: SessionStoreOf
    # How long an agent is kept ready for its session's next message (S0's `session_timeout`).
    agent_idle_s: float = SESSION_TIMEOUT_S
    # The clock for that time.
    clock: Callable[[], float] = time.monotonic


@asynccontextmanager
async def open_runs(wanted: RunDependencies) -> AsyncGenerator[RunServices]:
    """Work on runs while the context is held, then hand over what is not finished."""
    database, audit, bus, settings = wanted.database, wanted.audit, wanted.bus, wanted.settings
    leases = Leases()
    hub = Hub(bus.tell)
    timeouts = RequestTimeouts(
        approval_s=wanted.approval_timeout_s,
        clarification_s=settings.clarification_timeout,
        decision_s=settings.decision_timeout,
    )
    writer = LogWriter(database, Projection(audit, timeouts).apply)
    together = BatchedWrites(database)
    async with AsyncExitStack() as stack:
        checkpoints = await stack.enter_async_context(open_checkpoints(database, leases))
        # The usage of stopped runs is still counted.
        stack.push_async_callback(together.drain)

        @cache
        def stores_of(tenant_id: TenantId) -> Stores:
            return Stores(
                sessions=wanted.session_store_of(tenant_id),
                messages=ServerMessageStore(database, tenant_id, leases),
                log=ServerEventLog(writer, tenant_id, leases),
                checkpoints=checkpoints,
                usage=open_usage_store(together, tenant_id),
            )

        instance = Instance(wanted.instances_dir)
        agents = AgentPool(
            wanted.builder(stores_of, lambda: service),
            stores_of,
            wanted.agent_idle_s,
            wanted.clock,
        )
        rules = RuleService(database, audit)
        runner = InlineRunner(
            database,
            agents,
            hub,
            leases,
            stores_of,
            rules=rules,
            instance_id=instance.instance_id,
            tell=bus.tell,
            drain_s=wanted.drain_s,
            home=str(settings.home),
        )
        usage = UsageService(database, audit, lambda tenant: stores_of(tenant).usage, settings)
        service = RunService(
            database, hub, runner, wanted.limits, rules=rules, usage=usage, audit=audit
        )
        upkeep = Upkeep(database, instance, runner, service, agents, lease_s=wanted.lease_s)

        def hear(notice: Notice) -> None:
            if notice.kind == "grown":
                hub.note_growth(notice.tenant_id, notice.subject, notice.seq)
            elif notice.kind == "rights":
                hub.recheck_rights(notice.tenant_id, notice.subject)
            elif notice.kind == "ended":
                hub.forget_ended(notice.tenant_id, notice.subject)
            else:
                runner.hear(notice)

        await bus.start(hear)
        stack.push_async_callback(bus.aclose)
        await upkeep.start()
        stack.push_async_callback(upkeep.aclose)
        stack.push_async_callback(agents.aclose)
        runner.start()
        stack.push_async_callback(runner.aclose)
        await stack.enter_async_context(run_in_background(poll(database, hub, bus)))
        yield RunServices(
            instance_id=instance.instance_id,
            service=service,
            runner=runner,
            agents=agents,
            hub=hub,
            stores_of=stores_of,
            checkpoints=checkpoints,
            leases=leases,
            rules=rules,
            usage=usage,
        )
