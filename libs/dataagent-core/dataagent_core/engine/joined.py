"""Several middleware as one, so that they cost one step of the graph instead of one each.

LangGraph makes a step, with a checkpoint that is written before the run goes on, of every
`before_agent`; and LangChain puts a tracing wrapper around every `awrap_*`. Together that was a
quarter of a turn. The order, what each part sees and what it may change stay as they were in the
list: the first part is the outermost.

What really needs a step of its own (`before_model`, `after_model`, `after_agent`, a jump) is
refused here and belongs beside this in the list.
"""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache
from types import new_class
from typing import Any, cast

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
ModelHandler = Callable[[ModelRequest[Any]], Awaitable[Any]]
ToolHandler = Callable[[ToolCallRequest], Awaitable[Any]]
Updates = list[tuple[str, Any]]

NAME = "stack"
# The step in which a run begins, under which its first state may be written.
FIRST_STEP = f"{NAME}.before_agent"

_OWN_STEPS = (
    "before_model",
    "abefore_model",
    "after_model",
    "aafter_model",
    "after_agent",
    "aafter_agent",
)


class Joined(AgentMiddleware[Any, Any, Any]):
    """Does what its parts do, one after the other."""

    def __init__(self, parts: Sequence[Middleware]) -> None:
        super().__init__()
        for part in parts:
            _refuse_own_steps(part)
        self.parts = parts
        self.tools = [tool for part in parts for tool in getattr(part, "tools", ())]
        self.state_schema = _joined_schema(tuple(part.state_schema for part in parts))
        self._beginning = [part for part in parts if _has(part, "abefore_agent")]
        self._around_model = [p.awrap_model_call for p in parts if _has(p, "awrap_model_call")]
        self._around_tool = [p.awrap_tool_call for p in parts if _has(p, "awrap_tool_call")]

    @property
    def name(self) -> str:
        return NAME

    async def abefore_agent(  # pyright: ignore[reportIncompatibleMethodOverride] (LangGraph hands in what is named)
        self, state: Any, runtime: Any, config: RunnableConfig
    ) -> dict[str, Any]:
        changes: dict[str, Any] = {}
        for part in self._beginning:
            begin: Any = part.abefore_agent
            more = (config,) if "config" in _parameters(type(part)) else ()
            change = await begin({**state, **changes}, runtime, *more)
            for key in change or {}:
                if key in changes:
                    raise TypeError(
                        f"two middleware change {key!r} when a run begins; put {part.name} beside "
                        "the others, not among them."
                    )
            changes |= change or {}
        return changes

    async def awrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> Any:
        return await _call_model(self._around_model, request, handler)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> Any:
        return await _call_tool(self._around_tool, request, handler)


async def _call_model(
    around: Sequence[Callable[..., Awaitable[Any]]], request: ModelRequest[Any], last: ModelHandler
) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
    if not around:
        return _response(await last(request))
    updates: Updates = []

    async def inner(changed: ModelRequest[Any]) -> ModelResponse[Any]:
        # A second try is another answer: what came with the first does not count.
        updates.clear()
        answer = await _call_model(around[1:], changed, last)
        if isinstance(answer, ExtendedModelResponse):
            updates.extend(_updates(answer.command))
            return answer.model_response
        return answer

    answer = await around[0](request, inner)
    if isinstance(answer, ExtendedModelResponse):
        extended = cast("ExtendedModelResponse[Any]", answer)
        updates.extend(_updates(extended.command))
        answer = extended.model_response
    if not updates:
        return _response(answer)
    return ExtendedModelResponse(_response(answer), Command(update=updates))


async def _call_tool(
    around: Sequence[Callable[..., Awaitable[Any]]], request: ToolCallRequest, last: ToolHandler
) -> Any:
    if not around:
        return await last(request)

    async def inner(changed: ToolCallRequest) -> Any:
        return await _call_tool(around[1:], changed, last)

    return await around[0](request, inner)


def _response(answer: ModelResponse[Any] | AIMessage) -> ModelResponse[Any]:
    return ModelResponse(result=[answer]) if isinstance(answer, AIMessage) else answer


def _updates(command: Command[Any] | None) -> Updates:
    if command is None:
        return []
    if command.goto or command.resume or command.graph:
        raise TypeError("around a model call, a command may only change the state.")
    update: Any = command.update
    return list(update.items()) if isinstance(update, dict) else list(update or ())


def _has(part: Middleware, hook: str) -> bool:
    return getattr(type(part), hook) is not getattr(AgentMiddleware, hook)


def _refuse_own_steps(part: Middleware) -> None:
    own = [hook for hook in _OWN_STEPS if _has(part, hook)]
    only_sync = _has(part, "before_agent") and not _has(part, "abefore_agent")
    jumps = getattr(type(part).abefore_agent, "__can_jump_to__", None)
    if own or only_sync or jumps:
        raise TypeError(f"{part.name} needs a step of its own; put it beside the others.")


@lru_cache(maxsize=100)
def _parameters(kind: type[Middleware]) -> frozenset[str]:
    return frozenset(inspect.signature(kind.abefore_agent).parameters)


@lru_cache(maxsize=100)
def _joined_schema(schemas: tuple[type, ...]) -> Any:
    return new_class("JoinedState", tuple(dict.fromkeys(schemas)))
