"""What model calls use: tokens and money of a call, budgets, and the store for both.

`tokens.py` and `call_price.py` measure a call, `budget.py` defines a limit, `usage_store.py` is the
port of the store (`memory_usage.py` here, `session/stores/sql/usage_store.py` in a database), and
`account.py` is what a run holds. The engine asks a person at a limit.
"""

from dataagent_core.usage.account import RunAccount
from dataagent_core.usage.budget import (
    Amount,
    Budget,
    BudgetKey,
    BudgetRefusal,
    Period,
    Scope,
    Shortage,
    Spender,
)
from dataagent_core.usage.call_price import CallPrice, price_of
from dataagent_core.usage.memory_usage import MemoryUsageStore
from dataagent_core.usage.tokens import TokenUsage, tokens_of
from dataagent_core.usage.usage_store import (
    BudgetUse,
    CallUse,
    Reservation,
    Total,
    UsageQuery,
    UsageRow,
    UsageStore,
)

__all__ = [
    "Amount",
    "Budget",
    "BudgetKey",
    "BudgetRefusal",
    "BudgetUse",
    "CallPrice",
    "CallUse",
    "MemoryUsageStore",
    "Period",
    "Reservation",
    "RunAccount",
    "Scope",
    "Shortage",
    "Spender",
    "TokenUsage",
    "Total",
    "UsageQuery",
    "UsageRow",
    "UsageStore",
    "price_of",
    "tokens_of",
]
