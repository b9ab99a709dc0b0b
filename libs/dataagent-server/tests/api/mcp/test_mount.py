"""The MCP server is built by the first request, once, whatever becomes of who asked."""

import asyncio

import httpx
import pytest

from dataagent_core.mcp.server import build_server as serving
from dataagent_server.api.mcp.mount import ServerOnDemand
from tests.server.fixtures import app_of

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What each build does: True fails, and each is taken from the end."""
    planned: list[bool] = []
    real = serving.build_server

    def build(*given: object, **named: object) -> object:
        if planned.pop():
            raise RuntimeError("no server this time")
        return real(*given, **named)  # pyright: ignore[reportArgumentType, reportCallIssue]

    monkeypatch.setattr(serving, "build_server", build)
    return planned


def behind(api: httpx.AsyncClient) -> ServerOnDemand:
    return app_of(api).state.mcp.behind


async def test_a_start_builds_nothing_and_requests_at_once_share_one_server(
    builds: list[bool], api: httpx.AsyncClient
):
    assert builds == []
    builds.append(False)
    answers = await asyncio.gather(*(api.post("/mcp", json=INITIALIZE) for _ in range(3)))
    assert builds == []
    assert {answer.status_code for answer in answers} == {401}


async def test_who_asks_first_may_go_away(builds: list[bool], api: httpx.AsyncClient):
    builds.append(False)
    first, second = [asyncio.create_task(behind(api).opened()) for _ in range(2)]
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait([first])
    assert first.cancelled()
    assert await second is await behind(api).opened()


async def test_a_server_that_could_not_be_built_is_tried_again(
    builds: list[bool], api: httpx.AsyncClient
):
    builds += [False, True]
    with pytest.raises(RuntimeError, match="no server this time"):
        await behind(api).opened()
    await behind(api).opened()
    assert builds == []
