"""How real providers word their failures: status, type, code and message, for the testing kit.

Taken from the providers' own references. Pure; the scripted model and its endpoint both play them.
"""

from dataclasses import dataclass
from typing import Literal

from dataagent_core.models.scripted.script import ScriptedFailure

Wire = Literal["openai", "anthropic"]


@dataclass(frozen=True, slots=True)
class FailureShape:
    """One failure as it is sent."""

    status: int
    type: str
    code: str | None
    message: str


_SHAPES: dict[tuple[Wire, str], FailureShape] = {
    ("openai", "overflow"): FailureShape(
        400,
        "invalid_request_error",
        "context_length_exceeded",
        "This model's maximum context length is 128000 tokens. However, your messages resulted in "
        "130214 tokens. Please reduce the length of the messages.",
    ),
    ("openai", "rate_limit"): FailureShape(
        429,
        "tokens",
        "rate_limit_exceeded",
        "Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, "
        "Used 29500, Requested 1200. Please try again in 1.4s.",
    ),
    ("openai", "overloaded"): FailureShape(
        503, "server_error", None, "The engine is currently overloaded, please try again later."
    ),
    ("anthropic", "overflow"): FailureShape(
        400,
        "invalid_request_error",
        None,
        "prompt is too long: 210342 tokens > 200000 maximum",
    ),
    ("anthropic", "rate_limit"): FailureShape(
        429,
        "rate_limit_error",
        None,
        "This request would exceed your organization's rate limit of 40,000 input tokens per "
        "minute.",
    ),
    ("anthropic", "overloaded"): FailureShape(529, "overloaded_error", None, "Overloaded"),
}


def shape_of(failure: ScriptedFailure, wire: Wire) -> FailureShape:
    """Give the failure as a provider of that wire sends it."""
    if failure.shape is None:
        return FailureShape(failure.status, "scripted_failure", None, failure.message)
    return _SHAPES[wire, failure.shape]
