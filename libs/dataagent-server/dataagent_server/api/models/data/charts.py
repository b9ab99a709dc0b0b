"""Charts, as the API takes and shows them."""

from typing import Annotated, Any, Literal

from pydantic import Field

from dataagent_core.config.limits.data import CHART_TEXT_CHARS_MAX
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import JsonObject


class ChartAsked(RequestModel):
    """What to draw; without both, what fits the columns is drawn."""

    intent: Annotated[str, Field(max_length=CHART_TEXT_CHARS_MAX)] | None = Field(
        default=None, examples=["line of revenue by month"]
    )
    spec: JsonObject | None = Field(
        default=None, description="A Vega-Lite spec without data; it goes before an intent"
    )


class PictureAsked(ChartAsked):
    """A picture of it."""

    format: Literal["png", "svg", "pdf"] = "png"


class ChartSpec(ResponseModel):
    """A chart for whoever draws it live."""

    title: str
    notes: list[str] = Field(description="Rows left out, sums made, a result that was cut")
    spec: dict[str, Any]
