"""The ordered list of middleware around model calls and tool calls.

The first in the list is the outermost. The agent and every sub-agent get the same list, so that no
guard is missing; what a sub-agent's list is made from is a copy of the agent's parts.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from langchain_core.tools import BaseTool

from dataagent_core.context import ContextMiddleware
from dataagent_core.engine.assembly.stack_parts import StackParts
from dataagent_core.engine.delegation.background_message import BackgroundMessageMiddleware
from dataagent_core.engine.delegation.general_purpose import (
    BY_NAME,
    GENERAL_PURPOSE,
    PROMPT,
    make_general_purpose,
)
from dataagent_core.engine.delegation.router_middleware import RouterMiddleware
from dataagent_core.engine.delegation.subagent_access import (
    has_stack_tool,
    list_available,
    may_delegate,
    narrow_parts,
)
from dataagent_core.engine.delegation.subagent_graph import SubAgentGraph, SubAgentParts
from dataagent_core.engine.delegation.task_tool import Delegate, DelegationMiddleware
from dataagent_core.engine.graph import deep
from dataagent_core.engine.loops.plan_middleware import PlanMiddleware
from dataagent_core.engine.loops.plan_services import PlanServices
from dataagent_core.engine.loops.steps.left_out import LeftOutStep
from dataagent_core.engine.loops.usable_tools import list_usable
from dataagent_core.engine.middleware.memory_recall import MemoryRecallMiddleware
from dataagent_core.engine.middleware.middleware_chain import Middleware, MiddlewareChain
from dataagent_core.engine.middleware.plan_mode import PlanModeMiddleware
from dataagent_core.engine.middleware.server_tools import Servers, ServerToolsMiddleware
from dataagent_core.engine.middleware.skills import SkillsMiddleware
from dataagent_core.engine.middleware.todo_list import TodoList
from dataagent_core.memory import AgentMemoryMiddleware
from dataagent_core.permissions.tool_groups import GROUPS, TASK
from dataagent_core.subagents import SubAgent
from dataagent_core.subagents.subagent_matcher import SubAgentMatcher
from dataagent_core.tools import ToolPipeline
from dataagent_core.tools.catalog import ToolCatalog, choose_core_names
from dataagent_core.tools.definition.tool_origin import BUILT_IN, EXTRA, read_origin
from dataagent_core.tools.registry import ToolRegistry

# Holds no state of a run; its tool's schema is read once.
_TODO_LIST: Middleware = TodoList()


def build_stack(parts: StackParts) -> list[Middleware]:
    """List the middleware of the agent, or of a sub-agent: one chain without `extra`."""
    stack = [
        _build_chain(parts) if parts.servers is None else _build_server_tools(parts, parts.servers),
        *parts.extra,
        # Model calls: retry, fallback, limits; then what depends on the model really called.
        parts.model_calls,
        *deep.prompt_caching(resolved.model for resolved in parts.models),
    ]
    # Middleware of the caller may have steps of its own, which are part of the graph.
    return stack if parts.extra else [MiddlewareChain(stack)]


def _build_chain(parts: StackParts) -> MiddlewareChain:
    # Tools with state of their own: a plan, sub-agents. The others are in the registry.
    own_tools = [_TODO_LIST] if has_stack_tool(parts, _TODO_LIST.tools[0].name) else []
    background = None if parts.is_subagent else parts.delegation.background
    delegates = _list_delegates(parts)
    if delegates:
        delegation = DelegationMiddleware(
            delegates, parts.delegation.timeout_s, background, parts.stores.log
        )
        own_tools.append(delegation)
    own_tools += _list_plans(parts, delegates)
    plan_mode = PlanModeMiddleware(subagent=parts.is_subagent)
    context = ContextMiddleware(
        parts.window, parts.stores.log, parts.stores.messages, parts.ask_window
    )
    skills = [SkillsMiddleware(parts.skills, subagent=parts.is_subagent)] if parts.skills else []
    own_tool_parts = [*own_tools, plan_mode, context, *skills]
    registry = parts.registry.adding(_tools_of(own_tool_parts), BUILT_IN)
    registry = registry.adding(_tools_of(parts.extra), EXTRA)
    # Schemas of tools beyond the core are shown when the model asks for them.
    catalog = ToolCatalog(choose_core_names(registry) - _list_listed_tools(parts))
    registry = registry.adding(catalog.tools, BUILT_IN)
    own: list[Middleware] = [
        # Tool calls: approval, journal, events. Outermost, so that nothing runs around it.
        ToolPipeline(
            parts.policy,
            registry,
            parts.backend,
            parts.bound,
            watch=parts.watch,
            probe=parts.probe,
            forecasters=parts.forecasters,
            shell_look=parts.shell_look,
            compositions=parts.compositions,
        ),
        *own_tools,
        # Before the catalogue lists its tools, and before skills that need them are offered.
        *(
            [MemoryRecallMiddleware(parts.memories, subagent=parts.is_subagent)]
            if parts.memories
            else []
        ),
        catalog,
        # A task of another run goes to its sub-agent.
        *([] if parts.is_subagent else [BackgroundMessageMiddleware(parts.subagents)]),
        # Context: notes and skills, then the part of the history that fits beside them.
        deep.PatchToolCalls(),
        *([AgentMemoryMiddleware(parts.memory)] if parts.memory is not None else []),
        *skills,
        *_list_routers(parts, registry),
        parts.environment,
        # A named sub-agent's own terms: sampling, length, number of turns.
        *([parts.turns] if parts.turns is not None else []),
        plan_mode,
        context,
    ]
    return MiddlewareChain(own)


def _list_listed_tools(parts: StackParts) -> frozenset[str]:
    """List the built-in tools that are in the catalogue: few runs ask memory for more.

    A named sub-agent has them at hand: who made it wants it to use them.
    """
    is_named = parts.is_subagent and parts.lineage[-1] != GENERAL_PURPOSE
    return frozenset() if is_named else GROUPS["memory"]


def _build_server_tools(parts: StackParts, servers: Servers) -> Middleware:
    def build(tools: Sequence[BaseTool]) -> MiddlewareChain:
        registry = parts.registry
        for tool in tools:
            registry = registry.adding([tool], read_origin(tool))
        # Sub-agents get the tools as they are now, and ask no server again.
        return _build_chain(replace(parts, registry=registry, servers=None))

    return ServerToolsMiddleware(servers, build, parts.programs)


def _list_delegates(parts: StackParts) -> list[Delegate]:
    """List the sub-agents that may be given tasks, each built at its first one.

    Nobody delegates below the depth of the settings, to itself, or to whoever delegated to it.
    """
    if len(parts.lineage) >= parts.delegation.depth_max or not may_delegate(parts):
        return []
    named = [
        Delegate(
            name=one.name,
            agent_id=one.id,
            description=one.trigger.description,
            graph=SubAgentGraph(one.name, partial(_build_named, parts, one), one.rules),
            hidden=one.hidden,
            requires_tools=one.requires_tools,
        )
        for one in list_available(parts)
    ]
    if GENERAL_PURPOSE in parts.lineage or any(one.name == GENERAL_PURPOSE for one in named):
        return named
    return [make_general_purpose(partial(_build_general, parts)), *named]


def _list_plans(parts: StackParts, delegates: Sequence[Delegate]) -> list[Middleware]:
    """Make the work plans of the agent; its sub-agents have none, and work on steps of them."""
    if parts.is_subagent:
        return [LeftOutStep()]
    terms, side_calls = parts.planning, parts.delegation.side_calls
    if terms is None or side_calls is None:
        return []
    services = PlanServices(
        terms=terms,
        side_calls=side_calls,
        log=parts.stores.log,
        delegates={one.name: one for one in delegates},
        files=parts.plan_files,
        patterns=parts.patterns,
        skills=parts.skills,
        clarification_timeout_s=terms.settings.clarification_timeout,
        decision_timeout_s=terms.settings.decision_timeout,
    )
    return [PlanMiddleware(services, list_usable(parts.registry.entries, parts.policy.rules))]


def _list_routers(parts: StackParts, registry: ToolRegistry) -> list[Middleware]:
    """Make the router, for the agent itself and where it can delegate."""
    if parts.is_subagent or TASK not in registry.entries:
        return []
    terms, known = parts.delegation, list_available(parts)
    names = {one.name for one in known}
    # Who asks for one that cannot be had is told why.
    others = [one for one in (*parts.subagents, BY_NAME) if one.name not in names]
    matcher = SubAgentMatcher(known, terms.embedder, by_name=others)
    return [RouterMiddleware(matcher, frozenset(registry.entries), terms.side_calls)]


def _build_named(parts: StackParts, subagent: SubAgent) -> SubAgentParts:
    return _build_subagent(narrow_parts(parts, subagent), subagent.system_prompt)


def _build_general(parts: StackParts) -> SubAgentParts:
    return _build_subagent(replace(parts, lineage=(*parts.lineage, GENERAL_PURPOSE)), PROMPT)


def _build_subagent(parts: StackParts, prompt: str) -> SubAgentParts:
    return SubAgentParts(
        model=parts.model, prompt=prompt, tools=parts.registry.tools, stack=build_stack(parts)
    )


def _tools_of(middleware: Sequence[Middleware]) -> list[BaseTool]:
    return [tool for part in middleware for tool in getattr(part, "tools", ())]
