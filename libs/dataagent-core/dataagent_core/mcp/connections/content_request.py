"""Asks a server on a line for its resources or prompts, and says why where there is no answer."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.connections.call import Call, CallLateError, ResultT
from dataagent_core.mcp.connections.failures import doubt, late, refusal
from dataagent_core.mcp.connections.line import Line
from dataagent_core.mcp.connections.reasons import shortened

if TYPE_CHECKING:
    from dataagent_core.mcp.connections.live_content import LiveContent


@dataclass(frozen=True, slots=True)
class ContentRequest:
    """What is asked for, as it stands in a sentence, and for how long at most."""

    line: Line
    what: str
    timeout_s: float

    async def result(self, ask: "Callable[[LiveContent], Coroutine[Any, Any, ResultT]]") -> ResultT:
        """Connect if need be, and ask."""
        live = await self.line.opened()
        from mcp.shared.exceptions import MCPError
        from pydantic import ValidationError

        line, call = self.line, Call()
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
                    f" {shortened(str(error))}",
                ) from None
        line.standing.answered()
        return result
