"""No answer of a server is taken beyond the limit: neither as it comes, nor unpacked."""

from collections.abc import AsyncIterator

import httpx2

from dataagent_core.config.limits.mcp import MCP_MESSAGE_BYTES_MAX

_STREAM = "text/event-stream"


class TooLargeError(httpx2.StreamError):
    """An answer passed the limit; the SDK tells it to whoever asked, and goes on."""


class BoundedTransport(httpx2.AsyncBaseTransport):
    """Asks for unpacked answers and cuts off what is too large."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; an event stream may last, its events are bounded where they are read."""
        # A few bytes can unpack to gigabytes.
        request.headers["Accept-Encoding"] = "identity"
        response = await self._inner.handle_async_request(request)
        packed = response.headers.get("content-encoding", "identity").strip().lower()
        if packed not in ("", "identity"):
            await response.aclose()
            raise httpx2.DecodingError(f"the answer is packed ({packed[:40]}) against our wish")
        if not response.headers.get("content-type", "").lower().startswith(_STREAM):
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            response.stream = _LimitedStream(response.stream)
        return response

    async def aclose(self) -> None:
        """Close what is inside."""
        await self._inner.aclose()


class _LimitedStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        taken_bytes = 0
        async for piece in self._inner:
            taken_bytes += len(piece)
            if taken_bytes > MCP_MESSAGE_BYTES_MAX:
                raise TooLargeError(
                    f"the answer is larger than {MCP_MESSAGE_BYTES_MAX // 2**20} MiB; ask for less"
                )
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()
