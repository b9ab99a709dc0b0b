"""uvicorn's protocols with our form of answers.

Bytes that are not HTTP never become a request, so no middleware sees them. uvicorn does not count a
denied WebSocket as answered.
"""

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from dataagent_server.api.middleware.errors.error_body import make_error_answer
from dataagent_server.common.errors import InvalidRequestError


class JsonErrorsProtocol(HttpToolsProtocol):
    """Answers unreadable bytes in JSON and closes the connection."""

    def send_400_response(self, msg: str) -> None:
        answer = make_error_answer(InvalidRequestError(f"{msg} Nothing was done."))
        head = (
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            f"content-length: {len(answer.body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode("ascii") + answer.body)
        self.transport.close()


class DenyingProtocol(WebSocketsSansIOProtocol):
    """Marks a denied handshake as complete; uvicorn would log an error for each."""

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True
