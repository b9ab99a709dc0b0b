"""Sub-agents, as `/subagents` and `/agents` show and take them (S2 §14.3, §16.4)."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from dataagent_core.config.limits import PERMISSION_PATTERN_CHARS_MAX
from dataagent_core.config.limits.subagents import (
    SUBAGENT_ANSWER_TOKENS_MAX,
    SUBAGENT_DEPTH_MAX,
    SUBAGENT_EXAMPLES_MAX,
    SUBAGENT_ITERATIONS_MAX,
    TEMPERATURE_MAX,
)
from dataagent_core.events.agents import DelegationMode
from dataagent_core.permissions import Rule
from dataagent_core.permissions.rules import Action
from dataagent_core.subagents import AgentColor, SubAgentTrigger
from dataagent_core.subagents.route import DecidedBy
from dataagent_server.agents.subagents.agent_defaults import TenantAgentConfig
from dataagent_server.agents.subagents.availability import find_problems
from dataagent_server.agents.subagents.limits import (
    ALLOWED_NAME_CHARS_MAX,
    ALLOWED_NAMES_MAX,
    EXAMPLE_CHARS_MAX,
    KEYWORD_CHARS_MAX,
    RULES_MAX,
    SYSTEM_PROMPT_CHARS_MAX,
    TIMEOUT_S_MAX,
)
from dataagent_server.agents.subagents.stored_subagent import SubAgentDefinition
from dataagent_server.agents.subagents.tiers import ListedSubAgent
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import ChosenId, Name, Prompt, Text, without_nul
from dataagent_server.db.tables.subagents import (
    DISPLAY_NAME_CHARS_MAX,
    NAME_CHARS_MAX,
    VERSION_CHARS_MAX,
)

SubAgentStatus = Literal["active", "disabled", "overridden", "unavailable"]

_SubAgentName = Annotated[str, StringConstraints(min_length=1, max_length=NAME_CHARS_MAX)]
_DisplayName = Annotated[Text, Field(max_length=DISPLAY_NAME_CHARS_MAX)]
_SystemPrompt = Annotated[
    str,
    StringConstraints(min_length=1, max_length=SYSTEM_PROMPT_CHARS_MAX),
    AfterValidator(without_nul),
]
_Version = Annotated[Text, Field(min_length=1, max_length=VERSION_CHARS_MAX)]
_Example = Annotated[Text, Field(min_length=1, max_length=EXAMPLE_CHARS_MAX)]
_Keyword = Annotated[Text, Field(min_length=1, max_length=KEYWORD_CHARS_MAX)]
_AllowedName = Annotated[Text, Field(min_length=1, max_length=ALLOWED_NAME_CHARS_MAX)]
_Allowed = Annotated[
    list[_AllowedName] | None,
    Field(max_length=ALLOWED_NAMES_MAX, description="null: all that the agent itself may use"),
]
_Pattern = Annotated[Text, Field(min_length=1, max_length=PERMISSION_PATTERN_CHARS_MAX)]
_Temperature = Annotated[float, Field(ge=0, le=TEMPERATURE_MAX)]
_TopP = Annotated[float, Field(ge=0, le=1)]
_MaxTokens = Annotated[int, Field(ge=1, le=SUBAGENT_ANSWER_TOKENS_MAX)]
_MaxIterations = Annotated[int, Field(ge=1, le=SUBAGENT_ITERATIONS_MAX)]
_LEFT_OUT = "Left out: the tenant's default (`GET /tenant/agent-config`), else that of the server"


class SubAgentRule(RequestModel):
    """A permission rule of a sub-agent; it only tightens what holds for the agent."""

    tool: _Pattern = Field(examples=["shell"])
    resource: _Pattern = Field(default="**", examples=["git push *"])
    action: Action


class SubAgentTriggerInfo(RequestModel):
    """When a sub-agent is the right one."""

    description: Text = Field(min_length=1, examples=["Answers questions about sales figures"])
    examples: list[_Example] = Field(default=[], max_length=SUBAGENT_EXAMPLES_MAX)
    keywords: list[_Keyword] = Field(default=[], max_length=SUBAGENT_EXAMPLES_MAX)


class _SubAgentBody(RequestModel):
    """All that can be said of a sub-agent."""

    name: _SubAgentName = Field(examples=["sales-analyst"])
    display_name: _DisplayName = ""
    trigger: SubAgentTriggerInfo
    system_prompt: _SystemPrompt
    model: Name | None = Field(
        default=None, description="`provider:name`, or `inherit`. " + _LEFT_OUT
    )
    color: AgentColor = "blue"
    allowed_tools: _Allowed = None
    allowed_skills: _Allowed = None
    allowed_mcp_servers: _Allowed = None
    rules: list[SubAgentRule] = Field(default=[], max_length=RULES_MAX)
    requires_tools: list[_AllowedName] = Field(
        default=[], max_length=ALLOWED_NAMES_MAX, description="Without all of these it is not used"
    )
    max_tokens: _MaxTokens | None = Field(default=None, description=_LEFT_OUT)
    temperature: _Temperature | None = Field(default=None, description=_LEFT_OUT)
    top_p: _TopP | None = Field(default=None, description=_LEFT_OUT)
    max_iterations: _MaxIterations | None = Field(default=None, description=_LEFT_OUT)
    hidden: bool = Field(default=False, description="Used only when it is asked for by its name")
    enabled: bool = True
    version: _Version | None = Field(
        default=None, description="Left out: the last number grows with each change"
    )

    @property
    def definition(self) -> SubAgentDefinition:
        """What is wished for."""
        trigger = self.trigger
        return SubAgentDefinition(
            name=self.name,
            display_name=self.display_name,
            trigger=SubAgentTrigger(
                description=trigger.description,
                examples=tuple(trigger.examples),
                keywords=tuple(trigger.keywords),
            ),
            system_prompt=self.system_prompt,
            model=self.model,
            color=self.color,
            allowed_tools=_as_tuple(self.allowed_tools),
            allowed_skills=_as_tuple(self.allowed_skills),
            allowed_mcp_servers=_as_tuple(self.allowed_mcp_servers),
            rules=tuple(
                Rule(rule.tool, rule.resource, rule.action, "person") for rule in self.rules
            ),
            requires_tools=tuple(self.requires_tools),
            max_tokens=self.max_tokens,
            temperature=self.temperature,
            top_p=self.top_p,
            max_iterations=self.max_iterations,
            hidden=self.hidden,
            enabled=self.enabled,
            version=self.version or "1.0.0",
        )


def _without_defaults(schema: dict[str, Any]) -> None:
    for field in schema["properties"].values():
        field.pop("default", None)


class SubAgentReplace(_SubAgentBody):
    """What a sub-agent is to be; what is left out stays, also of its trigger."""

    model_config = ConfigDict(json_schema_extra=_without_defaults)

    @property
    def changes(self) -> dict[str, Any]:
        """What is given, by the names of `SubAgentDefinition`'s fields."""
        whole = self.definition
        # No version is the next one.
        unset = {"trigger"} if self.version else {"trigger", "version"}
        named = self.model_fields_set.intersection(whole.__slots__) - unset
        trigger = {name: getattr(whole.trigger, name) for name in self.trigger.model_fields_set}
        return {name: getattr(whole, name) for name in named} | {"trigger": trigger}


class SubAgentCreate(_SubAgentBody):
    """A new sub-agent; one of a built-in one's name replaces that."""

    project_id: ChosenId | None = Field(
        default=None, description="The project that has it; null: the whole tenant"
    )


class SubAgentEnable(RequestModel):
    """Whether a sub-agent is used."""

    enabled: bool


class SubAgentInfo(ResponseModel):
    """One sub-agent, with the values that runs use."""

    id: str = Field(description="Of a built-in one its name")
    name: str
    display_name: str
    description: str
    trigger: SubAgentTriggerInfo
    system_prompt: str
    model: str
    color: AgentColor
    allowed_tools: list[str] | None
    allowed_skills: list[str] | None
    allowed_mcp_servers: list[str] | None
    rules: list[SubAgentRule]
    requires_tools: list[str]
    max_tokens: int
    temperature: float
    top_p: float | None
    max_iterations: int
    inherited: list[str] = Field(description="The fields that it leaves to the tenant's defaults")
    hidden: bool
    enabled: bool
    status: SubAgentStatus
    version: str
    project_id: str | None
    is_built_in: bool
    is_override: bool = Field(description="Whether it replaces a built-in one")
    is_overridden: bool = Field(description="Whether a nearer one of its name is used instead")
    available: bool = Field(description="Whether the tools that it needs exist")
    unavailable_reason: str | None
    warnings: list[str]
    total_invocations: int
    avg_execution_time_ms: float
    success_rate: float
    created_by: str | None
    created_at: datetime | None
    updated_at: datetime | None

    @classmethod
    def of(cls, listed: ListedSubAgent, withheld_tools: frozenset[str]) -> Self:
        """Show a sub-agent to somebody whose agents do not get these tools."""
        one, stored = listed.subagent, listed.stored
        problems = find_problems(one, withheld_tools)
        return cls(
            id=one.id,
            name=one.name,
            display_name=one.display_name or one.name,
            description=one.trigger.description,
            trigger=SubAgentTriggerInfo(
                description=one.trigger.description,
                examples=list(one.trigger.examples),
                keywords=list(one.trigger.keywords),
            ),
            system_prompt=one.system_prompt,
            model=one.model,
            color=one.color,
            allowed_tools=_as_list(one.allowed_tools),
            allowed_skills=_as_list(one.allowed_skills),
            allowed_mcp_servers=_as_list(one.allowed_mcp_servers),
            rules=[
                SubAgentRule(tool=rule.tool, resource=rule.resource, action=rule.action)
                for rule in one.rules
            ],
            requires_tools=list(one.requires_tools),
            max_tokens=one.max_tokens,
            temperature=one.temperature,
            top_p=one.top_p,
            max_iterations=one.max_iterations,
            inherited=list(listed.inherited),
            hidden=one.hidden,
            enabled=one.enabled,
            status=_status_of(listed, available=problems.unavailable is None),
            version=one.version,
            project_id=one.project_id,
            is_built_in=stored is None,
            is_override=stored is not None and stored.is_override,
            is_overridden=listed.is_overridden,
            available=problems.unavailable is None,
            unavailable_reason=problems.unavailable,
            warnings=list(problems.warnings),
            total_invocations=listed.statistics.total_invocations,
            avg_execution_time_ms=listed.statistics.avg_execution_time_ms,
            success_rate=listed.statistics.success_rate,
            created_by=None if stored is None else stored.created_by,
            created_at=None if stored is None else stored.created_at,
            updated_at=None if stored is None else stored.updated_at,
        )


class SubAgentDayInfo(ResponseModel):
    """What a sub-agent did on one day (UTC)."""

    day: str = Field(examples=["2026-11-18"])
    invocations: int
    tokens: int
    cost: float = Field(description="In US dollars, without what has no known price")


class SubAgentStats(ResponseModel):
    """How a sub-agent has done (S2 §16.4)."""

    total_invocations: int
    success_rate: float
    avg_execution_time_ms: float
    total_tokens: int
    total_cost: float = Field(description="In US dollars, without what has no known price")
    by_day: list[SubAgentDayInfo] = Field(description="The last days on which it did something")


class SubAgentMatchAsked(RequestModel):
    """A message that nobody sends, to ask who would get it."""

    message: Prompt
    project_id: ChosenId | None = None


class CandidateInfo(ResponseModel):
    """A sub-agent that was considered."""

    id: str
    name: str
    score: float
    keyword_score: float
    semantic_score: float | None = Field(description="null: meanings were not compared")
    reason: str
    excluded: str = Field(description="Why it could not be chosen; empty: it could")


class SubAgentMatch(ResponseModel):
    """Who would get a message, and why."""

    mode: DelegationMode
    chosen: list[str] = Field(description="Names; empty: the agent does it itself")
    confidence: float
    decided_by: DecidedBy
    reason: str
    is_unsure: bool = Field(description="A run would ask a model whom to choose")
    candidates: list[CandidateInfo] = Field(description="The best first")


class AgentInvoke(RequestModel):
    """A task for one agent."""

    message: Prompt
    session_id: ChosenId | None = Field(default=None, description="Left out: a new session")
    project_id: ChosenId | None = Field(default=None, description="Project of a new session")


class InvokedResponse(ResponseModel):
    """The run that was started; its events are at `/sessions/{session_id}/events/stream`."""

    session_id: str
    run_id: str


class ActivityInfo(ResponseModel):
    """One thing that a sub-agent did: a task, or a call of a model or a tool in one (S2 §13)."""

    id: str
    tenant_id: str
    project_id: str | None
    session_id: str
    run_id: str
    agent_id: str
    parent_activity_id: str | None = Field(description="The task it is part of")
    type: Literal["subagent", "tool_call", "model_call"]
    status: Literal["running", "completed", "failed", "cancelled"]
    name: str
    input_data: dict[str, Any]
    output_data: dict[str, Any]
    error_message: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    total_tokens: int | None
    duration_ms: int
    started_at: datetime
    completed_at: datetime | None
    metadata: dict[str, Any] = Field(description="Among it: cost, mode, confidence, reason")


class AgentConfigBody(RequestModel):
    """The tenant's defaults for its sub-agents; null: that of the server (S2 §4.1)."""

    model: Name | None = Field(default=None, description="`provider:name`; null: the delegator's")
    temperature: _Temperature | None = None
    top_p: _TopP | None = None
    max_tokens: _MaxTokens | None = None
    max_iterations: _MaxIterations | None = None
    max_depth: Annotated[int, Field(ge=1, le=SUBAGENT_DEPTH_MAX)] | None = Field(
        default=None, description="How deep sub-agents delegate; 1: they do not"
    )
    timeout_s: Annotated[int, Field(ge=1, le=TIMEOUT_S_MAX)] | None = Field(
        default=None, description="How long one task of a sub-agent may take"
    )

    @property
    def config(self) -> TenantAgentConfig:
        """What is wished for."""
        return TenantAgentConfig(**self.model_dump())


class AgentConfigInfo(ResponseModel):
    """The tenant's defaults for its sub-agents; null: that of the server (S2 §4.1)."""

    model: str | None
    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    max_iterations: int | None
    max_depth: int | None
    timeout_s: int | None


def _status_of(listed: ListedSubAgent, *, available: bool) -> SubAgentStatus:
    if not listed.subagent.enabled:
        return "disabled"
    if listed.is_overridden:
        return "overridden"
    return "active" if available else "unavailable"


def _as_tuple(names: list[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)


def _as_list(names: tuple[str, ...] | None) -> list[str] | None:
    return None if names is None else list(names)
