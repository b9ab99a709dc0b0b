"""Projects, as the API takes and shows them."""

from datetime import datetime

from pydantic import Field

from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import Name, Text


class ProjectInfo(ResponseModel):
    """A project of the tenant."""

    project_id: str
    owner_id: str
    name: str
    description: str
    default_model: str | None = Field(description="Null: the tenant's")
    version: int = Field(description="Counts changes; give it back to change what you have seen")
    created_at: datetime
    updated_at: datetime


class ProjectCreate(RequestModel):
    """A new project."""

    name: Name = Field(examples=["Sales 2026"])
    description: Text = ""
    default_model: Name | None = Field(default=None, examples=["openai:gpt-5.5"])


class ProjectChange(RequestModel):
    """What is to change; fields left out stay."""

    name: Name | None = None
    description: Text | None = None
    default_model: Text | None = Field(
        default=None, description="As `provider:name`; empty: the tenant's again"
    )
    version: int | None = Field(default=None, description="Refuse if it has changed since")
