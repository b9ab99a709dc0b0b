"""Which names a composition may have and hold, so that an agent can be given it. Pure.

Whether a tool exists is known only when an agent is made: MCP servers bring tools of their own.
"""

from collections.abc import Iterator, Sequence

from dataagent_core.permissions.foreign_tools import OWN_TOOLS
from dataagent_core.permissions.tool_groups import MCP_PREFIX
from dataagent_core.tools.composition import ToolComposition
from dataagent_core.tools.composition.composition_tool import list_member_names


def find_name_problems(
    composition: ToolComposition, others: Sequence[ToolComposition]
) -> Iterator[str]:
    """Find what no agent could use; `others` are those that agents may get with it."""
    own = composition.name
    if own in OWN_TOOLS or own.startswith(MCP_PREFIX):
        yield f"{own!r} is the name of a tool; choose another name"
    different = [one for one in others if one.id != composition.id]
    names = {one.name for one in different} - {own}
    for name in dict.fromkeys(list_member_names(composition)):
        if name == own and name not in OWN_TOOLS:
            yield "it cannot hold itself"
        elif name in names:
            yield f"it cannot hold {name!r}, itself a composition; list its tools instead"
    for one in different:
        if one.name != own and own in list_member_names(one):
            yield f"the composition {one.name!r} calls a tool {own!r}; choose another name"
