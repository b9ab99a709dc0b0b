"""One running call in its caller's task.

The request runs in a task of its own: a cancelled caller returns at once, while the cancellation is
still being sent. Questions and progress come from the SDK's tasks and are passed to the caller's
task, where its context and its exceptions belong.
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

# The call a message belongs to, if the transport carries the sender's context.
current_call: ContextVar["ServerCall | None"] = ContextVar("mcp_current_call", default=None)


class CallLateError(Exception):
    """The server took longer than the caller gave it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Question(Generic[AnswerT]):
    put: Callable[[], Awaitable[AnswerT]]
    # The answer to the server if no answer arrives.
    unanswered: AnswerT
    answer: "asyncio.Future[AnswerT]"


class ServerCall:
    """The callbacks of one caller, and the questions of its call."""

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
        self._changed = asyncio.Event()

    async def report_progress(
        self, progress: float, total: float | None, message: str | None
    ) -> None:
        # Only the latest counts: a server may send progress very often.
        self._progress = (progress, total, message)
        self._changed.set()

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
        self._changed.set()
        return await answer

    async def result(
        self,
        request: Coroutine[Any, Any, ResultT],
        timeout_s: float,
        leftovers: set[asyncio.Task[Any]],
    ) -> ResultT:
        """Wait for the request, at most `timeout_s`; an abandoned one ends by itself."""
        task = asyncio.create_task(self._as_current(request))
        leftovers.add(task)
        task.add_done_callback(leftovers.discard)
        task.add_done_callback(mark_retrieved)
        task.add_done_callback(lambda _: self._changed.set())
        clock = asyncio.timeout(timeout_s)
        try:
            async with clock:
                while not task.done():
                    await self._changed.wait()
                    self._changed.clear()
                    await self._handle_changes(task, clock)
        except TimeoutError:
            if clock.expired():
                raise CallLateError from None
            raise
        finally:
            task.cancel()
            self.close()
        return task.result()

    def close(self) -> None:
        """Answer the open questions with their default."""
        while self._questions:
            _withdraw(self._questions.popleft())

    async def _as_current(self, request: Coroutine[Any, Any, ResultT]) -> ResultT:
        current_call.set(self)
        return await request

    async def _handle_changes(self, task: asyncio.Task[Any], clock: asyncio.Timeout) -> None:
        if self._progress is not None and self.on_progress is not None:
            progress, self._progress = self._progress, None
            await self.on_progress(*progress)
        # A question after the end of the call is not answered.
        while self._questions and not task.done():
            question = self._questions.popleft()
            # The server may have withdrawn it while another one was open.
            if not question.answer.done():
                await self._answer_question(question, task, clock)

    async def _answer_question(
        self, question: _Question[Any], task: asyncio.Task[Any], clock: asyncio.Timeout
    ) -> None:
        """Let the person or the model answer; their time does not count as the server's."""
        loop = asyncio.get_running_loop()
        left_s = (clock.when() or loop.time()) - loop.time()
        clock.reschedule(None)
        answering = asyncio.ensure_future(question.put())
        try:
            # The server may withdraw its question, or be gone, before an answer.
            await asyncio.wait(
                {answering, question.answer, task}, return_when=asyncio.FIRST_COMPLETED
            )
            if answering.done() and not question.answer.done():
                question.answer.set_result(answering.result())
        except BaseException:
            # Before the question is withdrawn: a modern call would be sent again with that answer.
            task.cancel()
            raise
        finally:
            answering.cancel()
            _withdraw(question)
            await asyncio.wait({answering})
        clock.reschedule(loop.time() + left_s)


def mark_retrieved(task: asyncio.Task[Any]) -> None:
    """Retrieve the exception of a task that no caller waits for any more."""
    if not task.cancelled():
        task.exception()


def _withdraw(question: _Question[Any]) -> None:
    # Answered, never cancelled: one of the SDK's tasks waits for it, and a task that ends
    # cancelled takes the whole connection with it.
    if not question.answer.done():
        question.answer.set_result(question.unanswered)
