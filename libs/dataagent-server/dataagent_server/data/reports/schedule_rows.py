"""The SQL of schedules. Of several servers, the one that holds a schedule's lease runs it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, func, or_, select, update

from dataagent_server.common.ids import TenantId
from dataagent_server.data.reports.limits import LEASE
from dataagent_server.db.database_clock import database_now
from dataagent_server.db.tables.people import tenants
from dataagent_server.db.tables.reports import report_schedules as table

_SAID = frozenset({"next_at", "is_active", "stopped_because"})


@dataclass(frozen=True, slots=True)
class ScheduleClaim:
    """A schedule this process holds: its row, and the number of the attempt."""

    row: RowMapping
    token: str
    attempt: int

    @property
    def tenant_id(self) -> TenantId:
        """The tenant of the schedule."""
        return TenantId(self.row["tenant_id"])

    @property
    def schedule_id(self) -> str:
        """The id of the schedule."""
        return self.row["schedule_id"]


def find(
    connection: Connection, tenant_id: TenantId, report_id: str, schedule_id: str
) -> RowMapping | None:
    """Find a schedule of a report, the ciphertext included."""
    query = select(table).where(_is(tenant_id, schedule_id), table.c.report_id == report_id)
    return connection.execute(query).mappings().first()


def of_report(connection: Connection, tenant_id: TenantId, report_id: str) -> Sequence[RowMapping]:
    """List the schedules of a report; there are few."""
    query = select(table).where(table.c.tenant_id == tenant_id, table.c.report_id == report_id)
    return connection.execute(query.order_by(table.c.created_at)).mappings().all()


def count(connection: Connection, tenant_id: TenantId, owner_id: str | None = None) -> int:
    """Count the schedules of a tenant, or of one user."""
    query = select(func.count()).select_from(table).where(table.c.tenant_id == tenant_id)
    if owner_id is not None:
        query = query.where(table.c.owner_id == owner_id)
    return connection.execute(query).scalar_one()


def change(
    connection: Connection, tenant_id: TenantId, old: RowMapping, values: dict[str, Any]
) -> bool:
    """Set columns of a schedule as it was read; False when another write came first."""
    mine = and_(_is(tenant_id, old["schedule_id"]), table.c.version == old["version"])
    values = {**values, "version": old["version"] + 1}
    return connection.execute(update(table).where(mine).values(**values)).rowcount == 1


def claim(connection: Connection, token: str, limit: int) -> list[ScheduleClaim]:
    """Claim due schedules that no process holds, of active tenants."""
    now = database_now(connection)
    ready = (
        select(table)
        .where(
            table.c.is_active,
            table.c.next_at <= now,
            or_(table.c.lease_until.is_(None), table.c.lease_until < now),
            table.c.tenant_id.in_(select(tenants.c.tenant_id).where(tenants.c.is_active)),
        )
        .order_by(table.c.next_at)
        .limit(limit)
    )
    if connection.dialect.name != "sqlite":
        # Rows that another process is claiming are skipped.
        ready = ready.with_for_update(of=table, skip_locked=True)
    taken: list[ScheduleClaim] = []
    for row in connection.execute(ready).mappings().all():
        attempt = row["attempt"] + 1
        values = {"lease_token": token, "lease_until": now + LEASE, "attempt": attempt}
        free = or_(table.c.lease_until.is_(None), table.c.lease_until < now)
        mine = and_(_is(TenantId(row["tenant_id"]), row["schedule_id"]), free)
        if connection.execute(update(table).where(mine).values(**values)).rowcount:
            taken.append(ScheduleClaim(row, token, attempt))
    return taken


def renew(connection: Connection, claimed: ScheduleClaim) -> bool:
    """Extend the lease; False when another process has it, or the schedule is gone."""
    until = database_now(connection) + LEASE
    query = update(table).where(_is_held(claimed)).values(lease_until=until)
    return connection.execute(query).rowcount == 1


def settle(connection: Connection, claimed: ScheduleClaim, values: dict[str, Any]) -> bool:
    """Store the result and release the lease; False when another process has it."""
    version = connection.execute(select(table.c.version).where(_is_held(claimed))).scalar()
    if version is None:
        return False
    if version != claimed.row["version"]:
        # Changes of a user in the meantime stay.
        values = {name: value for name, value in values.items() if name not in _SAID}
    freed = {"lease_token": None, "lease_until": None, "attempt": 0}
    query = update(table).where(_is_held(claimed)).values(**{**freed, **values})
    return connection.execute(query).rowcount == 1


def note_webhook(connection: Connection, tenant_id: TenantId, schedule_id: str, text: str) -> None:
    """Store the result of the webhook."""
    connection.execute(update(table).where(_is(tenant_id, schedule_id)).values(last_webhook=text))


def let_go(connection: Connection, claimed: ScheduleClaim) -> None:
    """Release it unchanged; another server takes it at once."""
    freed = {"lease_token": None, "lease_until": None, "attempt": claimed.attempt - 1}
    connection.execute(update(table).where(_is_held(claimed)).values(**freed))


def insert(connection: Connection, values: dict[str, Any]) -> None:
    """Insert a schedule."""
    connection.execute(table.insert().values(**values))


def remove(connection: Connection, tenant_id: TenantId, schedule_id: str) -> None:
    """Delete a schedule; an active run of it goes on."""
    connection.execute(table.delete().where(_is(tenant_id, schedule_id)))


def now_of(connection: Connection) -> datetime:
    """Return the database's time, which all servers share."""
    return database_now(connection)


def _is(tenant_id: TenantId, schedule_id: str) -> ColumnElement[bool]:
    return and_(table.c.tenant_id == tenant_id, table.c.schedule_id == schedule_id)


def _is_held(claimed: ScheduleClaim) -> ColumnElement[bool]:
    mine = _is(claimed.tenant_id, claimed.schedule_id)
    return and_(mine, table.c.lease_token == claimed.token)
