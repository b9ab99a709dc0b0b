"""Limits how long a request may take until it begins to answer.

A route that waits on purpose (a synchronous chat, an upload) lifts the limit by declaring
`api.deps.WithoutTimeout`; a stream is unlimited once it has begun.
"""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataagent_server.common.errors import RequestTimeoutError


class DeadlineMiddleware:
    """Puts the deadline into the request's state, where a route can lift it."""

    def __init__(self, app: ASGIApp, *, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        deadline = asyncio.timeout(self._seconds)

        async def freed(message: Message) -> None:
            if message["type"] == "http.response.start" and not deadline.expired():
                deadline.reschedule(None)
            await send(message)

        scope["state"]["deadline"] = deadline
        try:
            async with deadline:
                await self._app(scope, receive, freed)
        except TimeoutError:
            if not deadline.expired():
                raise
            raise RequestTimeoutError(
                f"The request was not answered within {self._seconds:g} seconds. Try again later, "
                "or raise DATAAGENT_REQUEST_TIMEOUT."
            ) from None
