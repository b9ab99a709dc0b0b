"""What Redis and PostgreSQL share: a bounded queue of notices, and a task that sends and listens.

When the connection is lost the task retries with growing pauses; polling finds what was not sent.
"""

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections import deque

from dataagent_core.ids import new_id
from dataagent_server.sessions.live.bus.port import Hear
from dataagent_server.sessions.live.limits import BUS_RETRY_MAX_S, BUS_RETRY_S, NOTICES_WAITING_MAX
from dataagent_server.sessions.live.notice import Notice, decode_notice, encode_notice

logger = logging.getLogger(__name__)


class QueueBus(ABC):
    """A bus over one connection; subclasses open, read and write it."""

    name: str

    def __init__(self) -> None:
        self._sender = new_id()
        self._waiting: deque[Notice] = deque(maxlen=NOTICES_WAITING_MAX)
        self._something = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._hear: Hear | None = None
        self.connected = False

    def tell(self, notice: Notice) -> None:
        self._waiting.append(notice)
        self._something.set()

    async def start(self, hear: Hear) -> None:
        self._hear = hear
        self._task = asyncio.create_task(self._keep_going())

    async def aclose(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    @abstractmethod
    async def _open(self) -> None:
        """Connect and listen."""

    @abstractmethod
    async def _close(self) -> None: ...

    @abstractmethod
    async def _send(self, messages: list[bytes]) -> None: ...

    @abstractmethod
    async def _receive(self) -> None:
        """Pass every message to `_heard` until the connection ends."""

    def _heard(self, data: bytes | str) -> None:
        notice = decode_notice(data, self._sender)
        if notice is not None and self._hear is not None:
            self._hear(notice)

    async def _keep_going(self) -> None:
        pause_s = BUS_RETRY_S
        while True:
            try:
                await self._open()
                self.connected = True
                pause_s = BUS_RETRY_S
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._receive())
                    group.create_task(self._send_waiting())
            except asyncio.CancelledError:
                raise
            except Exception as error:  # noqa: BLE001 (drivers raise many; all mean: try again)
                logger.warning("no %s bus, next try in %g s: %s", self.name, pause_s, error)
            finally:
                self.connected = False
                with contextlib.suppress(Exception):
                    await self._close()
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, BUS_RETRY_MAX_S)

    async def _send_waiting(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            while self._waiting:
                await self._send([encode_notice(n, self._sender) for n in self._drain_latest()])

    def _drain_latest(self) -> list[Notice]:
        # Several notices of one kind and subject are one: the last one counts.
        latest: dict[tuple[str, str, str], Notice] = {}
        while self._waiting:
            notice = self._waiting.popleft()
            latest[notice.kind, notice.tenant_id, notice.subject] = notice
        return list(latest.values())
