"""Whether a call fits into all its budgets, and when a person is warned. Pure; for every store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dataagent_core.config.limits import BUDGET_WARN_SHARE
from dataagent_core.usage.budget import (
    Amount,
    Budget,
    BudgetKey,
    BudgetRefusal,
    raise_limits,
    shortage,
    strictest,
)
from dataagent_core.usage.spender import UsageCell
from dataagent_core.usage.tokens import TokenUsage
from dataagent_core.usage.usage_store import BudgetUse, CallUse, Reservation


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetHold:
    """A counter: what is used, and what is promised to calls under way."""

    used_tokens: int = 0
    used_cost_nano: int = 0
    held_tokens: int = 0
    held_cost_nano: int = 0

    @property
    def amount(self) -> Amount:
        """Both together, as a new call finds them."""
        return Amount(
            self.used_tokens + self.held_tokens, self.used_cost_nano + self.held_cost_nano
        )

    def holding(self, worst: Amount, *, sign: int = 1) -> "BudgetHold":
        """Promise an amount, or with a sign of -1 take the promise back."""
        return replace(
            self,
            held_tokens=self.held_tokens + sign * worst.tokens,
            held_cost_nano=self.held_cost_nano + sign * (worst.cost_nano or 0),
        )

    def using(self, use: CallUse) -> "BudgetHold":
        """Count a call."""
        return replace(
            self,
            used_tokens=self.used_tokens + use.tokens.total,
            used_cost_nano=self.used_cost_nano + (use.cost_nano or 0),
        )


def applying_budgets(
    cells: Sequence[UsageCell], budgets: Sequence[Budget], extra: Mapping[str, Amount]
) -> dict[BudgetKey, Budget]:
    """Choose the budgets that a call counts in, raised by what a person allowed."""
    keys = {cell.key for cell in cells}
    mine = strictest(budget for budget in budgets if budget.key in keys)
    limits = {key: raise_limits(budget, extra) for key, budget in mine.items()}
    return {
        key: budget
        for key, budget in limits.items()
        if (budget.cost_nano_max, budget.tokens_max) != (None, None)
    }


def check_budgets(
    limits: Mapping[BudgetKey, Budget], counters: Mapping[UsageCell, BudgetHold], worst: Amount
) -> BudgetRefusal | None:
    """Say which budgets a call does not fit into."""
    shortages = [
        found
        for cell, held in counters.items()
        if cell.key in limits
        and (found := shortage(limits[cell.key], held.amount, worst)) is not None
    ]
    return BudgetRefusal(tuple(shortages)) if shortages else None


def budget_use_of(budget: Budget, held: BudgetHold, *, warned: bool) -> BudgetUse:
    """Say what is used of a budget, and whether to warn of it now."""
    pairs = (
        (budget.cost_nano_max, held.used_cost_nano),
        (budget.tokens_max, held.used_tokens),
    )
    most = any(limit is not None and used >= limit * BUDGET_WARN_SHARE for limit, used in pairs)
    used = Amount(held.used_tokens, held.used_cost_nano)
    return BudgetUse(budget, used, warn=most and not warned)


def spent_in_full(reservation: Reservation) -> CallUse:
    """Take what nobody settled for spent: a process that died may have made the call."""
    return CallUse(
        tokens=TokenUsage(input=reservation.worst.tokens), cost_nano=reservation.worst.cost_nano
    )
