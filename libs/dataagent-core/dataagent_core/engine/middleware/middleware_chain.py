"""Combines several middleware into one, so that they cost one step of the graph.

LangGraph runs every `before_agent` as a step with a checkpoint of its own, and LangChain puts a
tracing wrapper around every `awrap_*`. Together that was a quarter of a turn. Order, input and
permitted changes of the parts stay the same: the first part is the outermost, and calls the next
one directly.

Middleware that needs a step of its own (`before_model`, `after_model`, `after_agent`, a jump) is
refused here; it must be listed beside the chain.
"""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from types import new_class
from typing import Any, cast, get_origin

from langchain.agents.middleware.types import (
    AgentMiddleware,
    ExtendedModelResponse,
    ModelRequest,
    ModelResponse,
)
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

Middleware = AgentMiddleware[Any, Any, Any]
ModelHandler = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
ToolHandler = Callable[[ToolCallRequest], Awaitable[Any]]

NAME = "stack"
# The first step of a run; its first state is written under this name.
FIRST_STEP = f"{NAME}.before_agent"

_OWN_STEPS = (
    "before_model",
    "abefore_model",
    "after_model",
    "aafter_model",
    "after_agent",
    "aafter_agent",
)
_HOOKS = (*_OWN_STEPS, "before_agent", "abefore_agent", "awrap_model_call", "awrap_tool_call")


class MiddlewareChain(AgentMiddleware[Any, Any, Any]):
    """Calls the hooks of its parts, one after the other."""

    def __init__(self, parts: Sequence[Middleware]) -> None:
        super().__init__()
        self.parts = [
            inner
            for part in parts
            for inner in (part.parts if isinstance(part, MiddlewareChain) else [part])
        ]
        self.tools = [tool for part in self.parts for tool in getattr(part, "tools", ())]
        self.state_schema = _joined_schema(tuple(part.state_schema for part in self.parts))
        hooks = [(part, _hooks_of(type(part))) for part in self.parts]
        self._starting = [(part, own.takes_config) for part, own in hooks if own.starts]
        # Innermost first: a call is composed from the inside.
        self._around_model: list[tuple[Any, bool]] = [
            (part.awrap_model_call, own.may_change_state)
            for part, own in reversed(hooks)
            if own.wraps_model
        ]
        self._around_tool: list[Any] = [
            part.awrap_tool_call for part, own in reversed(hooks) if own.wraps_tool
        ]

    @property
    def name(self) -> str:
        return NAME

    async def abefore_agent(  # pyright: ignore[reportIncompatibleMethodOverride] (LangGraph hands in what is named)
        self, state: Any, runtime: Any, config: RunnableConfig
    ) -> dict[str, Any]:
        changes: dict[str, Any] = {}
        for part, takes_config in self._starting:
            start: Any = part.abefore_agent
            more = (config,) if takes_config else ()
            change = await start({**state, **changes}, runtime, *more)
            for key in change or {}:
                if key in changes:
                    raise TypeError(
                        f"two middleware change {key!r} when a run begins; put {part.name} beside "
                        "the others, not among them."
                    )
            changes |= change or {}
        return changes

    async def awrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> Any:
        updates: list[tuple[str, Any]] = []
        for wrap, may_change_state in self._around_model:
            if may_change_state:
                handler = partial(_collect_updates, updates, wrap, handler)
            else:
                handler = partial(wrap, handler=handler)
        response = await handler(request)
        return ExtendedModelResponse(response, Command(update=updates)) if updates else response

    async def awrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> Any:
        for wrap in self._around_tool:
            handler = partial(wrap, handler=handler)
        return await handler(request)


async def _collect_updates(
    updates: list[tuple[str, Any]],
    wrap: Callable[..., Awaitable[Any]],
    handler: ModelHandler,
    request: ModelRequest[Any],
) -> ModelResponse[Any]:
    """Call a part whose answer may carry a state change, and collect the change.

    Outer parts see only the answer. Inner parts have added their changes before.
    """
    # A retry gives another answer: changes of the first one do not count.
    updates.clear()
    answer = await wrap(request, handler)
    if isinstance(answer, ExtendedModelResponse):
        extended = cast("ExtendedModelResponse[Any]", answer)
        command = extended.command or Command()
        if command.goto or command.resume or command.graph:
            raise TypeError("around a model call, a command may only change the state.")
        update: Any = command.update
        updates.extend(update.items() if isinstance(update, dict) else update or ())
        answer = extended.model_response
    return ModelResponse(result=[answer]) if isinstance(answer, AIMessage) else answer


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hooks:
    """The hooks that a class of middleware implements."""

    starts: bool
    takes_config: bool
    wraps_model: bool
    # Its annotation is not `ModelResponse`, so its answer may carry a state change.
    may_change_state: bool
    wraps_tool: bool


@lru_cache(maxsize=100)
def _hooks_of(kind: type[Middleware]) -> _Hooks:
    own = {hook for hook in _HOOKS if getattr(kind, hook) is not getattr(AgentMiddleware, hook)}
    only_sync = "before_agent" in own and "abefore_agent" not in own
    jumps = getattr(kind.abefore_agent, "__can_jump_to__", None)
    if own.intersection(_OWN_STEPS) or only_sync or jumps:
        raise TypeError(f"{kind.__name__} needs a step of its own; put it beside the others.")
    returned = inspect.signature(kind.awrap_model_call).return_annotation
    return _Hooks(
        starts="abefore_agent" in own,
        takes_config="config" in inspect.signature(kind.abefore_agent).parameters,
        wraps_model="awrap_model_call" in own,
        may_change_state=get_origin(returned) is not ModelResponse,
        wraps_tool="awrap_tool_call" in own,
    )


@lru_cache(maxsize=100)
def _joined_schema(schemas: tuple[type, ...]) -> Any:
    return new_class("JoinedState", tuple(dict.fromkeys(schemas)))
