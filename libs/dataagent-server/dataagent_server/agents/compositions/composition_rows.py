"""The SQL of tool compositions. A count is raised by the database, so none is lost."""

from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    delete,
    func,
    insert,
    select,
    update,
)

from dataagent_core.tools.composition import ToolComposition
from dataagent_core.tools.composition.composition_store import (
    CompositionExecution,
    MemberMeasure,
    MemberStatistics,
)
from dataagent_core.tools.composition.composition_tool import list_member_names
from dataagent_server.agents.compositions.composition_record import (
    CompositionRecord,
    read_record,
)
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest, apply
from dataagent_server.db.project_column import is_visible
from dataagent_server.db.tables.skills import tool_composition_members as members
from dataagent_server.db.tables.skills import tool_compositions as table
from dataagent_server.db.upsert import insert_ignore


def add(connection: Connection, tenant_id: TenantId, values: dict[str, Any]) -> None:
    """Insert one; a second of its name in its place is an `IntegrityError`."""
    connection.execute(insert(table).values(tenant_id=tenant_id, **values))


def find(
    connection: Connection, tenant_id: TenantId, composition_id: str
) -> CompositionRecord | None:
    """Find a composition of this tenant."""
    query = select(table).where(_is(tenant_id, composition_id))
    row = connection.execute(query).mappings().first()
    return None if row is None else read_record(row)


def list_page(
    connection: Connection, tenant_id: TenantId, project_id: str | None, page: PageRequest
) -> list[CompositionRecord]:
    """List the tenant's compositions and, with a project, the project's, the oldest first."""
    query = select(table).where(is_visible(table, tenant_id, project_id))
    found = connection.execute(apply(query, page, table.c.created_at, table.c.id))
    return [read_record(row) for row in found.mappings()]


def list_usable(
    connection: Connection, tenant_id: TenantId, project_id: str | None
) -> list[CompositionRecord]:
    """List what an agent gets by name; of one name the project's."""
    # The tenant's place is the empty text, which comes first and is replaced.
    query = (
        select(table).where(is_visible(table, tenant_id, project_id)).order_by(table.c.project_id)
    )
    found = [read_record(row) for row in connection.execute(query).mappings()]
    by_name = {one.composition.name: one for one in found}
    return [by_name[name] for name in sorted(by_name)]


def list_visible(
    connection: Connection, tenant_id: TenantId, project_id: str | None
) -> list[ToolComposition]:
    """List what agents may get together with one of a project, or of the tenant."""
    mine = (
        is_visible(table, tenant_id, project_id) if project_id else table.c.tenant_id == tenant_id
    )
    found = connection.execute(select(table).where(mine)).mappings()
    return [read_record(row).composition for row in found]


def count(connection: Connection, tenant_id: TenantId) -> int:
    """Count the compositions of a tenant and of its projects."""
    query = select(func.count()).select_from(table).where(table.c.tenant_id == tenant_id)
    return connection.execute(query).scalar_one()


def change(
    connection: Connection,
    tenant_id: TenantId,
    old: CompositionRecord,
    values: dict[str, Any],
) -> bool:
    """Set columns of a composition as it was read; False when another write came first."""
    mine = and_(_is(tenant_id, old.composition.id), table.c.number == old.number)
    values = {**values, "number": old.number + 1}
    return connection.execute(update(table).where(mine).values(**values)).rowcount == 1


def count_execution(
    connection: Connection, tenant_id: TenantId, execution: CompositionExecution
) -> tuple[int, int]:
    """Count one more execution and what its members took; return all successes and failures.

    One that was deleted meanwhile counts nowhere; one that calls other tools now is only used.
    """
    column = table.c.success_count if execution.succeeded else table.c.failure_count
    mine = _is(tenant_id, execution.composition_id)
    # Locked, so that its definition is this one until it is counted.
    row = connection.execute(select(table).where(mine).with_for_update()).mappings().first()
    if row is None:
        return int(execution.succeeded), int(not execution.succeeded)
    now = read_record(row).composition
    used = {table.c.usage_count: table.c.usage_count + 1}
    if execution.digest not in ("", now.digest):
        connection.execute(update(table).where(mine).values(used))
        return now.success_count, now.failure_count
    connection.execute(update(table).where(mine).values({column: column + 1, **used}))
    for measure in execution.members:
        _count_member(connection, tenant_id, execution.composition_id, measure)
    query = select(table.c.success_count, table.c.failure_count).where(mine)
    row = connection.execute(query).one()
    return row.success_count, row.failure_count


def _count_member(
    connection: Connection, tenant_id: TenantId, composition_id: str, measure: MemberMeasure
) -> None:
    key = {"tenant_id": tenant_id, "composition_id": composition_id, "tool": measure.tool}
    insert_ignore(connection, members, {**key, "calls": 0, "failures": 0, "total_ms": 0})
    connection.execute(
        update(members)
        .where(*_is_member(tenant_id, composition_id), members.c.tool == measure.tool)
        .values(
            calls=members.c.calls + 1,
            failures=members.c.failures + int(not measure.succeeded),
            total_ms=members.c.total_ms + measure.duration_ms,
        )
    )


def read_members(
    connection: Connection, tenant_id: TenantId, composition_id: str
) -> dict[str, MemberStatistics]:
    """Return what was measured of the members, by tool."""
    query = select(members).where(*_is_member(tenant_id, composition_id)).order_by(members.c.tool)
    return {
        row.tool: MemberStatistics(calls=row.calls, failures=row.failures, total_ms=row.total_ms)
        for row in connection.execute(query)
    }


def keep_members(connection: Connection, tenant_id: TenantId, composition: ToolComposition) -> None:
    """Forget what was measured of tools that it does not call any more."""
    called = list_member_names(composition)
    connection.execute(
        delete(members).where(*_is_member(tenant_id, composition.id), members.c.tool.not_in(called))
    )


def remove(connection: Connection, tenant_id: TenantId, composition_id: str) -> None:
    """Delete one with what was measured of it."""
    connection.execute(delete(table).where(_is(tenant_id, composition_id)))
    connection.execute(delete(members).where(*_is_member(tenant_id, composition_id)))


def _is(tenant_id: TenantId, composition_id: str) -> ColumnElement[bool]:
    return and_(table.c.tenant_id == tenant_id, table.c.id == composition_id)


def _is_member(
    tenant_id: TenantId, composition_id: str
) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return members.c.tenant_id == tenant_id, members.c.composition_id == composition_id
