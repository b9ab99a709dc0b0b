"""A message to an agent and what comes back (S0, PROTOCOL.md)."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dataagent_core.events.system import Mode
from dataagent_server.api.models.fields import ChosenId, ModelName, Prompt

MODE_OF_MESSAGE = "Switches the session's mode before the message is taken"
MODEL_OF_MESSAGE = (
    "One of `GET /models`, as `provider:name`, for this message and those after it in the session; "
    "empty: the default again"
)


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


class ChatResponse(BaseModel):
    """The run's events so far; `waiting` means that a person must answer a request first."""

    model_config = ConfigDict(frozen=True)

    session_id: str
    events: list[dict[str, Any]]
    status: Literal["done", "waiting"] = "done"
    run_id: str | None = None
