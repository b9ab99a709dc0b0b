"""Figures beside their baselines and beside what is on record. Pure.

A ratio is ours divided by the baseline's, of the same run: less is better in every row. The record
is `recorded.json`, the only place where the figures to hold are; it changes only on purpose.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WORSE = 1.10


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was measured, of ours and of the baseline."""

    key: str
    text: str
    ours: float
    baseline_text: str
    baseline: float

    @property
    def ratio(self) -> float:
        """How many times the baseline ours is."""
        return self.ours / self.baseline


Recorded = Mapping[str, float]


def change(figure: Figure, recorded: Recorded) -> float | None:
    """Say how many times the recorded ratio this one is; `None` if none is on record."""
    before = recorded.get(figure.key)
    return None if before is None else figure.ratio / before


def table(figures: Sequence[Figure], recorded: Recorded) -> str:
    rows = [
        "| figure | ours | baseline | | ratio | recorded | change |",
        "|---|--:|---|--:|--:|--:|--:|",
    ]
    for one in figures:
        before, by = recorded.get(one.key), change(one, recorded)
        rows.append(
            f"| {one.text} | {_digits(one.ours)} | {one.baseline_text} | {_digits(one.baseline)} "
            f"| **{one.ratio:.2f}** | {'' if before is None else f'{before:.2f}'} "
            f"| {'' if by is None else f'{by - 1:+.0%}'}{' **worse**' if is_worse(by) else ''} |"
        )
    return "\n".join(rows)


def _digits(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def is_worse(by: float | None) -> bool:
    return by is not None and by > WORSE


def warnings(figures: Sequence[Figure], recorded: Recorded) -> list[str]:
    """Name the figures that are clearly worse than on record."""
    return [
        f"{one.text}: {one.ratio:.2f} of {one.baseline_text}, recorded {recorded[one.key]:.2f} "
        f"({by - 1:+.0%})"
        for one in figures
        if (by := change(one, recorded)) is not None and is_worse(by)
    ]
