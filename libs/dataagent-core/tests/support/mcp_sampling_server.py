"""A server of the official SDK whose tools ask for the client's model: a program, or an application.

`ask` and `together` use the handshake era's back channel, `review` the modern era's rounds. What the
client answered comes back as JSON, errors with their code.
"""

import asyncio
import json
import sys
import warnings
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Resolve, Sample
from mcp.shared.exceptions import MCPError
from mcp_types import CreateMessageRequestParams, CreateMessageResult, SamplingMessage, TextContent

PROGRAM = __file__


def sampling_server(give_up: asyncio.Event | None = None) -> MCPServer:
    """Make the server; `give_up` says when the impatient tool has waited long enough."""
    server = MCPServer("sampling")

    @server.tool()
    async def ask(ctx: Context[Any], request: dict[str, Any], times: int = 1) -> str:
        """Ask one after the other."""
        return json.dumps([await _asked(ctx, request) for _ in range(times)])

    @server.tool()
    async def together(ctx: Context[Any], request: dict[str, Any], times: int) -> str:
        """Ask all at once."""
        return json.dumps(await asyncio.gather(*(_asked(ctx, request) for _ in range(times))))

    @server.tool()
    async def impatient(ctx: Context[Any], request: dict[str, Any]) -> str:
        """Ask, and take the question back."""
        assert give_up is not None
        asking = asyncio.create_task(_asked(ctx, request))
        await give_up.wait()
        asking.cancel()
        await asyncio.wait({asking})
        return "took it back"

    async def sample_of(text: str) -> Sample:
        said = SamplingMessage(role="user", content=TextContent(text=f"Review: {text}"))
        return Sample([said], max_tokens=100, system_prompt="Be strict.")

    @server.tool()
    async def review(text: str, answer: Annotated[CreateMessageResult, Resolve(sample_of)]) -> str:
        """Have a text reviewed."""
        return (
            f"{text}: {getattr(answer.content, 'text', '')} ({answer.model}, {answer.stop_reason})"
        )

    return server


async def _asked(ctx: "Context[Any]", request: dict[str, Any]) -> dict[str, Any]:
    given = CreateMessageRequestParams.model_validate(request)
    wanted = {name: getattr(given, name) for name in type(given).model_fields}
    wanted = {k: v for k, v in wanted.items() if v is not None and k not in {"meta", "task"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ask = ctx.session.create_message  # pyright: ignore[reportDeprecated] (what is tested)
            answer = await ask(**wanted, related_request_id=ctx.request_id)
        except MCPError as error:
            return {"code": error.error.code, "error": error.error.message}
    return {
        "text": getattr(answer.content, "text", None),
        "model": answer.model,
        "stop": answer.stop_reason,
    }


if __name__ == "__main__":
    sys.exit(sampling_server().run("stdio"))
