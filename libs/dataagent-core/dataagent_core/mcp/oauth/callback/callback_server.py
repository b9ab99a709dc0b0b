"""Where a browser on this machine comes back to: one page, open while one sign-in waits.

Whoever asks without the right `state` is shown a refusal and changes nothing: any page in the
browser can make it ask here.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from http import HTTPStatus
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from dataagent_core.config.limits.mcp import (
    MCP_CALLBACK_CONNECTIONS_MAX,
    MCP_CALLBACK_HEAD_BYTES_MAX,
    MCP_CALLBACK_PORT,
    MCP_CALLBACK_READ_S,
    MCP_CALLBACK_WAIT_S,
)
from dataagent_core.errors import ConflictError
from dataagent_core.mcp.oauth.callback.callback_answer import CallbackAnswer, is_answer_to
from dataagent_core.mcp.oauth.callback.callback_pages import HEADERS, failure_page

HOST = "127.0.0.1"
PATH = "/mcp/oauth/callback"
# Longer than the token request that decides which page is shown.
_PAGE_WAIT_S = 30.0


class CallbackServer:
    """Listens from `async with` on; `expect` says for whom."""

    def __init__(self, ports: Iterable[int] = (MCP_CALLBACK_PORT,)) -> None:
        self._ports = tuple(ports)
        self._server: asyncio.Server | None = None
        self._port = 0
        self._state = ""
        self._open = 0
        loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[CallbackAnswer] = loop.create_future()
        self._page: asyncio.Future[str] = loop.create_future()
        self._shown = asyncio.Event()

    @property
    def redirect_uri(self) -> str:
        """Give the URL to register and to send browsers back to."""
        return f"http://{HOST}:{self._port}{PATH}"

    def expect(self, state: str) -> None:
        """Let in who brings this state."""
        self._state = state

    async def answer(self, wait_s: float = MCP_CALLBACK_WAIT_S) -> CallbackAnswer:
        """Wait for the person; a `TimeoutError` when they do not come."""
        async with asyncio.timeout(wait_s):
            return await asyncio.shield(self._answer)

    async def show(self, page: str) -> None:
        """Show the waiting browser how it ended."""
        if not self._page.done():
            self._page.set_result(page)
        if self._answer.done():
            with suppress(TimeoutError):
                async with asyncio.timeout(MCP_CALLBACK_READ_S):
                    await self._shown.wait()

    async def __aenter__(self) -> Self:
        for port in self._ports:
            with suppress(OSError):
                self._server = await asyncio.start_server(
                    self._served, HOST, port, limit=MCP_CALLBACK_HEAD_BYTES_MAX
                )
                self._port = self._server.sockets[0].getsockname()[1]
                return self
        tried = ", ".join(map(str, self._ports))
        raise ConflictError(
            f"A sign-in needs the port {tried} of this machine, which another program uses: "
            "perhaps another sign-in. Finish or end that, then try again."
        )

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._answer.cancel()
        self._page.cancel()
        if self._server is not None:
            self._server.close()

    async def _served(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        try:
            if self._open <= MCP_CALLBACK_CONNECTIONS_MAX:
                await self._replied(reader, writer)
        # Whoever is there may hang up, be late, or talk nonsense: that is theirs alone.
        except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError):
            pass
        finally:
            self._open -= 1
            writer.close()

    async def _replied(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(MCP_CALLBACK_READ_S):
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.LimitOverrunError:
                return
        answer = _asked(head)
        if answer is None:
            await _write(writer, HTTPStatus.NOT_FOUND, failure_page("There is nothing here."))
        elif not self._state or self._answer.done() or not is_answer_to(self._state, answer):
            await _write(
                writer,
                HTTPStatus.BAD_REQUEST,
                failure_page("This sign-in was not asked for, or is over."),
            )
        else:
            self._answer.set_result(answer)
            try:
                async with asyncio.timeout(_PAGE_WAIT_S):
                    await _write(writer, HTTPStatus.OK, await self._page)
            finally:
                self._shown.set()


def _asked(head: bytes) -> CallbackAnswer | None:
    method, _, rest = head.partition(b"\r\n")[0].decode("latin-1").partition(" ")
    target, _, version = rest.partition(" ")
    if method != "GET" or not version.startswith("HTTP/1"):
        return None
    parts = urlsplit(target)
    if parts.path != PATH or parts.netloc:
        return None
    return CallbackAnswer.from_query(parts.query)


async def _write(writer: asyncio.StreamWriter, status: HTTPStatus, page: str) -> None:
    body = page.encode("utf-8", "replace")
    sent = {**HEADERS, "Content-Length": str(len(body)), "Connection": "close"}
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        *(f"{name}: {value}" for name, value in sent.items()),
    ]
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)
    async with asyncio.timeout(MCP_CALLBACK_READ_S):
        await writer.drain()
