"""The credentials of a request, read from its headers. Pure.

A key takes precedence over a cookie: a program that presents a key is judged by the key alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dataagent_server.common.errors import UnauthenticatedError
from dataagent_server.identity.auth.limits import API_KEY_CHARS_MAX

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class PresentedCredentials:
    """The parts of a request that authentication reads."""

    api_key: str | None = field(default=None, repr=False)
    cookie: str | None = field(default=None, repr=False)
    csrf_token: str | None = field(default=None, repr=False)
    origin: str | None = None
    own_origin: str | None = None
    method: str = "GET"

    @property
    def unsafe(self) -> bool:
        """Return whether the request may change something."""
        return self.method not in _SAFE_METHODS


def read_presented(
    headers: Iterable[tuple[str, str]],
    cookies: Mapping[str, str],
    *,
    cookie_name: str,
    method: str,
    scheme: str,
) -> PresentedCredentials:
    """Read the headers (names in any case, repeated ones included) and the cookies."""
    given: dict[str, list[str]] = {}
    for name, value in headers:
        given.setdefault(name.lower(), []).append(value)
    host = _read_single(given, "host")
    http_scheme = {"ws": "http", "wss": "https"}.get(scheme, scheme)
    return PresentedCredentials(
        api_key=_read_api_key(given),
        cookie=cookies.get(cookie_name) or None,
        csrf_token=_read_single(given, "x-csrf-token"),
        origin=_read_single(given, "origin"),
        own_origin=f"{http_scheme}://{host}" if host else None,
        method=method.upper(),
    )


def _read_api_key(given: Mapping[str, list[str]]) -> str | None:
    keys = {value.strip() for value in given.get("x-api-key", [])}
    for value in given.get("authorization", []):
        scheme, _, token = value.strip().partition(" ")
        # Another scheme belongs to another party, such as a proxy with its own password.
        if scheme.lower() == "bearer":
            keys.add(token.strip())
    if not keys:
        return None
    if len(keys) > 1:
        raise UnauthenticatedError(
            "The request carries two different keys. Send one, as X-API-Key or as "
            "Authorization: Bearer."
        )
    key = keys.pop()
    if not key or len(key) > API_KEY_CHARS_MAX:
        raise UnauthenticatedError("The API key is empty or too long to be one.")
    return key


def _read_single(given: Mapping[str, list[str]], name: str) -> str | None:
    values = given.get(name, [])
    return values[0] if len(values) == 1 else None
