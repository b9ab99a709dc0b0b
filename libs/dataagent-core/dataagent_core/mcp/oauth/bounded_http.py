"""The HTTP requests of a sign-in: bounded in time and size, never redirected.

The client decides which addresses may be dialled: a server passes a factory whose clients refuse
its own network, the command line uses a plain one.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from dataagent_core.config.limits.mcp import MCP_AUTH_REPLY_BYTES_MAX, MCP_AUTH_REQUEST_S
from dataagent_core.errors import MCPServerError, ToolExecutionError
from dataagent_core.mcp.oauth.server_words import clean_words
from dataagent_core.mcp.tls import trusted_certificates

# Makes a client for one request. It must not follow redirects by itself.
ClientFactory = Callable[[], httpx2.AsyncClient]


def plain_client() -> httpx2.AsyncClient:
    """Make a client that dials any address."""
    return httpx2.AsyncClient(
        timeout=MCP_AUTH_REQUEST_S, follow_redirects=False, verify=trusted_certificates()
    )


@dataclass(frozen=True, slots=True)
class BoundedHttp:
    """Sends the requests for one server, which its errors name."""

    server: str
    client_factory: ClientFactory = plain_client
    timeout_s: float = MCP_AUTH_REQUEST_S

    async def get(self, url: str) -> httpx2.Response:
        return await self._send("GET", url, {})

    async def post_form(
        self, url: str, form: Mapping[str, str], headers: Mapping[str, str]
    ) -> httpx2.Response:
        return await self._send("POST", url, headers, data=dict(form))

    async def post_json(self, url: str, body: Any) -> httpx2.Response:
        return await self._send("POST", url, {}, json=body)

    async def get_headers(
        self, method: str, url: str, headers: Mapping[str, str], body: Any = None
    ) -> httpx2.Response:
        """Send a request and read only the headers: the body may be an endless stream."""
        return await self._send(method, url, headers, body_wanted=False, json=body)

    async def _send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        *,
        body_wanted: bool = True,
        **sent: Any,
    ) -> httpx2.Response:
        # No compression: a small answer must not become a large one.
        request_headers = {"Accept": "application/json", "Accept-Encoding": "identity", **headers}
        try:
            async with (
                asyncio.timeout(self.timeout_s),
                self.client_factory() as client,
                client.stream(
                    method, url, headers=request_headers, follow_redirects=False, auth=None, **sent
                ) as response,
            ):
                body = await self._read_body(response) if body_wanted else b""
                return httpx2.Response(
                    response.status_code,
                    headers=_select_headers(response.headers),
                    content=body,
                    request=response.request,
                )
        except TimeoutError:
            raise MCPServerError(
                self.server,
                f"cannot be signed in at: {_strip_query(url)} did not answer in {self.timeout_s:g} "
                "seconds. Try again later.",
            ) from None
        except MCPServerError:
            raise
        except ToolExecutionError as error:
            # An address that may not be dialled.
            raise MCPServerError(self.server, f"cannot be signed in at: {error}") from error
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise MCPServerError(
                self.server,
                f"cannot be signed in at: {_strip_query(url)} cannot be reached "
                f"({clean_words(str(error)) or type(error).__name__}). Try again later.",
            ) from error

    async def _read_body(self, response: httpx2.Response) -> bytes:
        if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
            raise MCPServerError(
                self.server,
                f"cannot be signed in at: {_strip_query(str(response.url))} packed its answer, "
                "although it was asked not to.",
            )
        body = bytearray()
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > MCP_AUTH_REPLY_BYTES_MAX:
                raise MCPServerError(
                    self.server,
                    f"cannot be signed in at: the answer of {_strip_query(str(response.url))} is "
                    f"larger than {MCP_AUTH_REPLY_BYTES_MAX} bytes.",
                )
        return bytes(body)


def _select_headers(headers: httpx2.Headers) -> list[tuple[str, str]]:
    dropped = ("content-encoding", "content-length", "transfer-encoding", "set-cookie")
    return [(name, value) for name, value in headers.multi_items() if name.lower() not in dropped]


def _strip_query(url: str) -> str:
    # The query may hold secrets.
    return clean_words(url.partition("?")[0])
