"""`InteractionPattern` (S2 §4.2.3): a way of working that was seen to lead to a result.

It holds no values of a run: texts are scrubbed (`scrub.py`), goals have slots (`slots.py`), and of
arguments only names and types are kept. Who may use it is decided from its counts (`lifecycle.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pydantic import JsonValue

from dataagent_core.patterns.trace import ContentSource

PatternState = Literal["draft", "untrusted", "trusted", "archived"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternCall:
    """One call of a tool chain: the tool, and its arguments by name with their types."""

    tool: str
    args: Mapping[str, str] = field(default_factory=dict[str, str])
    by_subagent: bool = False


ToolChain = tuple[PatternCall, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternStep:
    """A step that mattered."""

    description: str = ""
    expected_output: str = ""
    tools: tuple[str, ...] = ()
    # What people chose at this step, as `question: answer`.
    decision_points: tuple[str, ...] = ()
    # What people said about its calls.
    corrections: tuple[str, ...] = ()
    # Its texts were written after content of others was read, so only its tools are kept.
    is_text_left_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPreference:
    """What people choose when they are asked this, and how often."""

    question: str
    recommended: str
    choices: Mapping[str, int]

    @property
    def preferred(self) -> str:
        """The option to recommend next time: the one chosen most, of equals the first."""
        return max(self.choices, key=lambda choice: self.choices[choice], default=self.recommended)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessFactors:
    """What a success depended on."""

    clarifications_needed: int = 0
    critical_decisions: tuple[str, ...] = ()
    common_corrections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedRun:
    """A run that was counted, and as what; its log has everything else."""

    run_id: str
    session_id: str
    success: bool
    at: datetime
    # Of a clean run a digest of its calls: equal for runs that were done the same way.
    calls_digest: str = ""
    # What its log does not say, to read it again: see `InteractionTrace`.
    before: ContentSource = "strangers"
    external_tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractionPattern:
    """A pattern of one tenant; every change is a new value with a new version."""

    id: str
    tenant_id: str
    name: str
    description: str
    signature: str
    entities: tuple[str, ...]
    steps: tuple[PatternStep, ...] = ()
    # The best one first; column `tool_compositions`.
    tool_chains: tuple[ToolChain, ...] = ()
    success_factors: SuccessFactors = SuccessFactors()
    decision_preferences: tuple[DecisionPreference, ...] = ()
    corrections: tuple[str, ...] = ()
    usage_count: int = 0
    success_count: int = 0
    failure_count: int = 0
    consecutive_failures: int = 0
    avg_execution_time_ms: int | None = None
    # Who made it; others of the tenant may use it.
    user_id: str = ""
    # As it was when it was stored; `lifecycle.find_state` says what it is now.
    state: PatternState = "draft"
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime | None = None
    last_queried_at: datetime | None = None
    # The last ones: none counts twice, and they show where a pattern was used.
    recent_runs: tuple[LearnedRun, ...] = ()
    metadata: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    # Counts its saves, so that two who change it at once do not overwrite each other.
    version: int = 0

    @property
    def success_rate(self) -> float:
        """The share of uses that succeeded; 1.0 before the first use (S2's initial rate)."""
        return self.success_count / self.usage_count if self.usage_count else 1.0

    @property
    def tools(self) -> frozenset[str]:
        """Every tool that the agent itself needs; a sub-agent's are its own."""
        best = self.tool_chains[0] if self.tool_chains else ()
        of_subagents = {call.tool for call in best if call.by_subagent}
        of_steps = {tool for step in self.steps for tool in step.tools} - of_subagents
        return frozenset(of_steps | {call.tool for call in best if not call.by_subagent})
