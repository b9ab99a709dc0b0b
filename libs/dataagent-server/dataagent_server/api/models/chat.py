"""A message to an agent and what comes back (S0, PROTOCOL.md)."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from dataagent_core.config.limits import PROMPT_CHARS_MAX
from dataagent_core.events.system import Mode
from dataagent_core.planning.plan_terms import MessagePlanning
from dataagent_server.agents.subagents.limits import SUBAGENTS_CHOSEN_MAX
from dataagent_server.api.models.base import RequestModel
from dataagent_server.api.models.fields import ChosenId, ModelName, Prompt, without_nul
from dataagent_server.db.tables.subagents import NAME_CHARS_MAX

_Name = Annotated[
    str,
    StringConstraints(min_length=1, max_length=NAME_CHARS_MAX),
    AfterValidator(without_nul),
]
MODE_OF_MESSAGE = "Switches the session's mode before the message is taken"
MODEL_OF_MESSAGE = (
    "One of `GET /models`, as `provider:name`, for this message and those after it in the session; "
    "empty: the default again"
)


PLANNING_OF_MESSAGE = (
    "For this message alone: its loop, whether it is planned, whether a person can be asked, how "
    "many steps go on side by side, and how long planning may take"
)


class SubAgentChoice(RequestModel):
    """The sub-agents that a person wants, or does not want, by name."""

    use: list[_Name] = Field(
        default=[], max_length=SUBAGENTS_CHOSEN_MAX, description="They get the message for certain"
    )
    forbid: list[_Name] = Field(
        default=[], max_length=SUBAGENTS_CHOSEN_MAX, description="They do not get it"
    )


class MessageContext(RequestModel):
    """What goes with a message besides its text."""

    subagents: SubAgentChoice | None = None
    own_words_chars: int | None = Field(
        default=None,
        ge=0,
        le=PROMPT_CHARS_MAX,
        description="How many of its first characters the person wrote; the rest is of others",
    )
    others_words_from: _Name | None = Field(
        default=None, description="Where the rest comes from, such as `standard input`"
    )


def context_of(given: MessageContext | None) -> dict[str, Any]:
    """Return the context as it is stored with the message."""
    return {} if given is None else given.model_dump(exclude_none=True)


def planning_of(given: MessagePlanning | None) -> dict[str, Any]:
    """Return what a message says of its planning, as it is stored with it."""
    return {} if given is None else given.model_dump(exclude_none=True)


class ChatRequest(BaseModel):
    """What a person says; without a session a new one is made."""

    model_config = ConfigDict(
        frozen=True, json_schema_extra={"examples": [{"message": "What is in my workspace?"}]}
    )

    message: Prompt
    session_id: ChosenId | None = None
    assistant_id: ChosenId | None = None
    project_id: ChosenId | None = Field(default=None, description="Project of a new session")
    model: ModelName | None = Field(default=None, description=MODEL_OF_MESSAGE)
    mode: Mode | None = Field(default=None, description=MODE_OF_MESSAGE)
    context: MessageContext | None = None
    planning: MessagePlanning | None = Field(default=None, description=PLANNING_OF_MESSAGE)


class ChatResponse(BaseModel):
    """The run's events so far; `waiting` means that a person must answer a request first."""

    model_config = ConfigDict(frozen=True)

    session_id: str
    events: list[dict[str, Any]]
    status: Literal["done", "waiting"] = "done"
    run_id: str | None = None
