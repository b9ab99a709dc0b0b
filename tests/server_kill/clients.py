"""Clients that lose their connection and reconnect with the last number they saw."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.server.process import ServerProcess
from tests.server_kill.shared_home import HEADERS

# Only ends a hang.
READ_S_MAX = 240.0
Frame = dict[str, Any]
Until = Callable[["Client"], bool]


class Client(ABC):
    """A reader of one session; `frames` holds all frames of all its connections."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.frames: list[Frame] = []

    @property
    def last(self) -> int:
        return self.frames[-1]["seq"] if self.frames else 0

    @property
    def types(self) -> list[str]:
        return [frame["type"] for frame in self.frames]

    async def read(self, server: ServerProcess, until: Until) -> bool:
        """Connect and read until the condition holds; `False` if the connection ended first."""
        try:
            async with asyncio.timeout(READ_S_MAX):
                return until(self) or await self._read(server, until)
        except TimeoutError:
            raise AssertionError(f"{type(self).__name__} waits after {self.types}") from None

    async def _read(self, server: ServerProcess, until: Until) -> bool:
        async with aclosing(self._connected(server)) as frames:
            async for frame in frames:
                self._take(frame)
                if until(self):
                    return True
        return False

    @abstractmethod
    def _connected(self, server: ServerProcess) -> AsyncGenerator[Frame]:
        """Yield the session's events after the last one seen, until the connection ends."""

    def _take(self, frame: Frame) -> None:
        self.frames.append(frame)


class WebSocketClient(Client):
    """Sends its last number in the address: `?after=N`."""

    closed_with: int | None = None

    def address(self, server: ServerProcess) -> str:
        host = server.url.replace("http:", "ws:")
        return f"{host}/ws/chat/{self.session_id}?after={self.last}"

    async def _connected(self, server: ServerProcess) -> AsyncGenerator[Frame]:
        try:
            # Without pings: a frozen server answers none.
            async with connect(
                self.address(server), additional_headers=HEADERS, ping_interval=None
            ) as socket:
                await self._greet(socket)
                async for text in socket:
                    frame = json.loads(text)
                    if "seq" in frame:
                        yield frame | {"type": frame["event_type"]}
        except ConnectionClosed as closed:
            self.closed_with = closed.rcvd.code if closed.rcvd else None

    async def _greet(self, socket: ClientConnection) -> None:
        """Say something before reading."""


class ResumingClient(WebSocketClient):
    """Connects to the live events and requests the rest with a `resume` frame."""

    def address(self, server: ServerProcess) -> str:
        return super().address(server).partition("?")[0]

    async def _greet(self, socket: ClientConnection) -> None:
        await socket.send(json.dumps({"type": "resume", "payload": {"after": self.last}}))

    def _take(self, frame: Frame) -> None:
        # Frames that came before the server read the request come again after it.
        if frame["seq"] == self.last + 1:
            super()._take(frame)


class StreamClient(Client):
    """Reads server-sent events and reconnects with `Last-Event-ID`, as browsers do."""

    async def _connected(self, server: ServerProcess) -> AsyncGenerator[Frame]:
        url = f"{server.url}/api/v1/sessions/{self.session_id}/events/stream"
        headers = HEADERS | {"Last-Event-ID": str(self.last)}
        try:
            async with (
                httpx.AsyncClient(timeout=READ_S_MAX, trust_env=False) as http,
                http.stream("GET", url, headers=headers) as answer,
            ):
                assert answer.status_code == httpx.codes.OK, answer.status_code
                frame: Frame = {}
                async for line in answer.aiter_lines():
                    name, _, value = line.partition(": ")
                    if name == "id":
                        frame["seq"] = int(value)
                    elif name == "data":
                        frame |= json.loads(value)
                    elif not line and "seq" in frame:
                        yield frame
                        frame = {}
        except httpx.TransportError:
            pass


async def say(server: ServerProcess, session_id: str, message: str, **more: Any) -> None:
    """Start a run and disconnect; the server continues it."""
    client = WebSocketClient(session_id)
    async with connect(client.address(server), additional_headers=HEADERS) as socket:
        await socket.send(json.dumps({"type": "chat", "payload": {"message": message, **more}}))
        # Frames are answered in order: after this one the message is stored.
        await socket.send(json.dumps({"type": "ping", "payload": {}}))
        async with asyncio.timeout(READ_S_MAX):
            while json.loads(await socket.recv())["event_type"] != "pong":
                continue


def clients_of(session_id: str) -> list[Client]:
    """Make one client of each kind."""
    return [WebSocketClient(session_id), ResumingClient(session_id), StreamClient(session_id)]


def saw_done(client: Client) -> bool:
    """Say whether the client saw the end of the run, in either form."""
    return client.types[-1:] in (["done"], ["complete"])


async def all_read(server: ServerProcess, clients: list[Client], until: Until) -> None:
    """Let every client read until the condition holds."""
    seen = await asyncio.gather(*(client.read(server, until) for client in clients))
    assert all(seen), [client.types for client in clients]
