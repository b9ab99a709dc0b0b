"""The sandbox's way out judges the address it connects to, whatever a name said before."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_address

import pytest

from dataagent_core.sandbox.network.addresses import Address
from dataagent_core.sandbox.network.egress import EgressPolicy
from dataagent_core.sandbox.network.proxy import EgressProxy
from tests.services.tcp_server import tcp_server


class Names:
    """A resolver that gives each of its answers once, then the last for ever."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = list(answers)
        self.asked = 0

    async def __call__(self, host: str, port: int) -> Sequence[Address]:
        answer = self._answers[min(self.asked, len(self._answers) - 1)]
        self.asked += 1
        return [ip_address(text) for text in answer]


@asynccontextmanager
async def site(address: str, port: int, says: bytes) -> AsyncGenerator[list[str]]:
    visits: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visits.append(address)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + says)
        await writer.drain()

    async with tcp_server(answer, address, port):
        yield visits


async def through(egress: EgressPolicy, names: Names, port: int, *, tunnel: bool = False) -> bytes:
    proxy = EgressProxy(egress, names)
    listener = socket.create_server(("127.0.0.1", 0))
    await proxy.serve(listener)
    reader, writer = await asyncio.open_connection(*listener.getsockname())
    try:
        target = f"site.test:{port}"
        head = f"CONNECT {target}" if tunnel else f"GET http://{target}/"
        writer.write(f"{head} HTTP/1.1\r\n\r\n".encode())
        async with asyncio.timeout(60):
            return await reader.read()
    finally:
        writer.close()
        await proxy.close()


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def only_this(address: Address) -> str | None:
    return None if str(address) == "127.0.0.1" else "not the one"


@pytest.mark.requirement("F3-4")
@pytest.mark.parametrize("tunnel", [False, True])
@pytest.mark.parametrize(
    "answer",
    [
        ["127.0.0.1"],
        ["169.254.169.254"],
        ["10.0.0.1"],
        ["192.168.1.1"],
        ["::1"],
        ["fe80::1"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["0.0.0.0"],
        # One good address does not make the others good: which is dialled must not be luck.
        ["93.184.216.34", "127.0.0.1"],
        [],
    ],
)
async def test_a_listed_name_that_leads_to_no_public_address_is_refused(
    port: int, answer: list[str], tunnel: bool
):
    egress = EgressPolicy(("site.test",), frozenset({port}))
    async with site("127.0.0.1", port, b"secret") as visits:
        said = await through(egress, Names(answer), port, tunnel=tunnel)
    assert said.startswith(b"HTTP/1.1 403")
    assert b"secret" not in said
    assert visits == []


async def test_a_name_that_answers_differently_the_next_time_is_asked_once(port: int):
    names = Names(["127.0.0.1"], ["127.0.0.2"])
    egress = EgressPolicy(("site.test",), frozenset({port}), only_this)
    async with site("127.0.0.1", port, b"judged"), site("127.0.0.2", port, b"rebound") as rebound:
        assert (await through(egress, names, port)).endswith(b"judged")
    assert names.asked == 1
    assert rebound == []


async def test_every_connection_is_judged_anew(port: int):
    names = Names(["127.0.0.1"], ["127.0.0.2"])
    egress = EgressPolicy(("site.test",), frozenset({port}), only_this)
    async with site("127.0.0.1", port, b"judged"), site("127.0.0.2", port, b"rebound") as rebound:
        assert (await through(egress, names, port)).endswith(b"judged")
        assert (await through(egress, names, port)).startswith(b"HTTP/1.1 403")
    assert rebound == []
