"""Holds each caller to a rate, and each address that fails to sign in to a much lower one.

A caller is the credential it shows (hashed: the limiter never holds a key), else its address. The
credential is not checked yet here, so made-up ones are counted by address when they fail.
"""

import hashlib

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataagent_server.errors import RateLimitedError
from dataagent_server.metrics import Metrics
from dataagent_server.middleware.paths import is_probe
from dataagent_server.middleware.token_bucket import RateLimiter

_UNAUTHENTICATED_STATUS = 401
_STARTS = frozenset({"http.response.start", "websocket.http.response.start"})


class RateLimitMiddleware:
    """Takes one token per request; WebSocket upgrades count as requests."""

    def __init__(
        self, app: ASGIApp, *, callers: RateLimiter, failures: RateLimiter, metrics: Metrics
    ) -> None:
        self._app = app
        self._callers = callers
        self._failures = failures
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or is_probe(scope["path"]):
            await self._app(scope, receive, send)
            return
        address = f"address:{(scope.get('client') or ('',))[0]}"
        self._refuse(await self._failures.wait_s(address))
        self._refuse(await self._callers.take(caller_of(Headers(scope=scope)) or address))

        async def watched(message: Message) -> None:
            if message["type"] in _STARTS and message["status"] == _UNAUTHENTICATED_STATUS:
                await self._failures.take(address)
            await send(message)

        await self._app(scope, receive, watched)

    def _refuse(self, wait_s: float) -> None:
        if wait_s > 0:
            self._metrics.refused.labels("rate").inc()
            raise RateLimitedError(
                f"Too many requests; try again in {wait_s:.1f} seconds.", retry_after_s=wait_s
            )


def caller_of(headers: Headers) -> str | None:
    """Name whoever shows a credential, without keeping it."""
    shown = headers.get("x-api-key") or headers.get("authorization") or headers.get("cookie")
    if not shown:
        return None
    return f"credential:{hashlib.blake2b(shown.encode(), digest_size=16).hexdigest()}"
