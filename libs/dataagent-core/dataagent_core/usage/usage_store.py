"""The port of the usage store, which counts use and holds budgets; a store serves one tenant.

A call is reserved at its worst case before it is made, and settled at what it used. In between the
worst case counts as used, so parallel callers cannot exceed a limit together. What a dead process
reserved and never settled counts as used when its lease is over: it may have been spent.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, Self

from dataagent_core.config.limits import (
    BUDGET_WARN_SHARE,
    RESERVATION_LEASE_S,
    USAGE_MODEL_CHARS_MAX,
    USAGE_ROWS_MAX,
)
from dataagent_core.ids import new_id
from dataagent_core.usage.budget import (
    Amount,
    Budget,
    BudgetKey,
    BudgetRefusal,
    Spender,
    UsageCell,
    raise_limits,
    shortage,
    strictest,
)
from dataagent_core.usage.tokens import TokenUsage

GroupBy = Literal["day", "user", "project", "tenant", "model", "session", "run"]
# Rolled-up days can still be grouped by these.
_COARSE: frozenset[GroupBy] = frozenset({"day", "user", "project", "tenant", "model"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CallUse:
    """What one call used."""

    tokens: TokenUsage
    cost_nano: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """The worst case of a call to `model` (`provider:name`, empty if unknown).

    `budgets` are those it was reserved in, none if none apply.
    """

    reservation_id: str
    spender: Spender
    worst: Amount
    moment: datetime
    model: str = ""
    budgets: tuple[Budget, ...] = ()

    @classmethod
    def of(
        cls,
        spender: Spender,
        worst: Amount,
        moment: datetime,
        budgets: Iterable[Budget],
        model: str,
    ) -> Self:
        """Make a new reservation; the store decides whether it fits."""
        return cls(
            reservation_id=new_id(),
            spender=spender,
            worst=worst,
            moment=moment,
            model=model[:USAGE_MODEL_CHARS_MAX],
            budgets=tuple(budgets),
        )


@dataclass(frozen=True, slots=True)
class BudgetUse:
    """What is used of a budget; `warn` is set once per period, when most of it is used."""

    budget: Budget
    used: Amount
    warn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """A sum of calls. `cost_nano` is the known cost; calls without a price are counted apart."""

    calls: int = 0
    unpriced_calls: int = 0
    tokens: TokenUsage = field(default_factory=TokenUsage)
    cost_nano: int = 0

    @property
    def known_cost_nano(self) -> int | None:
        """The cost, unless a part of it is unknown."""
        return None if self.unpriced_calls else self.cost_nano

    def plus(self, use: CallUse) -> "Total":
        """Count one more call."""
        return Total(
            calls=self.calls + 1,
            unpriced_calls=self.unpriced_calls + (use.cost_nano is None),
            tokens=self.tokens + use.tokens,
            cost_nano=self.cost_nano + (use.cost_nano or 0),
        )

    def __add__(self, other: "Total") -> "Total":
        return Total(
            calls=self.calls + other.calls,
            unpriced_calls=self.unpriced_calls + other.unpriced_calls,
            tokens=self.tokens + other.tokens,
            cost_nano=self.cost_nano + other.cost_nano,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageQuery:
    """Which calls to sum, and how to group them; days are UTC, as 2026-11-15, both included."""

    by: GroupBy = "day"
    since: str | None = None
    until: str | None = None
    user_id: str | None = None
    project_id: str | None = None
    session_id: str | None = None
    run_id: str | None = None
    # Only rows whose name comes after this one: the next page.
    after: str | None = None
    limit: int = USAGE_ROWS_MAX

    @property
    def is_coarse(self) -> bool:
        """Whether days that were rolled up count in it."""
        return self.by in _COARSE and self.session_id is None and self.run_id is None


@dataclass(frozen=True, slots=True)
class UsageRow:
    """One line of a report; the name is empty for calls without user, project or model."""

    name: str
    total: Total


class UsageStore(ABC):
    """Counts one tenant's usage and stores its budgets."""

    @abstractmethod
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
        """Reserve a call's worst case in every budget that applies; if one is full, in none.

        `budgets` apply besides the store's own; `extra` is what a person approved for this run
        beyond them, by `str(key)`.
        """

    @abstractmethod
    async def settle(self, reservation: Reservation, use: CallUse) -> list[BudgetUse]:
        """Replace a reservation by what the call used, and return the state of its budgets.

        A reservation that is gone (settled, released, or past its lease) counts nothing more.
        """

    @abstractmethod
    async def release(self, reservation: Reservation) -> None:
        """Release a reservation: the call was not made, or failed."""

    @abstractmethod
    async def report(self, query: UsageQuery) -> list[UsageRow]:
        """Sum the usage; the rows are sorted by name."""

    @abstractmethod
    async def roll_up(self, before: str) -> int:
        """Sum the usage before a day (UTC) per day, user, project and model.

        Sums by day, user, project, tenant and model stay the same; runs and sessions of those days
        can no longer be distinguished. Counters of ended periods are removed. Returns the number of
        rows that were summed.
        """

    @abstractmethod
    async def used(self, keys: Sequence[BudgetKey], moment: datetime) -> dict[BudgetKey, Amount]:
        """Return what is used or reserved of budgets in the periods of a time."""

    @abstractmethod
    async def budgets(self) -> list[Budget]:
        """List the store's own budgets."""

    @abstractmethod
    async def set_budget(self, budget: Budget) -> None:
        """Make or change a budget of a user, a project or the tenant."""

    @abstractmethod
    async def remove_budget(self, key: BudgetKey) -> bool:
        """Remove a budget; false if there is none."""

    async def total_of_run(self, run_id: str) -> Total:
        """Add up one run, also of its earlier attempts."""
        rows = await self.report(UsageQuery(by="run", run_id=run_id))
        return rows[0].total if rows else Total()


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetHold:
    """A counter: what is used, and what is promised to calls under way."""

    used_tokens: int = 0
    used_cost_nano: int = 0
    held_tokens: int = 0
    held_cost_nano: int = 0

    @property
    def used(self) -> Amount:
        """What settled calls used."""
        return Amount(self.used_tokens, self.used_cost_nano)

    @property
    def reserved(self) -> Amount:
        """What calls under way may use."""
        return Amount(self.held_tokens, self.held_cost_nano)

    @property
    def amount(self) -> Amount:
        """What is used and reserved together."""
        return Amount(
            self.used_tokens + self.held_tokens, self.used_cost_nano + self.held_cost_nano
        )

    def holding(self, worst: Amount, *, sign: int = 1) -> "BudgetHold":
        """Reserve an amount, or with a sign of -1 release it."""
        return replace(
            self,
            held_tokens=self.held_tokens + sign * worst.tokens,
            held_cost_nano=self.held_cost_nano + sign * (worst.cost_nano or 0),
        )

    def using(self, use: CallUse) -> "BudgetHold":
        """Add what a call used."""
        return replace(
            self,
            used_tokens=self.used_tokens + use.tokens.total,
            used_cost_nano=self.used_cost_nano + (use.cost_nano or 0),
        )


def select_budgets(
    cells: Sequence[UsageCell], budgets: Sequence[Budget], extra: Mapping[str, Amount]
) -> dict[BudgetKey, Budget]:
    """Select the budgets that a call counts in, raised by what a person approved."""
    keys = {cell.key for cell in cells}
    applicable = strictest(budget for budget in budgets if budget.key in keys)
    limits = {key: raise_limits(budget, extra) for key, budget in applicable.items()}
    return {
        key: budget
        for key, budget in limits.items()
        if (budget.cost_nano_max, budget.tokens_max) != (None, None)
    }


def check_budgets(
    limits: Mapping[BudgetKey, Budget], counters: Mapping[UsageCell, BudgetHold], worst: Amount
) -> BudgetRefusal | None:
    """Return the budgets that a call does not fit into."""
    shortages = [
        found
        for cell, held in counters.items()
        if cell.key in limits
        and (found := shortage(limits[cell.key], held.used, worst, held.reserved)) is not None
    ]
    return BudgetRefusal(tuple(shortages)) if shortages else None


def budget_use_of(budget: Budget, held: BudgetHold, *, warned: bool) -> BudgetUse:
    """Return what is used of a budget, and whether to warn of it now."""
    pairs = (
        (budget.cost_nano_max, held.used_cost_nano),
        (budget.tokens_max, held.used_tokens),
    )
    is_nearly_used = any(
        limit is not None and used >= limit * BUDGET_WARN_SHARE for limit, used in pairs
    )
    return BudgetUse(budget, held.used, warn=is_nearly_used and not warned)


def spent_in_full(reservation: Reservation) -> CallUse:
    """Return the worst case of an unsettled reservation as used: the call may have been made."""
    return CallUse(
        tokens=TokenUsage(input=reservation.worst.tokens), cost_nano=reservation.worst.cost_nano
    )
