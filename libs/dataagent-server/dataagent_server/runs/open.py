"""Puts the parts of runs together: starts and stops them in the order they need each other."""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from dataagent_core.config import Settings
from dataagent_core.config.limits import SESSION_TIMEOUT_S
from dataagent_core.events import Event
from dataagent_core.session.log import NO_RUN
from dataagent_core.session.stores.bundle import Stores
from dataagent_server.audit.trail import AuditTrail
from dataagent_server.db.database import Database
from dataagent_server.ids import TenantId
from dataagent_server.live.bus.polling import poll
from dataagent_server.live.bus.port import Bus
from dataagent_server.live.hub import Hub
from dataagent_server.live.notice import Notice
from dataagent_server.rules.service import RuleService
from dataagent_server.runs.agents import AgentBuilder, Agents
from dataagent_server.runs.inline import InlineRunner
from dataagent_server.runs.instance import Instance
from dataagent_server.runs.leases import Leases
from dataagent_server.runs.projection import Projection
from dataagent_server.runs.requests import RequestTimeouts
from dataagent_server.runs.room import RunLimits
from dataagent_server.runs.service import RunService
from dataagent_server.runs.stores import StoresOf
from dataagent_server.runs.tasks import running
from dataagent_server.runs.upkeep import Upkeep
from dataagent_server.stores.checkpoints import open_checkpoints
from dataagent_server.stores.factory import SessionStoreOf
from dataagent_server.stores.log import SqlEventLog
from dataagent_server.stores.log_writer import LogWriter
from dataagent_server.stores.messages import SqlMessageStore
from dataagent_server.stores.together import Together
from dataagent_server.stores.usage import open_usage_book
from dataagent_server.usage.service import UsageService


@dataclass(frozen=True, slots=True)
class Runs:
    """Everything about runs that other parts of the server use."""

    # This process, as `server_instances` names it.
    instance_id: str
    service: RunService
    runner: InlineRunner
    agents: Agents
    hub: Hub
    stores_of: StoresOf
    checkpoints: BaseCheckpointSaver[Any]
    held: Leases
    rules: RuleService
    usage: UsageService

    async def append_event(self, tenant_id: TenantId, session_id: str, event: Event) -> None:
        """Write an event that belongs to no run, and tell the session's readers."""
        stored = await self.stores_of(tenant_id).log.append(session_id, NO_RUN, [event])
        self.hub.publish(tenant_id, session_id, stored)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunParts:
    """What runs are made from."""

    # What the settings let everybody use.
    settings: Settings
    database: Database
    audit: AuditTrail
    bus: Bus
    limits: RunLimits
    approval_timeout_s: float
    # After this long without a sign of life a process's runs are given to others.
    lease_s: float
    # How long runs may come to an end when the server stops, before they are handed over.
    drain_s: float
    # Where processes of this machine show each other that they live.
    instances_dir: Path
    builder: Callable[[StoresOf], AgentBuilder]
    # Where sessions are, as `DATAAGENT_SESSION_STORE` says.
    session_store_of: SessionStoreOf
    # How long an agent is kept ready for its session's next message (S0's `session_timeout`).
    agent_idle_s: float = SESSION_TIMEOUT_S
    # What that time is measured with.
    clock: Callable[[], float] = time.monotonic


@asynccontextmanager
async def open_runs(parts: RunParts) -> AsyncGenerator[Runs]:
    """Work on runs for as long as the context is held, then hand over what is not finished."""
    held = Leases()
    hub = Hub(parts.bus.tell)
    timeouts = RequestTimeouts(
        approval_s=parts.approval_timeout_s,
        clarification_s=parts.settings.clarification_timeout,
        decision_s=parts.settings.decision_timeout,
    )
    projection = Projection(parts.audit, timeouts)
    writer = LogWriter(parts.database, projection.apply)
    together = Together(parts.database)
    async with open_checkpoints(parts.database, held) as checkpoints:
        stores_of = _stores(writer, together, held, checkpoints, parts.session_store_of)
        async with _working(parts, hub, held, stores_of, checkpoints) as runs:
            yield runs
        # What runs that were stopped have used is still counted.
        await together.drain()


@asynccontextmanager
async def _working(
    parts: RunParts,
    hub: Hub,
    held: Leases,
    stores_of: StoresOf,
    checkpoints: BaseCheckpointSaver[Any],
) -> AsyncGenerator[Runs]:
    instance = Instance(parts.instances_dir)
    agents = Agents(parts.builder(stores_of), stores_of, parts.agent_idle_s, parts.clock)
    rules = RuleService(parts.database, parts.audit)
    runner = InlineRunner(
        parts.database,
        agents,
        hub,
        held,
        stores_of,
        rules=rules,
        instance_id=instance.instance_id,
        tell=parts.bus.tell,
        drain_s=parts.drain_s,
        home=str(parts.settings.home),
    )
    usage = UsageService(
        parts.database, parts.audit, lambda tenant: stores_of(tenant).usage, parts.settings
    )
    service = RunService(
        parts.database, hub, runner, parts.limits, rules=rules, usage=usage, audit=parts.audit
    )
    upkeep = Upkeep(parts.database, instance, runner, service, agents, lease_s=parts.lease_s)

    def hear(notice: Notice) -> None:
        if notice.kind == "grown":
            hub.hear(notice.tenant_id, notice.subject, notice.seq)
        elif notice.kind == "rights":
            hub.look_again(notice.tenant_id, notice.subject)
        elif notice.kind == "ended":
            hub.ended(notice.tenant_id, notice.subject)
        else:
            runner.hear(notice)

    async with AsyncExitStack() as closing:
        await parts.bus.start(hear)
        closing.push_async_callback(parts.bus.aclose)
        await upkeep.start()
        closing.push_async_callback(upkeep.aclose)
        closing.push_async_callback(agents.aclose)
        runner.start()
        closing.push_async_callback(runner.aclose)
        await closing.enter_async_context(running(poll(parts.database, hub, parts.bus)))
        yield Runs(
            instance.instance_id,
            service,
            runner,
            agents,
            hub,
            stores_of,
            checkpoints,
            held,
            rules,
            usage,
        )


def _stores(
    writer: LogWriter,
    together: Together,
    held: Leases,
    checkpoints: BaseCheckpointSaver[Any],
    session_store_of: SessionStoreOf,
) -> StoresOf:
    database = writer.database

    @cache
    def stores_of(tenant_id: TenantId) -> Stores:
        return Stores(
            sessions=session_store_of(tenant_id),
            messages=SqlMessageStore(database, tenant_id, held),
            log=SqlEventLog(writer, tenant_id, held),
            checkpoints=checkpoints,
            usage=open_usage_book(together, tenant_id),
        )

    return stores_of
