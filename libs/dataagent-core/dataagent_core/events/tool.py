"""One tool call: that it started, how far it is, what came of it."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from dataagent_core.events.base import ExecutionEvent


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCallEvent(ExecutionEvent):
    """A call is about to run with exactly these arguments."""

    event_type: Literal["tool_call"] = "tool_call"
    tool_name: str = ""
    tool_args: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    tool_call_id: str = ""
    subagent: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolProgressEvent(ExecutionEvent):
    """A long call says how far it is; before its `tool_call`: which command already runs."""

    event_type: Literal["tool_progress"] = "tool_progress"
    tool_call_id: str = ""
    progress: float = 0.0
    total: float | None = None
    message: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolResultEvent(ExecutionEvent):
    """What a call returned, with the receipt the harness wrote for it."""

    event_type: Literal["tool_result"] = "tool_result"
    tool_call_id: str = ""
    tool_name: str = ""
    result: JsonValue = None
    status: str = "success"
    duration_ms: int | None = None
    receipt: dict[str, JsonValue] | None = None
    artifacts: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])
