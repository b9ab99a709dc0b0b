"""One call under way, as its caller's task sees it.

The request runs in a task of its own: a caller that is cancelled leaves at once, while the
server is still being told. Questions and progress come from the SDK's tasks and are handed to
the caller's, where its context and its exceptions belong.
"""

import asyncio
from collections import deque
from collections.abc import Coroutine
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from dataagent_core.config.mcp_limits import MCP_QUESTIONS_WAITING_MAX
from dataagent_core.mcp.ports import Elicit, Elicitation, Elicited, OnProgress

ResultT = TypeVar("ResultT")

# Which call a message belongs to, where the transport carries the sender's context.
current_call: ContextVar["Call | None"] = ContextVar("mcp_current_call", default=None)


class CallLateError(Exception):
    """The server took longer than the caller gave it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    elicitation: Elicitation
    answer: "asyncio.Future[Elicited]"


class Call:
    """What one caller wants to hear while it waits."""

    def __init__(self, on_progress: OnProgress | None, elicit: Elicit | None) -> None:
        self.on_progress = on_progress
        self.elicit = elicit
        self._questions: deque[_Question] = deque()
        self._progress: tuple[float, float | None, str | None] | None = None
        self._news = asyncio.Event()

    async def progressed(self, progress: float, total: float | None, message: str | None) -> None:
        # Only the latest counts: a server may send more than anybody wants to see.
        self._progress = (progress, total, message)
        self._news.set()

    async def ask(self, elicitation: Elicitation) -> Elicited:
        if self.elicit is None or len(self._questions) >= MCP_QUESTIONS_WAITING_MAX:
            return Elicited("decline")
        question = _Question(elicitation, asyncio.get_running_loop().create_future())
        self._questions.append(question)
        self._news.set()
        return await question.answer

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
        task.add_done_callback(looked_at)
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
            while self._questions:
                _withdraw(self._questions.popleft())
        return task.result()

    async def _as_current(self, request: Coroutine[Any, Any, ResultT]) -> ResultT:
        current_call.set(self)
        return await request

    async def _hear(self, task: asyncio.Task[Any], clock: asyncio.Timeout) -> None:
        if self._progress is not None and self.on_progress is not None:
            progress, self._progress = self._progress, None
            await self.on_progress(*progress)
        while self._questions:
            await self._put(self._questions.popleft(), task, clock)

    async def _put(
        self, question: _Question, task: asyncio.Task[Any], clock: asyncio.Timeout
    ) -> None:
        """Let the person answer; their time is not the server's."""
        assert self.elicit is not None
        loop = asyncio.get_running_loop()
        left_s = (clock.when() or loop.time()) - loop.time()
        clock.reschedule(None)
        asked = asyncio.ensure_future(self.elicit(question.elicitation))
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


def looked_at(task: asyncio.Task[Any]) -> None:
    """Take note of how it ended, should nobody wait for it any more."""
    if not task.cancelled():
        task.exception()


def _withdraw(question: _Question) -> None:
    # Answered, never cancelled: one of the SDK's tasks waits for it, and a task that ends
    # cancelled takes the whole connection with it.
    if not question.answer.done():
        question.answer.set_result(Elicited("cancel"))
