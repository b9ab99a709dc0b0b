"""`ServerConnection`: an MCP server for its callers; it connects at the first request.

It calls tools, reads resources and gets prompts, and raises an error that names the server when
there is no result. A call that was sent is never sent again automatically: it is unknown whether
the server executed it.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataagent_core.config.limits.mcp import MCP_MESSAGE_BYTES_MAX
from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.connections.calls.server_call import CallLateError, ResultT, ServerCall
from dataagent_core.mcp.connections.connection_key import ConnectionKey
from dataagent_core.mcp.connections.reasons import reason_of, shorten_reason
from dataagent_core.mcp.connections.server_link import ServerLink
from dataagent_core.mcp.connections.server_links import ServerLinks
from dataagent_core.mcp.ports import (
    Elicit,
    OnProgress,
    PromptListing,
    ResourceListing,
    Sample,
    ServerStatus,
)

if TYPE_CHECKING:
    from mcp.shared.exceptions import MCPError
    from mcp_types import CallToolResult, GetPromptResult, ReadResourceResult, Tool

    from dataagent_core.mcp.connections.live_content import LiveContent
    from dataagent_core.mcp.connections.live_server import LiveServer


def _probe_later(link: ServerLink, live: "LiveServer") -> None:
    """Probe in the background whether a server that did not answer is still alive."""
    task = asyncio.get_running_loop().create_task(link.probe(live))
    live.leftovers.add(task)
    task.add_done_callback(live.leftovers.discard)


def _timeout_error(
    link: ServerLink, live: "LiveServer", what: str, timeout_s: float, unsure: str = ""
) -> MCPServerError:
    """Make the error of a request without an answer in time; `unsure` is what is unknown now."""
    nonsense = (
        f" It also sent something that is no MCP message: {live.nonsense}" if live.nonsense else ""
    )
    return MCPServerError(
        link.key.server, f"did not answer {what} within {timeout_s:g} s{unsure}.{nonsense}"
    )


async def _request_error(
    link: ServerLink, live: "LiveServer", error: "MCPError", what: str, unsure: str = ""
) -> MCPServerError:
    """Make the error of a refused request, or of a lost connection."""
    from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST

    from dataagent_core.mcp.transports.problems import problem_of

    server = link.key.server
    if error.code == INVALID_REQUEST and error.message == "Session terminated":
        problem = MCPServerError(
            server, "forgot our session, so the call was not done. Call it again."
        )
        live.end(problem)
        return problem
    problem = problem_of(error, server)
    if isinstance(problem, SignInNeededError):
        # It may concern this request alone, so the connection stays open.
        link.health.record_sign_in_needed(problem)
        return problem
    if error.code != CONNECTION_CLOSED:
        return MCPServerError(
            server, f"refused {what}: {shorten_reason(error.message)} ({error.code})"
        )
    # A transport may also give up one request without losing the connection.
    is_lost = live.is_gone or error.message == "Connection closed"
    why = await live.why_lost() if is_lost else None
    if isinstance(why, SignInNeededError):
        return why
    reason = reason_of(why) if why is not None else shorten_reason(error.message)
    return MCPServerError(
        server,
        f"was lost during {what}{unsure}. The next call connects again. Reason: {reason}",
    )


_UNSURE = "; whether it was done is unknown"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool with its arguments and timeout."""

    link: ServerLink
    tool: str
    arguments: dict[str, Any]
    timeout_s: float
    # The tool as the caller knows it; a tool that changed since is not called.
    expected: "Tool | None" = None

    async def result(self, call: ServerCall) -> "CallToolResult":
        self._check_arguments()
        live = await self.link.open()
        with self.link.using(live, call):
            return await self._call_tool(live, call)

    async def _call_tool(self, live: "LiveServer", call: ServerCall) -> "CallToolResult":
        from mcp.shared.exceptions import MCPError
        from pydantic import ValidationError

        try:
            await live.refresh_tools(self.link.config.timeout, only_if_stale=True)
            self._check_tool(live)
            result = await live.call(call, self.tool, self.arguments, self.timeout_s)
        except CallLateError:
            _probe_later(self.link, live)
            raise _timeout_error(
                self.link, live, self._description, self.timeout_s, _UNSURE
            ) from None
        except asyncio.CancelledError:
            _probe_later(self.link, live)
            raise
        except MCPError as error:
            raise await _request_error(self.link, live, error, self._description, _UNSURE) from None
        except ValidationError as error:
            raise self._problem(
                f"answered the call of {self.tool!r} with something that is no valid result:"
                f" {shorten_reason(str(error))}"
            ) from None
        self.link.health.record_answer()
        return result

    @property
    def _description(self) -> str:
        return f"the call of {self.tool!r}"

    def _check_arguments(self) -> None:
        try:
            size = len(json.dumps(self.arguments, ensure_ascii=False, allow_nan=False).encode())
        except (TypeError, ValueError) as error:
            raise self._problem(
                f"was not called: the arguments of {self.tool!r} are no JSON ({error})."
            ) from None
        if size > MCP_MESSAGE_BYTES_MAX:
            raise self._problem(
                f"was not called: the arguments of {self.tool!r} take {size:,} bytes; at most"
                f" {MCP_MESSAGE_BYTES_MAX:,} can be sent."
            )

    def _check_tool(self, live: "LiveServer") -> None:
        now = next((tool for tool in live.tools if tool.name == self.tool), None)
        if now is None:
            names = shorten_reason(", ".join(tool.name for tool in live.tools)) or "none"
            raise self._problem(f"has no tool {self.tool!r} (any more). It has: {names}.")
        if self.expected is not None and now != self.expected:
            raise self._problem(
                f"changed its tool {self.tool!r} since it was listed, so it was not called. Look at"
                " what it says now, and call it again."
            )

    def _problem(self, text: str) -> MCPServerError:
        return MCPServerError(self.link.key.server, text)


@dataclass(frozen=True, slots=True)
class ContentRequest:
    """A request for content, with its description for messages and its timeout."""

    link: ServerLink
    what: str
    timeout_s: float

    async def result(self, ask: "Callable[[LiveContent], Coroutine[Any, Any, ResultT]]") -> ResultT:
        """Connect if necessary, and send the request."""
        live = await self.link.open()
        from mcp.shared.exceptions import MCPError
        from pydantic import ValidationError

        link, call = self.link, ServerCall()
        with link.using(live, call):
            try:
                result = await live.request(call, ask(live.content), self.timeout_s)
            except CallLateError:
                _probe_later(link, live)
                raise _timeout_error(link, live, self.what, self.timeout_s) from None
            except asyncio.CancelledError:
                _probe_later(link, live)
                raise
            except MCPError as error:
                raise await _request_error(link, live, error, self.what) from None
            except ValidationError as error:
                raise MCPServerError(
                    link.key.server,
                    f"answered {self.what} with something that is no valid result:"
                    f" {shorten_reason(str(error))}",
                ) from None
        link.health.record_answer()
        return result


@dataclass(frozen=True, slots=True)
class ServerConnection:
    """One server as one owner sees it; `ports.Connection` with two more arguments."""

    key: ConnectionKey
    config: MCPServerConfig
    links: ServerLinks

    @property
    def status(self) -> ServerStatus:
        return self.links.status(self.key)

    async def tools(self, *, fresh: bool = False) -> "tuple[Tool, ...]":
        """List its tools; only `fresh` starts a server whose tools are known from before.

        `fresh` asks it in any case, also one that failed a moment ago.
        """
        return await self.links.get(self.key, self.config).tools(fresh=fresh)

    async def call(
        self,
        tool: str,
        arguments: dict[str, Any],
        *,
        timeout_s: float,
        on_progress: OnProgress | None = None,
        elicit: Elicit | None = None,
        sample: Sample | None = None,
        expected: "Tool | None" = None,
    ) -> "CallToolResult":
        """Call a tool; with `expected`, only if it is still described as the caller knows it."""
        link = self.links.get(self.key, self.config)
        call = ToolCall(link, tool, arguments, timeout_s, expected)
        return await call.result(ServerCall(on_progress, elicit, sample))

    async def resources(self) -> ResourceListing:
        request = self._request("the listing of its resources", self.config.timeout)
        return await request.result(lambda content: content.resources())

    async def read_resource(self, uri: str, *, timeout_s: float) -> "ReadResourceResult":
        request = self._request(f"the reading of {uri!r:.200}", timeout_s)
        return await request.result(lambda content: content.read(uri))

    async def prompts(self) -> PromptListing:
        request = self._request("the listing of its prompts", self.config.timeout)
        return await request.result(lambda content: content.prompts())

    async def get_prompt(
        self, name: str, arguments: dict[str, str], *, timeout_s: float
    ) -> "GetPromptResult":
        request = self._request(f"the prompt {name!r:.200}", timeout_s)
        return await request.result(lambda content: content.prompt(name, arguments))

    def _request(self, what: str, timeout_s: float) -> ContentRequest:
        return ContentRequest(self.links.get(self.key, self.config), what, timeout_s)
