"""Which budgets a book may keep, as a check of what people send. Pure."""

from dataagent_core.errors import ValidationError
from dataagent_core.usage.budget import Budget

# Fits every database's largest integer with room to add to it.
LIMIT_MAX = 2**62


def checked_budget(budget: Budget) -> Budget:
    """Return the budget if it can be kept, or say why not."""
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
