"""Computes the chance that a wrong figure matches: a match proves something only if it is small.

In a result of 50 x 3, nearly half of all whole numbers and every percentage are the sum, ratio or
difference of something. So a match counts only if at most a small share of all figures of the same
size and precision would match too. How small depends on other evidence: the words name the row, or
claim a total.
"""

from collections.abc import Iterable
from decimal import Decimal

from dataagent_core.tools.data.receipts.figures.figure import Figure
from dataagent_core.tools.data.receipts.figures.units import find_conversion
from dataagent_core.tools.data.receipts.result_values.numeric_column import NumericColumn

# The row is named, or there is only one; or the words claim the very aggregate.
NAMED_SHARE_MAX = 0.35
# Two rows are named, and their difference is claimed.
PAIR_SHARE_MAX = 0.1
# Nothing but the number itself speaks for it.
BARE_SHARE_MAX = 0.03
# The number, and the name of its column.
BARE_SHARE_OF_COLUMN_MAX = 0.05
# A citation names the result, but does not spell the ratio out.
CITED_RATIO_SHARE_MAX = 0.01
# An aggregate that no word claims, or a cell where the words claim an aggregate.
UNCLAIMED_SHARE_MAX = 0.001
# The digits a figure needs where only the number itself speaks.
BARE_DIGITS_MIN = 3
CLAIMED_CELL_DIGITS_MIN = 5
# Rows a result may have to be meant where no row is named and the figure has few digits.
BARE_ROWS_MAX = 20

Target = tuple[Decimal, Decimal]


def list_targets(figure: Figure, column: NumericColumn) -> list[Target]:
    """List the values that a cell of a column may have to be the figure, with tolerances."""
    factor = find_conversion(figure.unit, column.measured_in)
    if factor is None:
        return []
    value, step = figure.value * factor, figure.step * factor
    match figure.kind:
        case "number":
            # A whole number is no fraction, whatever rounds to it.
            found = [] if column.fractions and step >= 1 else [(value, step)]
            if column.unit is not None and figure.scale != 1:
                found.append((value / column.unit, step / column.unit))
        case "percent" | "points":
            found = [(value, step)] if column.in_hundreds else []
            if column.in_fractions:
                found.append((value / 100, step / 100))
        case "ratio":
            found = [(value, step)] if column.rate_named else []
    if figure.is_loss and (column.minimum or 0) < 0:
        return [(-t, s) for t, s in found]
    return [*found, *((-t, s) for t, s in found)] if figure.sign_free else found


def is_near(value: Decimal, target: Target, slack: Decimal = Decimal(0)) -> bool:
    """Say whether a value is printed as the target: within half of its last digit."""
    wanted, step = target
    return abs(value - wanted) <= step / 2 + slack * abs(value)


def compute_bounds(target: Target) -> tuple[float, float]:
    """Return the range to search, a little wider than exact."""
    wanted, step = float(target[0]), float(target[1])
    slack = 1e-9 * (abs(wanted) + step)
    return wanted - step / 2 - slack, wanted + step / 2 + slack


def compute_window(target: Target) -> tuple[float, float]:
    """Return the range of figures of the same size."""
    size = float(target[0])
    return (size / 2, size * 2) if size > 0 else (size * 2, size / 2)


def count_figures_in_window(target: Target) -> float:
    """Count the figures of the same size that can be printed as exactly."""
    low, high = compute_window(target)
    return max(1.0, (high - low) / float(target[1]))


def compute_share(target: Target, values: Iterable[Decimal]) -> float:
    """Return the share of such figures that would match one of these values."""
    return _count_matches(target, values) / count_figures_in_window(target)


def compute_share_of_others(target: Target, values: Iterable[Decimal]) -> float:
    """Return the share for the values other than the target."""
    return max(0, _count_matches(target, values) - 1) / count_figures_in_window(target)


def _count_matches(target: Target, values: Iterable[Decimal]) -> int:
    low, high = compute_window(target)
    return len({round(value / target[1]) for value in values if low <= value <= high})


def compute_share_of_columns(figure: Figure, columns: Iterable[NumericColumn]) -> float:
    """Return the share of such figures that would match a cell of these columns."""
    share = 0.0
    for column in columns:
        for target in list_targets(figure, column):
            if not target[0]:
                return 1.0  # nothing is of the size of zero
            # "390.00" of whole numbers is no more exact than 390.
            step = max(target[1], Decimal(1)) if column.is_whole else target[1]
            share += column.distinct_between(*compute_window(target)) / count_figures_in_window(
                (target[0], step)
            )
    return share
