"""Groups rows by time and category, so that a chart covers all rows and draws few marks."""

import calendar
import datetime as dt
import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dataagent_core.config.limits.data import CHART_BINS_MAX, CHART_TIMES_MAX
from dataagent_core.tools.data.charts.chart_model import Aggregate, ChartGrain

# From fine to coarse.
_GRAINS: tuple[ChartGrain, ...] = ("hour", "day", "week", "month", "quarter", "year")
_COARSE: tuple[ChartGrain, ...] = ("year", "quarter", "month")
_TOGETHER: Mapping[Aggregate, Callable[[list[float]], float]] = {
    "sum": math.fsum,
    "mean": statistics.fmean,
    "median": statistics.median,
    "min": min,
    "max": max,
    "count": len,
}
# Aggregates that can be summed again, so that the rest can be gathered as "other".
ADDITIVE_AGGREGATES: frozenset[Aggregate] = frozenset({"sum", "count"})

GroupKey = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class GroupedRows:
    """A value for each key, and whether several rows share one."""

    values: dict[GroupKey, float]
    had_repeats: bool


def group_rows(
    keys: Iterable[GroupKey], numbers: Sequence[Any] | None, how: Aggregate
) -> GroupedRows:
    """Aggregate the numbers of each key; without numbers, count the rows."""
    piles: dict[GroupKey, list[float]] = defaultdict(list)
    for row, key in enumerate(keys):
        number = 1.0 if numbers is None else numbers[row]
        if number is not None and None not in key[:1]:
            piles[key].append(number)
    together = _TOGETHER["count" if numbers is None else how]
    values = {key: _round_float(together(pile)) for key, pile in piles.items()}
    return GroupedRows(values, any(len(pile) > 1 for pile in piles.values()))


def floor_time(time: str | None, grain: ChartGrain) -> str | None:
    """Move a time back to the beginning of its year, quarter, month, week, day or hour."""
    if time is None:
        return None
    at = dt.datetime.fromisoformat(time).replace(minute=0, second=0)
    match grain:
        case "hour":
            pass
        case "day":
            at = at.replace(hour=0)
        case "week":
            at = at.replace(hour=0) - dt.timedelta(days=at.weekday())
        case "month":
            at = at.replace(day=1, hour=0)
        case "quarter":
            at = at.replace(month=at.month - (at.month - 1) % 3, day=1, hour=0)
        case "year":
            at = at.replace(month=1, day=1, hour=0)
    return at.isoformat(timespec="seconds")


def choose_grain(times: Iterable[str | None]) -> ChartGrain | None:
    """Choose the finest grain with few enough points; None if they are few already."""
    distinct = {time for time in times if time is not None}
    if len(distinct) <= CHART_TIMES_MAX:
        return None
    for grain in _GRAINS:
        if len({floor_time(time, grain) for time in distinct}) <= CHART_TIMES_MAX:
            return grain
    return "year"


def find_natural_grain(times: Iterable[str]) -> ChartGrain:
    """Find the coarsest grain of which all times are the first or last day."""
    distinct = set(times)
    for grain in _COARSE:
        if all(floor_time(time, grain) == time for time in distinct):
            return grain
    if all(_is_month_end(time) for time in distinct):
        return "month"
    return "day" if all(time.endswith("T00:00:00") for time in distinct) else "hour"


def _is_month_end(time: str) -> bool:
    at = dt.datetime.fromisoformat(time)
    return time.endswith("T00:00:00") and at.day == calendar.monthrange(at.year, at.month)[1]


@dataclass(frozen=True, slots=True)
class ShownNames:
    """The names that are shown, the greatest first, and the number of the others."""

    names: tuple[Any, ...]
    left_out: int


def choose_greatest(totals: Mapping[Any, float], names_max: int) -> ShownNames:
    """Choose the names with the greatest totals, whatever their sign."""
    ranked = sorted(totals, key=lambda name: (-abs(totals[name]), str(name)))
    if len(ranked) <= names_max:
        return ShownNames(tuple(ranked), 0)
    return ShownNames(tuple(ranked[:names_max]), len(ranked) - names_max)


@dataclass(frozen=True, slots=True)
class HistogramBin:
    """How many values lie from `start` up to `end`."""

    start: float
    end: float
    count: int


def count_bins(values: Sequence[float]) -> list[HistogramBin]:
    """Count values in round, equally wide steps."""
    low, high = min(values), max(values)
    wanted = min(CHART_BINS_MAX, max(5, math.ceil(math.sqrt(len(values)))))
    step = _round_step((high - low) / wanted) if high > low else 1.0
    first = math.floor(low / step)
    counts: dict[int, int] = defaultdict(int)
    for value in values:
        counts[math.floor(value / step)] += 1
    last = max(counts)
    return [
        HistogramBin(_round_float(n * step), _round_float((n + 1) * step), counts.get(n, 0))
        for n in range(first, last + 1)
    ]


def _round_step(step: float) -> float:
    power = 10.0 ** math.floor(math.log10(step))
    return next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= step)


def _round_float(number: float) -> float:
    """Drop the rounding errors of floating point."""
    tidy = float(f"{number:.12g}")
    return int(tidy) if tidy.is_integer() and abs(tidy) < 2**53 else tidy
