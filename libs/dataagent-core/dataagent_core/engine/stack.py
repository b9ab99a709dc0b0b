"""The ordered list of middleware around model calls and tool calls.

The first in the list is the outermost. The agent and every sub-agent get the same list, so that no
guard is missing; only the agent itself may delegate.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool

from dataagent_core.context import ContextMiddleware, ContextWindowManager
from dataagent_core.context.middleware import AskWindow
from dataagent_core.engine.graph import deep
from dataagent_core.engine.middleware.environment import EnvironmentMiddleware
from dataagent_core.engine.middleware.middleware_chain import Middleware, MiddlewareChain
from dataagent_core.engine.middleware.plan_mode import PlanModeMiddleware
from dataagent_core.engine.middleware.server_tools import Servers, ServerToolsMiddleware
from dataagent_core.engine.middleware.subagent import GENERAL_PURPOSE, make_delegation
from dataagent_core.engine.middleware.todo_list import TodoList
from dataagent_core.engine.model_calls.model_calls import ModelCalls
from dataagent_core.memory import AgentMemoryMiddleware, MemoryFile
from dataagent_core.models import ResolvedModel
from dataagent_core.permissions import Policy
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools import ToolPipeline
from dataagent_core.tools.catalog import ToolCatalog, choose_core_names
from dataagent_core.tools.definition.tool_origin import BUILT_IN, EXTRA, read_origin
from dataagent_core.tools.files.file_probe import FileProbe
from dataagent_core.tools.pipeline.call_forecast import Forecasters
from dataagent_core.tools.pipeline.execution import BoundOutput
from dataagent_core.tools.registry import ToolRegistry
from dataagent_core.tools.shell.shell_look import ShellLook
from dataagent_core.tools.workspace_history.call_watch import CallWatch

if TYPE_CHECKING:
    from dataagent_core.mcp.programs import ProgramApprovalRequests


@dataclass(frozen=True, slots=True, kw_only=True)
class StackParts:
    """What the list is made from."""

    model: BaseChatModel
    backend: deep.CompositeBackend
    policy: Policy
    environment: EnvironmentMiddleware
    bound: BoundOutput
    registry: ToolRegistry
    watch: CallWatch | None
    probe: FileProbe
    forecasters: Forecasters
    # Set if commands run in a sandbox of this host.
    shell_look: ShellLook | None
    memory: Sequence[MemoryFile] | None
    skills: bool
    window: ContextWindowManager
    # Set if the model's window is unknown.
    ask_window: AskWindow | None
    stores: Stores
    extra: Sequence[Middleware]
    models: Sequence[ResolvedModel]
    model_calls: ModelCalls
    # Their tools are known only when a run begins.
    servers: Servers | None = None
    # The servers' programs that need an approval.
    programs: "ProgramApprovalRequests | None" = None


# Holds no state of a run; its tool's schema is read once.
_TODO_LIST: Middleware = TodoList()


def build_stack(parts: StackParts, subagent: str | None = None) -> list[Middleware]:
    """List the middleware of the agent, or of a sub-agent: one chain without `extra`."""
    stack = [
        _build_chain(parts, subagent)
        if parts.servers is None
        else _build_server_tools(parts, parts.servers),
        *parts.extra,
        # Model calls: retry, fallback, limits; then what depends on the model really called.
        parts.model_calls,
        *deep.prompt_caching(resolved.model for resolved in parts.models),
    ]
    # Middleware of the caller may have steps of its own, which are part of the graph.
    return stack if parts.extra else [MiddlewareChain(stack)]


def _build_chain(parts: StackParts, subagent: str | None = None) -> MiddlewareChain:
    # Tools with state of their own: a plan, sub-agents. The others are in the registry.
    own_tools = [_TODO_LIST]
    if subagent is None:
        build = partial(build_stack, parts, GENERAL_PURPOSE)
        delegation = make_delegation(parts.model, parts.registry.tools, parts.backend, build)
        own_tools.append(delegation)
    plan_mode = PlanModeMiddleware(subagent=subagent is not None)
    context = ContextMiddleware(
        parts.window, parts.stores.log, parts.stores.messages, parts.ask_window
    )
    registry = parts.registry.adding(_tools_of([*own_tools, plan_mode, context]), BUILT_IN)
    registry = registry.adding(_tools_of(parts.extra), EXTRA)
    # Schemas of tools beyond the core are shown when the model asks for them.
    catalog = ToolCatalog(choose_core_names(registry))
    registry = registry.adding(catalog.tools, BUILT_IN)
    own: list[Middleware] = [
        # Tool calls: approval, journal, events. Outermost, so that nothing runs around it.
        ToolPipeline(
            parts.policy,
            registry,
            parts.backend,
            parts.bound,
            subagent,
            watch=parts.watch,
            probe=parts.probe,
            forecasters=parts.forecasters,
            shell_look=parts.shell_look,
        ),
        *own_tools,
        catalog,
        # Context: notes and skills, then the part of the history that fits beside them.
        deep.PatchToolCalls(),
        *([AgentMemoryMiddleware(parts.memory)] if parts.memory is not None else []),
        *([deep.skills(parts.backend)] if parts.skills else []),
        parts.environment,
        plan_mode,
        context,
    ]
    return MiddlewareChain(own)


def _build_server_tools(parts: StackParts, servers: Servers) -> Middleware:
    def build(tools: Sequence[BaseTool]) -> MiddlewareChain:
        registry = parts.registry
        for tool in tools:
            registry = registry.adding([tool], read_origin(tool))
        # Sub-agents get the tools as they are now, and ask no server again.
        return _build_chain(replace(parts, registry=registry, servers=None))

    return ServerToolsMiddleware(servers, build, parts.programs)


def _tools_of(middleware: Sequence[Middleware]) -> list[BaseTool]:
    return [tool for part in middleware for tool in getattr(part, "tools", ())]
