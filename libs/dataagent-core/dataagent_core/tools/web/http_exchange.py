"""One HTTP request and its response on a connection of its own; httpcore's errors become ours.

httpcore has no cookies, no proxies from the environment, no redirects and no decompression, so
nothing must be switched off. A new connection per request means that nothing is shared between
runs, users or event loops. `BoundedBody` decompresses while reading and never exceeds the limit.
"""

import ssl
import zlib

import httpcore

from dataagent_core.config.limits import WEB_CONNECT_S, WEB_RESPONSE_BYTES_MAX
from dataagent_core.errors import ToolExecutionError
from dataagent_core.tools.web.request_headers import USER_AGENT, HeaderPairs
from dataagent_core.tools.web.response_text import is_text, parse_media_type
from dataagent_core.tools.web.urls import format_url
from dataagent_core.tools.web.web_message import WebRequest, WebResponse

ACCEPTED_ENCODINGS = "gzip, deflate"
_GZIP = zlib.MAX_WBITS | 16
_RAW = -zlib.MAX_WBITS


class BoundedBody:
    """Collects at most `limit_bytes`, both of what came and of what it unpacks to."""

    def __init__(self, encoding: str, limit_bytes: int) -> None:
        self._encoding = encoding.strip().lower()
        if self._encoding not in {"", "identity", "gzip", "x-gzip", "deflate"}:
            raise ToolExecutionError(
                f"The answer is packed as {encoding!r:.60}, which was not asked for and is not "
                f"read ({ACCEPTED_ENCODINGS} are)."
            )
        self._limit_bytes = limit_bytes
        self._came_bytes = 0
        self._unpacked = bytearray()
        self._unpacker: zlib._Decompress | None = None  # pyright: ignore[reportPrivateUsage]
        self.cut = False

    def feed(self, data: bytes) -> bool:
        """Take the next piece; False when there is no room for more."""
        self._came_bytes += len(data)
        if self._encoding in {"", "identity"}:
            self._keep(data)
        else:
            self._unpack(data)
        self.cut = self.cut or self._came_bytes > self._limit_bytes
        return not self.cut

    def content(self) -> bytes:
        """Give what was collected."""
        return bytes(self._unpacked)

    def _unpack(self, data: bytes) -> None:
        while data and not self.cut:
            if self._unpacker is None:
                self._unpacker = zlib.decompressobj(self._window(data))
            room = self._limit_bytes + 1 - len(self._unpacked)
            try:
                self._keep(self._unpacker.decompress(data, room))
            except zlib.error as error:
                raise ToolExecutionError(
                    f"The answer says it is {self._encoding} but cannot be unpacked: {error}."
                ) from error
            data = self._unpacker.unconsumed_tail
            if self._unpacker.eof:
                # gzip allows several members in a row.
                data, self._unpacker = self._unpacker.unused_data, None

    def _window(self, data: bytes) -> int:
        if self._encoding != "deflate":
            return _GZIP
        # Servers send "deflate" with and without zlib's header, whose low four bits are 8.
        return zlib.MAX_WBITS if data[0] & 0x0F == zlib.DEFLATED else _RAW

    def _keep(self, data: bytes) -> None:
        room = self._limit_bytes - len(self._unpacked)
        self._unpacked += data[:room]
        self.cut = self.cut or len(data) > room


_DEFAULTS = (("User-Agent", USER_AGENT), ("Accept", "*/*"))
_FAILURES = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.UnsupportedProtocol,
)


async def exchange_http(
    request: WebRequest, backend: httpcore.AsyncNetworkBackend, tls: ssl.SSLContext
) -> WebResponse:
    """Send one request and read its answer; the caller bounds the whole time."""
    pool = httpcore.AsyncConnectionPool(
        ssl_context=tls, max_connections=1, max_keepalive_connections=0, network_backend=backend
    )
    try:
        async with (
            pool,
            pool.stream(
                request.method,
                _target(request),
                headers=_sent(request),
                content=request.body,
                extensions={"timeout": {"connect": WEB_CONNECT_S}},
            ) as answer,
        ):
            return await _read(request, answer)
    except _FAILURES as error:
        kind = type(error).__name__
        raise ToolExecutionError(
            f"{request.method} {format_url(request.url)} failed ({kind}): {str(error) or kind}. "
            "Check the address, or try again later.",
            retryable=True,
        ) from error


async def _read(request: WebRequest, answer: httpcore.Response) -> WebResponse:
    headers = tuple((_text(name), _text(value)) for name, value in answer.headers)
    response = WebResponse(
        method=request.method,
        url=request.url,
        status=answer.status,
        headers=headers,
        body=None,
        cut=False,
    )
    if not is_text(parse_media_type(response.header("content-type"))):
        return response
    body = BoundedBody(response.header("content-encoding"), WEB_RESPONSE_BYTES_MAX)
    async for piece in answer.aiter_stream():
        if not body.feed(piece):
            break
    return WebResponse(
        method=request.method,
        url=request.url,
        status=answer.status,
        headers=headers,
        body=body.content(),
        cut=body.cut,
    )


def _target(request: WebRequest) -> httpcore.URL:
    url = request.url
    return httpcore.URL(
        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
    )


def _sent(request: WebRequest) -> HeaderPairs:
    chosen = {name.lower() for name, _ in request.headers}
    defaults = tuple((name, value) for name, value in _DEFAULTS if name.lower() not in chosen)
    host = ("Host", request.url.netloc.decode("ascii"))
    return (host, *defaults, ("Accept-Encoding", ACCEPTED_ENCODINGS), *request.headers)


def _text(raw: bytes) -> str:
    return raw.decode("latin-1")
