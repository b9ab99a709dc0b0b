"""The last resort for errors: an error that no route turned into an answer is answered here.

Errors we raise on purpose are shown to the client; a defect is logged with its trace and shown as
INTERNAL. Once an answer has begun nothing can be added to it, so the connection is closed, which a
client notices.
"""

import logging

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataagent_core.errors import DataAgentError
from dataagent_server.api.middleware.errors.error_body import ErrorAnswer, make_error_answer

logger = logging.getLogger(__name__)

_SERVER_ERROR_STATUS = 500


class ErrorsMiddleware:
    """Catches everything but cancellation."""

    def __init__(self, app: ASGIApp, home: str = "") -> None:
        self._app = app
        self._home = home

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            log_error(error)
            answer = make_error_answer(error, self._home)
            if scope["type"] == "websocket":
                await refuse_websocket(scope, send, answer, accepted=begun)
            elif begun:
                raise
            else:
                await send_answer(send, answer)


def log_error(error: BaseException) -> None:
    """Log what an operator must know: every defect and every failure of the server."""
    if not isinstance(error, DataAgentError):
        logger.error("a request failed: %s", type(error).__name__, exc_info=error)
    elif make_error_answer(error).status >= _SERVER_ERROR_STATUS:
        logger.warning("a request failed: %s: %s", error.code, error, exc_info=error.__cause__)


async def send_answer(send: Send, answer: ErrorAnswer, prefix: str = "http.response") -> None:
    """Send an error as a complete HTTP answer."""
    headers = [(k.encode("latin-1"), v.encode("latin-1")) for k, v in answer.headers.items()]
    headers.append((b"content-length", str(len(answer.body)).encode()))
    await send({"type": f"{prefix}.start", "status": answer.status, "headers": headers})
    await send({"type": f"{prefix}.body", "body": answer.body, "more_body": False})


async def refuse_websocket(
    scope: Scope, send: Send, answer: ErrorAnswer, *, accepted: bool
) -> None:
    """Deny the upgrade with the error's status, or close an accepted one with its code."""
    if not accepted and "websocket.http.response" in scope.get("extensions", {}):
        await send_answer(send, answer, "websocket.http.response")
    else:
        await send({"type": "websocket.close", "code": answer.websocket_close, "reason": ""})
