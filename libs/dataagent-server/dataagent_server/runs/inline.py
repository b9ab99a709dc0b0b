"""The runner in this process: claims queued runs and works on them, each in a task of its own.

    look for work > claim > run until done, a question, or a fault > leave the row as it must be

Everything it needs to know is in the database, so any process can go on where this one stopped.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field

from sqlalchemy import Connection

from dataagent_core.engine import AgentExecutor
from dataagent_core.errors import DataAgentError, LimitReachedError, StorageError
from dataagent_core.events import DoneEvent, ErrorEvent, Event
from dataagent_core.session import runs_of
from dataagent_server.db.database import Database
from dataagent_server.live.hub import Hub
from dataagent_server.live.notice import Notice
from dataagent_server.runs import leases, transitions
from dataagent_server.runs.agents import Agents
from dataagent_server.runs.failing import end_failed
from dataagent_server.runs.instance import beat
from dataagent_server.runs.limits import (
    CLAIMED_AT_ONCE_MAX,
    FAULTS_MAX,
    LOOK_S,
    PAUSE_AFTER_FAULT_S,
    PAUSE_AFTER_FAULT_S_MAX,
    RUNS_AT_ONCE_MAX,
)
from dataagent_server.runs.model import RunRow
from dataagent_server.runs.stores import StoresOf

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Working:
    run: RunRow
    cancel: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class InlineRunner:
    """Works on runs until it is closed."""

    def __init__(
        self,
        database: Database,
        agents: Agents,
        hub: Hub,
        held: leases.Leases,
        stores_of: StoresOf,
        *,
        instance_id: str,
        tell: Callable[[Notice], None],
        drain_s: float,
    ) -> None:
        self._database = database
        self._agents = agents
        self._hub = hub
        self._held = held
        self._stores_of = stores_of
        self._instance_id = instance_id
        self._tell = tell
        self._drain_s = drain_s
        self._working: dict[str, _Working] = {}
        self._woken = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._pausing: set[asyncio.Task[None]] = set()
        self._unsure = False
        # How often in a row a fault of ours stopped a run.
        self._faults: dict[str, int] = {}

    @property
    def active(self) -> int:
        """How many runs are under way here."""
        return len(self._working)

    def start(self) -> None:
        """Begin to look for work."""
        self._looking = asyncio.create_task(self._look())

    def wake(self) -> None:
        self._woken.set()

    def stop_run(self, run: RunRow) -> None:
        working = self._working.get(run.run_id)
        if working is not None:
            working.cancel.set()
        else:
            self._tell(Notice("cancel", run.tenant_id, run.run_id))

    def hear(self, notice: Notice) -> None:
        """Take what another process tells."""
        if notice.kind == "work":
            self.wake()
        elif notice.kind == "cancel" and notice.subject in self._working:
            self._working[notice.subject].cancel.set()

    async def aclose(self) -> None:
        """Stop: runs that end soon may end, the others are handed over as they are."""
        if self._looking is not None:
            self._looking.cancel()
        for pause in self._pausing:
            pause.cancel()
        tasks = [w.task for w in self._working.values() if w.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=self._drain_s)
        await asyncio.gather(*(self._hand_over(w) for w in list(self._working.values())))

    async def _look(self) -> None:
        while True:
            self._woken.clear()
            try:
                await self._claim()
            except StorageError as error:
                # The claim may have been kept all the same.
                self._unsure = True
                logger.warning("cannot look for runs: %s", error)
            except Exception:
                # A process that stops to look would hold up everybody's runs.
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
            taken = leases.claim(connection, self._instance_id, limit=room, except_for=mine)
            if taken:
                # Whoever was taken for dead meanwhile, and claims, is seen to live.
                beat(connection, self._instance_id)
            return taken

        claimed = await self._database.write(work)
        self._unsure = False
        for run in claimed:
            working = _Working(run)
            if run.cancel_requested:
                working.cancel.set()
            self._held.hold(run)
            self._working[run.run_id] = working
            working.task = asyncio.create_task(self._work(working))
        if len(claimed) == room:
            self.wake()

    async def _work(self, working: _Working) -> None:
        run = working.run
        fault = True
        try:
            fault = await self._segment(working)
        except StorageError as error:
            logger.warning("run %s cannot be left as it is: %s", run.run_id, error)
        except Exception:
            logger.exception("run %s cannot be ended", run.run_id)
        finally:
            self._held.drop(run.run_id)
            del self._working[run.run_id]
        if fault:
            self._after_a_pause(run)
        else:
            self._faults.pop(run.run_id, None)
            # The next message of the session may be waiting, here or for another process.
            self.wake()
            self._tell(Notice("work", run.tenant_id, run.session_id))

    async def _segment(self, working: _Working) -> bool:
        """Work on a run until it is over or waits; `True` when a fault of ours stopped it."""
        run = working.run
        try:
            self._refuse_hopeless(run)
            async with self._agents.lend(run) as executor:
                last = await self._follow(executor, working)
        except StorageError as error:
            logger.warning("run %s stopped: %s", run.run_id, error)
            return True
        except DataAgentError as error:
            await self._fail(run, error)
            return False
        except Exception as error:
            logger.exception("run %s failed", run.run_id)
            await self._fail(run, error)
            return False
        if isinstance(last, DoneEvent):
            return False
        if isinstance(last, ErrorEvent):
            logger.warning("run %s stopped: %s", run.run_id, last.error)
            return True
        await self._database.write(lambda c: transitions.rest(c, run))
        return False

    def _refuse_hopeless(self, run: RunRow) -> None:
        if self._faults.get(run.run_id, 0) >= FAULTS_MAX:
            raise LimitReachedError(
                f"the run was stopped {FAULTS_MAX} times by faults of the store, and is given up. "
                "Look into the server's log, then ask again."
            )

    async def _follow(self, executor: AgentExecutor, working: _Working) -> Event | None:
        run = working.run
        stores = self._stores_of(run.tenant_id)
        known = await runs_of(stores.log, run.session_id)
        if any(earlier.run_id == run.run_id for earlier in known):
            events = executor.resume(run.session_id, working.cancel, run_id=run.run_id)
        else:
            events = executor.execute(
                run.text, run.session_id, run.context, working.cancel, run_id=run.run_id
            )
        last: Event | None = None
        async with aclosing(events):
            async for event in events:
                self._hub.publish(run.tenant_id, run.session_id, [event])
                last = event
        return last

    async def _fail(self, run: RunRow, error: Exception) -> None:
        """End a run that could not even begin: an agent that cannot be built, a wrong state."""
        stores = self._stores_of(run.tenant_id)
        await stores.messages.save_message(
            run.session_id, "user", run.text, message_id=run.message_id
        )
        events = await end_failed(stores.log, run, error)
        self._hub.publish(run.tenant_id, run.session_id, events)

    def _after_a_pause(self, run: RunRow) -> None:
        faults = self._faults[run.run_id] = self._faults.get(run.run_id, 0) + 1
        pause_s = min(PAUSE_AFTER_FAULT_S * 2 ** (faults - 1), PAUSE_AFTER_FAULT_S_MAX)

        async def give_back() -> None:
            await asyncio.sleep(pause_s)
            while True:
                try:
                    await self._database.write(
                        lambda c: leases.give_back(c, run.tenant_id, run.run_id, run.fence)
                    )
                    break
                except StorageError:
                    await asyncio.sleep(PAUSE_AFTER_FAULT_S)
            self.wake()

        pause = asyncio.create_task(give_back())
        self._pausing.add(pause)
        pause.add_done_callback(self._pausing.discard)

    async def _hand_over(self, working: _Working) -> None:
        run = working.run
        # From here on the log refuses what the run would still say, a last `done` included.
        self._held.drop(run.run_id)
        if working.task is not None:
            working.task.cancel()
            await asyncio.gather(working.task, return_exceptions=True)
        try:
            await self._database.write(
                lambda c: leases.give_back(c, run.tenant_id, run.run_id, run.fence)
            )
            self._tell(Notice("work", run.tenant_id, run.session_id))
        except StorageError as error:
            logger.warning("run %s is taken up when its lease ends: %s", run.run_id, error)
