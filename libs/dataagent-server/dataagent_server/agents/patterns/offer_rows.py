"""The SQL of offers between tenants.

The tenant that offers is in `tenant_id`; the one it is for finds an offer by `to_tenant_id` alone,
and only what was offered since it exists: an id may be offered something before it is a tenant's.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    and_,
    delete,
    func,
    insert,
    select,
    update,
)

from dataagent_server.agents.patterns.offer_copy import (
    OfferStatus,
    PatternOffer,
    dump_offered,
    read_offered,
)
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest, apply
from dataagent_server.db.tables.patterns import pattern_offers as table
from dataagent_server.db.tables.people import tenants


def add(connection: Connection, made: PatternOffer) -> None:
    """Insert an offer."""
    connection.execute(
        insert(table).values(
            tenant_id=made.tenant_id,
            id=made.id,
            to_tenant_id=made.to_tenant_id,
            pattern_id=made.pattern_id,
            content=dump_offered(made.pattern),
            status=made.status,
            offered_by=made.offered_by,
            created_at=made.created_at,
        )
    )


def count(connection: Connection, tenant_id: TenantId) -> int:
    """Count the offers that a tenant has made."""
    query = select(func.count()).select_from(table).where(table.c.tenant_id == tenant_id)
    return connection.execute(query).scalar_one()


def find_same(
    connection: Connection, tenant_id: TenantId, pattern_id: str, to_tenant_id: TenantId
) -> PatternOffer | None:
    """Find the offer of a pattern to a tenant."""
    query = select(table).where(
        table.c.tenant_id == tenant_id,
        table.c.pattern_id == pattern_id,
        table.c.to_tenant_id == to_tenant_id,
    )
    return _read(connection.execute(query).mappings().first())


def find_made(connection: Connection, tenant_id: TenantId, offer_id: str) -> PatternOffer | None:
    """Find an offer that a tenant has made."""
    query = select(table).where(table.c.tenant_id == tenant_id, table.c.id == offer_id)
    return _read(connection.execute(query).mappings().first())


def find_open(connection: Connection, tenant_id: TenantId, offer_id: str) -> PatternOffer | None:
    """Find an open offer to a tenant."""
    query = _to(tenant_id).where(table.c.id == offer_id)
    return _read(connection.execute(query).mappings().first())


def list_made(
    connection: Connection, tenant_id: TenantId, page_request: PageRequest
) -> list[PatternOffer]:
    """List what a tenant has offered, the newest first."""
    query = select(table).where(table.c.tenant_id == tenant_id)
    return _read_page(connection, query, page_request)


def list_open(
    connection: Connection, tenant_id: TenantId, page_request: PageRequest
) -> list[PatternOffer]:
    """List what is offered to a tenant, the newest first."""
    return _read_page(connection, _to(tenant_id), page_request)


def decide(
    connection: Connection,
    made: PatternOffer,
    status: OfferStatus,
    *,
    by: str,
    copy_id: str | None,
    now: datetime,
) -> bool:
    """Accept or decline an open offer; False when somebody was faster."""
    is_open = and_(_is(made.tenant_id, made.id), table.c.status == "open")
    values = {"status": status, "decided_by": by, "copy_id": copy_id, "decided_at": now}
    return connection.execute(update(table).where(is_open).values(**values)).rowcount == 1


def remove(connection: Connection, tenant_id: TenantId, offer_id: str) -> bool:
    """Delete an offer; say whether there was one."""
    return connection.execute(delete(table).where(_is(tenant_id, offer_id))).rowcount == 1


def remove_of_pattern(connection: Connection, tenant_id: TenantId, pattern_id: str) -> None:
    """Delete every offer of a pattern; copies that were made of it stay."""
    mine = (table.c.tenant_id == tenant_id, table.c.pattern_id == pattern_id)
    connection.execute(delete(table).where(*mine))


def _to(tenant_id: TenantId) -> Select[Any]:
    there = and_(
        tenants.c.tenant_id == table.c.to_tenant_id, tenants.c.created_at <= table.c.created_at
    )
    return (
        select(table)
        .join(tenants, there)
        .where(table.c.to_tenant_id == tenant_id, table.c.status == "open")
    )


def _is(tenant_id: TenantId, offer_id: str) -> ColumnElement[bool]:
    return and_(table.c.tenant_id == tenant_id, table.c.id == offer_id)


def _read_page(
    connection: Connection, query: Select[Any], page_request: PageRequest
) -> list[PatternOffer]:
    ordered = apply(query, page_request, table.c.created_at, table.c.id, newest_first=True)
    return [_make_offer(row) for row in connection.execute(ordered).mappings()]


def _read(row: RowMapping | None) -> PatternOffer | None:
    return None if row is None else _make_offer(row)


def _make_offer(row: RowMapping) -> PatternOffer:
    return PatternOffer(
        id=row["id"],
        tenant_id=TenantId(row["tenant_id"]),
        to_tenant_id=TenantId(row["to_tenant_id"]),
        pattern_id=row["pattern_id"],
        pattern=read_offered(row["content"]),
        status=row["status"],
        offered_by=row["offered_by"],
        copy_id=row["copy_id"],
        created_at=row["created_at"],
        decided_at=row["decided_at"],
    )
