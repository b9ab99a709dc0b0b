"""`InteractionTrace` (S2 §6.5.2): what happened in one run, as patterns are learned from it.

A trace is never stored: `read_trace.py` reads it from the event log. Each text says whether it was
written after content of others was read (`is_tainted`): such text is data, never an instruction.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import JsonValue

from dataagent_core.patterns.workflow.result_shape import ANY_RESULT, ResultShape

# Whose content the result of a call holds: of strangers (`permissions/taint.py`), of a file, a
# database or a command that may hold anybody's words, or of this conversation alone.
ContentSource = Literal["strangers", "workspace", "conversation"]
# The question that offers a pattern; it says nothing of what the person means.
PATTERN_QUESTION: Final = "pattern"
CorrectionKind = Literal["edit", "respond", "correct", "feedback"]
# Decisions with a reason to be careful; a choice against the recommendation is one as well.
_GRAVE_TYPES = frozenset({"risk", "confirmation"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ClarificationQA:
    """A question about what was meant, and its answer."""

    question: str
    answer: str
    question_type: str = ""
    by_person: bool = True
    is_tainted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedDecision:
    """A point at which a way was chosen (S2's DecisionPoint with its answer)."""

    context: str
    decision_type: str
    options: tuple[str, ...]
    recommended: str
    user_choice: str
    step_number: int | None = None
    by_person: bool = True
    is_tainted: bool = False

    @property
    def impact(self) -> Literal["high", "normal"]:
        """How much hangs on it."""
        is_grave = self.decision_type in _GRAVE_TYPES or self.user_choice != self.recommended
        return "high" if is_grave else "normal"


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedStep:
    """A step of the plan as it stood in the end (S2's PlanStep); steps count from 1."""

    step_number: int
    description: str
    expected_output: str = ""
    required_tools: tuple[str, ...] = ()
    dependencies: tuple[int, ...] = ()
    status: str = "pending"
    result: str = ""
    is_tainted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedCall:
    """One tool call and how it ended."""

    tool_name: str
    args: Mapping[str, JsonValue]
    status: str
    duration_ms: int
    content: ContentSource
    # The task of the sub-agent that made it; None: the agent itself.
    subagent_id: str | None = None
    # Whether content of strangers was read before it.
    is_tainted: bool = False
    # Whether it was made before the call before it had a result.
    is_together: bool = False
    # What it returned, shortened, for the workflow of a pattern; a pattern keeps none of it.
    result: str = ""
    shape: ResultShape = ANY_RESULT

    @property
    def succeeded(self) -> bool:
        """Whether it did what it was called for."""
        return self.status == "success"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a person changed or said was wrong; the text is the person's own."""

    kind: CorrectionKind
    text: str = ""
    # The call it was about, and which arguments of it the person changed.
    tool_name: str = ""
    changed_args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractionTrace:
    """One run: what was wanted, asked, planned, done and corrected, and how it ended."""

    conversation_id: str
    user_goal: str
    clarifications: tuple[ClarificationQA, ...] = ()
    decisions: tuple[TracedDecision, ...] = ()
    plan_steps: tuple[TracedStep, ...] = ()
    tool_calls: tuple[TracedCall, ...] = ()
    corrections: tuple[Correction, ...] = ()
    final_result: str = ""
    success: bool = False
    duration_ms: int = 0
    human_intervention_count: int = 0
    # Beside S2's fields: which run it was, how it ended, and the calls there was no room for.
    run_id: str = ""
    was_cancelled: bool = False
    # The moment of its last event; 0 where nobody knows.
    ended_s: float = 0.0
    calls_left_out: int = 0
    # Whose content the conversation held before its first turn.
    before: ContentSource = "conversation"
    # Of its tools those whose definition says that they return content of strangers.
    external_tools: tuple[str, ...] = ()
    # Its calls were those of a workflow.
    by_workflow: bool = False
    # Tokens of all its model calls.
    tokens_used: int = 0
