"""Settings of work plans and patterns (S2 §6), and of the staged loop (S3)."""

from typing import Annotated, Literal

from pydantic import Field

from dataagent_core.config.limits.patterns import (
    PATTERN_RUNS_KEPT_MAX,
    WORKFLOW_REPEATS,
    WORKFLOW_TIMEOUT_MS,
    WORKFLOW_TRACES_MIN,
)
from dataagent_core.config.limits.planning import (
    CONCURRENT_STEPS,
    CONCURRENT_STEPS_MAX,
    PLAN_ASK_CONFIDENCE,
    PLAN_ASK_STEPS,
    PLAN_REPLANS,
    PLAN_REPLANS_MAX,
    PLAN_STEPS_MAX,
    PLANNING_TIMEOUT_MS,
    PLANNING_TIMEOUT_MS_MAX,
    REVIEW_ROUNDS,
    REVIEW_ROUNDS_MAX,
    STAGE_TIMEOUT_MS,
    STEP_RISK_BYTES,
    STEP_RISK_DURATION_MS,
    STEP_TIMEOUT_S,
    STEP_TURNS,
)
from dataagent_core.config.resolve.layered_settings import LayeredSettings
from dataagent_core.config.resolve.layers import Variables


class PlanningSettings(LayeredSettings):
    """When a message is planned, how its steps are carried out, and what a person is asked."""

    planning: Literal["auto", "always", "never"] = Field(
        default="auto",
        description="When a work plan is made: auto for complex messages, always, or never",
    )
    complex_message_chars: int = Field(
        default=100,
        ge=1,
        description="Characters beyond which the length of a message is a sign of a complex one",
    )
    planning_timeout_ms: int = Field(
        default=PLANNING_TIMEOUT_MS,
        ge=100,
        le=PLANNING_TIMEOUT_MS_MAX,
        description="Milliseconds the planning call may take; then the run works without a plan",
    )
    max_concurrent_steps: int = Field(
        default=CONCURRENT_STEPS,
        ge=1,
        le=CONCURRENT_STEPS_MAX,
        description="Steps of a plan that are worked on side by side",
    )
    plan_replans_max: int = Field(
        default=PLAN_REPLANS,
        ge=0,
        le=PLAN_REPLANS_MAX,
        description="Times the rest of a plan is planned again after a step failed",
    )
    plan_step_timeout_s: float = Field(
        default=STEP_TIMEOUT_S,
        gt=0,
        allow_inf_nan=False,
        description="Seconds the agent itself may work on one step (a sub-agent has its own limit)",
    )
    plan_step_turns_max: int = Field(
        default=STEP_TURNS,
        ge=1,
        le=1_000,
        description="Model turns the agent itself may take for one step",
    )
    plan_ask_steps: int = Field(
        default=PLAN_ASK_STEPS,
        ge=0,
        le=PLAN_STEPS_MAX,
        description="A plan of more steps is put to a person who is there",
    )
    plan_ask_confidence: float = Field(
        default=PLAN_ASK_CONFIDENCE,
        ge=0,
        le=1,
        description="A plan whose confidence is lower is put to a person who is there",
    )
    plan_ask_vague_words: bool = Field(
        default=True, description="Whether vague words in a message put its plan to a person"
    )
    plan_confirm_tools: Annotated[tuple[str, ...], Variables()] = Field(
        default=(),
        description="Tools, as names or groups: a step that needs one is confirmed by a person",
    )
    plan_risk_bytes: int = Field(
        default=STEP_RISK_BYTES,
        ge=0,
        description="Bytes of data beyond which a person is asked before a step",
    )
    plan_risk_duration_ms: int = Field(
        default=STEP_RISK_DURATION_MS,
        ge=0,
        description="Expected milliseconds beyond which a person is asked before a step",
    )
    pattern_learning: bool = Field(
        default=True,
        description="Whether ways of working are learned from runs, and used again",
    )
    pattern_offer_similarity: float = Field(
        default=0.8,
        ge=0,
        le=1,
        description="Similarity over which a learned pattern is offered to a person",
    )
    pattern_hint_similarity: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="Similarity from which a learned pattern is a hint for the model",
    )
    pattern_compile_repeats: int = Field(
        default=WORKFLOW_REPEATS,
        ge=WORKFLOW_TRACES_MIN,
        le=PATTERN_RUNS_KEPT_MAX,
        description="Clean repeats after which a person is told that a workflow can be made",
    )
    workflow_timeout_ms: int = Field(
        default=WORKFLOW_TIMEOUT_MS,
        ge=100,
        le=PLANNING_TIMEOUT_MS_MAX,
        description="Milliseconds a model may take for a place of a workflow, or for its answer",
    )
    stage_timeout_ms: int = Field(
        default=STAGE_TIMEOUT_MS,
        ge=100,
        le=PLANNING_TIMEOUT_MS_MAX,
        description="Milliseconds the thinking, and each review, of a staged loop may take",
    )
    max_review_rounds: int = Field(
        default=REVIEW_ROUNDS,
        ge=0,
        le=REVIEW_ROUNDS_MAX,
        description="Times the review of a staged loop may send work back",
    )
