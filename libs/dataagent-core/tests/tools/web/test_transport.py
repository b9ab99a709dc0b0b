"""The address is checked where the connection is made."""

from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any

import httpcore
import pytest
from web_site import Site

from dataagent_core.errors import ToolExecutionError
from dataagent_core.sandbox.network.addresses import Address
from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_policy import WebPolicy
from dataagent_core.tools.web.web_transport import GuardedBackend

SPELLINGS = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "::ffff:127.0.0.1",
    "localhost",
    "LOCALHOST",
    "0.0.0.0",
    "0",
]


@pytest.mark.parametrize("host", SPELLINGS)
async def test_no_spelling_of_loopback_is_dialled(host: str, site: Site) -> None:
    with pytest.raises(ToolExecutionError, match="is not reached"):
        await GuardedBackend(WebPolicy()).connect_tcp(host, site.port)


@pytest.mark.parametrize("host", SPELLINGS)
async def test_each_of_these_spellings_leads_to_the_server_when_allowed(
    host: str, site: Site
) -> None:
    vouched = WebPolicy(frozenset({(host.lower().rstrip("."), site.port)}))
    stream = await GuardedBackend(vouched).connect_tcp(host, site.port, timeout=5)
    await stream.aclose()


@pytest.mark.requirement("F3-7")
async def test_a_name_that_changes_its_address_is_asked_once_and_the_checked_address_dialled() -> (
    None
):
    answers = iter(["93.184.216.34", "127.0.0.1"])
    dialler = Dialler()

    async def rebinding(host: str, port: int) -> Sequence[Address]:
        return [ip_address(next(answers))]

    backend = GuardedBackend(WebPolicy(), rebinding, dialler)
    with pytest.raises(httpcore.ConnectError):
        await backend.connect_tcp("rebind.example", 80)
    assert dialler.dialled == ["93.184.216.34"]
    with pytest.raises(ToolExecutionError, match="loopback"):
        await backend.connect_tcp("rebind.example", 80)
    assert dialler.dialled == ["93.184.216.34"]


async def test_a_name_that_leads_home_is_refused_and_reached_when_allowed(site: Site) -> None:
    site.page("/", b"hello", "text/plain")

    async def leads_home(host: str, port: int) -> Sequence[Address]:
        return [ip_address("127.0.0.1")]

    url = site.url(host="inner.example")
    vouched = WebPolicy(frozenset({("inner.example", site.port)}))
    assert (await WebClient(vouched, resolver=leads_home).request(url)).body == b"hello"
    with pytest.raises(ToolExecutionError, match="loopback"):
        await WebClient(WebPolicy(), resolver=leads_home).request("http://inner.example/")


async def test_the_next_address_is_tried_when_one_does_not_answer() -> None:
    dialler = Dialler()

    async def many(host: str, port: int) -> Sequence[Address]:
        return [ip_address(f"93.184.216.{last}") for last in range(9)]

    with pytest.raises(httpcore.ConnectError):
        await GuardedBackend(WebPolicy(), many, dialler).connect_tcp("many.example", 80)
    assert dialler.dialled == [f"93.184.216.{last}" for last in range(4)]


async def test_unix_sockets_are_not_reached() -> None:
    with pytest.raises(httpcore.UnsupportedProtocol):
        await GuardedBackend(WebPolicy()).connect_unix_socket("/run/docker.sock")


class Dialler(httpcore.AsyncNetworkBackend):
    """The edge of the machine: notes what would be dialled, and does not."""

    def __init__(self) -> None:
        self.dialled: list[str] = []

    async def connect_tcp(self, host: str, *args: Any, **kwargs: Any) -> Any:
        self.dialled.append(host)
        raise httpcore.ConnectError("nobody there")
