"""The SQL of the audit log."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, bindparam, func, insert, or_, select, union, update

from dataagent_server.db.tables.audit import audit_heads, audit_log
from dataagent_server.db.tables.people import tenants
from dataagent_server.db.upsert import insert_ignore
from dataagent_server.identity.audit.chain import AuditRow, ChainHead

_PAGE_ROWS: Final = 1_000
# Built once: every tool call adds a row, and building these anew cost more than running them.
_ADD = insert(audit_log)
_MOVE_HEAD = update(audit_heads).where(audit_heads.c.tenant_id == bindparam("of_tenant"))
_HEAD = select(audit_heads).where(audit_heads.c.tenant_id == bindparam("of_tenant"))
_LOCKED_HEAD = _HEAD.with_for_update()


def lock_head(connection: Connection, tenant_id: str, empty: ChainHead) -> ChainHead:
    """Read and lock the head of a chain; a new chain starts `empty`."""
    found = _read_head(connection, tenant_id, lock=True)
    if found is None:
        insert_ignore(connection, audit_heads, _values(empty))
        found = _read_head(connection, tenant_id, lock=True)
    assert found is not None
    return found


def find_head(connection: Connection, tenant_id: str) -> ChainHead | None:
    """Read the head of a chain."""
    return _read_head(connection, tenant_id, lock=False)


def append(connection: Connection, row: AuditRow, head: ChainHead) -> None:
    """Add the row and move the head to it."""
    connection.execute(_ADD, _values(row))
    connection.execute(_MOVE_HEAD, {**_values(head), "of_tenant": head.tenant_id})


def rows_of(
    connection: Connection, tenant_id: str, after: int = 0, upto: int | None = None
) -> Iterator[AuditRow]:
    """Read a chain in order, in pages, so that a long one needs no more memory."""
    while page := page_of(connection, tenant_id, after, _PAGE_ROWS, upto):
        yield from page
        after = page[-1].seq


def page_of(
    connection: Connection, tenant_id: str, after: int, limit: int, upto: int | None = None
) -> list[AuditRow]:
    """Read some rows after a number."""
    query = select(audit_log).where(audit_log.c.tenant_id == tenant_id, audit_log.c.seq > after)
    if upto is not None:
        query = query.where(audit_log.c.seq <= upto)
    found = connection.execute(query.order_by(audit_log.c.seq).limit(limit)).mappings()
    return [AuditRow(**row) for row in found]


def newest(
    connection: Connection,
    tenant_id: str,
    *,
    actor: str | None,
    action: str | None,
    since: datetime | None,
    until: datetime | None,
    before: int | None,
    limit: int,
) -> list[AuditRow]:
    """Read the newest matching rows before a number."""
    log = audit_log.c
    query = select(audit_log).where(log.tenant_id == tenant_id)
    if actor is not None:
        with_a_key = log.actor.startswith(f"{actor} key:", autoescape=True)
        query = query.where(or_(log.actor == actor, with_a_key))
    if action is not None and action.endswith(".*"):
        query = query.where(log.action.startswith(action[:-1], autoescape=True))
    elif action is not None:
        query = query.where(log.action == action)
    if since is not None:
        query = query.where(log.at >= since)
    if until is not None:
        query = query.where(log.at < until)
    if before is not None:
        query = query.where(log.seq < before)
    found = connection.execute(query.order_by(log.seq.desc()).limit(limit)).mappings()
    return [AuditRow(**row) for row in found]


def last_seq(connection: Connection, tenant_id: str) -> int:
    """Return the highest number of a chain, 0 without rows."""
    query = select(func.max(audit_log.c.seq)).where(audit_log.c.tenant_id == tenant_id)
    return connection.execute(query).scalar() or 0


def chains(connection: Connection) -> list[str]:
    """List every tenant that has a chain or should have one."""
    every = union(*(select(table.c.tenant_id) for table in (tenants, audit_heads, audit_log)))
    return sorted(connection.execute(every).scalars())


def head_key_ids(connection: Connection) -> list[str]:
    """List the ids of the keys that sealed the heads."""
    return list(connection.execute(select(audit_heads.c.key_id).distinct()).scalars())


def _read_head(connection: Connection, tenant_id: str, *, lock: bool) -> ChainHead | None:
    query = _LOCKED_HEAD if lock else _HEAD
    row = connection.execute(query, {"of_tenant": tenant_id}).mappings().first()
    return None if row is None else ChainHead(**row)


def _values(value: AuditRow | ChainHead) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}
