"""Servers that speak the older HTTP+SSE."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from mcp import Client
from mcp_addresses import answering, real_server, says, served
from mcp_programs import ANA, called

from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.transports.open import transport_opener
from dataagent_core.mcp.transports.problems import problem_of
from dataagent_core.tools.web.web_policy import WebPolicy


def at(port: int) -> MCPServerConfig:
    return MCPServerConfig(name="old", transport="sse", url=f"http://127.0.0.1:{port}/sse")


@pytest.fixture
async def real() -> AsyncGenerator[int]:
    async with served(real_server().sse_app()) as port:
        yield port


async def problem(config: MCPServerConfig, **rules: Any) -> MCPServerError:
    with pytest.raises(Exception) as caught:
        async with Client(transport_opener(policy=None, **rules)(ANA, config)) as client:
            await client.list_tools()
    return problem_of(caught.value, config.name)


def stream(inbox: str, *, post: str = "202 Accepted", events: bytes = b"") -> Any:
    """Answer a GET with an event stream that stays open, and a POST with a status."""

    async def answer(
        head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if head.startswith(b"POST"):
            await says(post)(head, reader, writer)
            return
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        writer.write(f"event: endpoint\ndata: {inbox}\n\n".encode() + events)

    return answer


@pytest.mark.requirement("S2-10.1-sse")
async def test_a_real_server_is_talked_to(real: int):
    async with Client(transport_opener(policy=None)(ANA, at(real))) as client:
        assert await called(client, "echo", text="hi") == "hi"
        assert len(await called(client, "big", size=5_000_000)) == 5_000_000


async def test_a_private_address_is_refused(real: int):
    assert "loopback" in str(await problem(at(real), dialable=WebPolicy().dialable))


async def test_a_message_that_is_refused_is_told_and_not_waited_for():
    async with answering(stream("/inbox", post="500 Oh")) as port:
        assert "out of order (HTTP 500)" in str(await problem(at(port)))
    async with answering(stream("/inbox", post="401 No")) as port:
        assert isinstance(await problem(at(port)), SignInNeededError)


async def test_a_stream_that_is_refused_is_told():
    async with answering(says("404 Not Found")) as port:
        assert "nothing at its address" in str(await problem(at(port)))
    async with answering(says("401 No")) as port:
        assert isinstance(await problem(at(port)), SignInNeededError)
    async with answering(says("200 OK", b"<p>", Content_Type="text/html")) as port:
        assert "event" in str(await problem(at(port)))


async def test_messages_go_to_no_other_server():
    async with answering(stream("http://elsewhere.example/inbox")) as port:
        assert "another server" in str(await problem(at(port)))


async def test_an_event_without_end_is_cut_off():
    endless = b"event: message\ndata: " + b"x" * 18_000_000
    async with answering(stream("/inbox", events=endless)) as port:
        assert "event we do not take" in str(await problem(at(port)))
