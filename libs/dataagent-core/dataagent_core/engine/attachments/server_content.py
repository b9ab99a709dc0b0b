"""The resources and prompts of an agent's MCP servers, within the rules.

A user asks for them by name, so no approval is requested; what a rule denies is refused. For rules,
reading is the tool `read_resource` of the server, and a prompt the tool `get_prompt`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dataagent_core.errors import DeniedError, NotFoundError
from dataagent_core.permissions import Rule, RuleSet
from dataagent_core.permissions.decision import evaluate
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.tools.definition.name_suggestions import suggest_names

if TYPE_CHECKING:
    from dataagent_core.mcp.tools import AgentServers, OfferedPrompt, OfferedResource, ServerContent

READ_RESOURCE = "read_resource"
GET_PROMPT = "get_prompt"


@dataclass(frozen=True, slots=True)
class ServerContentReader:
    """Reads resources and prompts of one agent's servers; making it starts no server."""

    servers: "AgentServers | None" = None
    rules: RuleSet = field(default_factory=RuleSet)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the servers."""
        return self.servers.names if self.servers is not None else ()

    async def resources(self, server: str) -> "tuple[OfferedResource, ...]":
        """List the resources of a server."""
        return await self._find_content(server).resources()

    async def read(
        self, server: str, uri: str, chars_max: int, *, kept: Sequence[Rule] = ()
    ) -> str:
        """Read a resource as text; `kept` are rules of the session."""
        self._check(server, READ_RESOURCE, {"uri": uri}, kept)
        return await self._find_content(server).read(uri, chars_max)

    async def prompts(self, server: str) -> "tuple[OfferedPrompt, ...]":
        """List the prompts of a server."""
        return await self._find_content(server).prompts()

    async def prompt(self, server: str, name: str, arguments: Mapping[str, str]) -> str:
        """Fill in a prompt of a server; return the text of a message."""
        self._check(server, GET_PROMPT, {"name": name}, ())
        content = self._find_content(server)
        known = {one.name: one for one in await content.prompts()}
        if name not in known:
            guess = f"{suggest_names(name, known)} ".lstrip()
            has = ", ".join(known) or "none"
            raise NotFoundError(f"{server!r} has no prompt {name!r:.100}. {guess}It has: {has}.")
        return await content.prompt(known[name], arguments)

    def _find_content(self, server: str) -> "ServerContent":
        found = self.servers.content(server) if self.servers is not None else None
        if found is None:
            raise NotFoundError(f"there is no MCP server {server!r:.100} here.")
        return found

    def _check(self, server: str, tool: str, args: dict[str, Any], kept: Sequence[Rule]) -> None:
        name = self._find_content(server).name_for_rules(tool)
        request = PermissionRequest(tool=name, args=args)
        decision = evaluate(request, self.rules.with_kept(list(kept)))
        if decision.action == "deny":
            raise DeniedError(f"{name} is denied: {decision.reason}")
