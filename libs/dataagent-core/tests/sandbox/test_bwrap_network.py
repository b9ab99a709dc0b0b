"""No way out unless allowed, and then only to listed hosts at allowed addresses."""

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sandboxes import python, text

from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.network.addresses import Address
from dataagent_core.sandbox.network.egress import EgressPolicy
from dataagent_core.sandbox.network.proxy import BadRequestError, parse_request
from tests.services.tcp_server import tcp_server

CONNECT = "import socket; socket.create_connection(('127.0.0.1', {port}), 2); print('reached')"
ABSTRACT = (
    "import socket; s = socket.socket(socket.AF_UNIX); s.connect('\\0{name}'); print('reached')"
)
FETCH = "curl -s -o - -w '%{{http_code}}' --max-time 5 {url}"


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


async def full(workspace: Path, tmp_path: Path) -> BwrapSandbox:
    return await BwrapSandbox.open(workspace, scratch=tmp_path, network="full")


@pytest.mark.requirement("F3-escapes")
async def test_the_hosts_loopback_is_refused_and_reached_with_the_hosts_network(
    sandbox: BwrapSandbox, workspace: Path, tmp_path: Path, web: int
):
    refused = await python(sandbox, CONNECT.format(port=web))
    assert "refused" in text(refused)
    control = await full(workspace, tmp_path)
    assert "reached" in text(await python(control, CONNECT.format(port=web)))
    await control.aclose()


@pytest.mark.requirement("F3-escapes")
async def test_an_abstract_socket_is_refused_and_reached_with_the_hosts_network(
    sandbox: BwrapSandbox, workspace: Path, tmp_path: Path
):
    name = f"dataagent-test-{tmp_path.name}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"\0{name}")
        listener.listen()
        assert "refused" in text(await python(sandbox, ABSTRACT.format(name=name)))
        control = await full(workspace, tmp_path)
        assert "reached" in text(await python(control, ABSTRACT.format(name=name)))
        await control.aclose()


async def test_a_run_may_not_ask_for_more_network_than_its_sandbox_has(sandbox: BwrapSandbox):
    with pytest.raises(ValidationError, match="'full'"):
        await sandbox.run("true", network="full")


async def fetch(workspace: Path, tmp_path: Path, egress: EgressPolicy, url: str) -> str:
    sandbox = await BwrapSandbox.open(workspace, scratch=tmp_path, network="hosts", egress=egress)
    try:
        return text(await sandbox.run(FETCH.format(url=url), timeout_s=10))
    finally:
        await sandbox.aclose()


async def test_a_listed_host_is_reached_through_the_proxy(
    workspace: Path, tmp_path: Path, web: int
):
    egress = EgressPolicy(("localhost",), frozenset({web}), anywhere)
    assert await fetch(workspace, tmp_path, egress, f"http://localhost:{web}/x") == "hello200"


async def test_a_tunnel_to_a_listed_host_passes_bytes_both_ways(
    workspace: Path, tmp_path: Path, web: int
):
    egress = EgressPolicy(("localhost",), frozenset({web}), anywhere)
    url = f"--proxytunnel http://localhost:{web}/x"
    assert await fetch(workspace, tmp_path, egress, url) == "hello200"


async def test_a_host_that_is_not_listed_is_refused(workspace: Path, tmp_path: Path, web: int):
    egress = EgressPolicy(("example.com",), frozenset({web}), anywhere)
    said = await fetch(workspace, tmp_path, egress, f"http://localhost:{web}/")
    assert "not on the list" in said
    assert said.endswith("403")


async def test_a_listed_name_that_points_into_the_hosts_network_is_refused(
    workspace: Path, tmp_path: Path, web: int
):
    egress = EgressPolicy(("localhost",), frozenset({web}))
    said = await fetch(workspace, tmp_path, egress, f"http://localhost:{web}/")
    assert "127.0.0.1 (loopback)" in said
    assert said.endswith("403")


async def test_without_the_proxy_there_is_no_route(workspace: Path, tmp_path: Path, web: int):
    egress = EgressPolicy(("localhost",), frozenset({web}), anywhere)
    said = await fetch(workspace, tmp_path, egress, f"--noproxy '*' http://localhost:{web}/")
    assert said == "000"


@pytest.mark.parametrize(
    ("host", "port", "allowed"),
    [
        ("pypi.org", 443, True),
        ("PyPI.org.", 443, True),
        ("files.pythonhosted.org", 443, True),
        ("pythonhosted.org", 443, False),
        ("evilpypi.org", 443, False),
        ("pypi.org.evil.com", 443, False),
        ("pypi.org", 22, False),
    ],
)
def test_hosts_are_matched_whole(host: str, port: int, allowed: bool):
    egress = EgressPolicy(("pypi.org", "*.pythonhosted.org"))
    assert (egress.explain_refusal(host, port) is None) == allowed


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"CONNECT :443 HTTP/1.1\r\n\r\n",
        b"GET ftp://x/ HTTP/1.1\r\n\r\n",
        b"CONNECT x:99999 HTTP/1.1\r\n\r\n",
    ],
)
def test_a_request_that_is_none_of_a_proxy_is_refused(head: bytes):
    with pytest.raises(BadRequestError):
        parse_request(head)


def test_a_plain_request_is_sent_on_without_what_was_meant_for_the_proxy():
    head = (
        b"GET http://a.org:81/p?q HTTP/1.1\r\nHost: evil\r\nProxy-Authorization: x\r\nA: b\r\n\r\n"
    )
    request = parse_request(head)
    assert (request.host, request.port) == ("a.org", 81)
    assert request.forward == (
        b"GET /p?q HTTP/1.1\r\nHost: a.org:81\r\nA: b\r\nConnection: close\r\n\r\n"
    )
