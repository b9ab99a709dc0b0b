"""Refuses requests beyond what this process can work on at once, instead of letting all starve.

A request counts until its answer begins; live connections have a limit of their own.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataagent_server.errors import OverloadedError
from dataagent_server.metrics import Metrics
from dataagent_server.middleware.paths import is_probe


class CapacityMiddleware:
    """Counts requests in work."""

    def __init__(self, app: ASGIApp, *, requests_max: int, metrics: Metrics) -> None:
        self._app = app
        self._requests_max = requests_max
        self._metrics = metrics
        self._active = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_probe(scope["path"]):
            await self._app(scope, receive, send)
            return
        if self._active >= self._requests_max:
            self._metrics.refused.labels("overloaded").inc()
            raise OverloadedError(
                "Service temporarily unavailable, please try again later: the server works on "
                f"{self._requests_max} requests already (DATAAGENT_MAX_REQUESTS)."
            )
        counted = True
        self._active += 1

        def release() -> None:
            nonlocal counted
            if counted:
                counted = False
                self._active -= 1

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                release()
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            release()
