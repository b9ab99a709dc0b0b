"""The account and the limits of a run, from the configuration and the settings."""

from dataclasses import dataclass, replace

from dataagent_core.config import Settings
from dataagent_core.config.limits import DOOM_LOOP_CALLS, DOOM_LOOP_WINDOW_S
from dataagent_core.engine.config import AgentConfig
from dataagent_core.session import Run
from dataagent_core.usage import Budget, BudgetKey, RunAccount, Spender, UsageStore
from dataagent_core.usage.budget import nano_of

# A budget needs an id to count under, also when the configuration names no tenant or user.
_DEFAULT_ID = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLimits:
    """The tenant, user and project of an agent, and the limits of the settings."""

    tenant_id: str = _DEFAULT_ID
    user_id: str | None = None
    project_id: str | None = None
    run: Budget | None = None
    # For all runs of one user.
    day: Budget | None = None
    month: Budget | None = None
    # So many equal calls within so many seconds are a loop.
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
    user_id = config.user_id or _DEFAULT_ID
    return AgentLimits(
        tenant_id=config.tenant_id or _DEFAULT_ID,
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
