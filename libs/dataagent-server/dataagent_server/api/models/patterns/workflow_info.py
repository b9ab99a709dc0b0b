"""Workflows of patterns, as the API takes and shows them."""

from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, StringConstraints

from dataagent_core.config.limits.patterns import WORKFLOW_BYTES_MAX, WORKFLOW_NAMES_MAX
from dataagent_core.patterns.workflow.fill_workflow import list_places
from dataagent_core.patterns.workflow.workflow import (
    InputType,
    ModelPlace,
    Workflow,
    WorkflowInput,
    WorkflowStep,
)
from dataagent_core.patterns.workflow.workflow_record import WorkflowRecord
from dataagent_core.planning.plan_terms import WorkflowValue
from dataagent_server.agents.patterns.workflow_service import ComparedWorkflow, StoredWorkflow
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.chat import MODEL_OF_MESSAGE
from dataagent_server.api.models.fields import ChosenId, ModelName, without_nul
from dataagent_server.api.models.patterns.pattern_bodies import VERSION_MAX

_File = Annotated[
    str,
    StringConstraints(min_length=1, max_length=WORKFLOW_BYTES_MAX),
    AfterValidator(without_nul),
    Field(description="The file, as YAML; it is read strictly"),
]


class WorkflowInputInfo(ResponseModel):
    """What a person gives to a run."""

    name: str
    type: InputType
    example: str = Field(description="Of an earlier run; empty where none may be kept")
    is_private: bool = Field(description="Personal or secret: it is given each time")

    @classmethod
    def of_input(cls, name: str, one: WorkflowInput) -> Self:
        """Show an input."""
        return cls(name=name, type=one.type, example=one.example, is_private=one.is_private)


class WorkflowStepInfo(ResponseModel):
    """One tool call."""

    number: int
    tool: str
    needs_model: bool = Field(description="A model writes some of its arguments")
    takes: list[str] = Field(description="What later steps use of its result")

    @classmethod
    def of_step(cls, number: int, step: WorkflowStep) -> Self:
        """Show a step."""
        return cls(
            number=number,
            tool=step.tool,
            needs_model=bool(list_places(step)),
            takes=list(step.takes),
        )


class WorkflowContent(ResponseModel):
    """A workflow: its file, and what stands in it."""

    text: str
    name: str
    goal: str = Field(description="The person's request, with places for the inputs")
    inputs: list[WorkflowInputInfo]
    steps: list[WorkflowStepInfo]
    answer_needs_model: bool
    version: int = Field(description="Of the pattern; give it back to store what you saw")


class WorkflowSummary(ResponseModel):
    """The workflow of a pattern in a list, and what running it has saved."""

    name: str
    runs: int
    handed_over: int = Field(description="Runs that the agent finished after a surprise")
    tokens_saved: int
    seconds_saved: float

    @classmethod
    def of_record(cls, record: WorkflowRecord) -> Self:
        """Show a record."""
        return cls.model_validate(record)


class WorkflowInfo(WorkflowContent):
    """The stored workflow of a pattern, and what running it has saved."""

    runs: int
    handed_over: int = Field(description="Runs that the agent finished after a surprise")
    tokens_saved: int
    seconds_saved: float

    @classmethod
    def of(cls, stored: StoredWorkflow) -> Self:
        """Show a workflow."""
        record = stored.record
        return cls(
            **_show_content(record.text, stored.workflow, stored.pattern.version),
            runs=record.runs,
            handed_over=record.handed_over,
            tokens_saved=record.tokens_saved,
            seconds_saved=record.seconds_saved,
        )


class WorkflowDraft(WorkflowContent):
    """A workflow that is not stored, and how it differs from the one that is."""

    diff: str = Field(description="As a unified diff; empty: there is no difference")

    @classmethod
    def of(cls, compared: ComparedWorkflow) -> Self:
        """Show a file."""
        compiled = compared.compiled
        content = _show_content(compiled.text, compiled.workflow, compared.pattern.version)
        return cls(**content, diff=compiled.diff)


class WorkflowCheck(RequestModel):
    """A file to be read."""

    text: _File


class WorkflowUpdate(WorkflowCheck):
    """A file to be stored."""

    version: int = Field(ge=1, le=VERSION_MAX, description="Of the pattern you looked at")


class WorkflowRun(RequestModel):
    """A run of a workflow."""

    inputs: dict[str, WorkflowValue] = Field(default={}, max_length=WORKFLOW_NAMES_MAX)
    session_id: ChosenId | None = Field(default=None, description="Left out: a new session")
    assistant_id: ChosenId | None = None
    project_id: ChosenId | None = Field(default=None, description="Project of a new session")
    model: ModelName | None = Field(default=None, description=MODEL_OF_MESSAGE)


class WorkflowStarted(ResponseModel):
    """The run that was started; its events are at `/sessions/{session_id}/events/stream`."""

    session_id: str
    run_id: str
    message_id: str


def _show_content(text: str, workflow: Workflow, version: int) -> dict[str, Any]:
    return {
        "text": text,
        "name": workflow.name,
        "goal": workflow.goal.template,
        "inputs": [WorkflowInputInfo.of_input(name, one) for name, one in workflow.inputs.items()],
        "steps": [
            WorkflowStepInfo.of_step(number, step) for number, step in enumerate(workflow.steps, 1)
        ],
        "answer_needs_model": isinstance(workflow.answer, ModelPlace),
        "version": version,
    }
