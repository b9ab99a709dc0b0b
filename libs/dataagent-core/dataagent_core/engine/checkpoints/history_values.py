"""A model's history as plain JSON values, and back from values that may be anything.

Checkpoints stay where they are: they are the engine's own and name classes to build. Here three
kinds of messages with a few fields each are all there is, and a result belongs to a call.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, assert_never

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.messages.tool import tool_call
from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic import ValidationError as PydanticValidationError

from dataagent_core.errors import ValidationError
from dataagent_core.language.unicode_text import storable

_REASONING = "reasoning_content"
Content = str | list[str | dict[str, JsonValue]]
Id = Annotated[str, Field(min_length=1, max_length=500)]


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
    """Give a history as JSON values; what is no message of a conversation is left out."""
    kept = [value for message in messages if (value := _packed(message)) is not None]
    plan = [_Todo(content=str(one["content"]), status=one["status"]) for one in todos]
    return _History(messages=kept, todos=plan).model_dump(mode="json")


def unpack_history(values: Any) -> tuple[list[BaseMessage], list[dict[str, str]]]:
    """Make messages of JSON values, or say why they cannot be a conversation."""
    try:
        history = _History.model_validate(values)
    except (PydanticValidationError, RecursionError) as error:
        raise ValidationError(f"this is no history of a conversation: {error!s:.500}") from error
    _check_pairs(history.messages)
    plan = [{"content": one.content, "status": one.status} for one in history.todos]
    return [_message(value) for value in history.messages], plan


def _packed(message: BaseMessage) -> _Human | _AI | _Tool | None:
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
    asked: set[str] = set()
    for message in messages:
        if message.id in known:
            raise ValidationError(f"the history holds the message {message.id[:80]!r} twice.")
        known.add(message.id)
        if isinstance(message, _AI):
            calls = [call.id for call in message.tool_calls]
            if len({*calls}) < len(calls) or asked & {*calls}:
                raise ValidationError("the history holds two tool calls of one id.")
            asked |= {*calls}
        elif isinstance(message, _Tool):
            if message.tool_call_id not in asked:
                raise ValidationError("the history holds a result that no call asked for.")
            asked.discard(message.tool_call_id)


def _message(value: _Human | _AI | _Tool) -> BaseMessage:
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
