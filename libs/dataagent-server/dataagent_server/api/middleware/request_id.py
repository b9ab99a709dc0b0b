"""Gives every request and every WebSocket an id: in its state, its log lines and its answer."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataagent_server.common.logs.request_id import choose_request_id, current_request_id

HEADER = "x-request-id"
# The messages that carry headers to the client.
_STARTS = frozenset({"http.response.start", "websocket.accept", "websocket.http.response.start"})


class RequestIdMiddleware:
    """Takes the caller's `X-Request-ID` if it is sane, else makes one (S0 property 35)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request_id = choose_request_id(Headers(scope=scope).get(HEADER))
        scope.setdefault("state", {})["request_id"] = request_id

        async def send_with_id(message: Message) -> None:
            if message["type"] in _STARTS:
                message.setdefault("headers", [])
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        token = current_request_id.set(request_id)
        try:
            await self._app(scope, receive, send_with_id)
        finally:
            current_request_id.reset(token)
