"""Every failure has the one form (S0 property 25), and tells nothing about the inside."""

import logging
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from operations import METHODS, Asked, requests

from dataagent_core.errors import CODES, DataAgentError
from dataagent_server.common import errors
from dataagent_server.common.error_table import PUBLIC_MESSAGES, TABLE
from tests.server.fixtures import MakeApi, app_of

FORM = {"error_code", "message", "details", "request_id"}


def assert_form(answer: httpx.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json")
    body = answer.json()
    assert set(body) == FORM
    assert body["error_code"] == code
    assert body["message"]
    assert body["request_id"] == answer.headers["x-request-id"]


@pytest.mark.parametrize(
    ("method", "path", "options", "status", "code"),
    [
        ("GET", "/nothing/here", {}, 404, "NOT_FOUND"),
        ("DELETE", "/api/v1/health", {}, 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/api/v1/health/", {}, 404, "NOT_FOUND"),
        ("POST", "/probe/echo", {"json": {}}, 422, "VALIDATION_ERROR"),
        ("POST", "/probe/echo", {"content": "{"}, 415, "UNSUPPORTED_MEDIA_TYPE"),
        (
            "POST",
            "/probe/echo",
            {"content": "{", "headers": {"content-type": "application/json"}},
            422,
            "VALIDATION_ERROR",
        ),
        ("POST", "/probe/echo", {"data": {"text": "x"}}, 415, "UNSUPPORTED_MEDIA_TYPE"),
        ("POST", "/probe/echo", {}, 422, "VALIDATION_ERROR"),
        ("GET", "/probe/me", {}, 401, "UNAUTHENTICATED"),
        ("GET", "/probe/me", {"headers": {"x-api-key": "wrong-key"}}, 401, "UNAUTHENTICATED"),
        ("GET", "/probe/boom", {}, 500, "INTERNAL"),
        ("GET", "/probe/storage", {}, 503, "CHECKPOINT_ERROR"),
    ],
)
@pytest.mark.requirement("F4-8")
async def test_whatever_goes_wrong_has_the_one_form(  # noqa: PLR0917 (one row of a table)
    api: httpx.AsyncClient, method: str, path: str, options: dict[str, Any], status: int, code: str
):
    assert_form(await api.request(method, path, **options), status, code)


async def test_a_defect_is_logged_with_its_trace_and_told_without_it(
    api: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.ERROR, "dataagent_server"):
        answer = await api.get("/probe/boom")
    assert "hunter2" not in answer.text
    assert "RuntimeError" not in answer.text
    assert any(record.exc_info for record in caplog.records)


async def test_what_names_the_machines_inside_is_for_the_log_only(
    api: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.WARNING, "dataagent_server"):
        answer = await api.get("/probe/storage")
    assert "/var/lib" not in answer.text
    assert any("/var/lib/secret.db" in record.getMessage() for record in caplog.records)


async def test_a_wrong_field_is_named_without_its_value(api: httpx.AsyncClient):
    sent = {"text": "x", "number": "a-secret-value"}
    answer = await api.post("/probe/echo", json=sent)
    assert answer.json()["details"]["errors"][0]["field"] == "body.number"
    assert "a-secret-value" not in answer.text


async def test_a_stream_that_breaks_off_is_cut_not_patched(api: httpx.AsyncClient):
    answer = await api.get("/probe/stream", params={"break_off": True})
    assert answer.status_code == 200
    assert "error_code" not in answer.text


SERVER_ERRORS = [
    value
    for value in vars(errors).values()
    if isinstance(value, type)
    and issubclass(value, DataAgentError)
    and value.__module__ == errors.__name__
    and "code" in vars(value)
]


@pytest.mark.parametrize("kind", SERVER_ERRORS)
def test_every_error_of_the_server_is_in_the_table(kind: type[DataAgentError]):
    assert kind.code in TABLE


@pytest.mark.parametrize("kind", SERVER_ERRORS)
def test_the_drawn_tree_names_every_error_of_the_server(kind: type[DataAgentError]):
    assert f"{kind.__name__} " in (errors.__doc__ or "")
    assert f" {kind.code} " in (errors.__doc__ or "")


def test_the_table_holds_every_code_of_core_unchanged():
    assert {code: TABLE[code] for code in CODES} == CODES


def test_every_public_message_belongs_to_a_code():
    assert set(PUBLIC_MESSAGES) <= set(TABLE)


class Raised:
    """What the route `/probe/raised` fails with."""

    error: Exception


@pytest.fixture
async def failing(make_api: MakeApi) -> AsyncGenerator[tuple[httpx.AsyncClient, Raised]]:
    raised = Raised()

    async def fail() -> None:
        raise raised.error

    async with make_api(rate_limit_per_minute="0") as api:
        app_of(api).add_api_route("/probe/raised", fail, include_in_schema=False)
        yield api, raised


@pytest.mark.requirement("S0-25")
@given(
    code=st.sampled_from(sorted(TABLE)),
    message=st.text(alphabet=st.characters(codec=None, exclude_categories=[]), max_size=50),
)
async def test_s0_25_whatever_a_route_raises_is_answered_with_an_error_code_and_a_message(
    failing: tuple[httpx.AsyncClient, Raised], code: str, message: str
):
    api, raised = failing
    raised.error = type("Some", (DataAgentError,), {"code": code})(message)
    assert_form(await api.get("/probe/raised"), TABLE[code].http_status, code)


KEY = "a-key-of-the-operator"


@pytest.mark.requirement("S0-25")
@settings(deadline=None)
@given(
    asked=requests(),
    key=st.sampled_from([None, "wrong-key", KEY]),
    other=st.none() | st.sampled_from([*METHODS, "PURGE"]),
)
async def test_s0_25_whatever_fails_of_the_api_is_answered_with_an_error_code_and_a_message(
    keyed_api: httpx.AsyncClient, asked: Asked, key: str | None, other: str | None
):
    headers = asked.headers | ({} if key is None else {"x-api-key": key})
    method = other or asked.method
    answer = await keyed_api.request(method, asked.path, content=asked.content, headers=headers)
    assume(answer.status_code >= 400)
    code = answer.json()["error_code"]
    assert_form(answer, TABLE[code].http_status, code)
    if answer.status_code == 401:
        assert key != KEY


@pytest.fixture
async def keyed_api(make_api: MakeApi) -> AsyncGenerator[httpx.AsyncClient]:
    async with make_api(rate_limit_per_minute="0", api_keys=f'["{KEY}"]') as api:
        yield api
