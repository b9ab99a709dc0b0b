"""`ServerConnection`: what a caller holds of an MCP server; it connects at the first request.

It calls tools, reads resources and gets prompts, and explains what happened when there is no
result. A call that was sent is never sent again automatically: nobody knows whether the server
executed it.

What became of a request that has no result, in a sentence about its server.
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


def doubt(line: ServerLink, live: "LiveServer") -> None:
    """Find out, beside everything else, whether a server that did not answer still lives."""
    task = asyncio.get_running_loop().create_task(line.doubt(live))
    live.leftovers.add(task)
    task.add_done_callback(live.leftovers.discard)


def late(
    line: ServerLink, live: "LiveServer", what: str, timeout_s: float, unsure: str = ""
) -> MCPServerError:
    """Say that a request was not answered in time; `unsure` is what nobody knows now."""
    nonsense = (
        f" It also sent something that is no MCP message: {live.nonsense}" if live.nonsense else ""
    )
    return MCPServerError(
        line.key.server, f"did not answer {what} within {timeout_s:g} s{unsure}.{nonsense}"
    )


async def refusal(
    line: ServerLink, live: "LiveServer", error: "MCPError", what: str, unsure: str = ""
) -> MCPServerError:
    """Say why a request was refused, or with what its connection was lost."""
    from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST

    from dataagent_core.mcp.transports.problems import problem_of

    server = line.key.server
    if error.code == INVALID_REQUEST and error.message == "Session terminated":
        problem = MCPServerError(
            server, "forgot our session, so the call was not done. Call it again."
        )
        live.end(problem)
        return problem
    problem = problem_of(error, server)
    if isinstance(problem, SignInNeededError):
        # Perhaps for this request alone: the connection stays, for the others.
        line.standing.sign_in_needed(problem)
        return problem
    if error.code != CONNECTION_CLOSED:
        return MCPServerError(
            server, f"refused {what}: {shorten_reason(error.message)} ({error.code})"
        )
    # Of a connection that was closed; a transport may also give up one request alone.
    lost = live.gone or error.message == "Connection closed"
    why = await live.why_lost() if lost else None
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
    """Which tool, with what, and for how long at most."""

    line: ServerLink
    tool: str
    arguments: dict[str, Any]
    timeout_s: float
    # The tool as the caller knows it; a tool that is another one by now is not called.
    expected: "Tool | None" = None

    async def result(self, call: ServerCall) -> "CallToolResult":
        self._check_arguments()
        live = await self.line.opened()
        with self.line.using(live, call):
            return await self._outcome(live, call)

    async def _outcome(self, live: "LiveServer", call: ServerCall) -> "CallToolResult":
        from mcp.shared.exceptions import MCPError
        from pydantic import ValidationError

        try:
            await live.relisted(self.line.config.timeout, only_if_stale=True)
            self._check_tool(live)
            result = await live.call(call, self.tool, self.arguments, self.timeout_s)
        except CallLateError:
            doubt(self.line, live)
            raise late(self.line, live, self._what, self.timeout_s, _UNSURE) from None
        except asyncio.CancelledError:
            doubt(self.line, live)
            raise
        except MCPError as error:
            raise await refusal(self.line, live, error, self._what, _UNSURE) from None
        except ValidationError as error:
            raise self._problem(
                f"answered the call of {self.tool!r} with something that is no valid result:"
                f" {shorten_reason(str(error))}"
            ) from None
        self.line.standing.answered()
        return result

    @property
    def _what(self) -> str:
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
        return MCPServerError(self.line.key.server, text)


@dataclass(frozen=True, slots=True)
class ContentRequest:
    """What is asked for, as it stands in a sentence, and for how long at most."""

    line: ServerLink
    what: str
    timeout_s: float

    async def result(self, ask: "Callable[[LiveContent], Coroutine[Any, Any, ResultT]]") -> ResultT:
        """Connect if need be, and ask."""
        live = await self.line.opened()
        from mcp.shared.exceptions import MCPError
        from pydantic import ValidationError

        line, call = self.line, ServerCall()
        with line.using(live, call):
            try:
                result = await live.request(call, ask(live.content), self.timeout_s)
            except CallLateError:
                doubt(line, live)
                raise late(line, live, self.what, self.timeout_s) from None
            except asyncio.CancelledError:
                doubt(line, live)
                raise
            except MCPError as error:
                raise await refusal(line, live, error, self.what) from None
            except ValidationError as error:
                raise MCPServerError(
                    line.key.server,
                    f"answered {self.what} with something that is no valid result:"
                    f" {shorten_reason(str(error))}",
                ) from None
        line.standing.answered()
        return result


@dataclass(frozen=True, slots=True)
class ServerConnection:
    """One server as one owner sees it; `ports.Connection` with two more arguments."""

    key: ConnectionKey
    config: MCPServerConfig
    lines: ServerLinks

    @property
    def status(self) -> ServerStatus:
        return self.lines.status(self.key)

    async def tools(self, *, fresh: bool = False) -> "tuple[Tool, ...]":
        """List its tools; only `fresh` starts a server whose tools are known from before.

        `fresh` asks it in any case, also one that failed a moment ago.
        """
        return await self.lines.of(self.key, self.config).tools(fresh=fresh)

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
        line = self.lines.of(self.key, self.config)
        call = ToolCall(line, tool, arguments, timeout_s, expected)
        return await call.result(ServerCall(on_progress, elicit, sample))

    async def resources(self) -> ResourceListing:
        """List its resources and their templates."""
        request = self._request("the listing of its resources", self.config.timeout)
        return await request.result(lambda content: content.resources())

    async def read_resource(self, uri: str, *, timeout_s: float) -> "ReadResourceResult":
        """Read a resource by its URI."""
        request = self._request(f"the reading of {uri!r:.200}", timeout_s)
        return await request.result(lambda content: content.read(uri))

    async def prompts(self) -> PromptListing:
        """List its prompts."""
        request = self._request("the listing of its prompts", self.config.timeout)
        return await request.result(lambda content: content.prompts())

    async def get_prompt(
        self, name: str, arguments: dict[str, str], *, timeout_s: float
    ) -> "GetPromptResult":
        """Have a prompt filled in."""
        request = self._request(f"the prompt {name!r:.200}", timeout_s)
        return await request.result(lambda content: content.prompt(name, arguments))

    def _request(self, what: str, timeout_s: float) -> ContentRequest:
        return ContentRequest(self.lines.of(self.key, self.config), what, timeout_s)
