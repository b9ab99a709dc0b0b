"""Skills, sub-agents and patterns at work."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from dataagent_core.events.base import ExecutionEvent

SkillPhase = Literal[
    "matched", "activated", "started", "tool_started", "tool_result", "completed", "fallback"
]
SubAgentPhase = Literal["assigned", "started", "finished", "failed"]
# How tasks go together (S2 §9.3).
DelegationMode = Literal["single", "parallel", "sequential", "hierarchical"]
# A task in the background is a run of its own (`runs/background.py`).
SubAgentMode = Literal[DelegationMode, "background"]


@dataclass(frozen=True, kw_only=True, slots=True)
class SkillEvent(ExecutionEvent):
    """A skill moved to another phase."""

    event_type: Literal["skill"] = "skill"
    phase: SkillPhase = "matched"
    name: str = ""
    detail: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True, kw_only=True, slots=True)
class SubAgentEvent(ExecutionEvent):
    """A sub-agent moved to another phase of its task.

    `agent_id` says which sub-agent it is, also when it is renamed later or another tier has one of
    its name: the id of its row, or the name of one without a row. `subagent_id` is the task,
    `parent_id` the task of the sub-agent that delegated it.
    `assigned` has the confidence and the reason; `finished` and `failed` have what the sub-agent
    itself used, without what it delegated. An unknown price is `None`, never 0.
    """

    event_type: Literal["subagent"] = "subagent"
    phase: SubAgentPhase = "assigned"
    name: str = ""
    agent_id: str = ""
    task: str = ""
    parent_id: str | None = None
    mode: SubAgentMode = "single"
    confidence: float | None = None
    reason: str = ""
    duration_ms: int | None = None
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    cost: float | None = None
    currency: str = "USD"


@dataclass(frozen=True, kw_only=True, slots=True)
class PatternEvent(ExecutionEvent):
    """An earlier way of working fits this question."""

    event_type: Literal["pattern_match"] = "pattern_match"
    pattern_id: str = ""
    similarity: float = 0.0
    mode: str = ""
