"""Calls a tool on a line, and says what became of the call when there is no result.

A call that was sent is never sent again by itself: nobody knows whether the server did it.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataagent_core.config.mcp_limits import MCP_MESSAGE_BYTES_MAX
from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.connections.call import Call, CallLateError
from dataagent_core.mcp.connections.line import Line
from dataagent_core.mcp.connections.reasons import reason_of, shortened

if TYPE_CHECKING:
    from mcp.shared.exceptions import MCPError
    from mcp_types import CallToolResult, Tool

    from dataagent_core.mcp.connections.live import Live


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Which tool, with what, and for how long at most."""

    line: Line
    tool: str
    arguments: dict[str, Any]
    timeout_s: float
    # The tool as the caller knows it; a tool that is another one by now is not called.
    expected: "Tool | None" = None

    async def result(self, call: Call) -> "CallToolResult":
        self._check_arguments()
        live = await self.line.opened()
        with self.line.using(live, call):
            return await self._outcome(live, call)

    async def _outcome(self, live: "Live", call: Call) -> "CallToolResult":
        from mcp.shared.exceptions import MCPError
        from pydantic import ValidationError

        try:
            await live.relisted(self.line.config.timeout, only_if_stale=True)
            self._check_tool(live)
            result = await live.call(call, self.tool, self.arguments, self.timeout_s)
        except CallLateError:
            self._doubt(live)
            raise self._late(live) from None
        except asyncio.CancelledError:
            self._doubt(live)
            raise
        except MCPError as error:
            raise await self._refusal(live, error) from None
        except ValidationError as error:
            raise self._problem(
                f"answered the call of {self.tool!r} with something that is no valid result:"
                f" {shortened(str(error))}"
            ) from None
        self.line.standing.answered()
        return result

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

    def _check_tool(self, live: "Live") -> None:
        now = next((tool for tool in live.tools if tool.name == self.tool), None)
        if now is None:
            names = shortened(", ".join(tool.name for tool in live.tools)) or "none"
            raise self._problem(f"has no tool {self.tool!r} (any more). It has: {names}.")
        if self.expected is not None and now != self.expected:
            raise self._problem(
                f"changed its tool {self.tool!r} since it was listed, so it was not called. Look at"
                " what it says now, and call it again."
            )

    def _doubt(self, live: "Live") -> None:
        task = asyncio.get_running_loop().create_task(self.line.doubt(live))
        live.leftovers.add(task)
        task.add_done_callback(live.leftovers.discard)

    def _late(self, live: "Live") -> MCPServerError:
        nonsense = (
            f" It also sent something that is no MCP message: {live.nonsense}"
            if live.nonsense
            else ""
        )
        return self._problem(
            f"did not answer the call of {self.tool!r} within {self.timeout_s:g} s; whether it was"
            f" done is unknown.{nonsense}"
        )

    async def _refusal(self, live: "Live", error: "MCPError") -> MCPServerError:
        from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST

        from dataagent_core.mcp.transports.problems import problem_of

        if error.code == INVALID_REQUEST and error.message == "Session terminated":
            problem = self._problem("forgot our session, so the call was not done. Call it again.")
            live.end(problem)
            return problem
        problem = problem_of(error, self.line.key.server)
        if isinstance(problem, SignInNeededError):
            # Perhaps for this tool alone: the connection stays, for the others.
            self.line.standing.sign_in_needed(problem)
            return problem
        if error.code != CONNECTION_CLOSED:
            return self._problem(
                f"refused the call of {self.tool!r}: {shortened(error.message)} ({error.code})"
            )
        # Of a connection that was closed; a transport may also give up one request alone.
        lost = live.gone or error.message == "Connection closed"
        why = await live.why_lost() if lost else None
        if isinstance(why, SignInNeededError):
            return why
        reason = reason_of(why) if why is not None else shortened(error.message)
        return self._problem(
            f"was lost during the call of {self.tool!r}; whether it was done is unknown. The next"
            f" call connects again. Reason: {reason}"
        )

    def _problem(self, text: str) -> MCPServerError:
        return MCPServerError(self.line.key.server, text)
