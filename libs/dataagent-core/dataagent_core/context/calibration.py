"""Corrects the estimate by what the provider counted of the last request.

What was sent is known by the provider's own number; only what came after it is estimated. A number
that cannot be true (an endpoint that reports nothing, or nonsense) is held near the estimate.
"""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage

from dataagent_core.config.limits.context import (
    DENSITY_MAX,
    REPORTED_EXTRA_TOKENS,
    REPORTED_SHARE_MAX,
    REPORTED_SHARE_MIN,
)
from dataagent_core.context.report import ContextReport
from dataagent_core.context.token_counter import Count


def calibrate(
    now: ContextReport,
    last: ContextReport | None,
    messages: Sequence[BaseMessage],
    made_after: str | None,
    count: Count,
) -> int:
    """Say what a request costs: the reported number and the estimate of what is new."""
    estimate = now.estimated_tokens
    if last is None or last.reported_tokens is None:
        return estimate
    new = 0
    for message in reversed(messages):
        if message.id == made_after and made_after is not None:
            # The view was changed after the provider last counted it.
            return int(estimate * density(last))
        new += count(message)
        if isinstance(message, AIMessage) and message.usage_metadata:
            counted = message.usage_metadata["input_tokens"] + new + now.overhead - last.overhead
            return _believable(counted, estimate)
    return estimate


def density(last: ContextReport | None) -> float:
    """Say how much denser than estimated the last request was; never thinner."""
    if last is None or not last.reported_tokens or not last.estimated_tokens:
        return 1.0
    return min(max(last.reported_tokens / last.estimated_tokens, 1.0), DENSITY_MAX)


def _believable(counted: int, estimate: int) -> int:
    least = int(estimate * REPORTED_SHARE_MIN)
    most = int(estimate * REPORTED_SHARE_MAX) + REPORTED_EXTRA_TOKENS
    return min(max(counted, least), most)
