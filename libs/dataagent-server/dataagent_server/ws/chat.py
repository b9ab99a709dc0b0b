"""The loop of one WebSocket: handles the client's messages, and sends the events of the log.

Two tasks: one takes the client's messages, the other sends events at the client's pace. Neither
knows the agent; when both end, its run goes on.
"""

import asyncio
import logging
import time
from contextlib import aclosing
from typing import assert_never

from fastapi import WebSocket

from dataagent_core.errors import DataAgentError, ValidationError
from dataagent_server.api.chat.live_events import AccessWatch, lines_after, log_of
from dataagent_server.api.chat.start_run import MessageRequest, start_run
from dataagent_server.api.limits import WEBSOCKET_QUIET_S
from dataagent_server.api.models.chat import context_of, planning_of
from dataagent_server.common.error_table import mapping_of
from dataagent_server.composition import Services
from dataagent_server.sessions.live.event_line import EventLine
from dataagent_server.ws.chat_frames import (
    CancelFrame,
    ChatFrame,
    DecisionFrame,
    Frame,
    PingFrame,
    ResumeFrame,
    error_frame,
    parse,
    pong,
)
from dataagent_server.ws.socket_writer import ReaderGoneError, SocketWriter

logger = logging.getLogger(__name__)
_CANCEL_AGAIN_S = 1.0


class ChatSocket:
    """One accepted connection of a principal who may read the session."""

    def __init__(
        self, websocket: WebSocket, services: Services, watch: AccessWatch, session_id: str
    ) -> None:
        self._websocket = websocket
        self._services = services
        self._watch = watch
        self._session_id = session_id
        self._outlet = SocketWriter(websocket)
        self._reading: asyncio.Task[None] | None = None
        self._opened_at = time.time()

    async def serve(self, after: int) -> None:
        """Serve until one side leaves."""
        try:
            async with asyncio.TaskGroup() as tasks:
                self._read_from(after, tasks)
                await self._listen(tasks)
                await self._stop_reading()
        except* ReaderGoneError:
            logger.debug("a reader of session %s has gone", self._session_id)

    async def _listen(self, tasks: asyncio.TaskGroup) -> None:
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            try:
                await self._handle(parse(message.get("text"), message.get("bytes")), tasks)
            except DataAgentError as error:
                await self._send_error(error)

    async def _handle(self, frame: Frame, tasks: asyncio.TaskGroup) -> None:
        match frame:
            case PingFrame():
                await self._outlet.send(pong(time.time()))
            case ResumeFrame():
                await self._resume(frame.after, tasks)
            case ChatFrame():
                principal = await self._watch.renew()
                request = MessageRequest(
                    text=frame.message,
                    session_id=self._session_id,
                    assistant_id=frame.assistant_id,
                    model=frame.model,
                    mode=frame.mode,
                    context=context_of(frame.context),
                    planning=planning_of(frame.planning),
                )
                await start_run(self._services, principal, request)
            case DecisionFrame():
                principal = await self._watch.renew()
                answer = self._services.runs.service.answer
                await answer(principal, frame.interrupt_id, frame.decision)
            case CancelFrame():
                if frame.session_id not in (None, self._session_id):
                    raise ValidationError(
                        f"this connection is for session {self._session_id!r}, not for "
                        f"{frame.session_id!r:.100}."
                    )
                principal = await self._watch.renew()
                await self._services.runs.service.cancel_session(principal, self._session_id)
            case _:
                assert_never(frame)

    async def _resume(self, after: int, tasks: asyncio.TaskGroup) -> None:
        tenant_id = self._watch.principal.tenant_id
        last = await log_of(self._services, tenant_id).last_seq(self._session_id)
        if after > last:
            raise ValidationError(f"after is {after}; the session has come to {last}.")
        await self._stop_reading()
        self._read_from(after, tasks)

    def _read_from(self, after: int, tasks: asyncio.TaskGroup) -> None:
        self._reading = tasks.create_task(self._read(after))

    async def _stop_reading(self) -> None:
        # Repeated, because a library may lose the cancellation, and waiting once would never end.
        while self._reading is not None and not self._reading.done():
            self._reading.cancel()
            await asyncio.wait([self._reading], timeout=_CANCEL_AGAIN_S)

    async def _read(self, after: int) -> None:
        """Send every event after a number, then live, until the session or the right to it ends."""
        try:
            await self._send_events(after)
        except DataAgentError as error:
            await self._send_error(error)
            await self._outlet.close(mapping_of(error.code).websocket_close)

    async def _send_error(self, error: DataAgentError) -> None:
        home = str(self._services.settings.home)
        await self._outlet.send(error_frame(error, time.time(), home))

    async def _send_events(self, after: int) -> None:
        tenant_id = self._watch.principal.tenant_id
        batches = lines_after(
            self._services, tenant_id, self._session_id, after, idle_s=WEBSOCKET_QUIET_S
        )
        async with aclosing(batches):
            async for lines in batches:
                await self._watch.check()
                for line in lines:
                    await self._outlet.send(line.frame)
                if lines:
                    self._observe_lag(lines[-1])

    def _observe_lag(self, line: EventLine) -> None:
        happened_at: float = line.data["timestamp"]
        # A replay does not count as lag.
        if happened_at >= self._opened_at:
            self._services.metrics.event_lag_s.observe(max(0.0, time.time() - happened_at))
