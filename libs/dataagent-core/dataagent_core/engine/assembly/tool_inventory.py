"""Lists the tools of an agent, as they are in its stack."""

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
    """The tools, the policy for their calls, and warnings of servers whose tools are missing."""

    registry: ToolRegistry = field(default_factory=ToolRegistry)
    policy: Policy = field(default_factory=Policy)
    warnings: Sequence[str] = ()

    @property
    def core(self) -> frozenset[str]:
        """The tools whose schemas a model always sees; the others are in the catalogue."""
        return choose_core_names(self.registry)


async def read_inventory(stack: MiddlewareChain) -> ToolInventory:
    """Find the tools in an agent's stack; asks its MCP servers."""
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
