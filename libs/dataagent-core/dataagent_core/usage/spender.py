"""The owner of a call, and the counters that the call counts in. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from dataagent_core.usage.budget import BudgetKey, Period, Scope


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
