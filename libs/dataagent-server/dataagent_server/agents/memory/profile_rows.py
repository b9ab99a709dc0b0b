"""How many memories of each type a person has, and since when."""

from dataclasses import dataclass
from datetime import datetime
from typing import cast

from sqlalchemy import Connection, and_, func, or_, select

from dataagent_core.memory.memory import MemoryType
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.memory import memories, memory_scopes


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeCount:
    """The memories of one type that hold now."""

    type: MemoryType
    count: int
    first_at: datetime
    last_at: datetime


def count_types(
    connection: Connection,
    tenant_id: TenantId,
    user_id: str,
    now: datetime,
    assistant_id: str | None,
) -> list[TypeCount]:
    """Count what holds now: with every assistant, or with one."""
    columns = memories.c
    query = (
        select(
            columns.type,
            func.count().label("count"),
            func.min(columns.recorded_at).label("first_at"),
            func.max(columns.recorded_at).label("last_at"),
        )
        .where(
            columns.tenant_id == tenant_id,
            columns.user_id == user_id,
            columns.retired_at.is_(None),
            or_(columns.expires_at.is_(None), columns.expires_at > now),
            or_(columns.valid_to.is_(None), columns.valid_to > now),
        )
        .group_by(columns.type)
    )
    if assistant_id is not None:
        of_assistant = and_(
            memory_scopes.c.number == columns.scope_no,
            or_(memory_scopes.c.kind == "org", memory_scopes.c.assistant_id == assistant_id),
        )
        query = query.join(memory_scopes, of_assistant)
    return [
        TypeCount(
            type=cast("MemoryType", row["type"]),
            count=row["count"],
            first_at=row["first_at"],
            last_at=row["last_at"],
        )
        for row in connection.execute(query).mappings()
    ]
