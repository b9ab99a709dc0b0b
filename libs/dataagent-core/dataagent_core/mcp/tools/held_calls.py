"""Calls that continue at a server while the agent's run waits for a person.

A person's answer may take hours. The run is interrupted and its tool call starts again when the
answer is there; the call at the server must not, because it may have done half its work. So it runs
in a task of its own, keeps its questions, and is found again by its key. It is kept for a limited
time, in this process only.
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
    """The key of a call, which belongs to one owner, server and run."""

    owner: Owner
    server: str
    run_id: str
    call_key: str


@dataclass(frozen=True, slots=True, eq=False)
class HeldQuestion:
    """A server's question to a person or to our model, with the future of its answer."""

    question: Elicitation | SamplingRequest
    # Whether the server holds its call open until then, as before protocol 2026-07-28.
    held: bool
    answer: "asyncio.Future[Any]"

    @property
    def is_closed(self) -> bool:
        """Whether it is answered, or the server no longer waits for an answer."""
        return self.answer.done()

    def give(self, answer: Answer) -> None:
        """Answer, unless it is closed."""
        if not self.is_closed:
            self.answer.set_result(answer)

    async def while_open(self, work: Coroutine[Any, Any, WorkT]) -> WorkT | None:
        """Run `work` as long as the server waits for its answer; None if it stops waiting."""
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
    """One running call; `times_begun`: how often it may have happened before."""

    start: Start
    # Returns whether a question ends the request, so that the server holds nothing.
    modern: Callable[[], bool] = lambda: False
    times_begun: int = 0
    asked: list[HeldQuestion] = field(default_factory=list[HeldQuestion])
    # Gets the progress; None while the run is interrupted.
    listener: OnProgress | None = None
    _task: "asyncio.Task[CallToolResult] | None" = None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _limit: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        self._task = asyncio.create_task(self._run())
        self._task.add_done_callback(self._handle_end)

    @property
    def alive(self) -> bool:
        """Whether it still runs, or its result waits to be fetched."""
        task = self._task
        if task is None or not task.done():
            return task is not None
        return not task.cancelled() and task.exception() is None

    @property
    def held(self) -> bool:
        return any(asked.held for asked in self.asked)

    async def next(self, seen: int, silence_s: float) -> "HeldQuestion | CallToolResult":
        """Wait for the next question after those seen, or for the end; raises what the call raised.

        Raises `TimeoutError` if the server is silent for too long.
        """
        task = self._task
        assert task is not None
        self._release()
        while len(self.asked) <= seen and not task.done():
            self._changed.clear()
            async with asyncio.timeout(silence_s):
                await self._changed.wait()
        return self.asked[seen] if len(self.asked) > seen else task.result()

    def park(self) -> None:
        """Keep it until an answer arrives, for a limited time."""
        self.listener = None
        self._release()
        self._limit = asyncio.get_running_loop().call_later(MCP_HELD_S, self.cancel)

    def cancel(self) -> None:
        self._release()
        if self._task is not None:
            self._task.cancel()

    async def aclose(self) -> None:
        self.cancel()
        if self._task is not None and not self._task.done():
            await asyncio.wait({self._task}, timeout=CANCEL_GRACE_S)

    async def _run(self) -> "CallToolResult":
        return await self.start(self._report_progress, self._elicit, self._sample)

    async def _report_progress(
        self, progress: float, total: float | None, message: str | None
    ) -> None:
        self._changed.set()
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
        held_question = HeldQuestion(
            question, not self.modern(), asyncio.get_running_loop().create_future()
        )
        self.asked.append(held_question)
        self._changed.set()
        return await held_question.answer

    def _handle_end(self, task: "asyncio.Task[CallToolResult]") -> None:
        self._changed.set()
        if not task.cancelled():
            task.exception()  # retrieved, in case no run comes back for it

    def _release(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None


class HeldCalls:
    """The kept calls of one process by key; the oldest is cancelled when there are too many."""

    def __init__(self) -> None:
        self._calls: dict[HeldKey, HeldCall] = {}

    @property
    def keys(self) -> list[HeldKey]:
        return [*self._calls]

    def find(self, key: HeldKey) -> HeldCall | None:
        """Return the call of this key, if it is still alive."""
        held = self._calls.get(key)
        if held is not None and not held.alive:
            del self._calls[key]
            return None
        return held

    def keep(self, key: HeldKey, held: HeldCall) -> None:
        self._calls.pop(key, None)
        self._calls[key] = held
        held.park()
        while len(self._calls) > MCP_HELD_CALLS_MAX:
            oldest = next(iter(self._calls))
            self._calls.pop(oldest).cancel()

    def forget(self, key: HeldKey) -> None:
        self._calls.pop(key, None)

    def cancel_run(self, run_id: str) -> None:
        for key in [key for key in self._calls if key.run_id == run_id]:
            self._calls.pop(key).cancel()

    async def aclose(self) -> None:
        calls, self._calls = [*self._calls.values()], {}
        await asyncio.gather(*(held.aclose() for held in calls))
