"""A query of the semantic model: metrics, by dimensions, of filtered rows."""

from dataclasses import dataclass
from typing import Literal

from dataagent_core.tools.data.semantic.time_grain import TimeGrain

FilterOperator = Literal[
    "=", "!=", "<", "<=", ">", ">=", "in", "not in", "between", "like", "is null"
]
Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A condition on a dimension."""

    dimension: str
    op: FilterOperator
    value: Scalar | list[Scalar] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricQuery:
    """The metrics, dimensions and filters of one query."""

    metrics: tuple[str, ...]
    dimensions: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    grain: TimeGrain | None = None
    # Return this many rows, sorted by the first metric, descending; None returns all rows.
    top: int | None = None
