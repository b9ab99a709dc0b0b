"""Which call a tool is running for. LangChain hands a tool its arguments and nothing else.

Most tools need no more. One that reports progress, or asks a person in the middle of its work,
needs the run's recorder and the key of its call.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from dataagent_core.runs import RunContext
from dataagent_core.tools.call import Call


@dataclass(frozen=True, slots=True)
class RunningCall:
    """A call, and the run it belongs to."""

    call: Call
    context: RunContext


_RUNNING: ContextVar[RunningCall | None] = ContextVar("running_call", default=None)


@contextmanager
def running(call: Call, context: RunContext) -> Generator[None]:
    """Let whatever is started inside know its call."""
    token = _RUNNING.set(RunningCall(call, context))
    try:
        yield
    finally:
        _RUNNING.reset(token)


def running_call() -> RunningCall | None:
    """Give the call this code runs for; None where a tool is used without a run."""
    return _RUNNING.get()
