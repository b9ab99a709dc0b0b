"""One `tools/call` from its first request to its result, in both eras.

A modern server that needs a person answers with its questions, and the call is sent
again with the answers; no other call is sent twice.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError, UrlElicitationRequiredError
from mcp_types import (
    HEADER_MISMATCH,
    URL_ELICITATION_REQUIRED,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    InputResponses,
)
from pydantic import TypeAdapter, ValidationError

from dataagent_core.config.limits.mcp import MCP_INPUT_PAUSE_S, MCP_INPUT_ROUNDS_MAX
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.connections.calls.request_codec import answers_to, elicitation_of
from dataagent_core.mcp.connections.calls.server_call import ServerCall

# The session's own `call_tool` would check the result against the tool's output schema, on the
# loop: both come from the server, and one pattern in the one with one text in the other is enough
# to stop the whole process. What is read is a model's business, which takes it as text.
_RESULT: TypeAdapter[CallToolResult | InputRequiredResult] = TypeAdapter(
    CallToolResult | InputRequiredResult
)


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A call of a tool on a session."""

    server: str
    session: ClientSession
    tool: str
    arguments: dict[str, Any]
    relist: Callable[[], Awaitable[object]]
    # The roots that are sent if the server asks.
    roots: Sequence[Path] = ()

    async def run(self, call: ServerCall) -> CallToolResult:
        answers: InputResponses | None = None
        state: str | None = None
        for _ in range(MCP_INPUT_ROUNDS_MAX):
            result = await self._sent(call, answers, state)
            match result:
                case CallToolResult():
                    return result
                case InputRequiredResult(input_requests=requests, request_state=state):
                    if requests:
                        answers = await answers_to(self.server, requests, call, self.roots)
                    else:
                        answers = None
                        await asyncio.sleep(MCP_INPUT_PAUSE_S)
                case None:
                    answers, state = None, None
        raise MCPServerError(
            self.server,
            f"asked for more input {MCP_INPUT_ROUNDS_MAX} times during one call of {self.tool!r}.",
        )

    async def _sent(
        self, call: ServerCall, answers: InputResponses | None, state: str | None
    ) -> CallToolResult | InputRequiredResult | None:
        """Send it once; None when a person had to visit a page first, and has agreed to."""
        try:
            return await self._send(call, answers, state)
        except MCPError as error:
            if error.code == HEADER_MISMATCH:
                # Refused unseen: the listing the request was made from is out of date.
                await self.relist()
                return await self._send(call, answers, state)
            if error.code == URL_ELICITATION_REQUIRED:
                await self._visited(call, error)
                return None
            raise

    async def _visited(self, call: ServerCall, error: MCPError) -> None:
        try:
            pages = UrlElicitationRequiredError.from_error(error.error).elicitations
        except (AttributeError, TypeError, ValidationError):
            raise error from None  # its data may be anything
        for wanted in pages:
            answer = await call.ask(elicitation_of(wanted))
            if answer.action != "accept":
                raise MCPServerError(
                    self.server, f"does nothing before this page was visited: {wanted.url}"
                )

    async def _send(
        self, call: ServerCall, answers: InputResponses | None, state: str | None
    ) -> CallToolResult | InputRequiredResult:
        params = CallToolRequestParams(
            name=self.tool, arguments=self.arguments, input_responses=answers, request_state=state
        )
        return await self.session.send_request(
            CallToolRequest(params=params),
            _RESULT,
            progress_callback=call.report_progress if call.on_progress is not None else None,
        )
