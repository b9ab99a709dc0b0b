"""Where a connection is made, and so where the address is checked.

httpcore asks its network backend for every connection. This one resolves the name itself, lets the
policy judge the addresses, and dials one that passed: a name that answers differently the next
time (DNS rebinding) was never asked twice.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, cast

import httpcore

from dataagent_core.config.limits import WEB_ADDRESSES_TRIED_MAX
from dataagent_core.sandbox.network.addresses import Address, parse_address
from dataagent_core.tools.web.web_policy import WebPolicy

Resolver = Callable[[str, int], Awaitable[Sequence[Address]]]


async def resolve_by_system(host: str, port: int) -> Sequence[Address]:
    """Ask the system for every address of a host, IPv4 first (broken IPv6 is common)."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(f"the name {host!r} cannot be resolved ({error})") from error
    addresses = dict.fromkeys(parse_address(str(entry[4][0])) for entry in found)
    return sorted(addresses, key=lambda address: address.version)


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Dials only what the policy lets through."""

    def __init__(
        self,
        policy: WebPolicy,
        resolver: Resolver = resolve_by_system,
        dialler: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self._policy = policy
        self._resolver = resolver
        # The cast leaves out httpcore's stand-in for a missing anyio, which langchain brings.
        anyio = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())
        self._dialler = dialler or anyio

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's signature)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        allowed = self._policy.dialable(host, port, await self._resolver(host, port))
        failure: Exception = httpcore.ConnectError(f"{host} has no address")
        for address in allowed[:WEB_ADDRESSES_TRIED_MAX]:
            try:
                return await self._dialler.connect_tcp(
                    str(address), port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's signature)
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        del timeout, socket_options
        raise httpcore.UnsupportedProtocol(f"unix sockets are not reached: {path}")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
