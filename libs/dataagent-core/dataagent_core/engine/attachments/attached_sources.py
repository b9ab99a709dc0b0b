"""Gives the model what a data source holds when a message names it with `@`: tables and columns.

Names and types only; `data_describe` shows comments and samples. Names are content of a stranger
too: attaching them taints the session, as the data tools do.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dataagent_core.config.limits import ATTACHED_SOURCE_WAIT_S
from dataagent_core.config.limits.data import CATALOGUE_FOUND_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.permissions import Rule, RuleSet
from dataagent_core.permissions.decision import evaluate
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.tools.data.agent_tools import DataToolServices
from dataagent_core.tools.data.catalog.catalogue_search import render_table_line
from dataagent_core.tools.data.privacy import scrub_text

# An agent without it, or a rule against it, keeps a source from being attached.
DESCRIBING_TOOL = "data_describe"


@dataclass(frozen=True, slots=True)
class AttachedSources:
    """Describes the sources an agent may read, by name."""

    services: DataToolServices
    rules: RuleSet

    async def has(self, name: str) -> bool:
        """Say whether there is a source of this name, whether or not it may be read."""
        return any(spec.name == name for spec in await self.services.access.sources.listed())

    async def description(self, name: str, kept: Sequence[Rule] = ()) -> str | None:
        """Describe a source; None where there is none, or reading it needs an approval."""
        try:
            spec = await self.services.access.sources.find(name)
        except DataAgentError:
            return None  # the data tools report a broken list of sources
        if spec is None or not self._may_read(name, kept):
            return None
        about = f"{spec.name} ({spec.kind}, {spec.dialect} SQL)"
        lines = [f"{about}: {spec.description}" if spec.description else about]
        try:
            catalogue = await self.services.queries.load_catalogue(name, ATTACHED_SOURCE_WAIT_S)
        except DataAgentError as error:
            return "\n".join([*lines, f"It cannot be read now: {scrub_text(str(error))}"])
        shown = catalogue.tables[:CATALOGUE_FOUND_MAX]
        lines += [render_table_line(replace(table, comment="")) for table in shown]
        if more := len(catalogue.tables) - len(shown):
            lines.append(f"({more} more tables; data_search_catalog finds them by words)")
        return "\n".join(lines)

    def _may_read(self, name: str, kept: Sequence[Rule]) -> bool:
        rules = self.rules.with_kept(kept)
        request = PermissionRequest(tool=DESCRIBING_TOOL, args={"source": name})
        return evaluate(request, rules).action == "allow"
