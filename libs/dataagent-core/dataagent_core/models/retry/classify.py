"""Classifies the failure of a model call and words it for a user. Pure.

`retry_after_s` reads `Retry-After` and `retry-after-ms`. How long to wait is decided in
`retry_policy.py`; the engine repeats the call and emits the events. `read_facts` recognises SDKs by
attributes and class names along the chain of causes, so that none has to be imported.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

from dataagent_core.config.limits import ERROR_CAUSES_MAX, ERROR_CHARS_MAX, RETRY_AFTER_S_MAX
from dataagent_core.errors import (
    ContextOverflowError,
    DataAgentError,
    ModelError,
    ModelUnavailableError,
)
from dataagent_core.models.providers import PROVIDERS

_T = TypeVar("_T")

# Providers repeat part of a wrong key in the message; it must not reach a log.
_KEY_LIKE = re.compile(r"\b(sk|pk|key|AIza)[-_A-Za-z0-9]{12,}")


@dataclass(frozen=True, slots=True)
class ErrorFacts:
    """The facts of an error as one flat value."""

    message: str
    status: int | None
    code: str
    headers: Mapping[str, str]
    endpoint: str | None
    class_names: frozenset[str]


def read_facts(error: BaseException) -> ErrorFacts:
    """Collect the facts from the error and its causes; the outermost value wins."""
    chain = list(_chain(error))
    return ErrorFacts(
        message=_message(chain),
        status=_first(_status(one) for one in chain),
        code=_first(_code(one) for one in chain) or "",
        headers=_first(_headers(one) for one in chain) or {},
        endpoint=_first(_endpoint(one) for one in chain),
        class_names=frozenset(cls.__name__ for one in chain for cls in type(one).__mro__),
    )


def _message(chain: list[BaseException]) -> str:
    """Return the error's message with the first cause, which SDKs hide ("Connection error.")."""
    texts = [str(one).strip() or type(one).__name__ for one in (chain[0], chain[-1])]
    message = texts[0] if texts[1] in texts[0] else f"{texts[0].rstrip('.')}: {texts[1]}"
    message = _KEY_LIKE.sub(r"\1-***", message)[:ERROR_CHARS_MAX]
    return message if message.endswith((".", "!", "?")) else message + "."


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    for _ in range(ERROR_CAUSES_MAX):
        if current is None:
            return
        yield current
        current = current.__cause__


def _first(values: Iterator[_T | None]) -> _T | None:
    return next((value for value in values if value is not None), None)


def _status(error: BaseException) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "code"):
            status = getattr(holder, name, None)
            if isinstance(status, int) and 400 <= status <= 599:  # noqa: PLR2004 (HTTP errors)
                return status
    return None


def _code(error: BaseException) -> str | None:
    """Find the provider's error code: `insufficient_quota`, `overloaded_error` ..."""
    body: Any = getattr(error, "body", None)
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        body = body["error"]
    words = [getattr(error, "code", None), getattr(error, "type", None)]
    if isinstance(body, dict):
        words += [body.get("code"), body.get("type")]
    return next((word for word in words if isinstance(word, str) and word), None)


def _headers(error: BaseException) -> Mapping[str, str] | None:
    for holder in (getattr(error, "response", None), error):
        headers = getattr(holder, "headers", None)
        if isinstance(headers, Mapping) and headers:
            return headers
    return None


def _endpoint(error: BaseException) -> str | None:
    """Say where the request went, without the query: some providers put the key there."""
    try:
        url = str(getattr(getattr(error, "request", None), "url", ""))
    except RuntimeError:  # httpx raises this for an error that knows no request
        return None
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}{_port(parts.port)}" if parts.hostname else None


def _port(port: int | None) -> str:
    return f":{port}" if port else ""


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds to wait, or nothing if the headers do not say (or say nonsense)."""
    lowered = {name.lower(): value for name, value in headers.items()}
    if (milliseconds := _number(lowered.get("retry-after-ms"))) is not None:
        return _bounded(milliseconds / 1000)
    text = lowered.get("retry-after")
    if (seconds := _number(text)) is not None:
        return _bounded(seconds)
    return _until(text, now)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _until(text: str | None, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return _bounded((moment - now).total_seconds())


def _bounded(seconds: float) -> float:
    return min(max(seconds, 0.0), RETRY_AFTER_S_MAX)


_RETRY_STATUSES = frozenset({408, 409, 425, 429, *range(500, 600)})
_RETRY_CODES = frozenset({"overloaded_error", "rate_limit_error", "api_error", "timeout_error"})
_NO_MONEY_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_UNREACHABLE = re.compile(r"Connect|Timeout|RemoteProtocolError|ReadError|WriteError|NetworkError")
_BROKEN = frozenset(
    {
        "RemoteProtocolError",
        "ReadError",
        "ReadTimeout",
        "StreamChunkTimeoutError",
        "ScriptedDisconnectError",
    }
)
_TOO_LONG = re.compile(
    r"context.?length|context window|prompt is too long|maximum context|too many tokens|"
    r"input token count .* exceeds",
    re.IGNORECASE,
)
_FALLBACKS = "DATAAGENT_FALLBACK_MODEL"
_UNAUTHORISED = frozenset({401, 403})
_NOT_FOUND = 404
_TOO_LARGE = 413
_MAYBE_TOO_LONG = frozenset({None, 400, _TOO_LARGE, 422})
_RATE_LIMITED = 429

# away: the endpoint failed for all. rate_limit: this customer sent too many requests. broken: the
# answer had begun. overflow: the conversation is too long. refused: no retry could help.
ErrorClass = Literal["away", "rate_limit", "broken", "overflow", "refused"]


@dataclass(frozen=True, slots=True)
class FailureClass:
    """The class of a failure, the error to report, and how long the server asks us to wait."""

    error_class: ErrorClass
    error: DataAgentError
    retry_after_s: float | None = None

    @property
    def kind(self) -> Literal["retry", "fail"]:
        return "retry" if self.error_class in {"away", "rate_limit", "broken"} else "fail"

    @property
    def last_word(self) -> DataAgentError:
        """The error with what a person can do, when there are no more retries."""
        match self.error_class:
            case "away" | "rate_limit":
                advice = f"Ask again {self._when}, or name models to fall back to in {_FALLBACKS}."
            case "broken":
                advice = "Ask again; if it goes on, look at the network between here and there."
            case "overflow" | "refused":
                # These messages already say what to do.
                return self.error
        final = type(self.error)(f"{self.error} {advice}")
        final.__cause__ = self.error.__cause__
        return final

    @property
    def _when(self) -> str:
        if not self.retry_after_s:
            return "in a moment"
        return f"in {math.ceil(self.retry_after_s)} s"

    @property
    def may_have_cost(self) -> bool:
        """Whether the provider may have worked on the call, and so counts it."""
        return self.error_class == "broken"


def classify(error: BaseException, model_name: str | None = None) -> FailureClass:
    """Classify an error of a call to `model_name` (`provider:name`)."""
    if isinstance(error, DataAgentError):
        return FailureClass("refused", error)
    facts = read_facts(error)
    named = f"The model {model_name}" if model_name else "The model"
    named += f" at {facts.endpoint}" if facts.endpoint else ""
    final = _final_error(facts, named, model_name)
    if final is not None:
        overflow = isinstance(final, ContextOverflowError)
        return FailureClass("overflow" if overflow else "refused", final)
    if _is_temporary(facts):
        kind = _classify_temporary(facts)
        unavailable = ModelUnavailableError(_describe_unavailable(named, facts, kind))
        return FailureClass(kind, unavailable, retry_after_s(facts.headers, datetime.now(UTC)))
    status = f" (HTTP {facts.status})" if facts.status else ""
    what = f"{type(error).__name__}: {facts.message}"
    message = (
        f"{named} failed{status}: {what} Choose another model, or look at its provider's status."
    )
    return FailureClass("refused", ModelError(message))


def _final_error(facts: ErrorFacts, named: str, model_name: str | None) -> DataAgentError | None:
    """Return the error if no retry could help and we know what would."""
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


def _is_too_long(facts: ErrorFacts) -> bool:
    if "ContextOverflowError" in facts.class_names or facts.code == "context_length_exceeded":
        return True
    return facts.status in _MAYBE_TOO_LONG and bool(_TOO_LONG.search(facts.message))


def _is_temporary(facts: ErrorFacts) -> bool:
    if facts.status is not None:
        return facts.status in _RETRY_STATUSES
    return facts.code in _RETRY_CODES or _is_unreachable(facts)


def _classify_temporary(facts: ErrorFacts) -> ErrorClass:
    if facts.status == _RATE_LIMITED or facts.code == "rate_limit_error":
        return "rate_limit"
    # Without a status there was no answer, or it broke off after it had begun.
    return "broken" if facts.status is None and _BROKEN & facts.class_names else "away"


def _is_unreachable(facts: ErrorFacts) -> bool:
    return any(_UNREACHABLE.search(name) for name in facts.class_names)


def _describe_unavailable(named: str, facts: ErrorFacts, kind: ErrorClass) -> str:
    why = facts.message
    if facts.status is not None:
        return f"{named} is not available just now (HTTP {facts.status}): {why}"
    if kind == "broken":
        return f"{named} broke off before its answer was whole: {why}"
    if _is_unreachable(facts):
        return (
            f"{named} cannot be reached (check that the address is right and the server is "
            f"running): {why}"
        )
    return f"{named} is not available just now: {why}"


def _key_variable(model_name: str | None) -> str:
    provider = PROVIDERS.get((model_name or "").partition(":")[0])
    return (provider and provider.key_variable) or "the provider's API key"
