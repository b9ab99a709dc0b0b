"""Whose account a run has, and what the settings let it use."""

from dataclasses import dataclass

from dataagent_core.config import Settings
from dataagent_core.engine.config import AgentConfig
from dataagent_core.session import Run
from dataagent_core.usage import Budget, BudgetKey, RunAccount, Spender, UsageBook
from dataagent_core.usage.amount import nano_of

# A library user need not name anybody; a budget needs a name to count under.
_NOBODY = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """Who an agent works for, and the limits of the settings."""

    tenant_id: str = _NOBODY
    user_id: str | None = None
    project_id: str | None = None
    run: Budget | None = None
    # For one person, whatever runs they have.
    day: Budget | None = None
    month: Budget | None = None

    def account(self, run: Run, book: UsageBook) -> RunAccount:
        """Open the account of a run."""
        spender = Spender(
            tenant_id=self.tenant_id,
            run_id=run.run_id,
            session_id=run.session_id,
            user_id=self.user_id,
            project_id=self.project_id,
        )
        return RunAccount(spender=spender, book=book, budgets=self._budgets(run.run_id))

    def _budgets(self, run_id: str) -> list[Budget]:
        key = BudgetKey("run", run_id, "run")
        own = self.run and Budget(
            key=key, cost_nano_max=self.run.cost_nano_max, tokens_max=self.run.tokens_max
        )
        return [budget for budget in (own, self.day, self.month) if budget is not None]


def limits_of(config: AgentConfig, settings: Settings) -> RunLimits:
    """Read the limits of an agent's runs."""
    user_id = config.user_id or _NOBODY
    return RunLimits(
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
    )


def _budget(key: BudgetKey, cost_usd: float | None, tokens: int | None) -> Budget | None:
    if cost_usd is None and tokens is None:
        return None
    cost = None if cost_usd is None else nano_of(cost_usd)
    return Budget(key=key, cost_nano_max=cost, tokens_max=tokens)
