"""What goes out and what comes back, as values."""

from dataclasses import dataclass

import httpx

from dataagent_core.config.limits import WEB_REQUEST_BODY_BYTES_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.web.request_headers import HeaderPairs

SAFE_METHODS = frozenset({"GET", "HEAD"})
METHODS = frozenset({*SAFE_METHODS, "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WebRequest:
    """One request to one host."""

    method: str
    url: httpx.URL
    headers: HeaderPairs = ()
    body: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WebResponse:
    """The last answer. `body` is None when its kind is not text and so was not read."""

    method: str
    url: httpx.URL
    status: int
    headers: HeaderPairs
    body: bytes | None
    cut: bool

    def header(self, name: str) -> str:
        """Give a header's first value, or nothing."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")


def check_method(method: str, body: bytes | None) -> str:
    """Give the method in capitals; refuse an unknown one and a body where none belongs."""
    method = method.upper()
    if method not in METHODS:
        raise ValidationError(
            f"{method!r:.40} is not a method to use: take {', '.join(sorted(METHODS))}."
        )
    if body and method in SAFE_METHODS:
        raise ValidationError(f"{method} carries no body. Use POST, or put it into the URL.")
    if body and len(body) > WEB_REQUEST_BODY_BYTES_MAX:
        raise ValidationError(
            f"The body has {len(body):,} bytes; {WEB_REQUEST_BODY_BYTES_MAX:,} can be sent."
        )
    return method
