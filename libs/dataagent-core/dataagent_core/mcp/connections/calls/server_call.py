"""One call under way, as its caller's task sees it.

The request runs in a task of its own: a caller that is cancelled leaves at once, while the
server is still being told. Questions and progress come from the SDK's tasks and are handed to
the caller's, where its context and its exceptions belong.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from dataagent_core.config.limits.mcp import MCP_QUESTIONS_WAITING_MAX
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

ResultT = TypeVar("ResultT")
AnswerT = TypeVar("AnswerT")

_NOT_WANTED = SamplingRefusal("the call that this was asked in is over")

# Which call a message belongs to, where the transport carries the sender's context.
current_call: ContextVar["ServerCall | None"] = ContextVar("mcp_current_call", default=None)


class CallLateError(Exception):
    """The server took longer than the caller gave it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Question(Generic[AnswerT]):
    put: Callable[[], Awaitable[AnswerT]]
    # What the server hears if nobody answers.
    unanswered: AnswerT
    answer: "asyncio.Future[AnswerT]"


class ServerCall:
    """What one caller wants to hear while it waits."""

    def __init__(
        self,
        on_progress: OnProgress | None = None,
        elicit: Elicit | None = None,
        sample: Sample | None = None,
    ) -> None:
        self.on_progress = on_progress
        self.elicit = elicit
        self.sample = sample
        self._questions: deque[_Question[Any]] = deque()
        self._progress: tuple[float, float | None, str | None] | None = None
        self._news = asyncio.Event()

    async def progressed(self, progress: float, total: float | None, message: str | None) -> None:
        # Only the latest counts: a server may send more than anybody wants to see.
        self._progress = (progress, total, message)
        self._news.set()

    async def ask(self, elicitation: Elicitation) -> ElicitationResult:
        elicit = self.elicit
        if elicit is None or self._is_full:
            return ElicitationResult("decline")
        return await self._answer_to(lambda: elicit(elicitation), ElicitationResult("cancel"))

    async def ask_model(self, request: SamplingRequest) -> SamplingResult | SamplingRefusal:
        sample = self.sample
        if sample is None:
            return SamplingRefusal("this client does not offer its model for this request")
        if self._is_full:
            return SamplingRefusal(
                f"{MCP_QUESTIONS_WAITING_MAX} requests of this call wait already"
            )
        return await self._answer_to(lambda: sample(request), _NOT_WANTED)

    @property
    def _is_full(self) -> bool:
        return len(self._questions) >= MCP_QUESTIONS_WAITING_MAX

    async def _answer_to(
        self, put: Callable[[], Awaitable[AnswerT]], unanswered: AnswerT
    ) -> AnswerT:
        answer: asyncio.Future[AnswerT] = asyncio.get_running_loop().create_future()
        self._questions.append(_Question(put, unanswered, answer))
        self._news.set()
        return await answer

    async def result(
        self,
        request: Coroutine[Any, Any, ResultT],
        timeout_s: float,
        leftovers: set[asyncio.Task[Any]],
    ) -> ResultT:
        """Wait for the request, at most so long; what is abandoned ends by itself."""
        task = asyncio.create_task(self._as_current(request))
        leftovers.add(task)
        task.add_done_callback(leftovers.discard)
        task.add_done_callback(mark_retrieved)
        task.add_done_callback(lambda _: self._news.set())
        clock = asyncio.timeout(timeout_s)
        try:
            async with clock:
                while not task.done():
                    await self._news.wait()
                    self._news.clear()
                    await self._hear(task, clock)
        except TimeoutError:
            if clock.expired():
                raise CallLateError from None
            raise
        finally:
            task.cancel()
            self.close()
        return task.result()

    def close(self) -> None:
        """Answer what nobody will answer any more, whether the request was sent or not."""
        while self._questions:
            _withdraw(self._questions.popleft())

    async def _as_current(self, request: Coroutine[Any, Any, ResultT]) -> ResultT:
        current_call.set(self)
        return await request

    async def _hear(self, task: asyncio.Task[Any], clock: asyncio.Timeout) -> None:
        if self._progress is not None and self.on_progress is not None:
            progress, self._progress = self._progress, None
            await self.on_progress(*progress)
        # What is asked once the call is over has nobody to answer it.
        while self._questions and not task.done():
            question = self._questions.popleft()
            # The server may have taken it back while another one was open.
            if not question.answer.done():
                await self._put(question, task, clock)

    async def _put(
        self, question: _Question[Any], task: asyncio.Task[Any], clock: asyncio.Timeout
    ) -> None:
        """Let the person or the model answer; their time is not the server's."""
        loop = asyncio.get_running_loop()
        left_s = (clock.when() or loop.time()) - loop.time()
        clock.reschedule(None)
        asked = asyncio.ensure_future(question.put())
        try:
            # The server may take its question back, or be gone, before anybody answers.
            await asyncio.wait({asked, question.answer, task}, return_when=asyncio.FIRST_COMPLETED)
            if asked.done() and not question.answer.done():
                question.answer.set_result(asked.result())
        except BaseException:
            # Before the question is withdrawn: a modern call would be sent again with that.
            task.cancel()
            raise
        finally:
            asked.cancel()
            _withdraw(question)
            await asyncio.wait({asked})
        clock.reschedule(loop.time() + left_s)


def mark_retrieved(task: asyncio.Task[Any]) -> None:
    """Take note of how it ended, should nobody wait for it any more."""
    if not task.cancelled():
        task.exception()


def _withdraw(question: _Question[Any]) -> None:
    # Answered, never cancelled: one of the SDK's tasks waits for it, and a task that ends
    # cancelled takes the whole connection with it.
    if not question.answer.done():
        question.answer.set_result(question.unanswered)
