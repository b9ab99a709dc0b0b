"""Turns errors of a server into one sentence that says what to do.

Errors reach us from the SDK, its HTTP client, web sockets, the operating system and our own
transports, alone or in groups. Here they become an `MCPServerError`, or a `SignInNeededError` where
a person can help.
"""

import socket
import ssl
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, cast

import anyio
import httpx2
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.frames import CloseCode

from dataagent_core.config.limits.mcp import MCP_MESSAGE_BYTES_MAX
from dataagent_core.errors import DataAgentError, MCPServerError, SignInNeededError
from dataagent_core.mcp.transports.http.http_responses import SCOPES_KEY, STATUS_KEY, TooLargeError

_SAID_CHARS_MAX = 300
_CHAIN_MAX = 20
_CLOSED = "closed the connection. It is connected again with the next call."
_CLOSED_BY_SDK = "Connection closed"
_LATE = "did not answer in time. Try again, or give it more time with `timeout`."
_TOO_LARGE = f"sent a message of more than {MCP_MESSAGE_BYTES_MAX // 2**20} MiB. Ask it for less."
# The first match counts: the system's errors are subclasses of each other.
_SENTENCES: tuple[tuple[tuple[type[BaseException], ...], str], ...] = (
    (
        (socket.gaierror,),
        "cannot be reached: the name in its URL is not known. Check the URL.",
    ),
    (
        (ssl.SSLError,),
        "cannot be reached safely: {said}. This machine must trust its certificate.",
    ),
    (
        (FileNotFoundError,),
        "cannot be started: {said}. Install its program or correct the command.",
    ),
    ((PermissionError,), "cannot be started: {said}. Make its program executable."),
    (
        (ConnectionRefusedError,),
        "cannot be reached: nothing listens at its address. Start it, or check its URL.",
    ),
    ((TimeoutError, httpx2.TimeoutException), _LATE),
    ((httpx2.SSEError,), "sent an event we do not take: {said}"),
    ((TooLargeError,), _TOO_LARGE),
    (
        (
            ConnectionClosed,
            ConnectionError,
            httpx2.ReadError,
            anyio.EndOfStream,
            anyio.ClosedResourceError,
            anyio.BrokenResourceError,
        ),
        _CLOSED,
    ),
    (
        (httpx2.RemoteProtocolError, httpx2.DecodingError, WebSocketException),
        "does not speak the right protocol ({said}). Check its URL.",
    ),
    (
        (httpx2.TransportError, OSError),
        "cannot be reached: {said}. Check its URL and the network.",
    ),
    ((ValueError,), "answered with something that is not MCP: {said}"),
    ((BaseException,), "failed: {said}"),
)


def problem_of(error: BaseException, server: str) -> MCPServerError:
    """Return the most specific problem of an error."""
    found = list(leaves(error))[:_CHAIN_MAX]
    return _problem(min(found, key=_vagueness), server)


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the errors of a group, with those of inner groups."""
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        for inner in group.exceptions[:_CHAIN_MAX]:
            yield from leaves(inner)
    else:
        yield error


def _vagueness(error: BaseException) -> int:
    match error:
        case SignInNeededError():
            return 0
        case DataAgentError():
            return 1
        case MCPError(code=code) if code == CONNECTION_CLOSED:
            return 4
        case anyio.EndOfStream() | anyio.ClosedResourceError() | anyio.BrokenResourceError():
            return 5
        case MCPError():
            return 3
        case _:
            return 2


def _problem(error: BaseException, server: str) -> MCPServerError:
    match error:
        case MCPServerError():
            return error
        case DataAgentError():
            return MCPServerError(server, f"cannot be used: {error}")
        case MCPError():
            return _protocol_problem(error, server)
        case httpx2.HTTPStatusError():
            return status_problem(error.response.status_code, server)
        case InvalidStatus():
            return status_problem(error.response.status_code, server)
        case _:
            return MCPServerError(server, _render_error(error))


def status_problem(status: int, server: str, scopes: str = "") -> MCPServerError:
    """Return the problem that an HTTP status means."""
    named = f"(HTTP {status})"
    match status:
        case 401 | 403:
            return SignInNeededError(server, scopes)
        case 404:
            problem = f"has nothing at its address {named}. Check its URL."
        case 405 | 406 | 415:
            problem = (
                f"does not take messages this way {named}. "
                "Check its URL, or try the transport 'sse' if it is an older server."
            )
        case 429:
            problem = f"is asked too often {named}. Try again later."
        case _ if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
            problem = f"sends us to another address {named}. Use that one if it is right."
        case _ if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            problem = f"is out of order {named}. Try again later."
        case _:
            problem = f"refused the request {named}."
    return MCPServerError(server, problem)


def _protocol_problem(error: MCPError, server: str) -> MCPServerError:
    data = cast("dict[str, Any]", error.data) if isinstance(error.data, dict) else {}
    status = data.get(STATUS_KEY)
    if isinstance(status, int):
        return status_problem(status, server, str(data.get(SCOPES_KEY, ""))[:_SAID_CHARS_MAX])
    if error.code == REQUEST_TIMEOUT:
        return MCPServerError(server, _LATE)
    known = f"the MCP server {server!r} "
    if error.code == CONNECTION_CLOSED:
        # Our transports answer pending requests with the reason at the end of a connection.
        if error.message.startswith(known):
            return MCPServerError(server, error.message.removeprefix(known))
        if error.message == _CLOSED_BY_SDK:
            return MCPServerError(server, _CLOSED)
    return MCPServerError(server, f"answered with an error: {_clean(error.message)}")


def _render_error(error: BaseException) -> str:
    cause = next(_iter_causes(error))
    sent = cause.sent if isinstance(cause, ConnectionClosed) else None
    if sent is not None and sent.code == CloseCode.MESSAGE_TOO_BIG:
        return _TOO_LARGE
    sentence = next(text for kinds, text in _SENTENCES if isinstance(cause, kinds))
    return sentence.format(said=_clean(cause))


def _iter_causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the most specific causes first: HTTP clients wrap those of the system."""
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and len(chain) < _CHAIN_MAX:
        chain.append(current)
        current = current.__cause__ or current.__context__
    telling = (socket.gaierror, ssl.SSLError, ConnectionRefusedError)
    # Causes of an error outside the network are unrelated.
    if isinstance(error, httpx2.TransportError | WebSocketException | OSError):
        yield from (one for one in chain if isinstance(one, telling))
    yield error


def _clean(text: object) -> str:
    """Clean untrusted text: one line, bounded, without control characters."""
    words = str(text)[: 4 * _SAID_CHARS_MAX].split() or [type(text).__name__]
    line = "".join(letter for letter in " ".join(words) if letter.isprintable())
    return line if len(line) <= _SAID_CHARS_MAX else f"{line[:_SAID_CHARS_MAX]}..."
