"""Limits the size of HTTP answers, and turns HTTP error statuses into MCP errors.

The SDK does not tell its caller which error status it got. So a refused message is answered here
with an MCP error that carries the status; `problems.py` reads it back.
"""

import json
import re
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Any

import httpx2
from mcp_types import INTERNAL_ERROR, METHOD_NOT_FOUND, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

from dataagent_core.config.limits.mcp import MCP_MESSAGE_BYTES_MAX
from dataagent_core.errors import SignInNeededError

STATUS_KEY = "dataagent/httpStatus"
SCOPES_KEY = "dataagent/scopes"
_SIGN_IN = frozenset({401, 403})
_NOT_FOUND = 404
_REFUSED_FROM = 400
_SCOPES = re.compile(r'\bscope="([^"]{1,1000})"')
_SESSION = "mcp-session-id"


async def status_error(response: httpx2.Response) -> httpx2.Response:
    """Return an answer that carries the reason of a refusal; any other one as it is."""
    request = response.request
    if response.status_code < _REFUSED_FROM or request.method != "POST":
        return response
    status = response.status_code
    if status == _NOT_FOUND and _SESSION in request.headers:
        return response  # the session ended, which the SDK reports
    try:
        if status not in _SIGN_IN and await _is_error_of_protocol(response):
            return response
    finally:
        await response.aclose()
    scopes = _SCOPES.search(response.headers.get("www-authenticate", ""))
    message = f"HTTP {status} {response.reason_phrase[:100]}".strip()
    return _make_refusal(request, status, message, scopes[1] if scopes else "")


def sign_in_error(request: httpx2.Request, needed: SignInNeededError) -> httpx2.Response:
    """Answer a message that could not be signed, as the server would."""
    return _make_refusal(request, HTTPStatus.UNAUTHORIZED, str(needed), needed.scopes)


def is_answered_in_response(request: httpx2.Request) -> bool:
    """Return whether the answer comes in the response, as in Streamable HTTP."""
    return request.method == "POST" and "text/event-stream" in request.headers.get("accept", "")


def _make_refusal(
    request: httpx2.Request, status: int, message: str, scopes: str
) -> httpx2.Response:
    error: dict[str, Any] = {
        "code": METHOD_NOT_FOUND if status == _NOT_FOUND else INTERNAL_ERROR,
        "message": message,
        "data": {STATUS_KEY: int(status), SCOPES_KEY: scopes},
    }
    return httpx2.Response(
        status,
        headers={"content-type": "application/json"},
        content=json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode(),
        request=request,
    )


async def _is_error_of_protocol(response: httpx2.Response) -> bool:
    if not response.headers.get("content-type", "").lower().startswith("application/json"):
        return False
    try:
        message = jsonrpc_message_adapter.validate_json(await response.aread(), by_name=False)
    except (httpx2.StreamError, httpx2.TransportError, ValidationError):
        return False
    return isinstance(message, JSONRPCError)


_STREAM = "text/event-stream"


class TooLargeError(httpx2.StreamError):
    """An answer exceeded the limit; the SDK raises it in the request only."""


class BoundedTransport(httpx2.AsyncBaseTransport):
    """Requests answers without compression and limits their size."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; the events of a stream are bounded where they are read."""
        # A few bytes can decompress to gigabytes.
        request.headers["Accept-Encoding"] = "identity"
        response = await self._inner.handle_async_request(request)
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("", "identity"):
            await response.aclose()
            raise httpx2.DecodingError(f"the answer is packed ({encoding[:40]}) against our wish")
        if not response.headers.get("content-type", "").lower().startswith(_STREAM):
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            response.stream = _LimitedStream(response.stream)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _LimitedStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        received_bytes = 0
        async for piece in self._inner:
            received_bytes += len(piece)
            if received_bytes > MCP_MESSAGE_BYTES_MAX:
                raise TooLargeError(
                    f"the answer is larger than {MCP_MESSAGE_BYTES_MAX // 2**20} MiB; ask for less"
                )
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()
