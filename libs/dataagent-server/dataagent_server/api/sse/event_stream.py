"""Sends an event stream: keep-alive comments, checks of the reader's rights, a clean end.

The stream waits for a slow reader, up to a limit, and buffers nothing. When the reader leaves, its
connection is released; the run goes on.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final

from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from dataagent_core.errors import DataAgentError
from dataagent_server.api.chat.live_events import AccessWatch
from dataagent_server.api.limits import KEEPALIVE_S, SEND_S
from dataagent_server.api.sse.frames import STILL_HERE, error_frame, event_frame
from dataagent_server.sessions.live.event_line import EventLine

logger = logging.getLogger(__name__)

MEDIA_TYPE: Final = "text/event-stream"
# Asks proxies not to buffer the answer.
_HEADERS: Final = {"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"}
Batches = AsyncGenerator[list[EventLine]]


async def text_of(
    batches: Batches,
    watch: AccessWatch,
    session_id: str,
    *,
    home: str,
    clock: Callable[[], float] = time.monotonic,
) -> AsyncGenerator[str]:
    """Write batches of events as text, until they end or the right to read them does."""
    # Sent at once, so that the reader knows that it is connected.
    yield STILL_HERE
    said_at = clock()
    try:
        async with aclosing(batches):
            async for lines in batches:
                await watch.check()
                if lines:
                    yield "".join(map(event_frame, lines))
                elif clock() - said_at >= KEEPALIVE_S:
                    yield STILL_HERE
                else:
                    continue
                said_at = clock()
    except DataAgentError as error:
        yield error_frame(error, session_id, home)


class EventStream(StreamingResponse):
    """A response that ends when its text ends, its reader leaves or stalls, or the server stops."""

    def __init__(
        self,
        text: AsyncGenerator[str],
        stopping: asyncio.Event,
        release: Callable[[], None],
        *,
        send_s: float = SEND_S,
    ) -> None:
        super().__init__(text, headers=_HEADERS, media_type=MEDIA_TYPE)
        self._text = text
        self._stopping = stopping
        self._release = release
        self._send_s = send_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Release everything before returning, however it ended."""
        del scope
        sending = asyncio.create_task(self.stream_response(send))
        leaving = asyncio.create_task(self.listen_for_disconnect(receive))
        stopping = asyncio.create_task(self._stopping.wait())
        ends = {sending, leaving, stopping}
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            cut = stopping.done() and not sending.done() and not leaving.done()
            for task in ends:
                task.cancel()
            await asyncio.wait(ends)
            self._release()
            await self._text.aclose()
        if cut:
            await self._send(send, "", more=False)
        elif not sending.cancelled():
            sending.result()

    async def stream_response(self, send: Send) -> None:
        start = {"type": "http.response.start", "status": self.status_code}
        await send({**start, "headers": self.raw_headers})
        try:
            async for chunk in self._text:
                await self._send(send, chunk, more=True)
        except TimeoutError:
            logger.info("a reader took nothing for %g seconds and was given up", self._send_s)
            return
        await self._send(send, "", more=False)

    async def _send(self, send: Send, text: str, *, more: bool) -> None:
        body = text.encode("utf-8", "surrogatepass")
        async with asyncio.timeout(self._send_s):
            await send({"type": "http.response.body", "body": body, "more_body": more})
