"""The saved questions' SQL."""

from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    delete,
    func,
    insert,
    select,
    update,
)

from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest, apply
from dataagent_server.data.saved_questions.saved_question import SavedQuestion
from dataagent_server.db.tables.data import saved_questions as table


def add(connection: Connection, tenant_id: TenantId, question: SavedQuestion) -> None:
    """Insert one."""
    connection.execute(insert(table).values(tenant_id=tenant_id, **_make_values(question)))


def find(connection: Connection, tenant_id: TenantId, question_id: str) -> SavedQuestion | None:
    """Find a question of this tenant."""
    row = connection.execute(select(table).where(_is(tenant_id, question_id))).mappings().first()
    return None if row is None else _make_question(row)


def of_project(
    connection: Connection, tenant_id: TenantId, project_id: str, page_request: PageRequest
) -> list[SavedQuestion]:
    """List the questions of a project."""
    return _list_page(connection, tenant_id, table.c.project_id == project_id, page_request)


def of_person(
    connection: Connection, tenant_id: TenantId, owner_id: str, page_request: PageRequest
) -> list[SavedQuestion]:
    """List a user's questions outside of projects."""
    mine = and_(table.c.project_id.is_(None), table.c.owner_id == owner_id)
    return _list_page(connection, tenant_id, mine, page_request)


def count(connection: Connection, tenant_id: TenantId) -> int:
    """Count a tenant's questions."""
    query = select(func.count()).select_from(table).where(table.c.tenant_id == tenant_id)
    return connection.execute(query).scalar_one()


def change(
    connection: Connection, tenant_id: TenantId, old: SavedQuestion, new: SavedQuestion
) -> bool:
    """Replace a question as it was read; False when another write came first."""
    mine = and_(_is(tenant_id, old.question_id), table.c.version == old.version)
    return connection.execute(update(table).where(mine).values(**_make_values(new))).rowcount == 1


def remove(connection: Connection, tenant_id: TenantId, question_id: str) -> None:
    """Delete one."""
    connection.execute(delete(table).where(_is(tenant_id, question_id)))


def _list_page(
    connection: Connection,
    tenant_id: TenantId,
    which: ColumnElement[bool],
    page_request: PageRequest,
) -> list[SavedQuestion]:
    query = select(table).where(table.c.tenant_id == tenant_id, which)
    found = connection.execute(apply(query, page_request, table.c.created_at, table.c.question_id))
    return [_make_question(row) for row in found.mappings()]


def _make_question(row: RowMapping) -> SavedQuestion:
    # `sql` is a reserved word, so the column has another name.
    names = (name for name in SavedQuestion.__slots__ if name != "sql")
    return SavedQuestion(**{name: row[name] for name in names}, sql=row["sql_text"])


def _make_values(question: SavedQuestion) -> dict[str, Any]:
    values = {name: getattr(question, name) for name in SavedQuestion.__slots__}
    values["sql_text"] = values.pop("sql")
    return values


def _is(tenant_id: TenantId, question_id: str) -> ColumnElement[bool]:
    return and_(table.c.tenant_id == tenant_id, table.c.question_id == question_id)
