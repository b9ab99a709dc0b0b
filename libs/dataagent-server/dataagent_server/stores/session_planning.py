"""How the runs of a session plan (S2 §13's columns), and what a message says of it. Pure.

`agent_mode` is the loop of S3. How much the agent does by itself (ask, plan, auto) is in the log.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from dataagent_core.planning.plan_terms import Loop

# What the columns are called in a message.
_NAMES: Final = {
    "agent_mode": "loop",
    "enable_workflow_learning": "learn",
    "max_concurrent_steps": "max_concurrent_steps",
    "planning_timeout_ms": "planning_timeout_ms",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningColumns:
    """The columns; a session that nobody changed has these defaults."""

    agent_mode: Loop = "react"
    enable_workflow_learning: bool = True
    max_concurrent_steps: int = 5
    planning_timeout_ms: int = 5_000


PLANNING_COLUMNS: Final = tuple(field.name for field in fields(PlanningColumns))


def chosen_columns(columns: PlanningColumns) -> dict[str, Any]:
    """Return those that are not the default."""
    return {
        field.name: value
        for field in fields(PlanningColumns)
        if (value := getattr(columns, field.name)) != field.default
    }


def merge_planning(session: PlanningColumns, message: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a message is planned: what it says itself, above what its session says."""
    chosen = chosen_columns(session)
    said = {name: chosen[column] for column, name in _NAMES.items() if column in chosen}
    return said | dict(message)
