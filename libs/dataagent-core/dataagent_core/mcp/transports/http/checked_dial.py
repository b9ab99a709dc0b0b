"""Dials the address of a server, and checks it there.

A name may answer differently from one time to the next (DNS rebinding): it is asked once, judged,
and what was judged is dialled. The same rule holds for every connection of a server's client, those
of a sign-in among them.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, cast

import httpcore2

from dataagent_core.config.limits.mcp import MCP_ADDRESSES_TRIED_MAX
from dataagent_core.sandbox.network.addresses import Address
from dataagent_core.sandbox.network.proxy import resolve_host

# Selects the addresses of a host and port that may be dialled; raises `ToolExecutionError` if
# none may (`tools.web.policy.WebPolicy.dialable`).
Dialable = Callable[[str, int, Sequence[Address]], Sequence[Address]]
Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]


class CheckedBackend(httpcore2.AsyncNetworkBackend):
    """Dials the addresses that the rule allows, for an HTTP client."""

    def __init__(self, dialable: Dialable, resolve: Resolve = resolve_host) -> None:
        self._dialable = dialable
        self._resolve = resolve
        # The cast leaves out httpcore2's stand-in for a missing anyio, which the SDK brings.
        self._dialler = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's signature)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        try:
            addresses = await self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise httpcore2.ConnectError(str(error)) from error
        failure: Exception = httpcore2.ConnectError(f"{host} has no address")
        for address in self._dialable(host, port, addresses)[:MCP_ADDRESSES_TRIED_MAX]:
            try:
                return await self._dialler.connect_tcp(
                    str(address), port, timeout, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's signature)
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        del timeout, socket_options
        raise httpcore2.UnsupportedProtocol(f"unix sockets are not reached: {path}")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def open_checked_socket(
    host: str, port: int, dialable: Dialable, resolve: Resolve = resolve_host
) -> socket.socket:
    """Connect to a host after its addresses were checked; for clients other than HTTP."""
    loop = asyncio.get_running_loop()
    failure: Exception = OSError(f"{host} has no address")
    for address in dialable(host, port, await resolve(host, port))[:MCP_ADDRESSES_TRIED_MAX]:
        family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004
        dialled = socket.socket(family, socket.SOCK_STREAM)
        dialled.setblocking(False)  # noqa: FBT003 (the standard library's)
        try:
            await loop.sock_connect(dialled, (str(address), port))
        except OSError as error:
            dialled.close()
            failure = error
        except BaseException:
            dialled.close()
            raise
        else:
            return dialled
    raise failure
