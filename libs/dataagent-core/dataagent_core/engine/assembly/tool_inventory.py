"""What an agent that is built can do: its stack has the tools, behind what guards their calls."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dataagent_core.engine.middleware.middleware_chain import MiddlewareChain
from dataagent_core.engine.middleware.server_tools import ServerToolsMiddleware
from dataagent_core.permissions import Policy
from dataagent_core.tools import ToolPipeline
from dataagent_core.tools.catalog import choose_core_names
from dataagent_core.tools.registry import ToolRegistry


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolInventory:
    """The tools, by what their calls are judged, and which servers' tools are not there."""

    registry: ToolRegistry = field(default_factory=ToolRegistry)
    policy: Policy = field(default_factory=Policy)
    warnings: Sequence[str] = ()

    @property
    def core(self) -> frozenset[str]:
        """Name the tools whose schemas a model sees at once; the others are in the catalogue."""
        return choose_core_names(self.registry)


async def read_inventory(stack: MiddlewareChain) -> ToolInventory:
    """Look through the stack that calls go through; its MCP servers are asked."""
    for part in stack.parts:
        match part:
            case ToolPipeline():
                return ToolInventory(registry=part.registry, policy=part.policy)
            case ServerToolsMiddleware():
                offer, inner = await part.ask_servers()
                return replace(await read_inventory(inner), warnings=offer.warnings)
            case _:
                pass
    return ToolInventory()
