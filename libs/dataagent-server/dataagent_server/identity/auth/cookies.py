"""The cookie that keeps a browser signed in. Pure.

Never readable by scripts, never sent along from another site's forms. Over https it takes the
`__Host-` prefix, which binds it to this very host.
"""

from dataclasses import dataclass
from typing import Literal

from dataagent_server.identity.auth.limits import LOGIN_LIFE_S

_NAME = "dataagent_session"


@dataclass(frozen=True, slots=True)
class SessionCookie:
    """The arguments of `Response.set_cookie`, by their names there."""

    key: str
    value: str
    max_age: int
    secure: bool
    path: str = "/"
    httponly: bool = True
    samesite: Literal["lax"] = "lax"


def is_secure(scheme: str, public_url: str | None) -> bool:
    """Return whether users reach the server over https, directly or through a proxy."""
    return scheme in ("https", "wss") or (public_url or "").startswith("https://")


def cookie_name(*, secure: bool) -> str:
    """Return the name of the cookie; a plain one cannot replace a secure one."""
    return f"__Host-{_NAME}" if secure else _NAME


def session_cookie(token: str, *, secure: bool) -> SessionCookie:
    """Describe the cookie of a new log-in."""
    return SessionCookie(cookie_name(secure=secure), token, int(LOGIN_LIFE_S), secure)


def cleared_cookie(*, secure: bool) -> SessionCookie:
    """Describe the cookie that signs a browser out."""
    return SessionCookie(cookie_name(secure=secure), "", 0, secure)
