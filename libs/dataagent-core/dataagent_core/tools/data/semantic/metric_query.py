"""A question to the semantic layer: which metrics, by which dimensions, of which rows."""

from dataclasses import dataclass
from typing import Literal

from dataagent_core.tools.data.semantic.time_grain import TimeGrain

FilterOperator = Literal[
    "=", "!=", "<", "<=", ">", ">=", "in", "not in", "between", "like", "is null"
]
Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Rows that count: a dimension, how it is compared, and with what."""

    dimension: str
    op: FilterOperator
    value: Scalar | list[Scalar] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricQuery:
    """Which metrics, by which dimensions, of which rows."""

    metrics: tuple[str, ...]
    dimensions: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    grain: TimeGrain | None = None
    # Rows of the answer, the largest first metric first; without it all, by the dimensions.
    top: int | None = None
