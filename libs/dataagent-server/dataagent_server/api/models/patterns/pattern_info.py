"""Interaction patterns, as the API takes and shows them (S2 §14.2)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

from pydantic import Field, JsonValue

from dataagent_core.patterns import InteractionPattern, PatternState
from dataagent_core.patterns.interaction_pattern import (
    DecisionPreference,
    SuccessFactors,
)
from dataagent_core.patterns.workflow.workflow_record import count_repeats, read_record
from dataagent_server.agents.patterns.pattern_record import PatternDetail
from dataagent_server.agents.patterns.workflow_runs import WorkflowRights
from dataagent_server.api.models.base import ResponseModel
from dataagent_server.api.models.patterns.workflow_info import WorkflowSummary


class PatternStepInfo(ResponseModel):
    """A step that mattered."""

    description: str
    expected_output: str
    tools: list[str]
    decision_points: list[str] = Field(description="What people chose at this step")
    corrections: list[str] = Field(description="What people said of its calls")
    is_text_left_out: bool = Field(
        description="Its texts came after content of others was read, so only its tools are kept"
    )


class PatternCallInfo(ResponseModel):
    """One call of a chain of tools: no values, only the types of the arguments."""

    tool: str
    args: Mapping[str, str]
    by_subagent: bool


class DecisionPreferenceInfo(ResponseModel):
    """What people choose when they are asked this, and how often."""

    question: str
    recommended: str
    choices: Mapping[str, int]
    preferred: str

    @classmethod
    def of(cls, preference: DecisionPreference) -> Self:
        """Show a preference."""
        return cls.model_validate(preference)


class SuccessFactorsInfo(ResponseModel):
    """What a success depended on."""

    clarifications_needed: int
    critical_decisions: list[str]
    common_corrections: list[str]

    @classmethod
    def of(cls, factors: SuccessFactors) -> Self:
        """Show success factors."""
        return cls.model_validate(factors)


class PatternOrigin(ResponseModel):
    """The pattern of another tenant that this is a copy of."""

    tenant_id: str
    pattern_id: str


class PatternInfo(ResponseModel):
    """A way of working that led to a result."""

    id: str
    tenant_id: str
    user_id: str = Field(description="Whose it is: who worked that way first, or wrote it")
    name: str
    description: str
    state: PatternState = Field(
        description="`trusted`: in use. `draft`: not enough successes yet, or asked for by nobody "
        "in 7 days. `untrusted`: failed too often in a row. `archived`: not used for 180 days"
    )
    success_rate: float
    success_count: int
    failure_count: int
    usage_count: int
    avg_execution_time_ms: int | None = Field(description="Of those that succeeded")
    tools: list[str] = Field(description="Those the agent itself needs")
    made_by_hand: bool
    origin: PatternOrigin | None = Field(description="Where another tenant shared it")
    version: int = Field(description="Counts every change; give it back to change what you saw")
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime | None
    repeats: int = Field(description="How often it was done cleanly in the same way, of late")
    may_change: bool = Field(description="Whether you may change, compile and run it")
    can_compile: bool = Field(
        description="Whether you may compile a workflow of it, and there are enough clean repeats"
    )
    workflow: WorkflowSummary | None = Field(
        description="Its workflow, for its owner and for admins"
    )

    @classmethod
    def of(cls, pattern: InteractionPattern, rights: WorkflowRights, **more: Any) -> Self:
        """Show a pattern."""
        record = read_record(pattern) if rights.may_read else None
        more |= {
            "repeats": count_repeats(pattern),
            "may_change": rights.may_change,
            "can_compile": rights.can_compile,
            "workflow": record and WorkflowSummary.of_record(record),
        }
        read = {"tools", "made_by_hand", "origin", *more}
        own = {
            name: getattr(pattern, name) for name in PatternInfo.model_fields if name not in read
        }
        return cls(
            **own,
            tools=sorted(pattern.tools),
            made_by_hand=pattern.metadata.get("made_by") == "hand",
            origin=_read_origin(pattern.metadata),
            **more,
        )


class PatternRunInfo(ResponseModel):
    """A run that was counted; of one you may not see only how it went, and when."""

    run_id: str | None
    session_id: str | None
    success: bool
    at: datetime
    worked_by_it: bool = Field(description="It took the pattern's steps, and was not only like it")
    rate: float = Field(description="The share of successes of the runs listed up to here")


class PatternDetailInfo(PatternInfo):
    """A pattern with everything it holds."""

    pattern_signature: str
    steps: list[PatternStepInfo]
    tool_compositions: list[list[PatternCallInfo]] = Field(
        description="Chains of calls that led to the result, the best one first"
    )
    decision_preferences: list[DecisionPreferenceInfo]
    corrections: list[str]
    success_factors: SuccessFactorsInfo
    consecutive_failures: int
    last_queried_at: datetime | None = Field(description="When such work was last asked for")
    runs: list[PatternRunInfo] = Field(
        description="The last ones it was learned from, oldest first"
    )

    @classmethod
    def of_detail(cls, detail: PatternDetail, rights: WorkflowRights) -> Self:
        """Show a pattern with its runs."""
        pattern = detail.pattern
        return cls.of(
            pattern,
            rights,
            pattern_signature=pattern.signature,
            steps=[PatternStepInfo.model_validate(step) for step in pattern.steps],
            tool_compositions=[
                [PatternCallInfo.model_validate(call) for call in chain]
                for chain in pattern.tool_chains
            ],
            decision_preferences=[
                DecisionPreferenceInfo.of(one) for one in pattern.decision_preferences
            ],
            corrections=list(pattern.corrections),
            success_factors=SuccessFactorsInfo.of(pattern.success_factors),
            consecutive_failures=pattern.consecutive_failures,
            last_queried_at=pattern.last_queried_at,
            runs=[PatternRunInfo.model_validate(run) for run in detail.runs],
        )


def _read_origin(metadata: Mapping[str, JsonValue]) -> PatternOrigin | None:
    origin = metadata.get("origin")
    return PatternOrigin.model_validate(origin) if isinstance(origin, dict) else None
