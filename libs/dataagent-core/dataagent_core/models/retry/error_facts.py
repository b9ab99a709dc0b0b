"""What an error of a model call says of itself, whichever SDK raised it.

SDKs are recognised by attributes and class names along the chain of causes, so that none has to
be imported to read its errors. What the facts mean is decided in `classify.py`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from dataagent_core.config.limits import ERROR_CAUSES_MAX, ERROR_CHARS_MAX

_T = TypeVar("_T")

# Providers repeat part of a wrong key in the message; it must not reach a log.
_KEY_LIKE = re.compile(r"\b(sk|pk|key|AIza)[-_A-Za-z0-9]{12,}")


@dataclass(frozen=True, slots=True)
class ErrorFacts:
    """The error as one flat value."""

    message: str
    status: int | None
    code: str
    headers: Mapping[str, str]
    endpoint: str | None
    class_names: frozenset[str]


def read_facts(error: BaseException) -> ErrorFacts:
    """Collect the facts from the error and its causes; the outermost that knows wins."""
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
    """Say what the error says and, where SDKs hide it ("Connection error."), its first cause."""
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
    """Find the provider's own word for it: `insufficient_quota`, `overloaded_error` ..."""
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
