"""The work done for one message, and the tool calls in it."""

from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from dataagent_core.events.plan import PlanStatusName, StageName
from dataagent_server.db.database_clock import elapsed_ms
from dataagent_server.runs.history.executions import Execution
from dataagent_server.runs.history.run_lists import ListedRun, message_shown, queued_message
from dataagent_server.runs.history.steps import StepKind
from dataagent_server.runs.run_row import RunRow, RunStatus
from dataagent_server.sessions.tool_records import ToolExecution


class RunInfo(BaseModel):
    """One run, with S3's states."""

    model_config = ConfigDict(frozen=True)

    run_id: str
    session_id: str
    user_id: str
    project_id: str | None
    assistant_id: str
    model: str | None = Field(description="What was chosen for it; null: the default")
    message_id: str
    status: RunStatus
    attempt: int = Field(description="How often it was taken up; more than 1 after a crash")
    cancel_requested: bool
    message: str = Field(
        description="The beginning of what was asked: its first 200 bytes; may be empty",
        examples=["And the same for June, please."],
    )
    queued_message: str | None = Field(
        description="While it waits for its turn: the message, or its first 2,000 bytes",
        examples=["And the same for June, please."],
    )
    error: str | None
    error_code: str | None
    token_usage: dict[str, Any] | None
    agent_type: str = Field(description="The kind of agent that did it (S3)")
    checkpoint_id: str | None = Field(
        description="The engine's state where it last came to rest; kept for the newest run"
    )
    trace_id: str | None = Field(description="Its trace, which is the run's own id")
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None

    @classmethod
    def of(cls, run: RunRow | ListedRun, **more: Any) -> Self:
        """Show a run, and what is known of it beside."""
        read = {"message": message_shown(run), "queued_message": queued_message(run)}
        own = [name for name in RunInfo.model_fields if name not in read]
        shown = {name: getattr(run, name) for name in own}
        return cls(**shown, **read, **more)


class RunDetail(RunInfo):
    """One run, and what came of it."""

    result: dict[str, Any] | None = Field(
        description="Once it is over: why it ended, and the whole answer",
        examples=[{"reason": "completed", "content": "Sales rose by 4 %.", "format": "markdown"}],
    )

    @classmethod
    def of(cls, run: RunRow | ListedRun, **more: Any) -> Self:
        """Show a run; a list's has its result beside it."""
        result = more.pop("result", None) if isinstance(run, ListedRun) else run.result
        return super().of(run, result=result, **more)


class ExecutionInfo(RunDetail):
    """One run as S2's execution history has it, with its plan."""

    id: str = Field(description="The run's id, under S2's name")
    conversation_id: str
    work_level_thought: str | None
    task_level_thought: str | None = Field(
        description="What the model thought last: the first 8,000 characters"
    )
    plan_steps: list[dict[str, JsonValue]] | None = Field(description="Where there is a plan")
    current_step_index: int | None = Field(
        description="The step that is worked on, or the next one: into `plan_steps`, from 0; their "
        "number when none is left"
    )
    plan_status: PlanStatusName | None
    plan_version: int | None = Field(description="Counts the changes of the plan, from 1")
    plan_stage: StageName | None = Field(description="Where the loop is staged")
    plan_round: int | None = Field(description="How often a review sent work back")
    workflow_pattern_id: str | None
    total_duration_ms: int | None = Field(description="From its start to its end, with its waits")
    steps_completed: int
    steps_failed: int

    @classmethod
    def of_execution(cls, execution: Execution) -> Self:
        """Show an execution."""
        run = execution.run
        return cls.of(
            run,
            result=execution.result,
            id=run.run_id,
            conversation_id=run.session_id,
            # A run of an earlier version has only its times.
            total_duration_ms=execution.total_duration_ms
            if execution.total_duration_ms is not None
            else elapsed_ms(run.started_at, run.completed_at),
            **asdict(execution.progress),
            **asdict(execution.plan),
        )


class CancelledResponse(BaseModel):
    """Something under way is being stopped (S0)."""

    model_config = ConfigDict(frozen=True)

    status: Literal["cancelled"] = "cancelled"
    session_id: str
    run_id: str


class CheckpointInfo(BaseModel):
    """Where a run stood (S2's five kinds); the state itself is the engine's."""

    model_config = ConfigDict(frozen=True, from_attributes=True)

    position: int
    run_id: str
    message_id: str | None
    checkpoint_type: StepKind = Field(validation_alias="kind")
    checkpoint_id: str | None = Field(
        description="The engine's state at that moment; it is kept for a session's newest run"
    )
    execution_state: dict[str, Any] = Field(
        validation_alias="state",
        examples=[{"seq": 7, "tool_name": "read_file", "tool_call_id": "call_1"}],
    )
    step_number: int | None = Field(description="Of the work plan, where there is one")
    created_at: datetime


class CheckpointList(BaseModel):
    """Markers in the order they were written."""

    model_config = ConfigDict(frozen=True)

    checkpoints: list[CheckpointInfo]
    has_more: bool


class ExecutionStatus(BaseModel):
    """What goes on in a session (S2 §14.5)."""

    model_config = ConfigDict(frozen=True)

    is_running: bool
    last_sequence: int
    current_message_id: str | None
    run_id: str | None = None
    status: Literal["idle", "queued", "running", "waiting_approval"] = "idle"
    queued: int = Field(default=0, description="Messages that wait behind the one under way")
    last_checkpoint: CheckpointInfo | None = Field(
        default=None, description="Where the run under way stands, and would be taken up"
    )


class ResumedResponse(BaseModel):
    """A run is taken up again."""

    model_config = ConfigDict(frozen=True)

    status: Literal["resuming"] = "resuming"
    session_id: str
    run_id: str


class ToolExecutionInfo(BaseModel):
    """One tool call; its receipt is what the harness saw of it."""

    model_config = ConfigDict(frozen=True)

    position: int
    call_id: str
    run_id: str
    message_id: str
    tool_name: str
    args_hash: str
    tool_input: dict[str, Any] | None = Field(
        description="What it was called with", examples=[{"file_path": "/a.txt"}]
    )
    tool_output: str | None = Field(
        description="What a person is shown of its result, of a long one the beginning and how "
        "many bytes are left out; null while it runs"
    )
    step_number: int | None = Field(
        description="Which turn of the model in its run made it, from 1; a sub-agent's turns are "
        "counted from its task on. null for calls of an earlier version"
    )
    status: str = Field(examples=["success", "error", "running"])
    receipt: dict[str, Any] | None
    started_at: datetime | None
    completed_at: datetime | None
    duration_ms: int | None = Field(description="null for a call that runs, or was refused")

    @classmethod
    def of(cls, execution: ToolExecution) -> Self:
        """Show a call."""
        return cls(**{name: getattr(execution, name) for name in cls.model_fields})


class ToolExecutionList(BaseModel):
    """Calls in the order they began."""

    model_config = ConfigDict(frozen=True)

    tool_executions: list[ToolExecutionInfo]
    has_more: bool
