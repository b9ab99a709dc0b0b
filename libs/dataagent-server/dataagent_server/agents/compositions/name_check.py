"""Which names a composition may have and hold, so that an agent can be given it. Pure.

Whether a tool exists is known only when an agent is made: MCP servers bring tools of their own.
"""

from collections.abc import Collection, Iterator

from dataagent_core.permissions.foreign_tools import OWN_TOOLS
from dataagent_core.tools.composition import ToolComposition
from dataagent_core.tools.composition.composition_tool import list_member_names


def find_name_problems(composition: ToolComposition, others: Collection[str]) -> Iterator[str]:
    """Find what no agent could use; `others` are the names of the compositions beside it."""
    if composition.name in OWN_TOOLS:
        yield f"{composition.name!r} is the name of a tool; choose another name"
    for name in dict.fromkeys(list_member_names(composition)):
        if name == composition.name and name not in OWN_TOOLS:
            yield "it cannot hold itself"
        elif name in others and name != composition.name:
            yield f"it cannot hold {name!r}, itself a composition; list its tools instead"
