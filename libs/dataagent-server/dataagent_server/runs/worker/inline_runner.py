"""The runner in this process: claims queued runs and works on them, each in its own task.

poll > claim > work (`worker.py`) > poll for the session's next run

All its state is in the database, so any process can go on where this one stopped.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy import Connection

from dataagent_core.errors import StorageError
from dataagent_server.agents.rules.rule_service import RuleService
from dataagent_server.db.database import Database
from dataagent_server.runs.agents.agent_pool import AgentPool
from dataagent_server.runs.limits import (
    CLAIMED_AT_ONCE_MAX,
    LOOK_S,
    PAUSE_AFTER_FAULT_S,
    RUNS_AT_ONCE_MAX,
)
from dataagent_server.runs.run_row import RunRow
from dataagent_server.runs.tenant_stores import StoresOf
from dataagent_server.runs.worker import leases
from dataagent_server.runs.worker.faults import FaultCounter
from dataagent_server.runs.worker.instance import write_heartbeat
from dataagent_server.runs.worker.worker import Worker
from dataagent_server.sessions.live.hub import Hub
from dataagent_server.sessions.live.notice import Notice

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _ActiveRun:
    run: RunRow
    cancel: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class InlineRunner:
    """Works on runs until it is closed."""

    def __init__(
        self,
        database: Database,
        agents: AgentPool,
        hub: Hub,
        held: leases.Leases,
        stores_of: StoresOf,
        *,
        rules: RuleService,
        instance_id: str,
        tell: Callable[[Notice], None],
        drain_s: float,
        home: str,
    ) -> None:
        self._database = database
        self._held = held
        self._faults = FaultCounter()
        self._worker = Worker(database, agents, hub, stores_of, self._faults, rules, home)
        self._instance_id = instance_id
        self._tell = tell
        self._drain_s = drain_s
        self._working: dict[str, _ActiveRun] = {}
        self._woken = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._pausing: set[asyncio.Task[None]] = set()
        # Whether a claim may have been committed although we got an error.
        self._unsure = False

    @property
    def active(self) -> int:
        """How many runs are active here."""
        return len(self._working)

    def start(self) -> None:
        """Start polling."""
        self._looking = asyncio.create_task(self._poll())

    def wake(self) -> None:
        self._woken.set()

    def stop_run(self, run: RunRow) -> None:
        working = self._working.get(run.run_id)
        if working is not None:
            working.cancel.set()
        else:
            self._tell(Notice("cancel", run.tenant_id, run.run_id))

    def hear(self, notice: Notice) -> None:
        """Handle a notice of another process."""
        if notice.kind == "work":
            self.wake()
        elif notice.kind == "cancel" and notice.subject in self._working:
            self._working[notice.subject].cancel.set()

    async def aclose(self) -> None:
        """Stop: runs that end soon may end, the others are handed over."""
        if self._looking is not None:
            self._looking.cancel()
        for pause in self._pausing:
            pause.cancel()
        tasks = [w.task for w in self._working.values() if w.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=self._drain_s)
        await asyncio.gather(*(self._hand_over(w) for w in list(self._working.values())))

    async def _poll(self) -> None:
        while True:
            self._woken.clear()
            try:
                await self._claim()
            except StorageError as error:
                # The claim may have been committed all the same.
                self._unsure = True
                logger.warning("cannot look for runs: %s", error)
            except Exception:
                # A process that stops polling would delay all runs.
                logger.exception("looking for runs failed")
            try:
                async with asyncio.timeout(LOOK_S):
                    await self._woken.wait()
            except TimeoutError:
                continue

    async def _claim(self) -> None:
        room = min(RUNS_AT_ONCE_MAX - len(self._working), CLAIMED_AT_ONCE_MAX)
        if room <= 0:
            return
        mine = list(self._working)

        def work(connection: Connection) -> list[RunRow]:
            if self._unsure:
                leases.release_unknown(connection, self._instance_id, known=mine)
            taken = leases.claim(connection, self._instance_id, limit=room, busy_with=mine)
            if taken:
                # A process that claims is alive, even if it was considered dead meanwhile.
                write_heartbeat(connection, self._instance_id)
            return taken

        claimed = await self._database.write(work)
        self._unsure = False
        for run in claimed:
            working = _ActiveRun(run)
            if run.cancel_requested:
                working.cancel.set()
            self._held.hold(run)
            self._working[run.run_id] = working
            working.task = asyncio.create_task(self._work(working))
        if len(claimed) == room:
            self.wake()

    async def _work(self, working: _ActiveRun) -> None:
        run = working.run
        try:
            well = await self._worker.work(run, working.cancel)
        finally:
            self._held.drop(run.run_id)
            del self._working[run.run_id]
        if well:
            self._faults.forget(run.run_id)
            # The next message of the session may be queued, for this or another process.
            self.wake()
            self._tell(Notice("work", run.tenant_id, run.session_id))
        else:
            pause = asyncio.create_task(self._give_back_later(run))
            self._pausing.add(pause)
            pause.add_done_callback(self._pausing.discard)

    async def _give_back_later(self, run: RunRow) -> None:
        await asyncio.sleep(self._faults.pause_s(run.run_id))
        while True:
            try:
                await self._database.write(lambda c: leases.give_back(c, run))
                break
            except StorageError:
                await asyncio.sleep(PAUSE_AFTER_FAULT_S)
        self.wake()

    async def _hand_over(self, working: _ActiveRun) -> None:
        run = working.run
        # From here on the log refuses further events of the run, a last `done` included.
        self._held.drop(run.run_id)
        if working.task is not None:
            working.task.cancel()
            await asyncio.gather(working.task, return_exceptions=True)
        try:
            await self._database.write(lambda c: leases.give_back(c, run))
            self._tell(Notice("work", run.tenant_id, run.session_id))
        except StorageError as error:
            logger.warning("run %s is taken up when its lease ends: %s", run.run_id, error)
