"""What the model says: the answer as it comes, and the thinking a provider chooses to show."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from dataagent_core.events.base import ExecutionEvent


@dataclass(frozen=True, kw_only=True, slots=True)
class TextEvent(ExecutionEvent):
    """A piece of the answer, or with `is_final` the whole text that replaces the pieces."""

    event_type: Literal["text"] = "text"
    content: str = ""
    is_final: bool = False
    # {text, value, start, end, result_id, derivation, detail, class}; the class is `result`,
    # `cited`, `output`, or `value`: found in a result, but no words say that it is that cell.
    figures: list[JsonValue] = field(default_factory=list[JsonValue])
    # {text, start, end, reason}; positions count characters of `content`.
    unsourced: list[JsonValue] = field(default_factory=list[JsonValue])


@dataclass(frozen=True, kw_only=True, slots=True)
class ThoughtEvent(ExecutionEvent):
    """A piece of reasoning, about the whole work or about the task at hand."""

    event_type: Literal["thought"] = "thought"
    content: str = ""
    level: Literal["work", "task"] = "task"
    is_final: bool = False
