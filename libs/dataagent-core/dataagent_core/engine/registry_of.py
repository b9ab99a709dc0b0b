"""The tools of an agent that is built: its stack has them, behind what guards their calls."""

from dataagent_core.engine.joined import Joined
from dataagent_core.engine.server_tools import ServerTools
from dataagent_core.tools import ToolPipeline
from dataagent_core.tools.registry import ToolRegistry


async def registry_of(stack: Joined) -> ToolRegistry:
    """Give the registry the calls of a stack go through; its MCP servers are asked."""
    for part in stack.parts:
        match part:
            case ToolPipeline():
                return part.registry
            case ServerTools():
                return await registry_of(await part.stack())
            case Joined():
                return await registry_of(part)
            case _:
                pass
    return ToolRegistry()
