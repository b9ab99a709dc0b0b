"""A run as a row, with S3's states."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import RowMapping

from dataagent_core.events import DoneEvent
from dataagent_core.events.system import RunKind, kind_of_run
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.runs import ACTIVE, OPEN
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.runs.history.plan_progress import PlanProgress

_PROGRESS: Final = {field.name for field in fields(PlanProgress)}
# Thoughts and plans are long, and only the execution history shows them.
RUN_COLUMNS: Final = tuple(column for column in runs.c if column.name not in _PROGRESS)
# Every run has an assistant; S3 names the kinds of agents.
AGENT_TYPE: Final = "assistant"
RunStatus = Literal["queued", "running", "waiting_approval", "completed", "failed", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """A run to be stored."""

    session_id: str
    user_id: str
    assistant_id: str
    project_id: str | None
    text: str
    # Stored with the message.
    context: dict[str, Any]
    # The chosen model; otherwise the default of its assistant, project or tenant.
    model: str | None = None
    # The text of a compaction says what to keep of the session's history.
    kind: RunKind = "message"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One run; `fence` proves which process may write for it."""

    tenant_id: TenantId
    run_id: str
    session_id: str
    user_id: str
    project_id: str | None
    assistant_id: str
    model: str | None
    message_id: str
    kind: RunKind
    text: str
    context: dict[str, Any]
    status: RunStatus
    position: int
    fence: int
    attempt: int
    lost_attempts: int
    progress_seq: int
    cancel_requested: bool
    # Whether it uses a skill or a sub-agent, of which there is a copy until it is over.
    has_copies: bool
    error: str | None
    error_code: str | None
    token_usage: dict[str, Any] | None
    agent_type: str
    # The newest state of the graph when the run last rested.
    checkpoint_id: str | None
    trace_id: str | None
    result: dict[str, Any] | None
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None

    @property
    def active(self) -> bool:
        """Whether a process works on it, or will."""
        return self.status in ACTIVE

    @property
    def copies_of(self) -> str | None:
        """The run whose copies its agent is made with, if there are any."""
        return self.run_id if self.has_copies else None

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self.status not in OPEN


def result_of(done: DoneEvent) -> dict[str, Any]:
    """Return the result of a run (S3's `result`)."""
    return {"reason": done.reason, "content": done.content, "format": done.format}


def run_of(row: RowMapping) -> RunRow:
    """Read the `RUN_COLUMNS` of a row of `agent_executions`."""
    return RunRow(
        tenant_id=TenantId(row["tenant_id"]),
        run_id=row["run_id"],
        session_id=row["session_id"],
        user_id=row["user_id"],
        project_id=row["project_id"],
        assistant_id=row["assistant_id"],
        model=row["model"],
        message_id=row["message_id"],
        kind=kind_of_run(row["message_id"]),
        text=row["input"],
        context=row["options"] or {},
        status=row["status"],
        position=row["position"],
        fence=row["fence"],
        attempt=row["attempt"],
        lost_attempts=row["lost_attempts"],
        progress_seq=row["progress_seq"],
        cancel_requested=row["cancel_requested_at"] is not None,
        has_copies=row["has_copies"],
        error=row["error"],
        error_code=row["error_code"],
        token_usage=row["token_usage"],
        agent_type=row["agent_type"],
        checkpoint_id=row["checkpoint_id"],
        trace_id=row["trace_id"],
        result=row["result"],
        created_at=row["created_at"],
        started_at=row["started_at"],
        completed_at=row["completed_at"],
    )
