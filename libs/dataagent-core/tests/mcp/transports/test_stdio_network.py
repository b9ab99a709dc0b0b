"""A program has the network its configuration asks for, if its place allows that much."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from mcp import Client
from mcp_programs import ANA, called, opener, small

from dataagent_core.errors import MCPServerError
from dataagent_core.sandbox.network.addresses import Address
from dataagent_core.sandbox.network.egress import EgressPolicy
from tests.services.tcp_server import tcp_server


@pytest.fixture
async def web() -> AsyncIterator[int]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        await writer.drain()

    async with tcp_server(answer) as port:
        yield port


def anywhere(_address: Address) -> None:
    """Judge like nobody does: also this host may be reached."""


async def test_by_default_it_reaches_nothing_and_with_full_what_we_reach(tmp_path: Path, web: int):
    url = f"http://127.0.0.1:{web}/"
    async with Client(opener(tmp_path)(ANA, small())) as client:
        assert "refused" in await called(client, "http_get", url=url)
    async with Client(opener(tmp_path)(ANA, small(network="full"))) as client:
        assert await called(client, "http_get", url=url) == "hello"
    async with Client(opener(tmp_path, network="full")(ANA, small())) as client:
        assert await called(client, "http_get", url=url) == "hello"


async def test_with_hosts_it_reaches_those_and_no_other(tmp_path: Path, web: int):
    egress = EgressPolicy(ports=frozenset({web}), why_refused=anywhere)
    config = small(network="hosts", hosts=["localhost"])
    async with Client(opener(tmp_path, egress=egress)(ANA, config)) as client:
        assert await called(client, "http_get", url=f"http://localhost:{web}/") == "hello"
        other = await called(client, "http_get", url=f"http://127.0.0.1:{web}/")
        assert "403" in other
        assert "refused" in await called(client, "connect", host="127.0.0.1", port=web)


async def test_a_listed_name_that_leads_into_our_network_is_refused(tmp_path: Path, web: int):
    egress = EgressPolicy(ports=frozenset({web}))
    config = small(network="hosts", hosts=["localhost"])
    async with Client(opener(tmp_path, egress=egress)(ANA, config)) as client:
        assert "403" in await called(client, "http_get", url=f"http://localhost:{web}/")


async def test_more_than_the_place_allows_is_refused(tmp_path: Path):
    with pytest.raises(MCPServerError, match="at most 'hosts' is allowed"):
        async with Client(opener(tmp_path, network_most="hosts")(ANA, small(network="full"))):
            pass
