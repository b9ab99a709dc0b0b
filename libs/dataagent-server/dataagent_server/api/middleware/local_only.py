"""While authentication is off, accepts only this machine, whatever address the server is bound to.

The settings refuse such a server beyond loopback, but it can also be started by `uvicorn` itself or
behind a proxy; and a web site can make a browser send requests to this machine (DNS rebinding),
which the Host and Origin headers show.
"""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from dataagent_core.errors import DeniedError
from dataagent_server.settings.checks import is_loopback

_PROXY_HEADERS = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


class LocalOnlyMiddleware:
    """Checks the connection and the headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            client = (scope.get("client") or ("",))[0]
            if reason := reason_against(client, Headers(scope=scope)):
                raise DeniedError(
                    f"Authentication is off (DATAAGENT_AUTH_DISABLED), so only this machine is "
                    f"let in, and {reason}. Turn authentication on to serve others."
                )
        await self._app(scope, receive, send)


def reason_against(client: str, headers: Headers) -> str | None:
    """Return why a client is not on this machine; None when it is."""
    if not is_loopback(client):
        return "the request came from elsewhere"
    if any(name in headers for name in _PROXY_HEADERS):
        return "the request came through a proxy"
    if not is_loopback(_host_of(f"//{headers.get('host', '')}")):
        return "the Host header names another machine"
    origin = headers.get("origin")
    if origin is not None and not is_loopback(_host_of(origin)):
        return "a web site sent the request"
    return None


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
