"""The only way out of a sandbox with `network="hosts"`: a proxy that resolves and checks names.

It runs in our process and listens inside the sandbox's own network namespace, so a command needs
no program to reach it and has no other route. The address that was checked is the one connected to.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from dataagent_core.config.limits import (
    PROXY_CHUNK_BYTES,
    PROXY_CONNECT_S,
    PROXY_CONNECTIONS_MAX,
    PROXY_HEAD_BYTES_MAX,
    PROXY_IDLE_S,
)
from dataagent_core.sandbox.addresses import Address, as_address
from dataagent_core.sandbox.egress import Egress
from dataagent_core.sandbox.proxy_request import BadRequestError, ProxyRequest, parse_request

Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]


async def system_addresses(host: str, port: int) -> Sequence[Address]:
    """Ask the system for every address of a host."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(as_address(str(entry[4][0])) for entry in found))


class RefusedError(Exception):
    """A target the rules do not allow; the message is for the command."""


class Proxy:
    """Serves one listener until it is closed."""

    def __init__(self, egress: Egress, resolve: Resolve = system_addresses) -> None:
        self._egress = egress
        self._resolve = resolve
        self._room = asyncio.Semaphore(PROXY_CONNECTIONS_MAX)
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
            async with self._room:
                await self._answer(reader, writer)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        except asyncio.CancelledError:
            # Ours: `close` cancels. asyncio would report a cancelled handler as an error.
            pass
        finally:
            self._clients.discard(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(PROXY_CONNECT_S):
                request = parse_request(await reader.readuntil(b"\r\n\r\n"))
                up_reader, up_writer = await self._connect(request)
        except (RefusedError, BadRequestError) as error:
            await _say(writer, "403 Forbidden", f"The sandbox refuses this: {error}.")
            return
        except OSError as error:
            await _say(writer, "502 Bad Gateway", f"Cannot be reached: {error}.")
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
        refusal = self._egress.refusal(request.host, request.port)
        if refusal is not None:
            raise RefusedError(refusal)
        addresses = await self._resolve(request.host, request.port)
        reasons = {
            address: self._egress.address_refusal(request.host, request.port, address)
            for address in addresses
        }
        blocked = [f"{address} ({why})" for address, why in reasons.items() if why is not None]
        if blocked or not addresses:
            raise RefusedError(f"{request.host!r} has the address {', '.join(blocked) or 'none'}")
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


async def _say(writer: asyncio.StreamWriter, status: str, text: str) -> None:
    body = f"{text}\n".encode()
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()
