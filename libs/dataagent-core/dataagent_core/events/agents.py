"""Skills, sub-agents and patterns at work."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from dataagent_core.events.base import ExecutionEvent

SkillPhase = Literal["matched", "started", "tool_started", "tool_result", "completed", "fallback"]
SubAgentPhase = Literal["assigned", "started", "finished", "failed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class SkillEvent(ExecutionEvent):
    """A skill moved to another phase."""

    event_type: Literal["skill"] = "skill"
    phase: SkillPhase = "matched"
    name: str = ""
    detail: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True, kw_only=True, slots=True)
class SubAgentEvent(ExecutionEvent):
    """A sub-agent moved to another phase of its task."""

    event_type: Literal["subagent"] = "subagent"
    phase: SubAgentPhase = "assigned"
    name: str = ""
    task: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class PatternEvent(ExecutionEvent):
    """An earlier way of working fits this question."""

    event_type: Literal["pattern_match"] = "pattern_match"
    pattern_id: str = ""
    similarity: float = 0.0
    mode: str = ""
