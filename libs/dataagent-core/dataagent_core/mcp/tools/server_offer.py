"""What one server offers: its tools as the agent's, made again only when its list changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from dataagent_core.config.limits.mcp import MCP_SERVER_TOOLS_MAX, MCP_WARNINGS_PER_SERVER_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.mcp.tool_names import ServerTool
from dataagent_core.mcp.tools.offer import ToolOffer, offer_of
from dataagent_core.mcp.tools.tool import MCPTool
from dataagent_core.mcp.tools.tool_context import MCPToolContext

if TYPE_CHECKING:
    from mcp_types import Tool


@dataclass(frozen=True, slots=True, eq=False)
class ServerOffer:
    """The tools of one server and what is wrong with it; the same object while both are."""

    tools: tuple[MCPTool, ...] = ()
    warnings: tuple[str, ...] = ()
    names: Mapping[str, ServerTool] = field(
        default_factory=lambda: MappingProxyType[str, ServerTool]({})
    )

    def same_as(self, other: "ServerOffer") -> bool:
        """Compare the tools as the objects they are: nobody may keep one that was replaced."""
        if self.warnings != other.warnings or len(self.tools) != len(other.tools):
            return False
        return all(a is b for a, b in zip(self.tools, other.tools, strict=True))


class ServerOfferBuilder:
    """Makes the offer of one server, and remembers it."""

    def __init__(self, home: MCPToolContext, tenant: str) -> None:
        self.home = home
        self._tenant = tenant
        self._made: dict[str, tuple[ToolOffer, MCPTool]] = {}
        self._listed: tuple[Tool, ...] = ()
        self._usual = self._last = ServerOffer()

    def offer(self, listed: "tuple[Tool, ...]", problem: str | None = None) -> ServerOffer:
        """Take the list as it is now; a tool that did not change stays the same object.

        `problem` is why the server cannot be reached although its tools are known. It blocks: the
        schemas of a large list take seconds to check, so the same list is not checked again.
        """
        if listed is not self._listed:
            self._usual, self._listed = self._checked(listed), listed
        usual = self._usual
        told = replace(usual, warnings=(problem, *usual.warnings)) if problem else usual
        return self._unless_same(told)

    def _checked(self, listed: "tuple[Tool, ...]") -> ServerOffer:
        warnings: list[str] = []
        made: dict[str, tuple[ToolOffer, MCPTool]] = {}
        names: dict[str, ServerTool] = {}
        for tool in listed[:MCP_SERVER_TOOLS_MAX]:
            try:
                offer = offer_of(self.home.connection.config, tool, self._tenant)
            except ValidationError as wrong:
                warnings.append(f"the tool {tool.name!r:.100} is left out: {wrong}")
                continue
            if offer.name in made:
                warnings.append(f"a second tool {tool.name!r:.100} is left out")
                continue
            known = self._made.get(offer.name)
            made[offer.name] = (
                known
                if known is not None and known[0] == offer
                else (offer, MCPTool(offer, self.home))
            )
            names[offer.name] = ServerTool(offer.server, offer.tool)
        if len(listed) > MCP_SERVER_TOOLS_MAX:
            warnings.append(f"it lists {len(listed)} tools; the first {MCP_SERVER_TOOLS_MAX} count")
        self._made = made
        return ServerOffer(
            tools=tuple(tool for _, tool in made.values()),
            warnings=self._sentences(warnings),
            names=MappingProxyType(names),
        )

    def missing(self, why: str) -> ServerOffer:
        """Offer nothing; its tools are remembered for when it is back."""
        return self._unless_same(ServerOffer(warnings=(why,)))

    def _unless_same(self, offer: ServerOffer) -> ServerOffer:
        if not offer.same_as(self._last):
            self._last = offer
        return self._last

    def _sentences(self, warnings: list[str]) -> tuple[str, ...]:
        name = self.home.connection.config.name
        shown = warnings[:MCP_WARNINGS_PER_SERVER_MAX]
        if len(warnings) > len(shown):
            shown.append(f"{len(warnings) - len(shown)} more tools have such problems")
        return tuple(f"MCP server {name!r}: {warning}." for warning in shown)
