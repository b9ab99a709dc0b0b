"""The periodic work for runs: heartbeats, runs of dead processes, overdue requests."""

import logging
from contextlib import AsyncExitStack

from sqlalchemy import Connection, select

from dataagent_core.errors import ConflictError, NotFoundError, StorageError
from dataagent_core.hitl import plain, timeout_answer
from dataagent_core.hitl.answer_envelope import BY_TIMEOUT
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.hitl import requests
from dataagent_server.runs.agents.agent_pool import AgentPool
from dataagent_server.runs.background import every, run_in_background
from dataagent_server.runs.limits import (
    BUDGET_WAITS_S,
    CANCELS_S,
    HEARTBEATS_PER_LEASE,
    LOOK_S,
    SWEEP_AGENTS_S,
)
from dataagent_server.runs.service import RunService
from dataagent_server.runs.worker import leases
from dataagent_server.runs.worker.inline_runner import InlineRunner
from dataagent_server.runs.worker.instance import Instance, remove_dead, write_heartbeat
from dataagent_server.sessions.live.notice import Notice

logger = logging.getLogger(__name__)

# The actor when a new day, or another run that used less, freed a budget.
BY_THE_CALENDAR = "budget"


class Upkeep:
    """The chores of one server process."""

    def __init__(
        self,
        database: Database,
        instance: Instance,
        runner: InlineRunner,
        service: RunService,
        agents: AgentPool,
        *,
        lease_s: float,
    ) -> None:
        self._database = database
        self._instance = instance
        self._runner = runner
        self._service = service
        self._agents = agents
        self._lease_s = lease_s
        self._chores = AsyncExitStack()

    async def start(self) -> None:
        """Write a heartbeat, take over the runs of dead processes, then repeat."""
        await self.renew_instances()
        chores = run_in_background(
            every(self._lease_s / HEARTBEATS_PER_LEASE, self.renew_instances),
            every(LOOK_S, self.close_overdue),
            every(CANCELS_S, self.stop_cancelled),
            every(SWEEP_AGENTS_S, self._agents.sweep),
            every(BUDGET_WAITS_S, lambda: self._service.resume_after_budget(None, BY_THE_CALENDAR)),
        )
        await self._chores.enter_async_context(chores)

    async def aclose(self) -> None:
        """Stop, and remove this process."""
        await self._chores.aclose()
        gone = [self._instance.instance_id]
        try:
            await self._database.write(lambda c: self._depart(c, gone))
        except StorageError as error:
            logger.warning("cannot say good-bye: %s", error)
        self._instance.close()

    async def renew_instances(self) -> None:
        """Write a heartbeat, and release the runs of dead processes."""
        mine = self._instance.instance_id
        dead = self._instance.known_dead()

        def work(connection: Connection) -> int:
            write_heartbeat(connection, mine)
            living = remove_dead(connection, dead, self._lease_s)
            return leases.release_all_but(connection, living)

        if await self._database.write(work):
            self._runner.wake()

    async def close_overdue(self) -> None:
        """Close overdue requests."""
        for request in await self._database.read(requests.list_overdue):
            decision = timeout_answer(request.event)
            if decision is None:
                continue
            try:
                await self._service.close(request, plain(decision), BY_TIMEOUT)
            except (ConflictError, NotFoundError):
                # It was answered meanwhile, or the session is gone.
                continue
            except StorageError:
                raise
            except Exception:
                # One request that cannot be closed must not delay the others.
                logger.exception("cannot close the request %s", request.interrupt_id)

    async def stop_cancelled(self) -> None:
        """Stop runs of this process that were cancelled through another process."""
        if not self._runner.active:
            return
        query = select(runs.c.tenant_id, runs.c.run_id).where(
            runs.c.status == "running",
            runs.c.owner == self._instance.instance_id,
            runs.c.cancel_requested_at.is_not(None),
        )
        for tenant_id, run_id in await self._database.read(lambda c: c.execute(query).all()):
            self._runner.hear(Notice("cancel", TenantId(tenant_id), run_id))

    def _depart(self, connection: Connection, gone: list[str]) -> None:
        remove_dead(connection, gone, self._lease_s)
        leases.release_of(connection, gone)
