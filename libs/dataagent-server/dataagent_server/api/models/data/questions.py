"""Saved questions, as the API takes and shows them."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.data.tables import SourceName, Sql
from dataagent_server.api.models.fields import JsonObject, Name, without_nul
from dataagent_server.data.saved_questions.saved_question import QuestionChanges

_Source = Annotated[SourceName, AfterValidator(without_nul)]
_Sql = Annotated[Sql, AfterValidator(without_nul)]
_SQL = "SELECT country, count(*) AS n FROM customers GROUP BY country"
_CHART = "A Vega-Lite spec without data; null draws what fits the columns"


class DataQuestionInfo(ResponseModel):
    """A question that was saved, without an answer."""

    question_id: str
    project_id: str | None = Field(description="null: its owner's alone")
    owner_id: str
    name: str
    source: str
    sql: str
    chart: dict[str, Any] | None = Field(description=_CHART)
    version: int = Field(description="Counts changes; give it back to change what you have seen")
    created_at: datetime
    updated_at: datetime


class DataQuestionCreate(RequestModel):
    """A new question; it is not asked yet."""

    name: Name = Field(examples=["Customers by country"])
    source: _Source = Field(examples=["shop"], description="A name, or a path of your workspace")
    sql: _Sql = Field(examples=[_SQL])
    chart: JsonObject | None = Field(default=None, description=_CHART)

    def wishes(self) -> QuestionChanges:
        """Say it to the service."""
        return QuestionChanges(name=self.name, source=self.source, sql=self.sql, chart=self.chart)


class DataQuestionChange(RequestModel):
    """What is to change; fields left out stay, and `chart: null` takes the chart away."""

    name: Name | None = None
    source: _Source | None = None
    sql: _Sql | None = None
    chart: JsonObject | None = Field(default=None, description=_CHART)
    version: int | None = Field(default=None, description="Refuse if it has changed since")

    def wishes(self) -> QuestionChanges:
        """Say it to the service."""
        return QuestionChanges(
            name=self.name,
            source=self.source,
            sql=self.sql,
            chart=self.chart,
            no_chart="chart" in self.model_fields_set and self.chart is None,
        )
