"""Core's `Agent` port on this machine: runs continue in this process while the client is asked.

A request holds its run until `answer`. If the client cannot ask, the run waits, and `dataagent run
--resume` continues it in a terminal.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dataagent_cli.conversation.stored_session import WORKSPACE_KEY, check_idle, keep_session
from dataagent_cli.mcp.config.servers import servers_of
from dataagent_cli.setup.model_choice import choose_model
from dataagent_cli.wiring import App, build_executor, new_session_id, session_lock
from dataagent_core.errors import LimitReachedError, NoOneToAskError, NotFoundError
from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.ids import new_id
from dataagent_core.mcp.server.ports import RunRef
from dataagent_core.permissions import RunTerms
from dataagent_core.session.stores.bundle import Stores

_RUNS_MAX: Final = 32


@dataclass(slots=True)
class LiveRun:
    """One run: its events so far, and its open requests."""

    ref: RunRef
    can_ask: bool
    token: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    answers: dict[str, asyncio.Future[Decision]] = field(
        default_factory=dict[str, "asyncio.Future[Decision]"]
    )
    task: asyncio.Task[None] | None = None
    is_over: bool = False

    @property
    def is_resting(self) -> bool:
        return self.is_over or any(not answer.done() for answer in self.answers.values())

    async def notify(self) -> None:
        """Wake all readers."""
        async with self.changed:
            self.changed.notify_all()

    async def decision(self, interrupt_id: str) -> Decision:
        """Wait for an answer."""
        if not self.can_ask:
            raise NoOneToAskError("the MCP client cannot ask a person.")
        answer = self.answers[interrupt_id] = asyncio.get_running_loop().create_future()
        await self.notify()
        return await answer


@dataclass(frozen=True, slots=True)
class ClientHandler:
    """Core's handler: every request waits for the run's client."""

    run: LiveRun

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:
        del session_id
        return await self.run.decision(_find_request(self.run.events, action_request))

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
        del session_id
        return await self.run.decision(request.interrupt_id)

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Do nothing: the client receives the call itself."""


class LocalAgent:
    """Runs the agent of the settings in one folder."""

    def __init__(self, app: App, stores: Stores, workspace: Path) -> None:
        self._app = app
        self._stores = stores
        self._workspace = workspace
        self._runs: dict[str, LiveRun] = {}

    async def start(self, message: str, session_id: str | None, *, can_ask: bool) -> RunRef:
        """Start a run in its own task; an error before its first event is raised here."""
        self._forget_what_is_over()
        run = LiveRun(RunRef(session_id or new_session_id(), new_id()), can_ask)
        started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        must_exist = session_id is not None
        run.task = asyncio.create_task(self._work(run, message, started, must_exist=must_exist))
        self._runs[run.ref.run_id] = run
        await asyncio.wait({started, run.task}, return_when=asyncio.FIRST_COMPLETED)
        if not started.done():
            del self._runs[run.ref.run_id]
            run.task.result()
        return run.ref

    async def events(self, run: RunRef) -> AsyncGenerator[list[dict[str, Any]]]:
        live = self._live(run)
        seen = 0
        while True:
            async with live.changed:
                await live.changed.wait_for(
                    lambda seen=seen: len(live.events) > seen or live.is_resting
                )
            batch = live.events[seen:]
            seen += len(batch)
            if batch:
                yield batch
            elif live.is_resting:
                return

    async def answer(self, run: RunRef, interrupt_id: str, decision: Decision) -> None:
        answer = self._live(run).answers.get(interrupt_id)
        if answer is not None and not answer.done():
            answer.set_result(decision)

    async def cancel(self, run: RunRef) -> None:
        live = self._runs.get(run.run_id)
        if live is None or live.task is None:
            return
        live.token.set()
        await asyncio.wait({live.task})

    async def aclose(self) -> None:
        """Stop all runs; they are stored and can be resumed."""
        tasks = {live.task for live in self._runs.values() if live.task is not None}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _work(
        self, run: LiveRun, message: str, started: asyncio.Future[None], *, must_exist: bool
    ) -> None:
        app, stores, workspace = self._app, self._stores, self._workspace
        session_id = run.ref.session_id
        try:
            with session_lock(app.settings, session_id):
                if must_exist and await stores.sessions.get(session_id) is None:
                    raise NotFoundError(f"There is no session {session_id[:80]!r}.")
                await check_idle(app, stores, session_id)
                choice = await asyncio.to_thread(choose_model, app)
                executor = build_executor(
                    app,
                    stores,
                    model=choice.name,
                    workspace=workspace,
                    approve_all=False,
                    timeout_s=None,
                    servers=await servers_of(app, workspace, may_ask=False),
                )
                async with aclosing(executor):
                    await keep_session(app, stores, session_id, message)
                    events = executor.execute(
                        message,
                        session_id,
                        {WORKSPACE_KEY: str(workspace)},
                        run.token,
                        run_id=run.ref.run_id,
                        terms=RunTerms(hitl_handler=ClientHandler(run)),
                    )
                    async with aclosing(events):
                        async for event in events:
                            run.events.append(event.to_dict())
                            if not started.done():
                                started.set_result(None)
                            await run.notify()
        finally:
            run.is_over = True
            await run.notify()

    def _live(self, run: RunRef) -> LiveRun:
        live = self._runs.get(run.run_id)
        if live is None:
            raise NotFoundError(f"There is no run {run.run_id!r} in this process.")
        return live

    def _forget_what_is_over(self) -> None:
        if len(self._runs) < _RUNS_MAX:
            return
        self._runs = {name: run for name, run in self._runs.items() if not run.is_over}
        if len(self._runs) >= _RUNS_MAX:
            raise LimitReachedError(f"{_RUNS_MAX} runs are under way; wait for one to end.")


def _find_request(events: list[dict[str, Any]], action: Mapping[str, Any]) -> str:
    """Find the request event of an action."""
    for event in reversed(events):
        if event["event_type"] != "hitl_request":
            continue
        if any(one.get("call_key") == action.get("call_key") for one in event["action_requests"]):
            return str(event["interrupt_id"])
    raise NoOneToAskError("the question was not announced.")
