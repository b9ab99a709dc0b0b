"""The usage store in memory: for tests, and for library users who store nothing.

Nothing here awaits, so no two callers of one event loop are between a check and its reservation.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from datetime import UTC, datetime, timedelta

from dataagent_core.config.limits import RESERVATION_LEASE_S
from dataagent_core.usage.budget import (
    Amount,
    Budget,
    BudgetKey,
    BudgetRefusal,
    Spender,
    UsageCell,
    cells_of,
    check_budget,
    day_of,
    period_of,
)
from dataagent_core.usage.usage_store import (
    BudgetHold,
    BudgetUse,
    CallUse,
    GroupBy,
    Reservation,
    Total,
    UsageQuery,
    UsageRow,
    UsageStore,
    budget_use_of,
    check_budgets,
    select_budgets,
    spent_in_full,
)


@dataclass(slots=True)
class _Counter:
    held: BudgetHold = field(default_factory=BudgetHold)
    warned: bool = False


class MemoryUsageStore(UsageStore):
    """Counts in dictionaries."""

    def __init__(self) -> None:
        self._budgets: dict[BudgetKey, Budget] = {}
        self._counters: dict[UsageCell, _Counter] = {}
        self._reserved: dict[str, tuple[Reservation, datetime]] = {}
        # (run, day, model) -> its owner and its usage.
        self._ledger: dict[tuple[str, str, str], tuple[Spender, Total]] = {}
        # Rolled-up days: owner (without run and session), day, model.
        self._days: dict[tuple[Spender, str, str], Total] = {}

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
        self._count_expired(now)
        cells = cells_of(spender, now)
        limits = select_budgets(cells, [*budgets, *self._budgets.values()], extra or {})
        reservation = Reservation.of(spender, worst, now, limits.values(), model)
        if not limits:
            return reservation
        refused = check_budgets(limits, {cell: self._counter(cell).held for cell in cells}, worst)
        if refused is not None:
            return refused
        for cell in cells:
            self._counter(cell).held = self._counter(cell).held.holding(worst)
        self._reserved[reservation.reservation_id] = (reservation, now + timedelta(seconds=lease_s))
        return reservation

    async def settle(self, reservation: Reservation, use: CallUse) -> list[BudgetUse]:
        if reservation.budgets and not self._release(reservation):
            return []
        self._count(reservation, use)
        cells = {cell.key: cell for cell in cells_of(reservation.spender, reservation.moment)}
        uses: list[BudgetUse] = []
        for budget in reservation.budgets:
            counter = self._counter(cells[budget.key])
            uses.append(budget_use_of(budget, counter.held, warned=counter.warned))
            counter.warned = counter.warned or uses[-1].warn
        return uses

    async def release(self, reservation: Reservation) -> None:
        self._release(reservation)

    async def report(self, query: UsageQuery) -> list[UsageRow]:
        sums: dict[str, Total] = {}
        for spender, day, model, total in self._entries(query):
            if _matches(query, spender, day):
                name = _group_name(query, spender, day, model)
                sums[name] = sums.get(name, Total()) + total
        names = sorted(name for name in sums if query.after is None or name > query.after)
        return [UsageRow(name, sums[name]) for name in names][: query.limit]

    async def roll_up(self, before: str) -> int:
        old = [key for key in self._ledger if key[1] < before]
        for key in old:
            spender, total = self._ledger.pop(key)
            _, day, model = key
            day_key = replace(spender, run_id="", session_id=""), day, model
            self._days[day_key] = self._days.get(day_key, Total()) + total
            self._counters.pop(UsageCell(BudgetKey("run", spender.run_id, "run"), ""), None)
        for cell in list(self._counters):
            if cell.key.period != "run" and cell.when < before[: len(cell.when)]:
                del self._counters[cell]
        return len(old)

    async def used(self, keys: Sequence[BudgetKey], moment: datetime) -> dict[BudgetKey, Amount]:
        self._count_expired(datetime.now(UTC))
        return {
            cell.key: self._counter(cell).held.amount
            for key in keys
            for cell in [UsageCell(key, period_of(key.period, moment))]
        }

    async def budgets(self) -> list[Budget]:
        return sorted(self._budgets.values(), key=lambda budget: astuple(budget.key))

    async def set_budget(self, budget: Budget) -> None:
        self._budgets[budget.key] = check_budget(budget)
        for cell, counter in self._counters.items():
            if cell.key == budget.key:
                counter.warned = False

    async def remove_budget(self, key: BudgetKey) -> bool:
        return self._budgets.pop(key, None) is not None

    def _entries(self, query: UsageQuery) -> Iterator[tuple[Spender, str, str, Total]]:
        for (_, day, model), (spender, total) in self._ledger.items():
            yield spender, day, model, total
        if query.is_coarse:
            for (spender, day, model), total in self._days.items():
                yield spender, day, model, total

    def _counter(self, cell: UsageCell) -> _Counter:
        return self._counters.setdefault(cell, _Counter())

    def _release(self, reservation: Reservation) -> bool:
        if self._reserved.pop(reservation.reservation_id, None) is None:
            return False
        for cell in cells_of(reservation.spender, reservation.moment):
            counter = self._counter(cell)
            counter.held = counter.held.holding(reservation.worst, sign=-1)
        return True

    def _count(self, reservation: Reservation, use: CallUse) -> None:
        spender, moment = reservation.spender, reservation.moment
        for cell in cells_of(spender, moment):
            self._counter(cell).held = self._counter(cell).held.using(use)
        key = (spender.run_id, day_of(moment), reservation.model)
        _, total = self._ledger.get(key, (spender, Total()))
        self._ledger[key] = (spender, total.plus(use))

    def _count_expired(self, now: datetime) -> None:
        for reservation, expires_at in list(self._reserved.values()):
            if expires_at < now:
                self._release(reservation)
                self._count(reservation, spent_in_full(reservation))


def _matches(query: UsageQuery, spender: Spender, day: str) -> bool:
    pairs = (
        (query.user_id, spender.user_id or ""),
        (query.project_id, spender.project_id or ""),
        (query.session_id, spender.session_id),
        (query.run_id, spender.run_id),
    )
    if any(expected is not None and expected != actual for expected, actual in pairs):
        return False
    return (query.since or day) <= day <= (query.until or day)


def _group_name(query: UsageQuery, spender: Spender, day: str, model: str) -> str:
    names: Mapping[GroupBy, str | None] = {
        "day": day,
        "user": spender.user_id,
        "project": spender.project_id,
        "tenant": spender.tenant_id,
        "model": model,
        "session": spender.session_id,
        "run": spender.run_id,
    }
    return names[query.by] or ""
