"""The SQL of results. A row and its share of the workspace's quota change together."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    delete,
    insert,
    or_,
    select,
    true,
)

from dataagent_core.tools.data.data_model import ResultColumn
from dataagent_core.tools.data.results.result_lineage import LineageStep, ResultLineage
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.sources.read_options import ReadOptions
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest, apply
from dataagent_server.db.database_clock import database_now
from dataagent_server.db.tables.conversations import session_shares, sessions
from dataagent_server.db.tables.data import results as table
from dataagent_server.db.tables.workspaces import s_workspace
from dataagent_server.workspaces.quota.counter_rows import add as count
from dataagent_server.workspaces.quota.counter_rows import lock_tenant
from dataagent_server.workspaces.workspace import StorageAmount, WorkspaceId


@dataclass(frozen=True, slots=True)
class ResultOwner:
    """The owner of results."""

    tenant_id: TenantId
    user_id: str


def add(
    connection: Connection,
    whose: ResultOwner,
    workspace_id: WorkspaceId,
    kept: StoredResult,
    project_id: str | None = None,
    *,
    is_look: bool = False,
) -> None:
    """Insert a result if it fits the quota; else raise `QuotaExceededError` and change nothing."""
    count(connection, whose.tenant_id, workspace_id, StorageAmount(kept.bytes, 1))
    connection.execute(
        insert(table).values(
            tenant_id=whose.tenant_id,
            result_id=kept.result_id,
            user_id=whose.user_id,
            workspace_id=workspace_id,
            session_id=kept.session_id,
            project_id=project_id,
            is_look=is_look,
            source=kept.source,
            dialect=kept.dialect,
            sql_text=kept.sql,
            columns=[asdict(column) for column in kept.columns],
            personal=list(kept.personal),
            lineage=asdict(kept.lineage),
            row_count=kept.row_count,
            truncated=kept.truncated,
            size_bytes=kept.bytes,
            sha256=kept.sha256,
            elapsed_ms=kept.elapsed_ms,
            created_at=datetime.fromtimestamp(kept.created_at, UTC),
            expires_at=datetime.fromtimestamp(kept.expires_at, UTC),
        )
    )


def find(connection: Connection, whose: ResultOwner, result_id: str) -> StoredResult | None:
    """Find a result of this user that has not expired."""
    query = select(table).where(_is_owned(whose), table.c.result_id == result_id)
    row = connection.execute(query.where(_is_alive(connection))).mappings().first()
    return None if row is None else read_result_row(row)


def project_of(connection: Connection, whose: ResultOwner, result_id: str) -> str | None:
    """Return the project of a user's result; None is the tenant itself."""
    query = select(table.c.project_id).where(_is_owned(whose), table.c.result_id == result_id)
    return connection.execute(query).scalar()


def is_of_project(
    connection: Connection, whose: ResultOwner, result_id: str, project_id: str | None
) -> bool:
    """Return whether a result belongs to a project, or to the tenant itself.

    For some results of an earlier version that is unknown: they have no `is_look` either.
    """
    query = select(table.c.result_id).where(
        _is_owned(whose),
        table.c.result_id == result_id,
        table.c.is_look.is_not(None),
        table.c.project_id == project_id if project_id else table.c.project_id.is_(None),
    )
    return connection.execute(query).first() is not None


def shared_by(connection: Connection, reader: ResultOwner, result_id: str) -> ResultOwner | None:
    """Find the owner of a result from a session that is shared with this user."""
    shares, session = session_shares.c, sessions.c
    query = (
        select(table.c.user_id)
        # Of exactly this session: its id may have belonged to another one before.
        .join(
            sessions,
            and_(
                session.tenant_id == table.c.tenant_id,
                session.session_id == table.c.session_id,
                session.user_id == table.c.user_id,
                session.created_at <= table.c.created_at,
            ),
        )
        .join(
            session_shares,
            and_(
                shares.tenant_id == session.tenant_id,
                shares.session_id == session.session_id,
                shares.user_id == reader.user_id,
            ),
        )
        .where(table.c.tenant_id == reader.tenant_id, table.c.result_id == result_id)
    )
    owner = connection.execute(query).scalar()
    return None if owner is None else ResultOwner(reader.tenant_id, owner)


def page(
    connection: Connection, whose: ResultOwner, page_request: PageRequest
) -> list[StoredResult]:
    """List a page of them, the oldest first."""
    query = select(table).where(_is_owned(whose), _is_alive(connection), _is_listed())
    found = connection.execute(apply(query, page_request, table.c.created_at, table.c.result_id))
    return [read_result_row(row) for row in found.mappings()]


def newest(connection: Connection, whose: ResultOwner, limit: int) -> list[StoredResult]:
    """List them, the newest first."""
    query = select(table).where(_is_owned(whose), _is_alive(connection), _is_listed())
    query = query.order_by(table.c.created_at.desc(), table.c.result_id).limit(limit)
    return [read_result_row(row) for row in connection.execute(query).mappings()]


def remove(connection: Connection, whose: ResultOwner, result_id: str) -> bool:
    """Delete a result and release its space; False when it was gone."""
    lock_tenant(connection, whose.tenant_id)
    mine = and_(_is_owned(whose), table.c.result_id == result_id)
    query = select(table.c.workspace_id, table.c.size_bytes).where(mine)
    row = connection.execute(query).one_or_none()
    if row is None:
        return False
    connection.execute(delete(table).where(mine))
    workspace_id = WorkspaceId(row.workspace_id)
    # A workspace that was deleted has taken its counters along.
    if _has_workspace(connection, whose.tenant_id, workspace_id):
        less = StorageAmount(-row.size_bytes, -1)
        count(connection, whose.tenant_id, workspace_id, less, anyway=True)
    return True


def list_expired_results(connection: Connection, limit: int) -> Sequence[tuple[ResultOwner, str]]:
    """List results of all tenants that have expired, or whose workspace is gone."""
    space = s_workspace.c
    living = select(space.workspace_id).where(space.deleted_at.is_(None))
    query = (
        select(table.c.tenant_id, table.c.user_id, table.c.result_id)
        .where(
            or_(
                table.c.expires_at <= database_now(connection),
                table.c.workspace_id.not_in(living),
            )
        )
        .limit(limit)
    )
    return [
        (ResultOwner(TenantId(row.tenant_id), row.user_id), row.result_id)
        for row in connection.execute(query)
    ]


def read_result_row(row: RowMapping) -> StoredResult:
    """Read a row as core has it."""
    columns: list[dict[str, Any]] = row["columns"]
    made: dict[str, Any] = row["lineage"]
    reading: dict[str, Any] | None = made.get("reading")
    return StoredResult(
        result_id=row["result_id"],
        source=row["source"],
        dialect=row["dialect"],
        sql=row["sql_text"],
        columns=tuple(ResultColumn(**column) for column in columns),
        row_count=row["row_count"],
        truncated=row["truncated"],
        bytes=row["size_bytes"],
        sha256=row["sha256"],
        elapsed_ms=row["elapsed_ms"],
        created_at=row["created_at"].timestamp(),
        expires_at=row["expires_at"].timestamp(),
        personal=tuple(row["personal"]),
        session_id=row["session_id"],
        lineage=ResultLineage(
            by=made["by"],
            steps=tuple(LineageStep(**step) for step in made["steps"]),
            notes=tuple(made.get("notes", ())),
            reading=None if reading is None else ReadOptions(**reading),
        ),
    )


def _is_owned(whose: ResultOwner) -> ColumnElement[bool]:
    return and_(table.c.tenant_id == whose.tenant_id, table.c.user_id == whose.user_id)


def _is_alive(connection: Connection) -> ColumnElement[bool]:
    return table.c.expires_at > database_now(connection)


def _is_listed() -> ColumnElement[bool]:
    return table.c.is_look.is_not(true())


def _has_workspace(connection: Connection, tenant_id: TenantId, workspace_id: WorkspaceId) -> bool:
    query = select(s_workspace.c.workspace_id).where(
        s_workspace.c.tenant_id == tenant_id,
        s_workspace.c.workspace_id == workspace_id,
        s_workspace.c.deleted_at.is_(None),
    )
    return connection.execute(query).first() is not None


def position(kept: StoredResult) -> tuple[datetime, str]:
    """Return the cursor of a result in a list."""
    return datetime.fromtimestamp(kept.created_at, UTC), kept.result_id
