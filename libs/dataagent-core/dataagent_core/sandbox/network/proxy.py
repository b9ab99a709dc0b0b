"""The HTTP proxy of a sandbox with `network="hosts"`: it resolves and checks every host.

It runs in our process and listens in the network namespace of the sandbox, so a command has no
other route. The address that was checked is the one connected to. Requests are `CONNECT host:port`
or `GET http://host/path`.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from dataagent_core.config.limits import (
    PROXY_CHUNK_BYTES,
    PROXY_CONNECT_S,
    PROXY_CONNECTIONS_MAX,
    PROXY_HEAD_BYTES_MAX,
    PROXY_IDLE_S,
)
from dataagent_core.sandbox.network.addresses import Address, parse_address
from dataagent_core.sandbox.network.egress import EgressPolicy

_HEAD_WORDS = 3
_HOP_HEADERS = frozenset({"proxy-connection", "proxy-authorization", "connection", "keep-alive"})


class BadRequestError(Exception):
    """The head cannot be read as a request to a proxy."""


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """Where a client wants to go, and what is sent there first (nothing for a tunnel)."""

    host: str
    port: int
    forward: bytes

    @property
    def is_tunnel(self) -> bool:
        """Say whether bytes are passed on without a look at them."""
        return not self.forward


def parse_request(head: bytes) -> ProxyRequest:
    """Read a request; a plain one is rewritten for its server, for one exchange."""
    try:
        first, *headers = head.decode("latin-1").rstrip("\r\n").split("\r\n")
        words = first.split(" ")
        if len(words) != _HEAD_WORDS:
            raise BadRequestError(first)
        method, target, _ = words
        if method == "CONNECT":
            parts = urlsplit(f"//{target}")
            return ProxyRequest(_require_host(parts.hostname), parts.port or 443, b"")
        url = urlsplit(target)
        if url.scheme != "http":
            raise BadRequestError(target)
        path = (url.path or "/") + (f"?{url.query}" if url.query else "")
        kept = [
            line
            for line in headers
            if line.partition(":")[0].strip().casefold() not in _HOP_HEADERS | {"host"}
        ]
        lines = [f"{method} {path} HTTP/1.1", f"Host: {url.netloc}", *kept, "Connection: close"]
        forward = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
        return ProxyRequest(_require_host(url.hostname), url.port or 80, forward)
    except ValueError as error:
        raise BadRequestError(str(error)) from error


def _require_host(name: str | None) -> str:
    if not name:
        raise BadRequestError("no host")
    return name


Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]


async def resolve_host(host: str, port: int) -> Sequence[Address]:
    """Ask the system for every address of a host."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(parse_address(str(entry[4][0])) for entry in found))


class ProxyRefusedError(Exception):
    """A target the rules do not allow; the message is for the command."""


class EgressProxy:
    """Serves one listener until it is closed."""

    def __init__(self, egress: EgressPolicy, resolve: Resolve = resolve_host) -> None:
        self._egress = egress
        self._resolve = resolve
        self._slots = asyncio.Semaphore(PROXY_CONNECTIONS_MAX)
        self._clients: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def serve(self, listener: socket.socket) -> None:
        """Start to accept."""
        self._server = await asyncio.start_server(
            self._accept, sock=listener, limit=PROXY_HEAD_BYTES_MAX
        )

    async def close(self) -> None:
        """Stop, and end every connection."""
        if self._server is not None:
            self._server.close()
        for client in self._clients:
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._clients.add(task)
        try:
            async with self._slots:
                await self._handle(reader, writer)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        except asyncio.CancelledError:
            # Ours: `close` cancels. asyncio would report a cancelled handler as an error.
            pass
        finally:
            self._clients.discard(task)
            writer.close()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(PROXY_CONNECT_S):
                request = parse_request(await reader.readuntil(b"\r\n\r\n"))
                up_reader, up_writer = await self._connect(request)
        except (ProxyRefusedError, BadRequestError) as error:
            await _respond(writer, "403 Forbidden", f"The sandbox refuses this: {error}.")
            return
        except OSError as error:
            await _respond(writer, "502 Bad Gateway", f"Cannot be reached: {error}.")
            return
        try:
            if request.is_tunnel:
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                up_writer.write(request.forward)
            await asyncio.gather(_copy(reader, up_writer), _copy(up_reader, writer))
        finally:
            up_writer.close()

    async def _connect(
        self, request: ProxyRequest
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        refusal = self._egress.explain_refusal(request.host, request.port)
        if refusal is not None:
            raise ProxyRefusedError(refusal)
        addresses = await self._resolve(request.host, request.port)
        reasons = {
            address: self._egress.explain_address_refusal(request.host, request.port, address)
            for address in addresses
        }
        blocked = [f"{address} ({why})" for address, why in reasons.items() if why is not None]
        if blocked or not addresses:
            raise ProxyRefusedError(
                f"{request.host!r} has the address {', '.join(blocked) or 'none'}"
            )
        # The very address that was judged: asked again, the name might answer differently.
        return await asyncio.open_connection(str(addresses[0]), request.port)


async def _copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError, TimeoutError):
        while True:
            async with asyncio.timeout(PROXY_IDLE_S):
                data = await source.read(PROXY_CHUNK_BYTES)
                if not data:
                    break
                sink.write(data)
                await sink.drain()
    with suppress(OSError):
        if sink.can_write_eof():
            sink.write_eof()


async def _respond(writer: asyncio.StreamWriter, status: str, text: str) -> None:
    body = f"{text}\n".encode()
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()
