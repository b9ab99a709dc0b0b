"""Core's book of use over the server's database; the SQL is in `usage_rows.py`.

Every call of every run counts here, so what waits while a transaction runs goes into the next one
together (`together.py`). In a SQLite file the book is core's own, which has the same tables and
costs a tenth of the CPU per call.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from dataagent_core.config.limits import RESERVATION_LEASE_S
from dataagent_core.session.stores.sqlite.usage import SqliteUsageBook
from dataagent_core.usage import (
    Amount,
    Budget,
    BudgetKey,
    BudgetUse,
    CallUse,
    Refused,
    Reservation,
    Spender,
    UsageBook,
    UsageQuery,
    UsageRow,
)
from dataagent_core.usage.judging import applying, judged, spent_in_full, standing
from dataagent_core.usage.settable import checked_budget
from dataagent_core.usage.spender import Cell, cells_of, period_of
from dataagent_server.db.sqlite import SqliteFile
from dataagent_server.stores import usage_rows as rows
from dataagent_server.stores.together import Together
from dataagent_server.stores.usage_days import roll_up


def open_usage_book(together: Together, tenant_id: str) -> UsageBook:
    """Open the book of one tenant's models in the database that `together` writes to."""
    database = together.database
    if isinstance(database, SqliteFile):
        return SqliteUsageBook(database.core, tenant_id)
    return SqlUsageBook(together, tenant_id)


class SqlUsageBook(UsageBook):
    """The use of one tenant's models on PostgreSQL, MySQL or MariaDB."""

    def __init__(self, together: Together, tenant_id: str) -> None:
        self._together = together
        self._database = together.database
        self._tenant_id = tenant_id

    async def reserve(
        self,
        spender: Spender,
        worst: Amount,
        *,
        model: str = "",
        budgets: Sequence[Budget] = (),
        extra: Mapping[str, Amount] | None = None,
        lease_s: float = RESERVATION_LEASE_S,
    ) -> Reservation | Refused:
        now = datetime.now(UTC)
        cells = cells_of(spender, now)
        limits = applying(cells, [*budgets, *await self.budgets()], extra or {})
        reservation = Reservation.of(spender, worst, now, limits.values(), model)
        if not limits:
            return reservation

        def take(connection: Connection) -> Refused | None:
            rows.make_counters(connection, self._tenant_id, cells)
            self._count_expired(connection, now)
            if not rows.hold(connection, self._tenant_id, cells, limits, worst):
                found = rows.counters(connection, self._tenant_id, cells)
                held = {cell: one.held for cell, one in found.items()}
                return judged(limits, held, worst) or Refused(())
            expires_at = now + timedelta(seconds=lease_s)
            rows.insert_reservation(connection, self._tenant_id, reservation, expires_at)
            return None

        return await self._together.write(take) or reservation

    async def settle(self, reservation: Reservation, use: CallUse) -> list[BudgetUse]:
        def work(connection: Connection) -> list[BudgetUse]:
            if reservation.budgets and not self._give_back(connection, reservation):
                return []
            self._count(connection, reservation, use)
            return self._standing(connection, reservation)

        return await self._together.write(work)

    async def release(self, reservation: Reservation) -> None:
        if reservation.budgets:
            await self._together.write(lambda c: self._give_back(c, reservation))

    async def report(self, query: UsageQuery) -> list[UsageRow]:
        return await self._database.read(lambda c: rows.report(c, self._tenant_id, query))

    async def roll_up(self, before: str) -> int:
        return await roll_up(self._database, self._tenant_id, before)

    async def used(self, keys: Sequence[BudgetKey], moment: datetime) -> dict[BudgetKey, Amount]:
        cells = [Cell(key, period_of(key.period, moment)) for key in keys]

        def look(connection: Connection) -> dict[BudgetKey, Amount]:
            self._count_expired(connection, datetime.now(UTC))
            found = rows.counters(connection, self._tenant_id, cells)
            return {cell.key: found[cell].held.amount for cell in cells}

        return await self._database.write(look) if cells else {}

    async def budgets(self) -> list[Budget]:
        return await self._database.read(lambda c: rows.list_budgets(c, self._tenant_id))

    async def set_budget(self, budget: Budget) -> None:
        checked = checked_budget(budget)
        await self._database.write(lambda c: rows.set_budget(c, self._tenant_id, checked))

    async def remove_budget(self, key: BudgetKey) -> bool:
        return await self._database.write(lambda c: rows.remove_budget(c, self._tenant_id, key))

    def _give_back(self, connection: Connection, reservation: Reservation) -> bool:
        cells = cells_of(reservation.spender, reservation.moment)
        rows.make_counters(connection, self._tenant_id, cells)
        if not rows.remove_reservation(connection, self._tenant_id, reservation.reservation_id):
            return False
        rows.unhold(connection, self._tenant_id, cells, reservation.worst)
        return True

    def _count(self, connection: Connection, reservation: Reservation, use: CallUse) -> None:
        cells = cells_of(reservation.spender, reservation.moment)
        rows.make_counters(connection, self._tenant_id, cells)
        rows.count(connection, self._tenant_id, cells, use)
        rows.enter(connection, self._tenant_id, reservation, use)

    def _standing(self, connection: Connection, reservation: Reservation) -> list[BudgetUse]:
        cells = {cell.key: cell for cell in cells_of(reservation.spender, reservation.moment)}
        asked = [cells[budget.key] for budget in reservation.budgets]
        found = rows.counters(connection, self._tenant_id, asked) if asked else {}
        stand = [
            standing(budget, found[cell].held, warned=found[cell].warned)
            for budget, cell in zip(reservation.budgets, asked, strict=True)
        ]
        warned = [cell for cell, one in zip(asked, stand, strict=True) if one.warn]
        rows.mark_warned(connection, self._tenant_id, warned)
        return stand

    def _count_expired(self, connection: Connection, now: datetime) -> None:
        for reservation in rows.expired(connection, self._tenant_id, now):
            if self._give_back(connection, reservation):
                self._count(connection, reservation, spent_in_full(reservation))
