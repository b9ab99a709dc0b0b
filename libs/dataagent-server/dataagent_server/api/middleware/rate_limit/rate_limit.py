"""Limits the rate of each caller, and much more of each address that fails to authenticate.

A caller is the credential it presents (hashed: the limiter never holds a key), else its address.
The credential is not verified yet here, so invented ones are counted by address when they fail. A
credential that was accepted before passes, however many wrong ones came from its address: users
share addresses.
"""

import asyncio

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataagent_server.api.middleware.caller import caller_address, identify_credential
from dataagent_server.api.middleware.probe_paths import is_probe
from dataagent_server.api.middleware.rate_limit.limiters import Limiters
from dataagent_server.common.errors import RateLimitedError
from dataagent_server.common.metrics import Metrics

_UNAUTHENTICATED_STATUS = 401
_STARTS = frozenset({"http.response.start", "websocket.http.response.start", "websocket.accept"})


class RateLimitMiddleware:
    """Takes one token per request, and per message of a WebSocket."""

    def __init__(
        self, app: ASGIApp, *, limiters: Limiters, metrics: Metrics, public_url: str | None
    ) -> None:
        self._app = app
        self._limiters = limiters
        self._metrics = metrics
        self._public_url = public_url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or is_probe(scope["path"]):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        address = caller_address(connection)
        credential = identify_credential(connection, self._public_url)
        caller = credential or address
        known = credential is not None and await self._limiters.known.knows(credential)
        # The holder of its slot before authentication: invented credentials count for their
        # address.
        scope["state"]["caller"] = caller if known else address
        if not known:
            self._refuse(await self._limiters.failures.wait_s(address))
        self._refuse(await self._limiters.callers.take(caller))

        async def watched(message: Message) -> None:
            if message["type"] in _STARTS:
                await self._note_outcome(scope, message, address, credential)
            await send(message)

        async def counted() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                # A client that sends too much is read more slowly; nothing is lost.
                await self._wait_for_turn(caller)
            return message

        await self._app(scope, counted if scope["type"] == "websocket" else receive, watched)

    async def _wait_for_turn(self, caller: str) -> None:
        wait_s = await self._limiters.callers.take(caller)
        while wait_s > 0:
            await asyncio.sleep(wait_s)
            wait_s = await self._limiters.callers.take(caller)

    async def _note_outcome(
        self, scope: Scope, message: Message, address: str, credential: str | None
    ) -> None:
        """Note from the answer whether the credential was valid."""
        if message.get("status") == _UNAUTHENTICATED_STATUS:
            await self._limiters.failures.take(address)
            if credential is not None:
                await self._limiters.known.forget(credential)
        elif credential is not None and scope["state"].get("principal") is not None:
            await self._limiters.known.remember(credential)

    def _refuse(self, wait_s: float) -> None:
        if wait_s > 0:
            self._metrics.refused.labels("rate").inc()
            raise RateLimitedError(
                f"Too many requests; try again in {wait_s:.1f} seconds.", retry_after_s=wait_s
            )
