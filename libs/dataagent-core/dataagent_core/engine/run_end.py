"""How a run ends: with an answer, stopped by a person or a timeout, or with an error."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from langchain_core.exceptions import ContextOverflowError as LangChainOverflowError
from langgraph.errors import GraphRecursionError

from dataagent_core.config.limits import CANCEL_GRACE_S, ERROR_CHARS_MAX
from dataagent_core.errors import (
    ApprovalTimeoutError,
    BudgetExceededError,
    ContextOverflowError,
    DataAgentError,
    LimitReachedError,
    RejectedError,
    RunTimeoutError,
)
from dataagent_core.events import DoneEvent, ErrorEvent
from dataagent_core.events.system import DoneReason
from dataagent_core.language.unicode_text import storable
from dataagent_core.usage import Total

T = TypeVar("T")


class RunStopped(BaseException):
    """The run was stopped before its end."""

    def __init__(self, reason: Literal["user_cancelled", "timeout"]) -> None:
        super().__init__(reason)
        self.reason: Literal["user_cancelled", "timeout"] = reason


async def run_until_stopped(
    work: Coroutine[Any, Any, T], token: asyncio.Event | None, timeout_s: float | None
) -> T:
    """Return the result of `work`, or raise `RunStopped` soon after it was stopped."""
    task = asyncio.ensure_future(work)
    stop = asyncio.ensure_future(token.wait()) if token else None
    try:
        waited_for = {task, stop} if stop else {task}
        await asyncio.wait(waited_for, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise RunStopped("user_cancelled" if stop and stop.done() else "timeout")
    finally:
        if stop:
            stop.cancel()
        if not task.done():
            task.cancel()
            # A tool that ignores cancellation must not delay the answer: it is abandoned, and the
            # recorder accepts nothing more from it.
            task.add_done_callback(lambda t: t.cancelled() or t.exception())
            await asyncio.wait({task}, timeout=CANCEL_GRACE_S)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    """Why a run is over."""

    reason: DoneReason
    cancelled: bool = False
    content: str = ""
    format: str = "markdown"
    error: ErrorEvent | None = None
    # Raised to a program that called the agent's graph.
    cause: BaseException | None = None

    def errors(self) -> list[ErrorEvent]:
        """Return the error event that precedes `done`, if any."""
        return [self.error] if self.error else []

    def done(self, total: Total) -> DoneEvent:
        """Return the last event of the run, with its usage."""
        return DoneEvent(
            token_usage=total.tokens.as_dict() if total.calls else None,
            cancelled=self.cancelled,
            reason=self.reason,
            content=self.content,
            format=self.format,
        )


def end_for(error: BaseException) -> RunEnd:
    """Return the end of a run that an exception stopped."""
    match error:
        case RunStopped(reason="timeout"):
            failure = RunTimeoutError("the run took longer than it was given and was stopped.")
            return RunEnd(
                reason="timeout", cancelled=True, error=_error_event(failure), cause=failure
            )
        case RunStopped() | asyncio.CancelledError():
            return RunEnd(reason="user_cancelled", cancelled=True)
        case LimitReachedError() | BudgetExceededError():
            reason = "limit" if isinstance(error, LimitReachedError) else "budget"
            return RunEnd(reason=reason, error=_error_event(error), cause=error)
        case GraphRecursionError():
            failure = LimitReachedError(
                "the run took more steps than its recursion limit allows. Ask it to go on in a "
                "new message."
            )
            return RunEnd(reason="limit", error=_error_event(failure), cause=error)
        case LangChainOverflowError():
            failure = ContextOverflowError(str(error))
            return RunEnd(reason="error", error=_error_event(failure), cause=error)
        case _:
            return RunEnd(reason="error", error=_error_event(error), cause=error)


def end_of_rejected(budget: str | None, *, timed_out: bool = False) -> RunEnd:
    """Return the end of a run that a person rejected, or that stopped at a budget."""
    if budget is not None:
        return end_for(BudgetExceededError(budget_message(budget)))
    if not timed_out:
        rejection = RejectedError("a person rejected a call, which ended the run.")
        return RunEnd(reason="rejected", cancelled=True, cause=rejection)
    failure = ApprovalTimeoutError(
        "nobody answered in time, which counts as a no. Ask again in a new message."
    )
    return RunEnd(reason="rejected", cancelled=True, error=_error_event(failure), cause=failure)


def budget_message(budget: str) -> str:
    """Say why a run stopped at a budget, and how to go on."""
    return (
        f"The run stopped at {budget.rstrip('.')}. Its work is kept: once the budget is raised or "
        "begins anew, ask it to go on in a new message."
    )


def _error_event(error: BaseException) -> ErrorEvent:
    known = isinstance(error, DataAgentError)
    text = str(error) if known else f"{type(error).__name__}: {error}"
    return ErrorEvent(
        error=storable(text)[:ERROR_CHARS_MAX],
        code=error.code if known else "INTERNAL",
        recoverable=error.recoverable if known else False,
    )
