"""What became of a request that has no result, in a sentence about its server."""

import asyncio
from typing import TYPE_CHECKING

from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.connections.reasons import reason_of, shorten_reason
from dataagent_core.mcp.connections.server_link import ServerLink

if TYPE_CHECKING:
    from mcp.shared.exceptions import MCPError

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
