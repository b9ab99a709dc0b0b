"""Requests to one server with one person's key, and its WebSocket.

The key is sent only to the address the person named: redirects are not followed, and no proxy is
used for this machine.
"""

import json
import ssl
from collections.abc import AsyncGenerator, AsyncIterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from dataagent_cli.messages import Messages
from dataagent_cli.remote import limits
from dataagent_cli.remote.address import RemoteServer, socket_url
from dataagent_cli.remote.failures import ServerFailedError, make_away_error, make_refusal_error

KEY_HEADER = "X-API-Key"
_API = "/api/v1"


class _ConnectOnce(connect):
    """Follows no redirect: the key would be sent along."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


class _Fields(dict[str, Any]):
    """An object of a response; a missing field raises the error for a server that is not ours."""

    def __init__(self, fields: dict[str, Any], missing: ServerFailedError) -> None:
        super().__init__(fields)
        self._missing = missing

    def __missing__(self, key: str) -> Any:
        raise self._missing


class ServerClient:
    """A client of one server."""

    def __init__(self, server: RemoteServer, say: Messages) -> None:
        self.url = server.url
        self._say = say
        self._tls = ssl.create_default_context()
        self._trust_env = not server.on_this_machine
        self._headers = {} if server.key is None else {KEY_HEADER: server.key}
        self._http = httpx.AsyncClient(
            base_url=server.url + _API,
            # A compressed response could unpack to gigabytes.
            headers={**self._headers, "Accept-Encoding": "identity"},
            timeout=httpx.Timeout(limits.ANSWER_S_MAX, connect=limits.CONNECT_S_MAX),
            follow_redirects=False,
            verify=self._tls,
            trust_env=self._trust_env,
        )

    async def ask(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> Any:
        """Send a request and read the response; `key` makes a retry the same request."""
        async with self._open_response(method, path, body=body, query=query, key=key) as answer:
            data = await self._read(answer, limits.ANSWER_BYTES_MAX)
        try:
            return json.loads(data, object_hook=self._fields) if data else None
        except ValueError:
            raise self._not_ours_error(answer.status_code) from None

    async def begin(self, path: str, body: Any, key: str) -> None:
        """Start work whose response is a stream that is read elsewhere."""
        async with self._open_response("POST", path, body=body, key=key):
            return

    async def download(self, path: str, query: Mapping[str, str], bytes_max: int) -> bytes | None:
        """Read a file; None if it is larger than `bytes_max`."""
        async with self._open_response("GET", path, query=query) as answer:
            try:
                return await self._read(answer, bytes_max)
            except ServerFailedError:
                return None

    async def upload(self, path: str, query: Mapping[str, str], data: bytes) -> Any:
        """Write a file."""
        async with self._open_response("PUT", path, query=query, content=data) as answer:
            data = await self._read(answer, limits.ANSWER_BYTES_MAX)
        return json.loads(data, object_hook=self._fields)

    @asynccontextmanager
    async def socket(self, session_id: str, after: int) -> AsyncGenerator[ClientConnection]:
        """Follow a session after a number."""
        url = f"{socket_url(self.url)}/ws/chat/{session_id}?after={after}"
        connecting = _ConnectOnce(
            url,
            additional_headers=self._headers,
            ssl=self._tls if url.startswith("wss:") else None,
            proxy=True if self._trust_env else None,
            open_timeout=limits.CONNECT_S_MAX,
            close_timeout=1,
            max_size=limits.FRAME_BYTES_MAX,
            max_queue=limits.FRAMES_WAITING_MAX,
            compression=None,
        )
        try:
            async with connecting as socket:
                yield socket
        except InvalidStatus as error:
            answer = error.response
            location = answer.headers.get("Location", "")
            raise make_refusal_error(
                answer.status_code, bytes(answer.body or b""), self.url, self._say, location
            ) from None
        except (WebSocketException, OSError) as error:
            raise make_away_error(self.url, _reason(error), self._say) from error

    async def aclose(self) -> None:
        await self._http.aclose()

    @asynccontextmanager
    async def _open_response(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        content: bytes | AsyncIterable[bytes] | None = None,
        query: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> AsyncGenerator[httpx.Response]:
        headers = {} if key is None else {"Idempotency-Key": key}
        try:
            async with self._http.stream(
                method, path, json=body, content=content, params=query, headers=headers
            ) as answer:
                if not answer.is_success:
                    data = await self._read_beginning(answer)
                    location = answer.headers.get("Location", "")
                    raise make_refusal_error(
                        answer.status_code, data, self.url, self._say, location
                    )
                yield answer
        except (httpx.TransportError, httpx.InvalidURL) as error:
            raise make_away_error(self.url, _reason(error), self._say) from error

    def _fields(self, fields: dict[str, Any]) -> "_Fields":
        return _Fields(fields, self._not_ours_error(httpx.codes.OK))

    def _not_ours_error(self, status: int) -> ServerFailedError:
        return ServerFailedError(self._say("remote_not_ours", url=self.url, status=status))

    async def _read(self, answer: httpx.Response, bytes_max: int) -> bytes:
        data = bytearray()
        async for piece in answer.aiter_bytes():
            data += piece
            if len(data) > bytes_max:
                text = self._say("remote_too_much", url=self.url, bytes=bytes_max)
                raise ServerFailedError(text)
        return bytes(data)

    async def _read_beginning(self, answer: httpx.Response) -> bytes:
        data = bytearray()
        async for piece in answer.aiter_bytes():
            data += piece
            if len(data) > limits.ERROR_BYTES_MAX:
                break
        return bytes(data)


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__
