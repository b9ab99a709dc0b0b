"""Calls that go on at a server while the agent's own call stands still.

A person's answer may take hours, in which the run is put away (`interrupt`) and its tool call is
begun again when the answer is there. The call at the server must not be: it may have done half its
work. So it runs in a task of its own, keeps what it asked, and is found again under its key. It is
kept for a limited time, in this process alone; whoever finds it gone has to say so.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from dataagent_core.config.limits import CANCEL_GRACE_S
from dataagent_core.config.limits.mcp import (
    MCP_HELD_CALLS_MAX,
    MCP_HELD_S,
    MCP_QUESTIONS_PER_CALL_MAX,
    MCP_SAMPLINGS_PER_CALL_MAX,
)
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import (
    Elicit,
    Elicitation,
    ElicitationResult,
    OnProgress,
    Sample,
    SamplingRefusal,
    SamplingRequest,
    SamplingResult,
)

if TYPE_CHECKING:
    from mcp_types import CallToolResult

Start = Callable[[OnProgress, Elicit, Sample], Awaitable["CallToolResult"]]

Answer = ElicitationResult | SamplingResult | SamplingRefusal
WorkT = TypeVar("WorkT")


class HeldKey(NamedTuple):
    """Which call this is: nobody finds the call of another owner, server or run."""

    owner: Owner
    server: str
    run_id: str
    call_key: str


@dataclass(frozen=True, slots=True, eq=False)
class HeldQuestion:
    """What the server wants to know of a person or of our model, and the place for the answer."""

    question: Elicitation | SamplingRequest
    # Whether the server holds its call open until then, as those of the handshake era do.
    held: bool
    answer: "asyncio.Future[Any]"

    @property
    def is_closed(self) -> bool:
        """Whether it is answered, or the server does not wait for an answer any more."""
        return self.answer.done()

    def give(self, answer: Answer) -> None:
        """Answer, unless it is closed."""
        if not self.is_closed:
            self.answer.set_result(answer)

    async def while_open(self, work: Coroutine[Any, Any, WorkT]) -> WorkT | None:
        """Work on an answer as long as the server waits for it; None when it does not."""
        task = asyncio.ensure_future(work)
        try:
            await asyncio.wait({task, self.answer}, return_when=asyncio.FIRST_COMPLETED)
            return task.result() if task.done() else None
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=CANCEL_GRACE_S)


@dataclass(slots=True, eq=False)
class HeldCall:
    """One call under way; `repeats`: a person allowed it although it may have happened before."""

    start: Start
    # Says whether a question ends the request, so that the server holds nothing.
    modern: Callable[[], bool] = lambda: False
    repeats: bool = False
    asked: list[HeldQuestion] = field(default_factory=list[HeldQuestion])
    # Whoever watches just now hears of progress; while the run is put away, nobody does.
    listener: OnProgress | None = None
    _task: "asyncio.Task[CallToolResult] | None" = None
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _limit: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Make the call."""
        self._task = asyncio.create_task(self._run())
        self._task.add_done_callback(self._ended)

    @property
    def alive(self) -> bool:
        """Whether it is still under way, or its result waits to be fetched."""
        task = self._task
        if task is None or not task.done():
            return task is not None
        return not task.cancelled() and task.exception() is None

    @property
    def held(self) -> bool:
        """Whether the server holds it open."""
        return any(asked.held for asked in self.asked)

    async def next(self, heard: int, silence_s: float) -> "HeldQuestion | CallToolResult":
        """Wait for the question after those heard, or for the end; what the call raised is raised.

        A `TimeoutError` says that the server gave no sign of life for too long.
        """
        task = self._task
        assert task is not None
        self._release()
        while len(self.asked) <= heard and not task.done():
            self._news.clear()
            async with asyncio.timeout(silence_s):
                await self._news.wait()
        return self.asked[heard] if len(self.asked) > heard else task.result()

    def put_away(self) -> None:
        """Keep it for whoever comes back with an answer, for a limited time."""
        self.listener = None
        self._release()
        self._limit = asyncio.get_running_loop().call_later(MCP_HELD_S, self.cancel)

    def cancel(self) -> None:
        """Give it up; the server is told."""
        self._release()
        if self._task is not None:
            self._task.cancel()

    async def aclose(self) -> None:
        """Give it up and wait a moment, so that the server hears of it."""
        self.cancel()
        if self._task is not None and not self._task.done():
            await asyncio.wait({self._task}, timeout=CANCEL_GRACE_S)

    async def _run(self) -> "CallToolResult":
        return await self.start(self._progressed, self._elicit, self._sample)

    async def _progressed(self, progress: float, total: float | None, message: str | None) -> None:
        self._news.set()
        if self.listener is not None:
            await self.listener(progress, total, message)

    async def _elicit(self, elicitation: Elicitation) -> ElicitationResult:
        if len(self.asked) >= MCP_QUESTIONS_PER_CALL_MAX:
            return ElicitationResult("cancel")
        return await self._ask(elicitation)

    async def _sample(self, request: SamplingRequest) -> SamplingResult | SamplingRefusal:
        before = sum(isinstance(one.question, SamplingRequest) for one in self.asked)
        if before >= MCP_SAMPLINGS_PER_CALL_MAX or len(self.asked) >= MCP_QUESTIONS_PER_CALL_MAX:
            return SamplingRefusal(
                f"one call may ask for the model {MCP_SAMPLINGS_PER_CALL_MAX} times"
            )
        return await self._ask(request)

    async def _ask(self, question: Elicitation | SamplingRequest) -> Any:
        asked = HeldQuestion(
            question, not self.modern(), asyncio.get_running_loop().create_future()
        )
        self.asked.append(asked)
        self._news.set()
        return await asked.answer

    def _ended(self, task: "asyncio.Task[CallToolResult]") -> None:
        self._news.set()
        if not task.cancelled():
            task.exception()  # looked at, should nobody come back for it

    def _release(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None


class HeldCalls:
    """The calls of one process, by key; of those put away the oldest goes when there are many."""

    def __init__(self) -> None:
        self._calls: dict[HeldKey, HeldCall] = {}

    @property
    def keys(self) -> list[HeldKey]:
        """List what is put away, the oldest first."""
        return [*self._calls]

    def find(self, key: HeldKey) -> HeldCall | None:
        """Give the call of this key, if it is still there."""
        held = self._calls.get(key)
        if held is not None and not held.alive:
            del self._calls[key]
            return None
        return held

    def keep(self, key: HeldKey, held: HeldCall) -> None:
        """Put a call away until its key is asked for."""
        self._calls.pop(key, None)
        self._calls[key] = held
        held.put_away()
        while len(self._calls) > MCP_HELD_CALLS_MAX:
            oldest = next(iter(self._calls))
            self._calls.pop(oldest).cancel()

    def forget(self, key: HeldKey) -> None:
        """Drop a call that came to its end."""
        self._calls.pop(key, None)

    def run_ended(self, run_id: str) -> None:
        """Give up what a run that is over still waited for."""
        for key in [key for key in self._calls if key.run_id == run_id]:
            self._calls.pop(key).cancel()

    async def aclose(self) -> None:
        """Give everything up."""
        calls, self._calls = [*self._calls.values()], {}
        await asyncio.gather(*(held.aclose() for held in calls))
