"""What a named sub-agent may use of what its delegator has: never more. Pure but for the model.

`narrow_parts` makes the parts of its stack: the registry without the tools it may not call, so that
its prompt and its catalogue do not show them, and a policy that refuses them anyway. It may not
call what its list leaves out, nor what its own rules deny in every case. An entry of
`allowed_tools` is one of a skill's `allowed-tools`: a name, a group, a pattern. Listing an MCP
server or a skill allows its tools as well; the tools that only touch the run itself are always
there.
"""

from collections.abc import Sequence
from dataclasses import replace

from dataagent_core.config.model_catalog import ModelMetadata, stated_limits
from dataagent_core.engine.assembly.stack_parts import StackParts
from dataagent_core.engine.delegation.subagent_turns import SubAgentTurns
from dataagent_core.errors import ConfigurationError
from dataagent_core.permissions.active_skills import lists_tool
from dataagent_core.permissions.subagent_limits import SubAgentLimits
from dataagent_core.permissions.tool_groups import ALWAYS_USABLE, STACK_TOOLS, TASK
from dataagent_core.skills.offer.skill_tool import SKILL_TOOL
from dataagent_core.subagents import SubAgent
from dataagent_core.subagents.availability import find_unavailable_reason
from dataagent_core.subagents.subagent import INHERIT
from dataagent_core.tools.registry import RegisteredTool, ToolRegistry

_SERVER_PREFIX = "mcp:"


def narrow_parts(parts: StackParts, subagent: SubAgent) -> StackParts:
    """Return the parts of a sub-agent's stack."""
    allowed = list_allowed_tools(subagent, parts.registry)
    limits = SubAgentLimits(
        name=subagent.name,
        allowed_tools=allowed,
        allowed_skills=subagent.allowed_skills,
        rules=subagent.rules,
    )
    registry = parts.registry.only(
        lambda entry: (
            may_use(subagent, entry, allowed) and not limits.denies_all_calls(entry.tool.name)
        )
    )
    skills = parts.skills
    if limits.denies_all_calls(SKILL_TOOL):
        skills = None
    elif skills is not None:
        skills = skills.narrow(subagent.allowed_skills, _list_tools(registry))
    own = replace(
        _with_model(parts, subagent),
        registry=registry,
        skills=skills,
        policy=replace(parts.policy, subagent_limits=(*parts.policy.subagent_limits, limits)),
        lineage=(*parts.lineage, subagent.name),
    )
    name, models = own.models[0].name, parts.delegation.models
    overrides = None if models is None else models.settings.models
    metadata = stated_limits(name, overrides) or ModelMetadata(name=name)
    return replace(own, turns=SubAgentTurns(subagent, metadata))


def list_allowed_tools(subagent: SubAgent, registry: ToolRegistry) -> tuple[str, ...] | None:
    """Return what a sub-agent's lists allow, with the tools of the servers that it names."""
    if subagent.allowed_tools is None:
        return None
    servers = {f"{_SERVER_PREFIX}{name}" for name in subagent.allowed_mcp_servers or ()}
    of_servers = (name for name, entry in registry.entries.items() if entry.origin in servers)
    return tuple(dict.fromkeys((*subagent.allowed_tools, *of_servers)))


def may_use(subagent: SubAgent, entry: RegisteredTool, allowed: Sequence[str] | None) -> bool:
    """Say whether a sub-agent has a tool of its delegator."""
    name, origin = entry.tool.name, str(entry.origin)
    servers = subagent.allowed_mcp_servers
    is_served = origin.startswith(_SERVER_PREFIX)
    if servers is not None and is_served and origin.removeprefix(_SERVER_PREFIX) not in servers:
        return False
    return name in ALWAYS_USABLE or lists_tool(allowed, name)


def may_delegate(parts: StackParts) -> bool:
    """Say whether every list above, and its own, has the tool `task`."""
    limits = parts.policy.subagent_limits
    return has_stack_tool(parts, TASK) and all(
        lists_tool(one.allowed_tools, TASK) for one in limits
    )


def has_stack_tool(parts: StackParts, tool: str) -> bool:
    """Say whether the rules of every sub-agent above, and its own, leave calls of a tool."""
    return not any(one.denies_all_calls(tool) for one in parts.policy.subagent_limits)


def list_available(parts: StackParts) -> list[SubAgent]:
    """List the sub-agents that can be given tasks by the agent of these parts."""
    tools = _list_tools(parts.registry)
    return [
        one
        for one in parts.subagents
        if one.name not in parts.lineage and find_unavailable_reason(one, tools) is None
    ]


def _list_tools(registry: ToolRegistry) -> frozenset[str]:
    """List all tools of an agent; those of its middleware are not in the registry yet."""
    return STACK_TOOLS.union(registry.entries)


def _with_model(parts: StackParts, subagent: SubAgent) -> StackParts:
    if subagent.model == INHERIT:
        return parts
    if parts.delegation.models is None:
        raise ConfigurationError(
            f"the sub-agent {subagent.name!r} wants the model {subagent.model!r}, and this agent "
            "cannot make models. Give it the model 'inherit'."
        )
    made = parts.delegation.models.get(subagent.model)
    return replace(
        parts,
        model=made.resolved.model,
        models=[made.resolved],
        model_calls=made.calls,
        window=made.window,
        ask_window=made.ask_window,
    )
