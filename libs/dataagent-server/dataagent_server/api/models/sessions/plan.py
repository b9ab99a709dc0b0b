"""A work plan, and what a person may change in it (S2 §4.2)."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, JsonValue

from dataagent_core.config.limits.planning import PLAN_EDITS_MAX
from dataagent_core.events.plan import PlanStatusName, StageName
from dataagent_core.planning import PlanEdit, PlanStep, WorkPlan
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import ChosenId
from dataagent_server.runs.limits import PLAN_NUMBER_MAX

_StepStatusName = Literal["pending", "in_progress", "completed", "failed", "skipped", "timeout"]


class PlanStepInfo(ResponseModel):
    """One step; its number counts from 1, and no other step of the plan ever gets it."""

    step_number: int
    description: str
    thought_prompt: str
    required_tools: list[str]
    required_skills: list[str]
    expected_output: str
    assigned_agent: str = Field(description="The sub-agent that works on it; empty: any, or none")
    dependencies: list[int] = Field(description="Numbers of the steps whose results it needs")
    estimated_duration_ms: int | None
    estimated_bytes: int | None
    decision: dict[str, JsonValue] | None = Field(
        description="A choice that a person should make before it begins"
    )
    status: _StepStatusName
    result: str | None
    execution_time_ms: int | None

    @classmethod
    def of(cls, step: PlanStep) -> Self:
        """Show a step."""
        return cls(**step.to_dict())


class WorkPlanInfo(ResponseModel):
    """A plan as it stands; it has the id of the run that carries it out."""

    plan_id: str
    session_id: str
    run_id: str
    status: PlanStatusName
    version: int = Field(description="Counts its changes from 1; a change names the one it is of")
    steps: list[PlanStepInfo]
    total_steps: int
    current_step_index: int = Field(
        description="The step that is worked on, or the next one: into `steps`, from 0; their "
        "number when none is left"
    )
    stage: StageName | None = Field(description="Where the loop of the run is staged")
    round: int = Field(description="How often a review sent work back")
    interaction_pattern_id: str | None
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, plan: WorkPlan) -> Self:
        """Show a plan."""
        return cls(
            plan_id=plan.id,
            session_id=plan.conversation_id,
            run_id=plan.id,
            status=plan.status.value,
            version=plan.version,
            steps=[PlanStepInfo.of(step) for step in plan.steps],
            total_steps=len(plan.steps),
            current_step_index=plan.current_step_index,
            stage=plan.stage,
            round=plan.round,
            interaction_pattern_id=plan.interaction_pattern_id,
            created_at=plan.created_at,
            updated_at=plan.updated_at or plan.created_at,
        )


class PlanEditRequest(RequestModel):
    """Changes of steps that have not begun: all of them count, or none."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"version": 1, "edits": [{"op": "skip", "step_number": 3}]},
                {
                    "version": 2,
                    "edits": [{"op": "add", "description": "Compare with May", "before": 3}],
                },
            ]
        }
    )

    plan_id: ChosenId | None = Field(
        default=None, description="Of the plan that was looked at; without it the newest is meant"
    )
    version: int = Field(ge=1, le=PLAN_NUMBER_MAX, description="Of the plan that was looked at")
    edits: Annotated[
        list[PlanEdit],
        Field(min_length=1, max_length=PLAN_EDITS_MAX),
    ]
