"""Assistants and sub-agents, as `/agents` shows and takes them; more in `subagents.py`."""

from datetime import datetime
from typing import Annotated, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
)

from dataagent_core.config.sandbox_types import SandboxType
from dataagent_core.planning.plan_terms import Loop
from dataagent_server.agents.assistants.assistant import Assistant
from dataagent_server.api.models.fields import ChosenId, Name, Text, without_nul
from dataagent_server.api.models.subagents import SubAgentCreate, SubAgentInfo, SubAgentReplace

AgentKind = Literal["assistant", "subagent"]
_PROMPT_CHARS_MAX: Final = 50_000
SystemPrompt = Annotated[
    str,
    StringConstraints(min_length=1, max_length=_PROMPT_CHARS_MAX),
    AfterValidator(without_nul),
]


class AgentOptions(BaseModel):
    """What an agent may use, and where it works; what is left out is on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enable_memory: bool | None = None
    enable_skills: bool | None = None
    enable_shell: bool | None = None
    enable_mcp: bool | None = None
    sandbox_type: SandboxType | None = Field(
        default=None,
        description="Where it runs commands and keeps files, of what the operator allows; the "
        "server's own when left out",
    )
    loop: Loop | None = Field(
        default=None,
        description="How its runs go on: react, the model decides after each step, or staged: "
        "reason, plan, execute, review. Sessions and messages may choose another; react when left "
        "out",
    )


class AgentInfo(BaseModel):
    """One agent."""

    model_config = ConfigDict(frozen=True)

    agent_id: str
    assistant_id: str = Field(description="The same, under the name that sessions use")
    kind: AgentKind = "assistant"
    name: str
    description: str
    model: str | None
    system_prompt: str | None
    options: AgentOptions
    is_active: bool
    built_in: bool
    owner_id: str | None
    created_at: datetime | None
    updated_at: datetime | None
    subagent: SubAgentInfo | None = Field(default=None, description="All of it, of a sub-agent")

    @classmethod
    def of_subagent(cls, shown: SubAgentInfo) -> Self:
        """Show a sub-agent."""
        return cls(
            agent_id=shown.id,
            assistant_id=shown.id,
            kind="subagent",
            name=shown.name,
            description=shown.description,
            model=shown.model,
            system_prompt=shown.system_prompt,
            options=AgentOptions(),
            is_active=shown.enabled,
            built_in=shown.is_built_in,
            owner_id=shown.created_by,
            created_at=shown.created_at,
            updated_at=shown.updated_at,
            subagent=shown,
        )

    @classmethod
    def of(cls, assistant: Assistant) -> Self:
        """Show an assistant."""
        return cls(
            agent_id=assistant.assistant_id,
            assistant_id=assistant.assistant_id,
            name=assistant.name,
            description=assistant.description,
            model=assistant.model,
            system_prompt=assistant.system_prompt,
            options=AgentOptions.model_validate(assistant.options),
            is_active=assistant.is_active,
            built_in=assistant.owner_id is None,
            owner_id=assistant.owner_id,
            created_at=assistant.created_at,
            updated_at=assistant.updated_at,
        )


class AgentCreate(BaseModel):
    """A new assistant."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "agent_id": "sales",
                    "name": "Sales analyst",
                    "system_prompt": "You know the sales tables and answer with figures.",
                }
            ]
        },
    )

    agent_id: ChosenId | None = Field(default=None, description="An id of your own choice")
    kind: Literal["assistant"] = "assistant"
    name: Name
    description: Text = ""
    model: Name | None = Field(default=None, examples=["anthropic:claude-sonnet-4-5"])
    system_prompt: SystemPrompt | None = None
    options: AgentOptions = AgentOptions()

    @property
    def assistant(self) -> Assistant:
        """The assistant that is wished for."""
        return Assistant(
            assistant_id=self.agent_id or "",
            name=self.name,
            description=self.description,
            model=self.model,
            system_prompt=self.system_prompt,
            options=self.options.model_dump(exclude_none=True),
        )


class AgentReplace(BaseModel):
    """All that can be said of an assistant; what is left out is unset."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_extra={"examples": [{"name": "Sales analyst"}]}
    )

    kind: Literal["assistant"] = "assistant"
    name: Name
    description: Text = ""
    model: Name | None = None
    system_prompt: SystemPrompt | None = None
    options: AgentOptions = AgentOptions()
    is_active: bool = True

    @property
    def values(self) -> dict[str, object]:
        """All of it, by the names of `Assistant`'s fields."""
        given = self.model_dump(exclude={"kind"})
        given["options"] = self.options.model_dump(exclude_none=True)
        return given


class SubAgentOfAgents(SubAgentCreate):
    """A new sub-agent, in the collection of all agents."""

    kind: Literal["subagent"]


class SubAgentReplaceOfAgents(SubAgentReplace):
    """All that can be said of a sub-agent, in the collection of all agents."""

    kind: Literal["subagent"]


def _kind_of(body: object) -> str:
    given = body.get("kind") if isinstance(body, dict) else getattr(body, "kind", None)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return "subagent" if given == "subagent" else "assistant"


# An agent is an assistant, unless it says that it is a sub-agent.
AnyAgentCreate = Annotated[
    Annotated[AgentCreate, Tag("assistant")] | Annotated[SubAgentOfAgents, Tag("subagent")],
    Discriminator(_kind_of),
]
AnyAgentReplace = Annotated[
    Annotated[AgentReplace, Tag("assistant")] | Annotated[SubAgentReplaceOfAgents, Tag("subagent")],
    Discriminator(_kind_of),
]


class AgentUpdate(BaseModel):
    """What is to become of an assistant; what is left out stays."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_extra={"examples": [{"is_active": False}]}
    )

    name: Name = ""
    description: Text = ""
    model: Name | None = None
    system_prompt: SystemPrompt | None = None
    options: AgentOptions = AgentOptions()
    is_active: bool = True

    @property
    def values(self) -> dict[str, object]:
        """What was given, by the names of `Assistant`'s fields."""
        given = self.model_dump(exclude_unset=True)
        if "options" in given:
            given["options"] = self.options.model_dump(exclude_none=True)
        return given
