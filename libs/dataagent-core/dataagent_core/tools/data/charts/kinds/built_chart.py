"""A spec as it was built, its rows, and what must be said about it."""

from dataclasses import dataclass, field
from typing import Any

from dataagent_core.config.limits.data import CHART_ROWS_MAX


@dataclass(slots=True)
class BuiltChart:
    """A spec without the theme, and what must be said about it."""

    title: str
    rows: list[dict[str, Any]]
    spec: dict[str, Any]
    notes: list[str] = field(default_factory=list[str])
    # What somebody who has only the picture must know.
    subtitle: str | None = None


def sample_rows(
    rows: list[dict[str, Any]], notes: list[str]
) -> tuple[list[dict[str, Any]], list[str]]:
    """Keep at most as many rows as a chart draws, evenly spaced, and say so."""
    if len(rows) <= CHART_ROWS_MAX:
        return rows, notes
    step = len(rows) / CHART_ROWS_MAX
    some = [rows[int(n * step)] for n in range(CHART_ROWS_MAX)]
    note = (
        f"drawn from {CHART_ROWS_MAX:,} of {len(rows):,} rows, evenly spaced; aggregate in the "
        "query to see all"
    )
    return some, [*notes, note]
