"""Histories in checkpoints, for forks, exports and imports: without running an agent.

A graph of one empty step has the same state as every agent's, so one reads what the other wrote. A
history is cut by message ids; a record or a plan made after the cut is left out.

In a bundle a history is plain JSON: three kinds of messages with a few fields, and every result
belongs to a call. A checkpoint itself is never exported, because it names classes to build.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, NotRequired, assert_never

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.messages.tool import tool_call
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, StateGraph
from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic import ValidationError as PydanticValidationError

from dataagent_core.context.context_record import (
    RECORD_KEY,
    REPORT_KEY,
    ContextRecord,
    ContextState,
)
from dataagent_core.engine.checkpoints.history import Graph, thread, with_unapplied
from dataagent_core.engine.graph.deep import DeepAgentState
from dataagent_core.engine.middleware.middleware_chain import FIRST_STEP
from dataagent_core.errors import ValidationError
from dataagent_core.language.unicode_text import storable
from dataagent_core.session.copies.histories import HistoryExtent
from dataagent_core.session.copies.new_ids import IdMapping

_TODOS_KEY = "todos"
_REASONING = "reasoning_content"
Content = str | list[str | dict[str, JsonValue]]
Id = Annotated[str, Field(min_length=1, max_length=500)]


class _State(ContextState, DeepAgentState):  # pyright: ignore[reportIncompatibleVariableOverride] (the last one counts)
    """The state that `history.py` carries from run to run."""

    todos: NotRequired[list[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedHistory:
    """A conversation as the model has it."""

    messages: Sequence[BaseMessage]
    todos: Sequence[Any] = ()
    record: ContextRecord = field(default_factory=ContextRecord)
    report: dict[str, Any] | None = None


class CheckpointHistories:
    """The histories of runs in one store of checkpoints."""

    def __init__(self, checkpoints: BaseCheckpointSaver[Any]) -> None:
        self._checkpoints = checkpoints
        self._graph = _build_graph(checkpoints)

    async def read(self, extent: HistoryExtent) -> CarriedHistory | None:
        """Return the newest history there is, cut where the extent ends."""
        for run_id in extent.run_ids:
            state = await self._graph.aget_state(thread(run_id))
            messages: Sequence[BaseMessage] = state.values.get("messages", [])
            if messages:
                known = await with_unapplied(self._checkpoints, thread(run_id), messages)
                return _cut(known, state.values, extent)
        return None

    async def write(self, run_id: str, history: CarriedHistory, ids: IdMapping) -> None:
        """Write a history under a run's name, with the names of its new session."""
        values: dict[str, Any] = {"messages": [_map_id(m, ids) for m in history.messages]}
        if history.todos:
            values[_TODOS_KEY] = list(history.todos)
        if history.record.version:
            values[RECORD_KEY] = _map_record_ids(history.record, ids).to_state()
        if history.report is not None:
            values[REPORT_KEY] = history.report
        await self._graph.aupdate_state(thread(run_id), values, as_node=FIRST_STEP)

    def pack(self, history: CarriedHistory | None) -> dict[str, Any]:
        """Convert a history to JSON values, without the record of how it is shown."""
        if history is None:
            return {"messages": [], "todos": []}
        return pack_history(history.messages, history.todos)

    def unpack(self, values: Any) -> CarriedHistory:
        """Validate JSON values and convert them to a history."""
        messages, todos = unpack_history(values)
        return CarriedHistory(messages=messages, todos=todos)

    async def forget(self, run_id: str) -> None:
        """Remove a run's history."""
        await self._checkpoints.adelete_thread(run_id)


def _build_graph(checkpoints: BaseCheckpointSaver[Any]) -> Graph:
    builder: Any = StateGraph(_State)
    builder.add_node(FIRST_STEP, _do_nothing)
    builder.add_edge(START, FIRST_STEP)
    return builder.compile(checkpointer=checkpoints)


def _do_nothing(_: Any) -> dict[str, Any]:
    return {}


def _cut(
    messages: Sequence[BaseMessage], values: dict[str, Any], extent: HistoryExtent
) -> CarriedHistory:
    kept = list(messages)
    for position, message in enumerate(messages):
        if message.id in extent.before:
            kept = list(messages[:position])
            break
    record = ContextRecord.from_state(values.get(RECORD_KEY))
    if len(kept) == len(messages):
        todos = values.get(_TODOS_KEY) or ()
        report = values.get(REPORT_KEY)
        return CarriedHistory(messages=kept, todos=todos, record=record, report=report)
    known = {message.id for message in kept}
    # A record made from later messages would reveal them. Without it, all messages are shown and
    # compacted again if they do not fit.
    if record.made_after not in known:
        record = ContextRecord()
    return CarriedHistory(messages=kept, todos=extent.todos, record=record)


def _map_id(message: BaseMessage, ids: IdMapping) -> BaseMessage:
    if message.id is None:
        return message
    return message.model_copy(update={"id": ids.message_id(message.id)})


def _map_record_ids(record: ContextRecord, ids: IdMapping) -> ContextRecord:
    def mapped(old: str | None) -> str | None:
        return None if old is None else ids.message_id(old)

    return replace(
        record,
        covered_to=mapped(record.covered_to),
        made_after=mapped(record.made_after),
        cuts={ids.message_id(name): cut for name, cut in record.cuts.items()},
    )


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class _Call(_Value):
    id: Id
    name: str
    args: dict[str, JsonValue]


class _Human(_Value):
    type: Literal["human"] = "human"
    id: Id
    content: Content


class _AI(_Value):
    type: Literal["ai"] = "ai"
    id: Id
    content: Content
    tool_calls: list[_Call] = []
    reasoning: str | None = None


class _Tool(_Value):
    type: Literal["tool"] = "tool"
    id: Id
    content: Content
    tool_call_id: Id
    name: str | None = None
    status: Literal["success", "error"] = "success"


class _Todo(_Value):
    content: str
    status: Literal["pending", "in_progress", "completed"]


class _History(_Value):
    messages: list[Annotated[_Human | _AI | _Tool, Field(discriminator="type")]]
    todos: list[_Todo]


def pack_history(messages: Sequence[BaseMessage], todos: Sequence[Any]) -> dict[str, Any]:
    """Convert a history to JSON values; other kinds of messages are left out."""
    kept = [value for message in messages if (value := _pack_message(message)) is not None]
    plan = [_Todo(content=str(one["content"]), status=one["status"]) for one in todos]
    return _History(messages=kept, todos=plan).model_dump(mode="json")


def unpack_history(values: Any) -> tuple[list[BaseMessage], list[dict[str, str]]]:
    """Convert JSON values to messages; raise if they are no valid conversation."""
    try:
        history = _History.model_validate(values)
    except (PydanticValidationError, RecursionError) as error:
        raise ValidationError(f"this is no history of a conversation: {error!s:.500}") from error
    _check_pairs(history.messages)
    plan = [{"content": one.content, "status": one.status} for one in history.todos]
    return [_unpack_message(value) for value in history.messages], plan


def _pack_message(message: BaseMessage) -> _Human | _AI | _Tool | None:
    content: Any = message.content
    match message:
        case HumanMessage(id=str()):
            return _Human(id=message.id or "", content=content)
        case AIMessage(id=str()):
            calls = [
                _Call(id=str(call["id"]), name=call["name"], args=call["args"])
                for call in message.tool_calls
            ]
            reasoning = message.additional_kwargs.get(_REASONING)
            return _AI(
                id=message.id or "",
                content=content,
                tool_calls=calls,
                reasoning=reasoning if isinstance(reasoning, str) else None,
            )
        case ToolMessage(id=str()):
            return _Tool(
                id=message.id or "",
                content=content,
                tool_call_id=message.tool_call_id,
                name=message.name,
                status=message.status,
            )
        case _:
            return None


def _check_pairs(messages: Sequence[_Human | _AI | _Tool]) -> None:
    known: set[str] = set()
    open_calls: set[str] = set()
    for message in messages:
        if message.id in known:
            raise ValidationError(f"the history holds the message {message.id[:80]!r} twice.")
        known.add(message.id)
        if isinstance(message, _AI):
            calls = [call.id for call in message.tool_calls]
            if len({*calls}) < len(calls) or open_calls & {*calls}:
                raise ValidationError("the history holds two tool calls of one id.")
            open_calls |= {*calls}
        elif isinstance(message, _Tool):
            if message.tool_call_id not in open_calls:
                raise ValidationError("the history holds a result that no call asked for.")
            open_calls.discard(message.tool_call_id)


def _unpack_message(value: _Human | _AI | _Tool) -> BaseMessage:
    content: Any = storable(value.content)
    message_id = storable(value.id)
    match value:
        case _Human():
            return HumanMessage(content=content, id=message_id)
        case _AI():
            calls = [
                tool_call(name=storable(c.name), args=storable(c.args), id=storable(c.id))
                for c in value.tool_calls
            ]
            extra = {_REASONING: storable(value.reasoning)} if value.reasoning else {}
            return AIMessage(
                content=content, id=message_id, tool_calls=calls, additional_kwargs=extra
            )
        case _Tool():
            return ToolMessage(
                content=content,
                id=message_id,
                tool_call_id=storable(value.tool_call_id),
                name=storable(value.name) if value.name is not None else None,
                status=value.status,
            )
        case _:
            assert_never(value)
