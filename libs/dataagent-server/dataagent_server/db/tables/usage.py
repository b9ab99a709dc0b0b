"""The use of models: what was used, what is limited, what is held for calls under way."""

from dataagent_core.session.stores.sql.tables import (
    BUDGET_COUNTERS,
    BUDGET_RESERVATIONS,
    BUDGETS,
    USAGE,
    USAGE_DAYS,
)
from dataagent_server.db.tables.shared_table import shared_table

usage = shared_table(USAGE)
usage_days = shared_table(USAGE_DAYS)
budgets = shared_table(BUDGETS)
budget_counters = shared_table(BUDGET_COUNTERS)
budget_reservations = shared_table(BUDGET_RESERVATIONS)
