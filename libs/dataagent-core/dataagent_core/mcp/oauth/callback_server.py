"""The redirect back from the authorization server: its check, and the local page that receives it.

`CallbackServer` listens on this machine while one sign-in waits. A request without the right
`state` gets a refusal and changes nothing, because any page in the browser can send one. The page
at the end has no scripts, and everything of others in it is escaped.
"""

import asyncio
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, urlsplit

from dataagent_core.config.limits.mcp import (
    MCP_CALLBACK_CONNECTIONS_MAX,
    MCP_CALLBACK_HEAD_BYTES_MAX,
    MCP_CALLBACK_PORT,
    MCP_CALLBACK_READ_S,
    MCP_CALLBACK_WAIT_S,
)
from dataagent_core.errors import ConflictError, MCPServerError, ValidationError
from dataagent_core.mcp.oauth.addresses import origin
from dataagent_core.mcp.oauth.pending_flow import PendingFlow
from dataagent_core.mcp.oauth.server_words import clean_words
from dataagent_core.mcp.owner import Owner

_FIELDS = ("state", "code", "iss", "error", "error_description")
_PARAMETERS_MAX = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackAnswer:
    """The parameters of the redirect."""

    state: str
    code: str = ""
    iss: str | None = None
    error: str = ""
    error_description: str = ""

    @classmethod
    def from_query(cls, query: str) -> Self:
        """Read a query; a parameter that occurs twice is ignored."""
        try:
            found = parse_qs(query, keep_blank_values=True, max_num_fields=_PARAMETERS_MAX)
        except ValueError:
            found = {}
        once = {name: found[name][0] for name in _FIELDS if len(found.get(name, ())) == 1}
        return cls(
            state=once.get("state", ""),
            code=once.get("code", ""),
            iss=once.get("iss"),
            error=once.get("error", ""),
            error_description=once.get("error_description", ""),
        )


def is_answer_to(state: str, answer: CallbackAnswer) -> bool:
    """Compare states in constant time."""
    return secrets.compare_digest(state.encode(), answer.state.encode("utf-8", "surrogatepass"))


def check_answer(flow: PendingFlow, answer: CallbackAnswer, owner: Owner, now: float) -> str:
    """Return the code of an answer that belongs to this sign-in, of this owner, in time."""
    if flow.owner != owner or not is_answer_to(flow.state, answer) or flow.is_over(now):
        raise unknown_flow()
    _check_issuer(flow, answer.iss)
    if answer.error or not answer.code:
        reason = clean_words(f"{answer.error} {answer.error_description}") or "it gave no code"
        raise MCPServerError(flow.server, f"did not sign you in: {reason}. Try again.")
    return answer.code


def unknown_flow() -> ValidationError:
    """Make the one error for all cases, which helps nobody to guess."""
    return ValidationError(
        "This sign-in is not yours, was finished already, or took too long. Start it again."
    )


def _check_issuer(flow: PendingFlow, iss: str | None) -> None:
    """Refuse another server's answer (RFC 9207): its code would be sent to the wrong place."""
    if iss is None:
        wrong = "does not say who it is, although it promised to" if flow.iss_promised else ""
    elif flow.issuer_known:
        wrong = "" if iss == flow.issuer else f"says it is {clean_words(iss)!r}"
    else:
        wrong = "" if origin(iss) == origin(flow.issuer) else f"says it is {clean_words(iss)!r}"
    if wrong:
        raise MCPServerError(
            flow.server,
            f"was not signed in at: the answer should come from {clean_words(flow.issuer)!r}, but "
            f"{wrong}. Start again, and only in the page you were sent to.",
        )


HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>DataAgent</title>
<style>body{{font:1.1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem;
color:#1c2024;background:#fff}}h1{{font-size:1.4rem}}
@media(prefers-color-scheme:dark){{body{{color:#edeef0;background:#111}}}}</style></head>
<body><main><h1>{title}</h1>
<p>{english}</p><p lang="zh">{chinese}</p></main></body></html>
"""


def success_page(server: str) -> str:
    """Render the page of a successful sign-in."""
    name = escape(server)
    return _PAGE.format(
        title="Signed in · 登录成功",
        english=f"DataAgent can now use “{name}”. You can close this page.",
        chinese=f"DataAgent 现在可以使用“{name}”。您可以关闭此页面。",
    )


def failure_page(reason: str) -> str:
    """Render the page of a failed sign-in."""
    reason_html = escape(reason)
    return _PAGE.format(
        title="Not signed in · 登录失败",
        english=f"{reason_html}<br>Return to where you started, and try again.",
        chinese="登录未完成。请返回开始登录的地方重试。",
    )


HOST = "127.0.0.1"
PATH = "/mcp/oauth/callback"
# Longer than the token request that decides which page is shown.
_PAGE_WAIT_S = 30.0


class CallbackServer:
    """Listens while its context is open; `expect` sets the state it accepts."""

    def __init__(self, ports: Iterable[int] = (MCP_CALLBACK_PORT,)) -> None:
        self._ports = tuple(ports)
        self._server: asyncio.Server | None = None
        self._port = 0
        self._state = ""
        self._open = 0
        loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[CallbackAnswer] = loop.create_future()
        self._page: asyncio.Future[str] = loop.create_future()
        self._shown = asyncio.Event()

    @property
    def redirect_uri(self) -> str:
        """The URL to register and to redirect browsers to."""
        return f"http://{HOST}:{self._port}{PATH}"

    def expect(self, state: str) -> None:
        self._state = state

    async def answer(self, wait_s: float = MCP_CALLBACK_WAIT_S) -> CallbackAnswer:
        """Wait for the answer; raises `TimeoutError`."""
        async with asyncio.timeout(wait_s):
            return await asyncio.shield(self._answer)

    async def show(self, page: str) -> None:
        if not self._page.done():
            self._page.set_result(page)
        if self._answer.done():
            with suppress(TimeoutError):
                async with asyncio.timeout(MCP_CALLBACK_READ_S):
                    await self._shown.wait()

    async def __aenter__(self) -> Self:
        for port in self._ports:
            with suppress(OSError):
                self._server = await asyncio.start_server(
                    self._handle_connection, HOST, port, limit=MCP_CALLBACK_HEAD_BYTES_MAX
                )
                self._port = self._server.sockets[0].getsockname()[1]
                return self
        tried = ", ".join(map(str, self._ports))
        raise ConflictError(
            f"A sign-in needs the port {tried} of this machine, which another program uses: "
            "perhaps another sign-in. Finish or end that, then try again."
        )

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._answer.cancel()
        self._page.cancel()
        if self._server is not None:
            self._server.close()

    async def _handle_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._open += 1
        try:
            if self._open <= MCP_CALLBACK_CONNECTIONS_MAX:
                await self._reply(reader, writer)
        # The other side may hang up, be late, or send nonsense; that concerns this connection only.
        except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError):
            pass
        finally:
            self._open -= 1
            writer.close()

    async def _reply(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(MCP_CALLBACK_READ_S):
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.LimitOverrunError:
                return
        answer = _parse_request(head)
        if answer is None:
            await _write(writer, HTTPStatus.NOT_FOUND, failure_page("There is nothing here."))
        elif not self._state or self._answer.done() or not is_answer_to(self._state, answer):
            await _write(
                writer,
                HTTPStatus.BAD_REQUEST,
                failure_page("This sign-in was not asked for, or is over."),
            )
        else:
            self._answer.set_result(answer)
            try:
                async with asyncio.timeout(_PAGE_WAIT_S):
                    await _write(writer, HTTPStatus.OK, await self._page)
            finally:
                self._shown.set()


def _parse_request(head: bytes) -> CallbackAnswer | None:
    method, _, rest = head.partition(b"\r\n")[0].decode("latin-1").partition(" ")
    target, _, version = rest.partition(" ")
    if method != "GET" or not version.startswith("HTTP/1"):
        return None
    parts = urlsplit(target)
    if parts.path != PATH or parts.netloc:
        return None
    return CallbackAnswer.from_query(parts.query)


async def _write(writer: asyncio.StreamWriter, status: HTTPStatus, page: str) -> None:
    body = page.encode("utf-8", "replace")
    headers = {**HEADERS, "Content-Length": str(len(body)), "Connection": "close"}
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)
    async with asyncio.timeout(MCP_CALLBACK_READ_S):
        await writer.drain()
