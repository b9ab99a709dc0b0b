"""Names with `@` in a message that was not sent yet."""

from pydantic import Field

from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import ChosenId, Prompt


class MentionsAsked(RequestModel):
    """A message, and the agent it would go to."""

    text: Prompt = Field(examples=["What is in @sales.csv?"])
    assistant_id: ChosenId | None = Field(default=None, description="By default the default one")
    project_id: ChosenId | None = Field(default=None, description="The project of the session")


class MissingMentions(ResponseModel):
    """What the message names that is no sub-agent, file, folder, data source or MCP server."""

    names: list[str] = Field(examples=[["sales.csv"]])
