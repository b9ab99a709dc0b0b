"""Whatever an error is, it becomes one sentence about the server, of bounded length."""

import asyncio
import socket
import ssl

import anyio
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT, JSONRPCResponse
from pydantic import ValidationError

from dataagent_core.errors import MCPServerError, SignInNeededError, ToolExecutionError
from dataagent_core.mcp.transports.problems import problem_of


def caused(error: BaseException, cause: BaseException) -> BaseException:
    error.__cause__ = cause
    return error


def not_mcp() -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        JSONRPCResponse.model_validate({"jsonrpc": "1.0"})
    return caught.value


REQUEST = httpx2.Request("POST", "http://x/?token=secret")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (FileNotFoundError(2, "No such file", "npx"), "Install its program"),
        (PermissionError(13, "Permission denied", "run"), "executable"),
        (caused(httpx2.ConnectError("x"), ConnectionRefusedError()), "nothing listens"),
        (caused(httpx2.ConnectError("x"), socket.gaierror(-2, "x")), "not known"),
        (caused(httpx2.ConnectError("x"), ssl.SSLError(1, "self-signed")), "self-signed"),
        (httpx2.ConnectError("no route"), "no route"),
        (httpx2.ReadTimeout("x"), "in time"),
        (TimeoutError(), "in time"),
        (MCPError(REQUEST_TIMEOUT, "timed out"), "in time"),
        (MCPError(CONNECTION_CLOSED, "Connection closed"), "closed the connection"),
        (MCPError(CONNECTION_CLOSED, "the MCP server 'one' ended"), "'one' ended"),
        (MCPError(-32602, "wrong"), "answered with an error: wrong"),
        (anyio.EndOfStream(), "closed the connection"),
        (anyio.ClosedResourceError(), "closed the connection"),
        (BrokenPipeError(), "closed the connection"),
        (not_mcp(), "not MCP"),
        (ToolExecutionError("x is private"), "x is private"),
        (MCPServerError("one", "is down"), "is down"),
        (KeyError("what"), "failed: 'what'"),
        (
            httpx2.HTTPStatusError("x", request=REQUEST, response=httpx2.Response(502)),
            "out of order (HTTP 502)",
        ),
    ],
)
def test_each_kind_has_its_sentence(error: BaseException, sentence: str):
    said = str(problem_of(error, "one"))
    assert said.startswith("the MCP server 'one' ")
    assert sentence in said
    assert "secret" not in said


def test_the_most_telling_of_a_group_is_told():
    closed = MCPError(CONNECTION_CLOSED, "Connection closed")
    refused = caused(httpx2.ConnectError("x"), ConnectionRefusedError())
    assert isinstance(refused, Exception)
    group = ExceptionGroup("a", [closed, ExceptionGroup("b", [anyio.EndOfStream(), refused])])
    assert "nothing listens" in str(problem_of(group, "one"))
    sign_in = ExceptionGroup("a", [refused, SignInNeededError("one", "files")])
    assert isinstance(problem_of(sign_in, "one"), SignInNeededError)


def test_what_it_was_handling_in_passing_is_not_taken_for_the_reason():
    error = ValueError("no JSON")
    error.__context__ = ConnectionRefusedError()
    assert "no JSON" in str(problem_of(error, "one"))


@given(st.text(max_size=5_000))
def test_what_a_server_said_is_shown_short_and_cannot_act_on_a_terminal(text: str):
    said = str(problem_of(MCPError(-1, text), "one"))
    assert len(said) < 500
    assert said.isprintable()


def test_a_cancellation_can_be_named_too():
    assert "failed" in str(problem_of(asyncio.CancelledError(), "one"))
