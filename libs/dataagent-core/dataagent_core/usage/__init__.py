"""What model calls use: tokens and money of one call, budgets, and the book that keeps both.

`tokens.py` and `pricing.py` measure a call, `budget.py` says what a limit is, `book.py` is the port
of the store (`memory.py` here, `session/stores/sql/usage_book.py` in a database), and
`account.py` is what a run holds. Asking a person at a limit is the engine's.
"""

from dataagent_core.usage.account import RunAccount
from dataagent_core.usage.amount import Amount
from dataagent_core.usage.book import (
    BudgetUse,
    CallUse,
    Reservation,
    Total,
    UsageBook,
    UsageQuery,
    UsageRow,
)
from dataagent_core.usage.budget import Budget, BudgetKey, Period, Refused, Scope, Shortage
from dataagent_core.usage.memory import MemoryUsageBook
from dataagent_core.usage.pricing import Pricing, pricing_of
from dataagent_core.usage.spender import Spender
from dataagent_core.usage.tokens import Tokens, tokens_of

__all__ = [
    "Amount",
    "Budget",
    "BudgetKey",
    "BudgetUse",
    "CallUse",
    "MemoryUsageBook",
    "Period",
    "Pricing",
    "Refused",
    "Reservation",
    "RunAccount",
    "Scope",
    "Shortage",
    "Spender",
    "Tokens",
    "Total",
    "UsageBook",
    "UsageQuery",
    "UsageRow",
    "pricing_of",
    "tokens_of",
]
