"""Budgets, and whether an amount fits into all that apply. Pure.

A budget limits one scope (run, user, project, tenant) in one period, in tokens or money. Money is
in whole nano-dollars, so that sums are exact in every database. A call without a known price does
not count against a limit of money, but against limits of tokens. `check_budget` validates the
budgets that users send. `cells_of` lists the counters that a call counts in.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import ROUND_CEILING, Decimal
from typing import Literal

from dataagent_core.config.limits import BUDGET_RAISE_SHARE
from dataagent_core.errors import ValidationError

NANO_PER_USD = 1_000_000_000
# Below the largest integer of every database, so that sums fit too.
LIMIT_MAX = 2**62


@dataclass(frozen=True, slots=True)
class Amount:
    """Tokens, and what they cost; an unknown price is `None`, never 0."""

    tokens: int = 0
    cost_nano: int | None = 0


def nano_of(usd: Decimal | float) -> int:
    """Convert dollars to nano-dollars, rounded up."""
    return int((Decimal(str(usd)) * NANO_PER_USD).to_integral_value(ROUND_CEILING))


def usd_of(nano: int | None) -> float | None:
    """Convert nano-dollars to dollars."""
    return None if nano is None else nano / NANO_PER_USD


Scope = Literal["run", "user", "project", "tenant"]
# A run has one budget for all of its life; the others begin anew each day or month, in UTC.
Period = Literal["run", "day", "month"]


@dataclass(frozen=True, slots=True)
class BudgetKey:
    """The key of a budget: its scope and period."""

    scope: Scope
    scope_id: str
    period: Period

    def __str__(self) -> str:
        return f"{self.scope}:{self.scope_id}:{self.period}"

    @property
    def in_words(self) -> str:
        """Its name for a person."""
        match self.period:
            case "run":
                return "the budget of this run"
            case "day" | "month":
                whose = {"user": "your", "project": "the project's", "tenant": "the organisation's"}
                return f"{whose.get(self.scope, 'the')} budget for this {self.period}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """A limit of money, of tokens, or of both."""

    key: BudgetKey
    cost_nano_max: int | None = None
    tokens_max: int | None = None


@dataclass(frozen=True, slots=True)
class Shortage:
    """A budget that an amount does not fit into, and what is missing.

    `used` is settled; `reserved` is what calls under way may use besides.
    """

    budget: Budget
    used: Amount
    asked: Amount
    missing: Amount
    reserved: Amount = Amount()

    @property
    def step(self) -> Amount:
        """What an approval adds: enough for this call, and a share of the budget for later ones."""
        return Amount(
            _step(self.budget.tokens_max, self.missing.tokens),
            _step(self.budget.cost_nano_max, self.missing.cost_nano or 0),
        )

    def __str__(self) -> str:
        parts: list[str] = []
        if self.budget.cost_nano_max is not None:
            used, limit = usd_of(self.used.cost_nano or 0), usd_of(self.budget.cost_nano_max)
            parts.append(f"{used:.4f} of {limit:.4f} USD")
        if self.budget.tokens_max is not None:
            parts.append(f"{self.used.tokens:,} of {self.budget.tokens_max:,} tokens")
        text = f"{self.budget.key.in_words}: {' and '.join(parts)} used"
        reserved = self._render_reserved()
        return f"{text}, {reserved} reserved by calls under way" if reserved else text

    def without(self, reserved: Amount) -> "Shortage | None":
        """Return what the budget would lack without a part of what is reserved."""
        rest = Amount(
            max(self.reserved.tokens - reserved.tokens, 0),
            max((self.reserved.cost_nano or 0) - (reserved.cost_nano or 0), 0),
        )
        return shortage(self.budget, self.used, self.asked, rest)

    def _render_reserved(self) -> str:
        parts: list[str] = []
        if self.budget.cost_nano_max is not None and self.reserved.cost_nano:
            parts.append(f"{usd_of(self.reserved.cost_nano):.4f} USD")
        if self.budget.tokens_max is not None and self.reserved.tokens:
            parts.append(f"{self.reserved.tokens:,} tokens")
        return " and ".join(parts)


@dataclass(frozen=True, slots=True)
class BudgetRefusal:
    """The budgets that a call does not fit into."""

    shortages: tuple[Shortage, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.shortages))


def shortage(
    budget: Budget,
    used: Amount,
    worst: Amount,
    reserved: Amount = Amount(),  # noqa: B008 (frozen)
) -> Shortage | None:
    """Return what a budget lacks for one more call beside what is used and reserved."""
    taken_nano = (used.cost_nano or 0) + (reserved.cost_nano or 0)
    over_tokens = _excess(budget.tokens_max, used.tokens + reserved.tokens, worst.tokens)
    over_cost = (
        0 if worst.cost_nano is None else _excess(budget.cost_nano_max, taken_nano, worst.cost_nano)
    )
    if not over_tokens and not over_cost:
        return None
    return Shortage(budget, used, worst, Amount(over_tokens, over_cost), reserved)


def raise_limits(budget: Budget, extra: Mapping[str, Amount]) -> Budget:
    """Add what a person approved beyond the limit."""
    more = extra.get(str(budget.key))
    if more is None:
        return budget
    cost, tokens = budget.cost_nano_max, budget.tokens_max
    return Budget(
        key=budget.key,
        cost_nano_max=None if cost is None else cost + (more.cost_nano or 0),
        tokens_max=None if tokens is None else tokens + more.tokens,
    )


def strictest(budgets: Iterable[Budget]) -> dict[BudgetKey, Budget]:
    """Merge budgets of the same key: the lower limit holds."""
    merged: dict[BudgetKey, Budget] = {}
    for budget in budgets:
        other = merged.get(budget.key, budget)
        merged[budget.key] = Budget(
            key=budget.key,
            cost_nano_max=_lower(budget.cost_nano_max, other.cost_nano_max),
            tokens_max=_lower(budget.tokens_max, other.tokens_max),
        )
    return merged


def _excess(limit: int | None, used: int, more: int) -> int:
    return 0 if limit is None else max(used + more - limit, 0)


def _lower(one: int | None, other: int | None) -> int | None:
    known = [limit for limit in (one, other) if limit is not None]
    return min(known, default=None)


def _step(limit: int | None, missing: int) -> int:
    return 0 if limit is None else max(missing, int(limit * BUDGET_RAISE_SHARE))


def check_budget(budget: Budget) -> Budget:
    """Return the budget; raise if it is invalid."""
    if budget.key.scope == "run" or budget.key.period == "run":
        raise ValidationError(
            "a run's budget is a setting (run_cost_max, run_tokens_max); set one for a user, a "
            "project or the tenant, for a day or a month."
        )
    limits = (budget.cost_nano_max, budget.tokens_max)
    if limits == (None, None):
        raise ValidationError("a budget needs a limit of money, of tokens, or both.")
    for limit in limits:
        if limit is not None and not 0 <= limit <= LIMIT_MAX:
            raise ValidationError(f"a budget's limit is {limit}; it must be from 0 to {LIMIT_MAX}.")
    return budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Spender:
    """A run with its owner; project and user are optional."""

    tenant_id: str
    run_id: str
    session_id: str
    user_id: str | None = None
    project_id: str | None = None


@dataclass(frozen=True, slots=True)
class UsageCell:
    """One counter: a budget's key and its day or month; a run has no period."""

    key: BudgetKey
    when: str


def cells_of(spender: Spender, moment: datetime) -> Sequence[UsageCell]:
    """List the counters of a call at a time, in the order in which they are locked."""
    owners: list[tuple[Scope, str]] = [("tenant", spender.tenant_id)]
    if spender.project_id:
        owners.append(("project", spender.project_id))
    if spender.user_id:
        owners.append(("user", spender.user_id))
    periods: tuple[Period, ...] = ("month", "day")
    keys = [BudgetKey(scope, one, period) for scope, one in owners for period in periods]
    keys.append(BudgetKey("run", spender.run_id, "run"))
    return [UsageCell(key, period_of(key.period, moment)) for key in keys]


def period_of(period: Period, moment: datetime) -> str:
    """Return the day or the month of a time in UTC; empty for a run."""
    match period:
        case "run":
            return ""
        case "day":
            return day_of(moment)
        case "month":
            return moment.astimezone(UTC).strftime("%Y-%m")


def day_of(moment: datetime) -> str:
    """Return the day of a time in UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d")
