"""The closed set of events as one union, and the way to and from JSON.

Whoever adds a class adds it to `Event`; the exhaustive match in `sse.py` then fails to type-check
until it says how the new event is shown.
"""

import json
from typing import Annotated, Any, get_args

from pydantic import Field, TypeAdapter
from pydantic import ValidationError as PydanticValidationError
from pydantic.json_schema import DEFAULT_REF_TEMPLATE

from dataagent_core.errors import ValidationError
from dataagent_core.events.agents import PatternEvent, SkillEvent, SubAgentEvent
from dataagent_core.events.base import ExecutionEvent, field_names
from dataagent_core.events.feedback import FeedbackEvent
from dataagent_core.events.file import FileOperationEvent
from dataagent_core.events.hitl import HITLAnswerEvent, HITLRequestEvent
from dataagent_core.events.memory import MemoryChangedEvent, MemoryRecalledEvent
from dataagent_core.events.plan import (
    StepEndEvent,
    StepFinishEvent,
    StepStartEvent,
    TodoUpdateEvent,
    WorkPlanEvent,
)
from dataagent_core.events.system import (
    DoneEvent,
    ErrorEvent,
    ModeChangedEvent,
    RetryEvent,
    RunResumedEvent,
    RunStartedEvent,
    WarningEvent,
)
from dataagent_core.events.text import TextEvent, ThoughtEvent
from dataagent_core.events.tool import ToolCallEvent, ToolProgressEvent, ToolResultEvent
from dataagent_core.events.usage import ContextCompressedEvent, CostUpdateEvent

Event = (
    RunStartedEvent
    | RunResumedEvent
    | TextEvent
    | ThoughtEvent
    | ToolCallEvent
    | ToolProgressEvent
    | ToolResultEvent
    | FileOperationEvent
    | HITLRequestEvent
    | HITLAnswerEvent
    | TodoUpdateEvent
    | WorkPlanEvent
    | StepStartEvent
    | StepEndEvent
    | StepFinishEvent
    | SkillEvent
    | SubAgentEvent
    | PatternEvent
    | MemoryRecalledEvent
    | MemoryChangedEvent
    | ContextCompressedEvent
    | CostUpdateEvent
    | ModeChangedEvent
    | FeedbackEvent
    | RetryEvent
    | WarningEvent
    | ErrorEvent
    | DoneEvent
)

EVENT_CLASSES: tuple[type[ExecutionEvent], ...] = get_args(Event)
EVENT_TYPES: tuple[str, ...] = tuple(
    cls.__dataclass_fields__["event_type"].default for cls in EVENT_CLASSES
)

_ADAPTER: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="event_type")])


def from_dict(data: dict[str, Any]) -> Event:
    """Rebuild an event from `to_dict()`; unknown types and wrong fields are refused."""
    try:
        return _ADAPTER.validate_python(data)
    except PydanticValidationError as error:
        raise ValidationError(f"not an event: {error}") from error


def to_json(event: ExecutionEvent) -> str:
    """Encode an event as one line of JSON, readable where its text can be encoded at all."""
    data = event.to_dict()
    # Python would write NaN and Infinity, which no other reader of JSON takes.
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate from a model: only escaped ASCII can carry it
        return json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text


def from_json(line: str) -> Event:
    """Rebuild an event from `to_json()`."""
    try:
        data = json.loads(line)
    except ValueError as error:
        raise ValidationError(f"not an event: {error}") from error
    return from_dict(data)


def json_schema(*, ref_template: str = DEFAULT_REF_TEMPLATE) -> dict[str, Any]:
    """Export the JSON schema of what `to_dict()` gives, for clients in other languages."""
    schema = _ADAPTER.json_schema(mode="serialization", ref_template=ref_template)
    for cls in EVENT_CLASSES:
        schema["$defs"][cls.__name__]["required"] = list(field_names(cls))
    return schema
