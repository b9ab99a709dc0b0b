"""Tool compositions, as the API takes and shows them."""

from datetime import datetime
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from dataagent_core.config.limits import (
    COMPOSITION_FALLBACKS_MAX,
    COMPOSITION_TOOLS_MAX,
    TOOL_NAME_CHARS_MAX,
)
from dataagent_core.tools.composition import (
    CompositionProposal,
    MemberStatistics,
    apply_stages,
)
from dataagent_core.tools.composition.optimizer import ProposalOutcome
from dataagent_server.agents.compositions.composition_record import (
    CompositionChanges,
    CompositionRecord,
)
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import ChosenId, JsonObject, Text

_ToolName = Annotated[
    str, StringConstraints(pattern=rf"^[A-Za-z0-9_-]{{1,{TOOL_NAME_CHARS_MAX}}}$")
]
_Tools = Annotated[tuple[_ToolName, ...], Field(min_length=1, max_length=COMPOSITION_TOOLS_MAX)]
_Fallbacks = Annotated[
    dict[_ToolName, Annotated[list[_ToolName], Field(max_length=COMPOSITION_FALLBACKS_MAX)]],
    Field(max_length=COMPOSITION_TOOLS_MAX),
]
_TEMPLATE_KEYS_MAX: Final = 10
_Template = Annotated[JsonObject, Field(max_length=_TEMPLATE_KEYS_MAX)]
_TEMPLATE_EXAMPLE: Final = {
    "kind": "sequential",
    "inputs": {"question": {"type": "string"}},
    "steps": [
        {"args": {"query": "{{input.question}}"}},
        {"args": {"text": "{{previous}}"}},
    ],
}


class ToolCompositionInfo(BaseModel):
    """Tools that are called as one, and how often that succeeded."""

    model_config = ConfigDict(frozen=True)

    id: str
    project_id: str | None = Field(description="null: the whole tenant's")
    name: str
    description: str
    tools: list[str]
    execution_template: dict[str, Any]
    fallback_alternatives: dict[str, list[str]]
    success_count: int = Field(
        description="Since its tools, template or fallbacks changed, as `failure_count`"
    )
    failure_count: int
    usage_count: int = Field(description="Of all executions")
    success_rate: float | None = Field(
        description="Since its tools, template or fallbacks changed; null before an execution"
    )
    is_offered: bool = Field(
        description="False: it fails too often, and an agent gets it only when asked for by name"
    )
    number: int = Field(description="Counts changes; give it back to change what you have seen")
    created_by: str
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, record: CompositionRecord) -> Self:
        """Show a composition."""
        one = record.composition
        return cls(
            id=one.id,
            project_id=record.project_id or None,
            name=one.name,
            description=one.description,
            tools=list(one.tools),
            execution_template=dict(one.execution_template),
            fallback_alternatives={
                name: list(others) for name, others in one.fallback_alternatives.items()
            },
            success_count=one.success_count,
            failure_count=one.failure_count,
            usage_count=record.usage_count,
            success_rate=record.success_rate,
            is_offered=one.is_offered,
            number=record.number,
            created_by=record.created_by,
            created_at=record.created_at,
            updated_at=record.updated_at,
        )


class CompositionMemberInfo(ResponseModel):
    """What was measured of one member, in all executions together."""

    tool: str
    calls: int
    failures: int
    total_ms: int
    average_ms: float


class CompositionMeasures(ResponseModel):
    """What was measured of the members of a composition."""

    members: list[CompositionMemberInfo]

    @classmethod
    def of(cls, measured: dict[str, MemberStatistics]) -> Self:
        """Show measures."""
        return cls(
            members=[
                CompositionMemberInfo(
                    tool=tool,
                    calls=one.calls,
                    failures=one.failures,
                    total_ms=one.total_ms,
                    average_ms=one.average_ms,
                )
                for tool, one in measured.items()
            ]
        )


class CompositionProposalInfo(ResponseModel):
    """A better order of the steps; `PUT` with the three last fields applies it."""

    outcome: ProposalOutcome
    reason: str
    present_stages: list[list[int]] = Field(
        description="The steps by number; those of one stage run at the same time"
    )
    proposed_stages: list[list[int]] = Field(description="By their present numbers")
    present_ms: float = Field(description="What one execution takes on average, from its members")
    expected_ms: float
    tools: list[str]
    execution_template: dict[str, Any]
    number: int = Field(description="Of the composition it was made for")

    @classmethod
    def of(cls, record: CompositionRecord, proposal: CompositionProposal) -> Self:
        """Show a proposal."""
        proposed = record.composition
        if proposal.outcome == "better":
            proposed = apply_stages(proposed, proposal.stages)
        return cls(
            outcome=proposal.outcome,
            reason=proposal.reason,
            present_stages=[list(stage) for stage in proposal.present],
            proposed_stages=[list(stage) for stage in proposal.stages],
            present_ms=proposal.present_ms,
            expected_ms=proposal.expected_ms,
            tools=list(proposed.tools),
            execution_template=dict(proposed.execution_template),
            number=record.number,
        )


class ToolCompositionCreate(RequestModel):
    """A new composition, for the tenant or for a project."""

    name: _ToolName = Field(examples=["search_and_save"])
    description: Text = ""
    tools: _Tools = Field(examples=[["web_search", "write_file"]])
    execution_template: _Template = Field(examples=[_TEMPLATE_EXAMPLE])
    fallback_alternatives: _Fallbacks = Field(
        default_factory=dict, description="For a tool those to try, in order, when it fails"
    )
    project_id: ChosenId | None = Field(default=None, description="left out: the whole tenant's")

    def wishes(self) -> CompositionChanges:
        """Say it to the service."""
        return CompositionChanges(**self.model_dump(exclude={"project_id"}))


class CompositionProblems(ResponseModel):
    """Everything that keeps a composition from working; nothing: it can be stored."""

    problems: list[str]


class ToolCompositionChange(RequestModel):
    """What is to change; fields left out stay."""

    name: _ToolName | None = None
    description: Text | None = None
    tools: _Tools | None = None
    execution_template: _Template | None = None
    fallback_alternatives: _Fallbacks | None = None
    number: int | None = Field(default=None, description="Refuse if it has changed since")

    def wishes(self) -> CompositionChanges:
        """Say it to the service."""
        return CompositionChanges(**self.model_dump(exclude={"number"}))
