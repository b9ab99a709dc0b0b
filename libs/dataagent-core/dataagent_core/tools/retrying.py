"""A tool that failed for a moment is tried again (S3's recovery table), if that can do no harm.

Only what the tool itself calls retryable, and only tools that may run twice; everything else is
the model's to deal with.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from dataagent_core.config.limits import TOOL_RETRIES_MAX
from dataagent_core.errors import ToolExecutionError
from dataagent_core.events import RetryEvent
from dataagent_core.models.retry_policy import RetryPolicy
from dataagent_core.runs import RunContext
from dataagent_core.tools.effects import Effect

T = TypeVar("T")

_POLICY = RetryPolicy(max_retries=TOOL_RETRIES_MAX)
_MAY_RUN_TWICE: frozenset[Effect] = frozenset({"pure", "idempotent"})


async def with_retries(run: Callable[[], Awaitable[T]], effect: Effect, context: RunContext) -> T:
    """Run it, and again after a growing pause while it fails in a way that may pass."""
    for retry in range(_POLICY.max_retries):
        try:
            return await run()
        except ToolExecutionError as error:
            if not error.retryable or effect not in _MAY_RUN_TWICE:
                raise
            wait_s = _POLICY.wait_s(retry, chance=random.random())  # noqa: S311 (chance, not secrecy)
            told = RetryEvent(attempt=retry + 1, delay_s=round(wait_s, 3), reason=str(error))
            await context.recorder.commit(told)
            await asyncio.sleep(wait_s)
    return await run()
