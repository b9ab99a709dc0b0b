"""Semantic models, metric queries and verified questions, as the API takes and shows them."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints

from dataagent_core.config.limits.data import (
    RESULT_PAGE_ROWS_DEFAULT,
    RESULT_PAGE_ROWS_MAX,
    SEMANTIC_FILE_BYTES_MAX,
)
from dataagent_core.tools.data.agent_tools.metric_tool import FilterArg
from dataagent_core.tools.data.semantic.time_grain import TimeGrain
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import without_nul

_Yaml = Annotated[
    str, StringConstraints(max_length=SEMANTIC_FILE_BYTES_MAX), AfterValidator(without_nul)
]
_Words = Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=50)]


class SemanticModelInfo(ResponseModel):
    """A project's model as somebody wrote it; version 0: nobody has."""

    project_id: str | None
    text: str
    version: int
    updated_at: datetime | None


class SemanticModelPut(RequestModel):
    """The whole model, in place of the one before."""

    text: _Yaml = Field(
        description="YAML: datasets, relations, metrics, questions",
        examples=["datasets:\n- {name: orders, source: shop}\n"],
    )
    version: int | None = Field(default=None, description="Refuse if it has changed; 0 is new")


class MetricAsked(RequestModel):
    """Metrics of the project by its dimensions."""

    metrics: Annotated[_Words, Field(min_length=1, examples=[["revenue"]])]
    dimensions: _Words = Field(default_factory=list[str], examples=[["country"]])
    filters: Annotated[list[FilterArg], Field(max_length=50)] = Field(
        default_factory=list[FilterArg]
    )
    grain: TimeGrain | None = None
    top: int | None = Field(default=None, ge=1, le=1_000_000)
    rows: int = Field(default=RESULT_PAGE_ROWS_DEFAULT, ge=1, le=RESULT_PAGE_ROWS_MAX)

    def query(self) -> dict[str, Any]:
        """Give it as core reads it."""
        return self.model_dump(exclude={"rows"})


class VerdictInfo(ResponseModel):
    """What came of one verified question."""

    question: str
    owner: str
    source: str
    state: str = Field(description="same, different, ran (no rows were expected) or failed")
    differences: list[str]
    rows: int


class Verdicts(ResponseModel):
    """What came of all of them."""

    ok: bool
    items: list[VerdictInfo]
