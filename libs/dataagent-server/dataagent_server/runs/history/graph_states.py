"""A run's state in LangGraph's tables: a thread is a run, its newest state counts."""

from functools import cache
from typing import Any, Final

from sqlalchemy import ScalarSelect, column, func, select, table

# The library's savers name the table of states; MySQL's is ours.
STATES_TABLES: Final = {
    "sqlite": "checkpoints",
    "postgresql": "checkpoints",
    "mysql": "graph_checkpoints",
}


@cache
def newest_state(dialect: str, run_id: Any) -> ScalarSelect[Any]:
    """Select the id of a run's newest state; `run_id` is a column or a parameter of the query."""
    states = table(
        STATES_TABLES[dialect],
        column("thread_id"),
        column("checkpoint_ns"),
        column("checkpoint_id"),
    ).c
    newest = select(func.max(states.checkpoint_id)).where(
        states.thread_id == run_id, states.checkpoint_ns == ""
    )
    return newest.scalar_subquery()
