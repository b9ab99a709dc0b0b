"""The SQL of reports and their runs. A run's row and its share of a quota change together."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest, apply
from dataagent_server.data.reports.limits import RUN_KEPT, RUN_LASTS_MAX
from dataagent_server.data.reports.report_records import ReportRun, RunFile, StoredReport
from dataagent_server.data.results.result_rows import ResultOwner
from dataagent_server.db.database_clock import database_now
from dataagent_server.db.tables.reports import report_runs, report_schedules, reports
from dataagent_server.db.tables.workspaces import s_workspace
from dataagent_server.workspaces.quota.counter_rows import add as count
from dataagent_server.workspaces.quota.counter_rows import lock_tenant
from dataagent_server.workspaces.workspace import StorageAmount, WorkspaceId

# Marks reports that were written by a call outside of sessions, until their owner changes them. It
# is no session's id, and nobody is told of it.
NO_SESSION: Final = ":none"

_COLUMNS = tuple(reports.c[name] for name in StoredReport.__slots__)


def add_report(connection: Connection, tenant_id: TenantId, report: StoredReport) -> None:
    """Insert a report."""
    values = {name: getattr(report, name) for name in StoredReport.__slots__}
    connection.execute(insert(reports).values(tenant_id=tenant_id, **values))


def _make_report(row: RowMapping) -> StoredReport:
    report = StoredReport(**row)
    return replace(report, session_id=None) if report.session_id == NO_SESSION else report


def find_report(connection: Connection, tenant_id: TenantId, report_id: str) -> StoredReport | None:
    """Find a report of this tenant."""
    row = connection.execute(select(*_COLUMNS).where(_is(tenant_id, report_id))).mappings().first()
    return None if row is None else _make_report(row)


def list_reports(
    connection: Connection, tenant_id: TenantId, owner_id: str, page_request: PageRequest
) -> list[StoredReport]:
    """List a user's reports."""
    query = select(*_COLUMNS).where(
        reports.c.tenant_id == tenant_id, reports.c.owner_id == owner_id
    )
    found = connection.execute(
        apply(query, page_request, reports.c.created_at, reports.c.report_id)
    )
    return [_make_report(row) for row in found.mappings()]


def find_of_session(
    connection: Connection, whose: ResultOwner, session_id: str, title: str
) -> StoredReport | None:
    """Find the report of this title that a session's agent wrote for a user."""
    column = reports.c
    query = select(*_COLUMNS).where(
        column.tenant_id == whose.tenant_id,
        column.owner_id == whose.user_id,
        column.session_id == session_id,
        column.title == title,
    )
    row = connection.execute(query.order_by(column.created_at).limit(1)).mappings().first()
    return None if row is None else _make_report(row)


def count_reports(connection: Connection, tenant_id: TenantId) -> int:
    """Count a tenant's reports."""
    query = select(func.count()).select_from(reports).where(reports.c.tenant_id == tenant_id)
    return connection.execute(query).scalar_one()


def change_report(
    connection: Connection, tenant_id: TenantId, old: StoredReport, new: StoredReport
) -> bool:
    """Write a report as it was read and changed; False when another write came first."""
    changed = connection.execute(
        update(reports)
        .where(_is(tenant_id, old.report_id), reports.c.version == old.version)
        .values(
            session_id=new.session_id,
            title=new.title,
            definition=new.definition,
            version=old.version + 1,
            updated_at=new.updated_at,
        )
    )
    return changed.rowcount == 1


def remove_report(connection: Connection, tenant_id: TenantId, report_id: str) -> None:
    """Delete a report with its schedules; the files of its runs are swept later."""
    for table in (report_schedules, reports):
        connection.execute(
            delete(table).where(table.c.tenant_id == tenant_id, table.c.report_id == report_id)
        )
    connection.execute(
        update(report_runs)
        .where(report_runs.c.tenant_id == tenant_id, report_runs.c.report_id == report_id)
        .values(expires_at=database_now(connection))
    )


def begin_run(
    connection: Connection,
    tenant_id: TenantId,
    report: StoredReport,
    run_id: str,
    schedule_id: str | None,
) -> None:
    """Insert a run that has begun."""
    now = database_now(connection)
    connection.execute(
        insert(report_runs).values(
            tenant_id=tenant_id,
            run_id=run_id,
            report_id=report.report_id,
            owner_id=report.owner_id,
            schedule_id=schedule_id,
            status="running",
            files=[],
            size_bytes=0,
            file_count=0,
            created_at=now,
            expires_at=now + RUN_KEPT,
        )
    )


def fail_run(connection: Connection, tenant_id: TenantId, run_id: str, error: str) -> None:
    """Store why a run failed."""
    now = database_now(connection)
    values = {"status": "failed", "error": error, "finished_at": now}
    connection.execute(update(report_runs).where(_is_run(tenant_id, run_id)).values(**values))


def finish_run(
    connection: Connection,
    tenant_id: TenantId,
    run_id: str,
    workspace_id: WorkspaceId,
    files: Sequence[RunFile],
) -> None:
    """Store the files of a run if they fit the quota, else raise `QuotaExceededError`."""
    size_bytes = sum(file.size_bytes for file in files)
    count(connection, tenant_id, workspace_id, StorageAmount(size_bytes, len(files)))
    connection.execute(
        update(report_runs)
        .where(_is_run(tenant_id, run_id))
        .values(
            status="done",
            workspace_id=workspace_id,
            files=[asdict(file) for file in files],
            size_bytes=size_bytes,
            file_count=len(files),
            finished_at=database_now(connection),
        )
    )


def find_run(
    connection: Connection, tenant_id: TenantId, report_id: str, run_id: str
) -> ReportRun | None:
    """Find a run of a report that has not expired."""
    query = select(report_runs).where(
        _is_run(tenant_id, run_id),
        report_runs.c.report_id == report_id,
        report_runs.c.expires_at > database_now(connection),
    )
    row = connection.execute(query).mappings().first()
    return None if row is None else run_of(row, database_now(connection))


def list_runs(
    connection: Connection, tenant_id: TenantId, report_id: str, page_request: PageRequest
) -> list[ReportRun]:
    """List the runs of a report."""
    now = database_now(connection)
    query = select(report_runs).where(
        report_runs.c.tenant_id == tenant_id,
        report_runs.c.report_id == report_id,
        report_runs.c.expires_at > now,
    )
    found = connection.execute(
        apply(query, page_request, report_runs.c.created_at, report_runs.c.run_id)
    )
    return [run_of(row, now) for row in found.mappings()]


def list_outlived_runs(connection: Connection, limit: int) -> list[tuple[TenantId, str, str]]:
    """List runs of all tenants that have expired, or whose workspace is gone."""
    space = s_workspace.c
    living = select(space.workspace_id).where(space.deleted_at.is_(None))
    column = report_runs.c
    lost = and_(column.workspace_id.is_not(None), column.workspace_id.not_in(living))
    query = (
        select(column.tenant_id, column.owner_id, column.run_id)
        .where(or_(column.expires_at <= database_now(connection), lost))
        .limit(limit)
    )
    return [
        (TenantId(row.tenant_id), row.owner_id, row.run_id) for row in connection.execute(query)
    ]


def remove_run(connection: Connection, tenant_id: TenantId, run_id: str) -> None:
    """Delete a run and release its space."""
    lock_tenant(connection, tenant_id)
    column = report_runs.c
    mine = _is_run(tenant_id, run_id)
    query = select(column.workspace_id, column.size_bytes, column.file_count).where(mine)
    row = connection.execute(query).one_or_none()
    if row is None:
        return
    connection.execute(delete(report_runs).where(mine))
    # A workspace that was deleted has taken its counters along.
    if row.workspace_id is not None and _is_there(connection, tenant_id, row.workspace_id):
        less = StorageAmount(-row.size_bytes, -row.file_count)
        count(connection, tenant_id, WorkspaceId(row.workspace_id), less, anyway=True)


def run_of(row: RowMapping, now: datetime) -> ReportRun:
    """Read a run; one that began long ago and never ended was interrupted by a crash."""
    status, error = row["status"], row["error"]
    if status == "running" and row["created_at"] < now - RUN_LASTS_MAX:
        status, error = "failed", "The server ended before the run did. Run it again."
    return ReportRun(
        run_id=row["run_id"],
        report_id=row["report_id"],
        owner_id=row["owner_id"],
        schedule_id=row["schedule_id"],
        status=status,
        error=error,
        files=tuple(RunFile(**file) for file in row["files"]),
        created_at=row["created_at"],
        finished_at=row["finished_at"],
        expires_at=row["expires_at"],
    )


def _is(tenant_id: TenantId, report_id: str) -> ColumnElement[bool]:
    return and_(reports.c.tenant_id == tenant_id, reports.c.report_id == report_id)


def _is_run(tenant_id: TenantId, run_id: str) -> ColumnElement[bool]:
    return and_(report_runs.c.tenant_id == tenant_id, report_runs.c.run_id == run_id)


def _is_there(connection: Connection, tenant_id: TenantId, workspace_id: str) -> bool:
    query = select(s_workspace.c.workspace_id).where(
        s_workspace.c.tenant_id == tenant_id,
        s_workspace.c.workspace_id == workspace_id,
        s_workspace.c.deleted_at.is_(None),
    )
    return connection.execute(query).first() is not None
