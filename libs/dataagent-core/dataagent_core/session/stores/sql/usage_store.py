"""The usage store in an SQL database: counters, reservations and budgets.

The statements are in `usage_statements.py`. Check and reservation are one statement (`hold`): the
counters take the amount only while it fits into each.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from dataagent_core.config.limits import RESERVATION_LEASE_S
from dataagent_core.session.stores.sql import usage_statements as sql
from dataagent_core.session.stores.sql.connection import SqlConnection, SqlDatabase
from dataagent_core.session.stores.sql.usage_rollup import roll_up
from dataagent_core.usage import (
    Amount,
    Budget,
    BudgetKey,
    BudgetRefusal,
    BudgetUse,
    CallUse,
    Reservation,
    Spender,
    UsageQuery,
    UsageRow,
    UsageStore,
)
from dataagent_core.usage.budget import UsageCell, cells_of, check_budget, period_of
from dataagent_core.usage.usage_store import (
    budget_use_of,
    check_budgets,
    select_budgets,
    spent_in_full,
)


class SqlUsageStore(UsageStore):
    """The use of one tenant's models."""

    def __init__(self, database: SqlDatabase, tenant_id: str) -> None:
        self._database = database
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
    ) -> Reservation | BudgetRefusal:
        now = datetime.now(UTC)
        cells = cells_of(spender, now)
        limits = select_budgets(cells, [*budgets, *await self.budgets()], extra or {})
        reservation = Reservation.of(spender, worst, now, limits.values(), model)
        if not limits:
            return reservation

        def take(connection: SqlConnection) -> BudgetRefusal | None:
            sql.make_counters(connection, self._tenant_id, cells)
            self._count_expired(connection, now)
            if not sql.hold(connection, self._tenant_id, cells, limits, worst):
                found = sql.counters(connection, self._tenant_id, cells)
                held = {cell: one.held for cell, one in found.items()}
                return check_budgets(limits, held, worst) or BudgetRefusal(())
            expires_at = now + timedelta(seconds=lease_s)
            sql.insert_reservation(connection, self._tenant_id, reservation, expires_at)
            return None

        return await self._database.write(take) or reservation

    async def settle(self, reservation: Reservation, use: CallUse) -> list[BudgetUse]:
        cells = cells_of(reservation.spender, reservation.moment)

        def count(connection: SqlConnection) -> list[BudgetUse]:
            sql.make_counters(connection, self._tenant_id, cells)
            if reservation.budgets and not self._release(connection, reservation, cells):
                return []
            self._count(connection, reservation, cells, use)
            if not reservation.budgets:
                return []
            return self._read_budget_uses(connection, reservation, cells)

        return await self._database.write(count)

    async def release(self, reservation: Reservation) -> None:
        cells = cells_of(reservation.spender, reservation.moment)

        def give_back(connection: SqlConnection) -> None:
            sql.make_counters(connection, self._tenant_id, cells)
            self._release(connection, reservation, cells)

        if reservation.budgets:
            await self._database.write(give_back)

    async def report(self, query: UsageQuery) -> list[UsageRow]:
        return await self._database.read(lambda c: sql.report(c, self._tenant_id, query))

    async def roll_up(self, before: str) -> int:
        return await roll_up(self._database, self._tenant_id, before)

    async def used(self, keys: Sequence[BudgetKey], moment: datetime) -> dict[BudgetKey, Amount]:
        cells = [UsageCell(key, period_of(key.period, moment)) for key in keys]

        def look(connection: SqlConnection) -> dict[BudgetKey, Amount]:
            self._count_expired(connection, datetime.now(UTC))
            found = sql.counters(connection, self._tenant_id, cells)
            return {cell.key: found.get(cell, sql.CounterRow()).held.amount for cell in cells}

        return await self._database.write(look) if cells else {}

    async def budgets(self) -> list[Budget]:
        return await self._database.read(lambda c: sql.list_budgets(c, self._tenant_id))

    async def set_budget(self, budget: Budget) -> None:
        checked = check_budget(budget)
        await self._database.write(lambda c: sql.set_budget(c, self._tenant_id, checked))

    async def remove_budget(self, key: BudgetKey) -> bool:
        return await self._database.write(lambda c: sql.remove_budget(c, self._tenant_id, key))

    def _release(
        self, connection: SqlConnection, reservation: Reservation, cells: Sequence[UsageCell]
    ) -> bool:
        if not sql.remove_reservation(connection, self._tenant_id, reservation.reservation_id):
            return False
        sql.unhold(connection, self._tenant_id, cells, reservation.worst)
        return True

    def _count(
        self,
        connection: SqlConnection,
        reservation: Reservation,
        cells: Sequence[UsageCell],
        use: CallUse,
    ) -> None:
        sql.count(connection, self._tenant_id, cells, use)
        sql.add_to_ledger(connection, self._tenant_id, reservation, use)

    def _read_budget_uses(
        self, connection: SqlConnection, reservation: Reservation, cells: Sequence[UsageCell]
    ) -> list[BudgetUse]:
        by_key = {cell.key: cell for cell in cells}
        budget_cells = [by_key[budget.key] for budget in reservation.budgets]
        found = sql.counters(connection, self._tenant_id, budget_cells)
        stand = [
            budget_use_of(budget, found[cell].held, warned=found[cell].warned)
            for budget, cell in zip(reservation.budgets, budget_cells, strict=True)
        ]
        warned = [cell for cell, one in zip(budget_cells, stand, strict=True) if one.warn]
        sql.mark_warned(connection, self._tenant_id, warned)
        return stand

    def _count_expired(self, connection: SqlConnection, now: datetime) -> None:
        for reservation in sql.expired_reservations(connection, self._tenant_id, now):
            cells = cells_of(reservation.spender, reservation.moment)
            sql.make_counters(connection, self._tenant_id, cells)
            if self._release(connection, reservation, cells):
                self._count(connection, reservation, cells, spent_in_full(reservation))
