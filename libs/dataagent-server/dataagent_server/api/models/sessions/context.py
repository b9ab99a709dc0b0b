"""How much of the context window a session uses, and the request to compact it."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from dataagent_core.config.limits.context import PIN_REQUEST_CHARS_MAX
from dataagent_core.context import ContextReport
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import without_nul


class ContextInfo(ResponseModel):
    """The last model call's request in estimated tokens by part, and what the provider counted."""

    system: int = Field(description="Instructions")
    tools: int = Field(description="Schemas of tools")
    skills: int
    memory: int
    summary: int = Field(description="What stands for messages no longer shown: pins and a summary")
    history: int = Field(description="Messages of the person and the model")
    results: int = Field(description="Results of tools")
    estimated_tokens: int = Field(description="All of these together")
    window_tokens: int = Field(description="What the model takes")
    token_budget: int = Field(description="What a request may have: the window without the answer")
    reported_tokens: int | None = Field(description="The whole request as the provider counted it")
    cached_tokens: int | None = Field(description="Part of those, from the provider's cache")
    cached_share: float | None = Field(description="The same, from 0 to 1")


class SessionContext(BaseModel):
    """The report is null before the first model call."""

    model_config = ConfigDict(frozen=True)

    session_id: str
    report: ContextInfo | None

    @classmethod
    def of(cls, session_id: str, report: ContextReport | None) -> Self:
        """Show a report."""
        shown = None if report is None else ContextInfo.model_validate(report)
        return cls(session_id=session_id, report=shown)


class CompactRequest(RequestModel):
    """What is to be kept above all, in your words; it may be left out."""

    keep: Annotated[
        str,
        Field(max_length=PIN_REQUEST_CHARS_MAX, examples=["the names of tables"]),
        AfterValidator(without_nul),
    ] = ""


class CompactResponse(BaseModel):
    """A run that makes the view shorter has begun; its events are in the session's log."""

    model_config = ConfigDict(frozen=True)

    status: Literal["compacting"] = "compacting"
    session_id: str
    run_id: str
