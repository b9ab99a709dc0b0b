"""Whose account a run has, and what the settings let it use."""

from dataclasses import dataclass, replace

from dataagent_core.config import Settings
from dataagent_core.config.limits import DOOM_LOOP_CALLS, DOOM_LOOP_WINDOW_S
from dataagent_core.engine.config import AgentConfig
from dataagent_core.session import Run
from dataagent_core.usage import Budget, BudgetKey, RunAccount, Spender, UsageStore
from dataagent_core.usage.budget import nano_of

# A library user need not name anybody; a budget needs a name to count under.
_NOBODY = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLimits:
    """Who an agent works for, and the limits of the settings."""

    tenant_id: str = _NOBODY
    user_id: str | None = None
    project_id: str | None = None
    run: Budget | None = None
    # For one person, whatever runs they have.
    day: Budget | None = None
    month: Budget | None = None
    # How many equal calls within how many seconds are a loop.
    loop_calls: int = DOOM_LOOP_CALLS
    loop_window_s: float = DOOM_LOOP_WINDOW_S

    def account(self, run: Run, book: UsageStore) -> RunAccount:
        """Open the account of a run."""
        spender = Spender(
            tenant_id=self.tenant_id,
            run_id=run.run_id,
            session_id=run.session_id,
            user_id=self.user_id,
            project_id=self.project_id,
        )
        own = self.run and replace(self.run, key=BudgetKey("run", run.run_id, "run"))
        budgets = [budget for budget in (own, self.day, self.month) if budget is not None]
        return RunAccount(spender=spender, book=book, budgets=budgets)


def read_limits(config: AgentConfig, settings: Settings) -> AgentLimits:
    """Read the limits of an agent's runs."""
    user_id = config.user_id or _NOBODY
    return AgentLimits(
        tenant_id=config.tenant_id or _NOBODY,
        user_id=user_id,
        project_id=config.project_id,
        run=_budget(BudgetKey("run", "", "run"), settings.run_cost_max, settings.run_tokens_max),
        day=_budget(
            BudgetKey("user", user_id, "day"), settings.day_cost_max, settings.day_tokens_max
        ),
        month=_budget(
            BudgetKey("user", user_id, "month"), settings.month_cost_max, settings.month_tokens_max
        ),
        loop_calls=settings.doom_loop_threshold,
        loop_window_s=settings.doom_loop_window,
    )


def _budget(key: BudgetKey, cost_usd: float | None, tokens: int | None) -> Budget | None:
    if cost_usd is None and tokens is None:
        return None
    cost = None if cost_usd is None else nano_of(cost_usd)
    return Budget(key=key, cost_nano_max=cost, tokens_max=tokens)
