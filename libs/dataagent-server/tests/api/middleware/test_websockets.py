"""What wraps a request wraps a WebSocket too: its id, its rate, the form of a denial."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from starlette.types import Message, Scope

from tests.server.fixtures import MakeApi, app_of

LiveServer = Callable[..., Any]


def scope_of(query: str = "", **headers: str) -> Scope:
    return {
        "type": "websocket",
        "asgi": {"version": "3.0"},
        "scheme": "ws",
        "path": "/probe/socket",
        "raw_path": b"/probe/socket",
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8000),
        "subprotocols": [],
        "extensions": {"websocket.http.response": {}},
        "state": {},
    }


@pytest.fixture
def live(make_api: MakeApi) -> LiveServer:
    async def live(*scopes: Scope, **settings: str) -> list[list[Message]]:
        heard: list[list[Message]] = []
        async with make_api(**settings) as api:
            for scope in scopes:
                said = iter(
                    [{"type": "websocket.connect"}, {"type": "websocket.receive", "text": "x"}]
                )
                messages: list[Message] = []

                async def receive(said: Any = said) -> Message:
                    return next(said)

                async def send(message: Message, messages: list[Message] = messages) -> None:
                    messages.append(message)

                await app_of(api)(scope, receive, send)
                heard.append(messages)
        return heard

    return live


def headers_of(message: Message) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in message["headers"]}


async def test_a_socket_carries_its_request_id(live: LiveServer):
    ((accepted, echoed, _closed),) = await live(scope_of(**{"x-request-id": "mine"}))
    assert headers_of(accepted)["x-request-id"] == "mine"
    assert echoed["text"] == "x"


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [("deny=storage", 503, "CHECKPOINT_ERROR"), ("number=x", 422, "VALIDATION_ERROR")],
)
async def test_an_upgrade_is_denied_in_the_one_form(
    live: LiveServer, query: str, status: int, code: str
):
    ((start, body),) = await live(scope_of(query))
    assert (start["type"], start["status"]) == ("websocket.http.response.start", status)
    told = json.loads(body["body"])
    assert told["error_code"] == code
    assert told["request_id"] == headers_of(start)["x-request-id"]


async def test_an_unknown_path_is_denied(live: LiveServer):
    ((start, *_),) = await live({**scope_of(), "path": "/nothing"})
    assert start["type"] in ("websocket.close", "websocket.http.response.start")


async def test_an_open_socket_that_fails_is_closed_with_a_code(live: LiveServer):
    ((_accepted, closed),) = await live(scope_of("deny=late"))
    assert closed == {"type": "websocket.close", "code": 1011, "reason": ""}


async def test_upgrades_count_against_the_rate(live: LiveServer):
    # The first one and its message use what there is; the next upgrade is one too many.
    heard = await live(scope_of(), scope_of(), rate_limit_per_minute="1", rate_limit_burst="2")
    assert heard[1][0]["status"] == 429
    assert json.loads(heard[1][1]["body"])["error_code"] == "RATE_LIMITED"


async def test_messages_count_against_the_rate(live: LiveServer):
    began = time.monotonic()
    # Two upgrades and two messages: the fourth waits for its turn.
    heard = await live(scope_of(), scope_of(), rate_limit_per_minute="600", rate_limit_burst="3")
    assert [said[1]["text"] for said in heard] == ["x", "x"]
    assert time.monotonic() - began >= 0.05
