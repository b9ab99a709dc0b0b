"""How a run ended, and how that is said in events."""

import asyncio
from dataclasses import dataclass

from langchain_core.exceptions import ContextOverflowError as LangChainOverflowError
from langgraph.errors import GraphRecursionError

from dataagent_core.config.limits import ERROR_CHARS_MAX
from dataagent_core.engine.race import Interrupted
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
from dataagent_core.unicode import storable
from dataagent_core.usage import Total


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """Why a run is over."""

    reason: DoneReason
    cancelled: bool = False
    content: str = ""
    format: str = "markdown"
    error: ErrorEvent | None = None
    # What a program that called the agent's graph gets raised.
    cause: BaseException | None = None

    def errors(self) -> list[ErrorEvent]:
        """Give the error event that goes before `done`, if there was one."""
        return [self.error] if self.error else []

    def done(self, total: Total) -> DoneEvent:
        """Give the last event of the run, with what it used."""
        return DoneEvent(
            token_usage=total.tokens.as_dict() if total.calls else None,
            cancelled=self.cancelled,
            reason=self.reason,
            content=self.content,
            format=self.format,
        )


def ending_for(error: BaseException) -> Ending:
    """Say how a run ended that did not come to its own end."""
    match error:
        case Interrupted(reason="timeout"):
            told = RunTimeoutError("the run took longer than it was given and was stopped.")
            return Ending(reason="timeout", cancelled=True, error=_error_event(told), cause=told)
        case Interrupted() | asyncio.CancelledError():
            return Ending(reason="user_cancelled", cancelled=True)
        case LimitReachedError() | BudgetExceededError():
            reason = "limit" if isinstance(error, LimitReachedError) else "budget"
            return Ending(reason=reason, error=_error_event(error), cause=error)
        case GraphRecursionError():
            told = LimitReachedError(
                "the run took more steps than its recursion limit allows. Ask it to go on in a "
                "new message."
            )
            return Ending(reason="limit", error=_error_event(told), cause=error)
        case LangChainOverflowError():
            told = ContextOverflowError(str(error))
            return Ending(reason="error", error=_error_event(told), cause=error)
        case _:
            return Ending(reason="error", error=_error_event(error), cause=error)


def rejected(budget: str | None, *, timed_out: bool = False) -> Ending:
    """Say how a run ended that was not let go on: at a question, or at a budget."""
    if budget is not None:
        return ending_for(BudgetExceededError(budget_message(budget)))
    if not timed_out:
        said_no = RejectedError("a person rejected a call, which ended the run.")
        return Ending(reason="rejected", cancelled=True, cause=said_no)
    told = ApprovalTimeoutError(
        "nobody answered in time, which counts as a no. Ask again in a new message."
    )
    return Ending(reason="rejected", cancelled=True, error=_error_event(told), cause=told)


def budget_message(budget: str) -> str:
    """Say why a run stopped at a budget, and the way on."""
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
