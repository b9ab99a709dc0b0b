"""Sends the messages of a WebSocket one at a time, each within a time limit.

For a reader that does not read, the server holds one message and a socket's buffer, and drops it
after `SEND_S`. Its run and other readers go on.
"""

import asyncio

from fastapi import WebSocket, WebSocketDisconnect

from dataagent_server.api.limits import SEND_S

# Time-outs are OSErrors; Starlette raises RuntimeError after a close.
_GONE = (OSError, RuntimeError, WebSocketDisconnect)


class ReaderGoneError(Exception):
    """The client has left, or reads too slowly; never shown to a user."""


class SocketWriter:
    """Sends text; several tasks may use it."""

    def __init__(self, websocket: WebSocket, *, send_s: float = SEND_S) -> None:
        self._websocket = websocket
        self._send_s = send_s
        self._turn = asyncio.Lock()

    async def send(self, text: str) -> None:
        """Send one message."""
        async with self._turn:
            try:
                async with asyncio.timeout(self._send_s):
                    await self._websocket.send_text(text)
            except _GONE as error:
                raise ReaderGoneError from error

    async def close(self, code: int) -> None:
        """Close the connection with a code."""
        async with self._turn:
            try:
                async with asyncio.timeout(self._send_s):
                    await self._websocket.close(code)
            except _GONE as error:
                raise ReaderGoneError from error
