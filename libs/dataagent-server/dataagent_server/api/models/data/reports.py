"""Reports, their runs and schedules, as the API takes and shows them."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, SecretStr, StringConstraints

from dataagent_core.config.limits.data import REPORT_DEFINITION_BYTES_MAX, REPORT_PARAMETERS_MAX
from dataagent_core.tools.data.reports import read_definition
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import ChosenId, without_nul
from dataagent_server.data.reports.limits import (
    CRON_CHARS_MAX,
    WEBHOOK_SECRET_CHARS_MAX,
    WEBHOOK_SECRET_CHARS_MIN,
    WEBHOOK_URL_CHARS_MAX,
)
from dataagent_server.data.reports.report_records import StoredReport, Webhook
from dataagent_server.data.reports.schedule_service import ScheduleChanges

_EXAMPLE = """\
title: Orders by country
queries:
  orders: {source: shop, sql: SELECT country, count(*) AS n FROM orders GROUP BY country}
blocks:
- {type: table, query: orders}
"""
_Definition = Annotated[
    str,
    StringConstraints(min_length=1, max_length=REPORT_DEFINITION_BYTES_MAX),
    AfterValidator(without_nul),
]
_Value = Annotated[str, Field(max_length=1_000), AfterValidator(without_nul)] | int | float
_Parameters = Annotated[dict[str, _Value], Field(max_length=REPORT_PARAMETERS_MAX)]
_Formats = Annotated[list[Literal["pdf", "html", "md"]], Field(min_length=1, max_length=3)]
_Cron = Annotated[str, Field(max_length=CRON_CHARS_MAX, examples=["0 8 * * 1-5"])]
_Zone = Annotated[str, Field(max_length=64, examples=["Europe/Berlin", "Asia/Shanghai"])]


class ReportInfo(ResponseModel):
    """A report, without its data."""

    report_id: str
    project_id: str | None
    owner_id: str
    session_id: str | None = Field(
        description="The session whose agent wrote it, until its owner changes it"
    )
    title: str
    definition: str
    version: int = Field(description="Counts changes; give it back to change what you have seen")
    created_at: datetime
    updated_at: datetime


class ReportParameter(ResponseModel):
    """A value that may differ from run to run."""

    name: str
    type: Literal["text", "number", "date"]
    default: str | int | float | None
    description: str


class ReportDetail(ReportInfo):
    """A report, and what can be said when it is run."""

    parameters: list[ReportParameter]

    @classmethod
    def of(cls, report: StoredReport) -> "ReportDetail":
        """Read the parameters off the definition."""
        found = read_definition(report.definition).parameters
        parameters = [ReportParameter(name=name, **one.model_dump()) for name, one in found.items()]
        return cls(**asdict(report), parameters=parameters)


class ReportCreate(RequestModel):
    """A new report of your own."""

    definition: _Definition = Field(
        description="YAML or JSON: title, parameters, queries, blocks", examples=[_EXAMPLE]
    )
    project_id: ChosenId | None = Field(
        default=None, description="Its queries are asked in this project"
    )


class ReportChange(RequestModel):
    """Another definition in place of the one before."""

    definition: _Definition = Field(examples=[_EXAMPLE])
    version: int | None = Field(default=None, description="Refuse if it has changed since")


class ReportRunAsked(RequestModel):
    """How to run it."""

    parameters: _Parameters = Field(default_factory=dict[str, _Value])
    formats: _Formats = Field(default=["pdf"])
    time_zone: _Zone = "UTC"


class RunFileInfo(ResponseModel):
    """A file a run wrote."""

    name: str
    size_bytes: int


class ReportRunInfo(ResponseModel):
    """What came of running a report."""

    run_id: str
    report_id: str
    schedule_id: str | None = Field(description="The schedule that ran it, if one did")
    status: Literal["running", "done", "failed"]
    error: str | None
    files: list[RunFileInfo]
    created_at: datetime
    finished_at: datetime | None
    expires_at: datetime = Field(description="When its files are removed")


class WebhookAsked(RequestModel):
    """Who is told when a run is done, by a POST signed with HMAC-SHA256."""

    url: Annotated[SecretStr, Field(min_length=1, max_length=WEBHOOK_URL_CHARS_MAX)]
    secret: Annotated[
        SecretStr,
        Field(min_length=WEBHOOK_SECRET_CHARS_MIN, max_length=WEBHOOK_SECRET_CHARS_MAX),
    ] = Field(description="What `X-DataAgent-Signature` is made with")

    def webhook(self) -> Webhook:
        """Say it to the service."""
        return Webhook(self.url.get_secret_value(), self.secret.get_secret_value())


class ScheduleInfo(ResponseModel):
    """When a report runs by itself, and what came of it last."""

    schedule_id: str
    report_id: str
    owner_id: str
    cron: str
    time_zone: str
    parameters: dict[str, Any]
    formats: list[str]
    webhook_host: str | None
    is_active: bool
    stopped_because: str | None = Field(description="Why the server switched it off")
    next_at: datetime
    last_at: datetime | None
    last_status: Literal["done", "failed", "missed", "skipped"] | None
    last_error: str | None
    last_run_id: str | None
    last_webhook: str | None = Field(description="What came of telling the webhook")
    version: int
    created_at: datetime
    updated_at: datetime


class _ScheduleFields(RequestModel):
    time_zone: _Zone | None = None
    parameters: _Parameters | None = None
    formats: _Formats | None = None
    webhook: WebhookAsked | None = None
    is_active: bool | None = None

    def wishes(self, cron: str | None, *, no_webhook: bool = False) -> ScheduleChanges:
        """Say it to the service."""
        return ScheduleChanges(
            cron=cron,
            time_zone=self.time_zone,
            parameters=self.parameters,
            formats=self.formats,
            webhook=self.webhook.webhook() if self.webhook else None,
            no_webhook=no_webhook,
            is_active=self.is_active,
        )


class ScheduleCreate(_ScheduleFields):
    """A new schedule."""

    cron: _Cron = Field(description="Minute, hour, day, month, weekday; at most every 5 minutes")


class ScheduleChange(_ScheduleFields):
    """What is to change; fields left out stay, and `webhook: null` takes it away."""

    cron: _Cron | None = None
    version: int | None = Field(default=None, description="Refuse if it has changed since")
