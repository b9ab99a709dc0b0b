"""Background runs in this process: each is a run of the agent's own executor, in a task.

A run ends with the executor that it began with: another one has other connections, and a call under
way would be lost.

When the process ends, the runs stay open; the next one that attaches an executor and looks at them
continues them from the log, as after a crash.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, aclosing, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from dataagent_core.engine.delegation.background_state import (
    BackgroundState,
    list_task_ids,
    load_state,
)
from dataagent_core.errors import ConflictError, DataAgentError, NotFoundError, SessionBusyError
from dataagent_core.events import Event
from dataagent_core.hitl import AbsentPersonHandler
from dataagent_core.permissions import Rule, RunTerms
from dataagent_core.runs import BackgroundTask, NewBackgroundRun
from dataagent_core.session import runs_of
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.session.titles import TITLE_KEY

if TYPE_CHECKING:
    from dataagent_core.engine.executor import AgentExecutor

logger = logging.getLogger(__name__)

# Opens a run or resumes it, and yields its events.
RunEvents = Callable[..., AsyncGenerator[Event, None]]


@dataclass(slots=True, eq=False)
class _Work:
    """A run under way."""

    executor: "AgentExecutor"
    task: asyncio.Task[None] | None = None
    cancel: asyncio.Event = field(default_factory=asyncio.Event)
    # Set when the log has the run, so that it can be continued.
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    # Why it stopped without an end in the log.
    failure: DataAgentError | None = None


class LocalBackgroundRuns:
    """The background runs of the agents of one user in this process.

    `hold` keeps other processes from running a session; `context` is stored with each message.
    Nobody is asked here: a run that needs a person waits until its session is opened. `on_rest` is
    called with its session, title and state when a run is over or waits.
    """

    def __init__(
        self,
        stores: Stores,
        user_id: str,
        *,
        hold: Callable[[str], AbstractContextManager[object]] | None = None,
        context: Mapping[str, Any] | None = None,
        on_rest: Callable[[str, str, BackgroundState], None] | None = None,
    ) -> None:
        self._on_rest = on_rest
        self._stores = stores
        self._user_id = user_id
        self._hold = hold or _hold_nothing
        self._context = dict(context or {})
        self._executor: AgentExecutor | None = None
        self._kept_rules: tuple[Rule, ...] = ()
        self._working: dict[str, _Work] = {}

    def attach(self, executor: "AgentExecutor") -> None:
        """Use this executor, with the rules it was built with, for runs that begin from now on."""
        self._executor = executor
        self._kept_rules = ()

    def keep_rules(self, rules: Sequence[Rule]) -> None:
        """Add rules that a person kept since the executor was built, for runs that begin later."""
        self._kept_rules = (*self._kept_rules, *rules)

    def works_with(self, executor: "AgentExecutor") -> bool:
        """Whether a run is under way that began with an executor."""
        return any(work.executor is executor for work in self._working.values())

    async def wait_idle(self, executor: "AgentExecutor") -> None:
        """Wait until no run is under way that began with an executor."""
        await _wait_for(one for one in self._working.values() if one.executor is executor)

    async def start(self, new: NewBackgroundRun) -> None:
        """Start a run in a new session."""
        assistant_id, sessions = self._require_executor().assistant_id, self._stores.sessions
        session = await sessions.get(new.session_id)
        if session is None:
            session = await sessions.create(self._user_id, assistant_id, session_id=new.session_id)
        # Also if a crash left the session without it.
        if BackgroundTask.read(session.metadata) != new.task:
            metadata = {**session.metadata, **new.task.to_metadata(), TITLE_KEY: new.title}
            await sessions.update(replace(session, metadata=metadata))
        if await runs_of(self._stores.log, new.session_id):
            await self.continue_stopped(new.session_id)
        elif new.session_id not in self._working:
            context = {**self._context, **new.context()}
            executor = self._require_executor()
            run = partial(executor.execute, new.description, new.session_id, context)
            work = self._begin(new.session_id, executor, run)
            # Only what the log has survives the process.
            await work.begun.wait()
            if work.failure is not None:
                raise work.failure

    def works_on(self, session_id: str) -> bool:
        """Whether the run of a session is at work here."""
        return session_id in self._working

    async def find(self, session_id: str) -> BackgroundTask | None:
        """Return the task of a session."""
        session = await self._stores.sessions.get(session_id)
        return None if session is None else BackgroundTask.read(session.metadata)

    async def continue_stopped(self, session_id: str) -> bool:
        """Continue a run that is not over, at work, or waiting for a person."""
        if session_id in self._working:
            return False
        runs = await runs_of(self._stores.log, session_id)
        if not runs or runs[0].done or session_id in self._working:
            return False
        self._resume(session_id, runs[0].run_id)
        return True

    async def continue_tasks_of(self, parent_session_id: str) -> int:
        """Continue the tasks of a conversation that a process left unfinished; count them.

        The owner is told again of those that wait.
        """
        continued = 0
        for task_id in await list_task_ids(self._stores.log, parent_session_id):
            task, state = await self.find(task_id), await load_state(self._stores.log, task_id)
            is_own = task is not None and task.parent_session_id == parent_session_id
            if is_own and state.state == "running":
                continued += await self.continue_stopped(task_id)
            elif is_own and state.state == "waiting":
                await self._report(task_id, state)
        return continued

    async def cancel(self, session_id: str) -> None:
        """Cancel the run of a session: one that waits is resumed only to end."""
        if session_id not in self._working:
            runs = await runs_of(self._stores.log, session_id)
            if not runs or runs[0].done:
                raise NotFoundError(f"{session_id} is over; nothing was cancelled.")
            self._resume(session_id, runs[0].run_id)
        work = self._working[session_id]
        work.cancel.set()
        await work.begun.wait()
        if work.failure is not None:
            # Another process works on it: nothing was cancelled.
            raise work.failure

    async def aclose(self) -> int:
        """Stop working; the runs stay open. Return how many go on when they are continued."""
        working = dict(self._working)
        stopped = sum(not work.cancel.is_set() for work in working.values())
        for session_id, work in working.items():
            await work.begun.wait()
            # One that is being cancelled ends soon, and is over then.
            if not work.cancel.is_set():
                await work.executor.suspend(session_id)
        await _wait_for(working.values())
        return stopped

    def _resume(self, session_id: str, run_id: str) -> None:
        executor = self._require_executor()
        self._begin(session_id, executor, partial(executor.resume, session_id, run_id=run_id))

    def _begin(self, session_id: str, executor: "AgentExecutor", run: RunEvents) -> _Work:
        self._working[session_id] = work = _Work(executor)
        work.task = asyncio.create_task(self._work(session_id, work, run))
        return work

    async def _work(self, session_id: str, work: _Work, run: RunEvents) -> None:
        terms = RunTerms(hitl_handler=AbsentPersonHandler(), kept_rules=self._kept_rules)
        try:
            with self._hold(session_id):
                async with aclosing(run(cancellation_token=work.cancel, terms=terms)) as events:
                    async for _ in events:
                        work.begun.set()
            await self._report(session_id, await load_state(self._stores.log, session_id))
        except SessionBusyError as error:
            # Another process, or the person in its session, works on it.
            logger.debug("%s is worked on elsewhere", session_id)
            work.failure = error
        except DataAgentError as error:
            logger.warning("the background task %s stopped: %s", session_id, error)
            work.failure = error
        finally:
            work.begun.set()
            del self._working[session_id]

    async def _report(self, session_id: str, state: BackgroundState) -> None:
        if self._on_rest is not None:
            session = await self._stores.sessions.get(session_id)
            title = str(session.metadata.get(TITLE_KEY) or "") if session is not None else ""
            self._on_rest(session_id, title, state)

    def _require_executor(self) -> "AgentExecutor":
        if self._executor is None:
            raise ConflictError("background tasks cannot run yet: the agent is being built.")
        return self._executor


async def _wait_for(works: Iterable[_Work]) -> None:
    tasks = [work.task for work in works if work.task is not None]
    await asyncio.gather(*tasks, return_exceptions=True)


def _hold_nothing(_session_id: str) -> AbstractContextManager[object]:
    return nullcontext()
