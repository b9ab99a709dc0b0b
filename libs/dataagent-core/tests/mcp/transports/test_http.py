"""A server at an address: what it answers is bounded, where it is is judged, refusals are told."""

import asyncio
import gzip
import json
import time
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest
from leftovers import Leftovers
from mcp import Client
from mcp_addresses import answering, real_server, says, served
from mcp_programs import ANA, called
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from dataagent_core.config.limits.mcp import MCP_MESSAGE_BYTES_MAX
from dataagent_core.errors import MCPServerError, SignInNeededError, ToolExecutionError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.oauth import FileTokenStore, auth_for
from dataagent_core.mcp.transports.open import transport_opener
from dataagent_core.mcp.transports.problems import problem_of
from dataagent_core.sandbox.network.addresses import Address
from dataagent_core.secrets import Cipher
from dataagent_core.tools.web.web_policy import WebPolicy


def at(port: int, **changes: Any) -> MCPServerConfig:
    given: dict[str, Any] = {
        "name": "web",
        "transport": "http",
        "url": f"http://127.0.0.1:{port}/mcp",
    }
    return MCPServerConfig(**{**given, **changes})


async def connected(config: MCPServerConfig, **rules: Any) -> None:
    async with Client(transport_opener(policy=None, **rules)(ANA, config)) as client:
        await client.list_tools()


async def problem(config: MCPServerConfig, **rules: Any) -> MCPServerError:
    with pytest.raises(Exception) as caught:
        await connected(config, **rules)
    return problem_of(caught.value, config.name)


@pytest.fixture
async def real() -> AsyncGenerator[int]:
    async with served(real_server().streamable_http_app()) as port:
        yield port


@pytest.mark.requirement("S2-10.1-http")
async def test_a_real_server_is_talked_to_and_nothing_is_left_open(real: int):
    await connected(at(real))
    left = Leftovers()
    for _ in range(5):
        async with Client(transport_opener(policy=None)(ANA, at(real))) as client:
            assert await called(client, "echo", text="hi") == "hi"
            assert len(await called(client, "big", size=5_000_000)) == 5_000_000
    assert len(left.descriptors) <= 2  # the server's ends may be a moment behind


async def test_its_headers_reach_the_server():
    heads: list[bytes] = []

    async def answer(
        head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        heads.append(head)
        await says("500 Oh")(head, reader, writer)

    async with answering(answer) as port:
        await problem(at(port, headers={"X-Key": "mine"}))
    assert b"X-Key: mine" in heads[0]
    assert b"accept-encoding: identity" in heads[0].lower()


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        ("404 Not Found", "nothing at its address"),
        ("405 Method Not Allowed", "transport 'sse'"),
        ("429 Too Many Requests", "asked too often"),
        ("500 Oh", "out of order"),
        ("503 Later", "out of order"),
        ("418 Teapot", "refused the request"),
    ],
)
async def test_a_refusal_names_its_status(status: str, sentence: str):
    async with answering(says(status, b"<html>no</html>", Content_Type="text/html")) as port:
        said = await problem(at(port))
    assert sentence in str(said)
    assert status[:3] in str(said)


async def test_a_modern_servers_refusal_is_told_and_not_what_the_older_way_met(tmp_path: Path):
    """It knows no `initialize`, which is tried after its first answer was a refusal."""

    async def app(request: Request) -> Response:
        if (await request.json())["method"] == "server/discover":
            return Response(status_code=401)
        return JSONResponse(
            {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "too old"}}, 400
        )

    def cipher() -> Cipher:
        raise AssertionError("nobody has signed in")

    auth = auth_for(FileTokenStore(tmp_path / "tokens.json", cipher))
    async with served(Starlette(routes=[Route("/mcp", app, methods=["POST"])])) as port:
        said = await problem(at(port), auth=auth)
    assert isinstance(said, SignInNeededError), said


@pytest.mark.parametrize("status", ["401 Unauthorized", "403 Forbidden"])
async def test_a_server_that_wants_a_sign_in_says_so(status: str):
    challenge = 'Bearer error="insufficient_scope", scope="files:read files:write"'
    body = b'{"error": "no"}'
    answer = says(status, body, Content_Type="application/json", WWW_Authenticate=challenge)
    async with answering(answer) as port:
        said = await problem(at(port))
    assert isinstance(said, SignInNeededError)
    assert said.scopes == "files:read files:write"


async def test_an_error_of_the_protocol_is_passed_on_as_it_is():
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32602, "message": "wrong params"}}
    answer = says("400 Bad", json.dumps(error).encode(), Content_Type="application/json")
    async with answering(answer) as port:
        assert "wrong params" in str(await problem(at(port)))


async def test_nothing_that_listens_and_no_such_name_are_told():
    async with answering(says("200 OK")) as port:
        pass
    assert "nothing listens" in str(await problem(at(port)))
    unknown = at(port, url="http://no-such-name.invalid/mcp")
    assert "not known" in str(await problem(unknown))


async def test_an_address_without_tls_behind_https_is_told():
    async with answering(says("200 OK")) as port:
        said = await problem(at(port, url=f"https://127.0.0.1:{port}/mcp", timeout=5))
    assert "safely" in str(said)


@pytest.mark.parametrize("url", ["ftp://x/", "mcp.example", "", "http://", "file:///etc/passwd"])
async def test_what_is_no_address_is_refused(url: str):
    assert "is no address for it" in str(await problem(at(1, url=url)))


async def endless(
    head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kind: str
) -> None:
    """Answer a message of ten gigabytes, as a document or as an event."""
    start = b'data: {"a": "' if kind == "text/event-stream" else b'{"a": "'
    writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n".encode() + start)
    for _ in range(10_000):
        writer.write(b"x" * 1_000_000)
        await writer.drain()


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
async def test_an_answer_without_end_is_cut_off(kind: str):
    before = psutil.Process().memory_info().rss
    async with answering(lambda head, read, write: endless(head, read, write, kind)) as port:
        said = await problem(at(port))
    assert "16" in str(said)
    assert psutil.Process().memory_info().rss - before < 8 * MCP_MESSAGE_BYTES_MAX


async def test_a_packed_answer_is_not_unpacked():
    bomb = gzip.compress(b" " * 100_000_000)
    answer = says("200 OK", bomb, Content_Type="application/json", Content_Encoding="gzip")
    async with answering(answer) as port:
        assert "packed (gzip)" in str(await problem(at(port)))


async def test_nonsense_is_told():
    async with answering(says("200 OK", b"{oh", Content_Type="application/json")) as port:
        assert "parse" in str(await problem(at(port)))
    async with answering(says("200 OK", b"<p>hi", Content_Type="text/html")) as port:
        assert "content type" in str(await problem(at(port)))


async def test_a_redirect_elsewhere_is_not_followed_and_gets_no_secrets():
    heads: list[bytes] = []

    async def listen(
        head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        heads.append(head)
        await says("200 OK")(head, reader, writer)

    async with answering(listen) as other:
        answer = says("307 Away", Location=f"http://127.0.0.1:{other}/mcp")
        async with answering(answer) as port:
            said = await problem(at(port, headers={"Authorization": "Bearer secret"}))
    assert "not followed" in str(said)
    assert heads == []


async def test_a_private_address_is_refused_where_it_is_dialled(real: int):
    said = await problem(at(real), dialable=WebPolicy().dialable)
    assert "127.0.0.1 (loopback)" in str(said)
    vouched = WebPolicy(frozenset({("127.0.0.1", real)}))
    await connected(at(real), dialable=vouched.dialable)


async def test_a_name_is_judged_by_what_it_leads_to_each_time_it_is_dialled(real: int):
    """It passes the first time; when it is dialled again it leads elsewhere."""
    asked: list[Sequence[Address]] = []

    def first_only(host: str, _port: int, addresses: Sequence[Address]) -> Sequence[Address]:
        asked.append(addresses)
        if len(asked) > 1:
            raise ToolExecutionError(f"{host} leads to {addresses[0]} now")
        return [address for address in addresses if address.version == 4]

    config = at(real, url=f"http://localhost:{real}/mcp")
    opened = transport_opener(policy=None, dialable=first_only)

    async def dial_often() -> None:
        async with Client(opened(ANA, config)) as client:
            while True:
                await asyncio.gather(*(client.call_tool("echo", {"text": "x"}) for _ in range(5)))

    with pytest.raises((MCPServerError, ExceptionGroup)) as caught:
        await dial_often()
    assert "leads to" in str(problem_of(caught.value, "web"))
    assert len(asked) > 1


async def test_an_environments_proxy_does_not_dial_around_the_rule(
    real: int, monkeypatch: pytest.MonkeyPatch
):
    async with answering(says("200 OK")) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy}")
        said = await problem(at(real), dialable=WebPolicy().dialable)
    assert "loopback" in str(said)


async def test_a_server_that_does_not_answer_its_goodbye_holds_nobody_up():
    app = real_server().streamable_http_app()

    async def hung(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") == "DELETE":
            await asyncio.Event().wait()
        await app(scope, receive, send)

    async with served(hung) as port:
        opened = transport_opener(policy=None)(ANA, at(port))
        async with Client(opened, mode="legacy") as client:
            await client.list_tools()
            began = time.monotonic()
        assert time.monotonic() - began < 60


async def test_what_signs_requests_is_asked_for_each_owner(real: int):
    asked: list[tuple[str, str]] = []

    def auth_for(owner: object, config: MCPServerConfig) -> httpx2.Auth:
        asked.append((str(owner), config.name))
        return httpx2.BasicAuth("a", "b")

    await connected(at(real), auth=auth_for)
    assert asked == [(str(ANA), "web")]
