"""Whether a failed model call is worth another try, when, and what to tell a person. Pure.

The loop that tries again, and the events it emits, are the engine's.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from dataagent_core.errors import (
    ContextOverflowError,
    DataAgentError,
    ModelError,
    ModelUnavailableError,
)
from dataagent_core.models.facts import Facts, read_facts
from dataagent_core.models.providers import PROVIDERS
from dataagent_core.models.retry_after import retry_after_s

_RETRY_STATUSES = frozenset({408, 409, 425, 429, *range(500, 600)})
_RETRY_CODES = frozenset({"overloaded_error", "rate_limit_error", "api_error", "timeout_error"})
_NO_MONEY_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_UNREACHABLE = re.compile(r"Connect|Timeout|RemoteProtocolError|ReadError|WriteError|NetworkError")
_TOO_LONG = re.compile(
    r"context.?length|context window|prompt is too long|maximum context|too many tokens|"
    r"input token count .* exceeds",
    re.IGNORECASE,
)
_UNAUTHORISED = frozenset({401, 403})
_NOT_FOUND = 404
_TOO_LARGE = 413
_MAYBE_TOO_LONG = frozenset({None, 400, _TOO_LARGE, 422})
_DOUBLINGS_MAX = 62


@dataclass(frozen=True, slots=True)
class Verdict:
    """Try again or not, the error to report if not, and how long the server asks us to wait."""

    kind: Literal["retry", "fail"]
    error: DataAgentError
    retry_after_s: float | None = None


def retry_delay_s(attempt: int, base_s: float, retry_after_s: float | None, max_s: float) -> float:
    """Return the wait before the next try: doubling from `base_s`, or longer if asked; capped."""
    delay_s = base_s * 2 ** min(attempt, _DOUBLINGS_MAX)
    return min(max(delay_s, retry_after_s or 0.0), max_s)


def classify(error: BaseException, model_name: str | None = None) -> Verdict:
    """Judge an error of a call to `model_name` (`provider:name`)."""
    if isinstance(error, DataAgentError):
        return Verdict("fail", error)
    facts = read_facts(error)
    named = f"The model {model_name}" if model_name else "The model"
    named += f" at {facts.endpoint}" if facts.endpoint else ""
    final = _final_error(facts, named, model_name)
    if final is not None:
        return Verdict("fail", final)
    if _is_passing(facts):
        unavailable = ModelUnavailableError(f"{named} {_why(facts)}: {facts.message}")
        return Verdict("retry", unavailable, retry_after_s(facts.headers, datetime.now(UTC)))
    status = f" (HTTP {facts.status})" if facts.status else ""
    what = f"{type(error).__name__}: {facts.message}"
    return Verdict("fail", ModelError(f"{named} failed{status}: {what}"))


def _final_error(facts: Facts, named: str, model_name: str | None) -> DataAgentError | None:
    """Return the error if no later try could help and we know what would."""
    if _is_too_long(facts):
        return ContextOverflowError(
            f"{named} cannot take so long a conversation: {facts.message} "
            "Start a new session, or choose a model with a larger window."
        )
    if facts.status in _UNAUTHORISED:
        return ModelError(
            f"{named} refused the key (HTTP {facts.status}): {facts.message} "
            f"Check {_key_variable(model_name)}."
        )
    if facts.status == _NOT_FOUND:
        return ModelError(
            f"{named} was not found: {facts.message} Check the model's name with "
            "`dataagent models`, and the provider's address if you set one."
        )
    if facts.code in _NO_MONEY_CODES:
        return ModelError(
            f"{named} refused for lack of credit: {facts.message} Top up the account, "
            "or choose another model."
        )
    return None


def _is_too_long(facts: Facts) -> bool:
    if "ContextOverflowError" in facts.class_names or facts.code == "context_length_exceeded":
        return True
    return facts.status in _MAYBE_TOO_LONG and bool(_TOO_LONG.search(facts.message))


def _is_passing(facts: Facts) -> bool:
    if facts.status is not None:
        return facts.status in _RETRY_STATUSES
    return facts.code in _RETRY_CODES or _is_unreachable(facts)


def _is_unreachable(facts: Facts) -> bool:
    return any(_UNREACHABLE.search(name) for name in facts.class_names)


def _why(facts: Facts) -> str:
    if facts.status is not None:
        return f"is not available just now (HTTP {facts.status})"
    if _is_unreachable(facts):
        return "cannot be reached (check that the address is right and the server is running)"
    return "is not available just now"


def _key_variable(model_name: str | None) -> str:
    provider = PROVIDERS.get((model_name or "").partition(":")[0])
    return (provider and provider.key_variable) or "the provider's API key"
