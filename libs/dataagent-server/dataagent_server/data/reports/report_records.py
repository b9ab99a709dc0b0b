"""Reports as values: a report, the result of a run, a schedule."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

RunStatus = Literal["running", "done", "failed"]
LastStatus = Literal["done", "failed", "missed", "skipped"]


@dataclass(frozen=True, slots=True)
class StoredReport:
    """A report: its definition as YAML, and whose it is."""

    report_id: str
    project_id: str | None
    owner_id: str
    # The session whose agent wrote it, until its owner changes it.
    session_id: str | None
    title: str
    definition: str
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class RunFile:
    """One file of a run; on disk its name is its number."""

    name: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class ReportRun:
    """The result of one run of a report."""

    run_id: str
    report_id: str
    owner_id: str
    schedule_id: str | None
    status: RunStatus
    error: str | None
    files: tuple[RunFile, ...]
    created_at: datetime
    finished_at: datetime | None
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a report runs automatically. Of the webhook's address only the host is shown."""

    schedule_id: str
    report_id: str
    owner_id: str
    cron: str
    time_zone: str
    parameters: Mapping[str, Any]
    formats: tuple[str, ...]
    webhook_host: str | None
    is_active: bool
    stopped_because: str | None
    next_at: datetime
    last_at: datetime | None
    last_status: LastStatus | None
    last_error: str | None
    last_run_id: str | None
    last_webhook: str | None
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Webhook:
    """The address to notify when a run is done, and the secret that signs the message."""

    url: str
    secret: str
