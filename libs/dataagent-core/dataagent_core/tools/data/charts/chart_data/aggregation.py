"""Aggregates the numbers of a chart: one value for each x and colour.

All rows of the result count. Notes give the number of rows without a position on the axis.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts.chart_choice import ChartChoice
from dataagent_core.tools.data.charts.chart_data.chart_frame import ChartField
from dataagent_core.tools.data.charts.chart_data.row_groups import (
    ADDITIVE_AGGREGATES,
    GroupKey,
    group_rows,
)
from dataagent_core.tools.data.charts.chart_model import Aggregate, ChartIntent
from dataagent_core.tools.data.charts.chart_names import ChartWords
from dataagent_core.tools.data.charts.chart_theme import is_share

_AVERAGED = re.compile(
    r"\bavg|average|\bmean\b|_avg|_mean|median|平均|均价|单价|中位", re.IGNORECASE
)


@dataclass(slots=True)
class AggregationResult:
    """A value for each x and colour; `measure` is their name."""

    values: dict[GroupKey, float]
    how: Aggregate
    measure: str
    # The axis shows them as percents.
    is_percent: bool = False
    notes: list[str] = field(default_factory=list[str])


def choose_default_aggregate(column: ChartField) -> Aggregate:
    """Choose the default aggregate: a rate or a mean is not summed."""
    return "mean" if is_share(column.name) or _AVERAGED.search(column.name) else "sum"


def aggregate_numbers(
    choice: ChartChoice, intent: ChartIntent, xs: Sequence[Any], words: ChartWords
) -> AggregationResult:
    """Aggregate the rows by x and colour."""
    assert choice.x is not None
    notes = _note_unplaced(choice.x, xs)
    if choice.measures:
        return _aggregate_several(choice, intent, xs, notes, words)
    colors = (
        [words.empty if cell is None else cell for cell in choice.color.cells]
        if choice.color
        else [None] * len(xs)
    )
    y = choice.y
    how = intent.aggregate or (choose_default_aggregate(y) if y else "count")
    found = group_rows(zip(xs, colors, strict=True), y.cells if y else None, how)
    _check_not_empty(found.values, choice.x)
    measure = y.name if y else words.rows
    if y and found.had_repeats:
        measure = words.measure(how, y.name)
        notes.append(_note_aggregation(y.name, how, choice))
    made = AggregationResult(found.values, how, measure, notes=notes)
    if not intent.percent or choice.kind == "pie":  # a pie writes shares beside its values
        return made
    return _convert_to_shares(made, words, is_split=choice.color is not None)


def _aggregate_several(
    choice: ChartChoice, intent: ChartIntent, xs: Sequence[Any], notes: list[str], words: ChartWords
) -> AggregationResult:
    assert choice.x is not None
    values: dict[GroupKey, float] = {}
    hows: list[Aggregate] = []
    for column in choice.measures:
        how = intent.aggregate or choose_default_aggregate(column)
        found = group_rows(((x, column.name) for x in xs), column.cells, how)
        values |= found.values
        hows.append(how)
        if found.had_repeats:
            notes.append(_note_aggregation(column.name, how, choice))
    _check_not_empty(values, choice.x)
    if intent.percent:
        notes.append("not drawn as shares: several numbers have no common whole")
    additive = all(how in ADDITIVE_AGGREGATES for how in hows)
    return AggregationResult(values, "sum" if additive else "mean", words.value, notes=notes)


def _check_not_empty(values: dict[GroupKey, float], x: ChartField) -> None:
    if not values:
        raise ValidationError(
            f"There is nothing to draw: {x.name!r} and its number are empty in every row."
        )


def _note_unplaced(x: ChartField, xs: Sequence[Any]) -> list[str]:
    """Note the rows without a position along x; an empty name counts as a name."""
    unplaced = sum(position is None for position in xs)
    return (
        [f"left out: {unplaced:,} row{'' if unplaced == 1 else 's'} without {x.name}"]
        if unplaced
        else []
    )


def _note_aggregation(name: str, how: Aggregate, choice: ChartChoice) -> str:
    shared = " and ".join(repr(f.name) for f in (choice.x, choice.color) if f)
    return f"{name} is put together ({how}) where rows share {shared}"


def _convert_to_shares(
    made: AggregationResult, words: ChartWords, *, is_split: bool
) -> AggregationResult:
    """Divide by the total: of each x if colours split it, else of everything."""
    numbers = list(made.values.values())
    if is_share(made.measure) or _are_fractions(numbers):
        made.is_percent = all(abs(number) <= 1 for number in numbers)
        return made
    if made.how not in ADDITIVE_AGGREGATES:
        made.notes.append(f"not drawn as shares: a {made.how} is no part of a whole")
        return made
    if any(number < 0 for number in numbers):
        made.notes.append("not drawn as shares: there are negative values")
        return made
    wholes: dict[Any, float] = {}
    for key, value in made.values.items():
        whole = key[0] if is_split else None
        wholes[whole] = wholes.get(whole, 0) + value
    if not all(wholes.values()):
        made.notes.append("not drawn as shares: a whole is zero")
        return made
    made.values = {
        key: value / wholes[key[0] if is_split else None] for key, value in made.values.items()
    }
    made.measure, made.is_percent = words.share(made.measure), True
    return made


def _are_fractions(numbers: Sequence[float]) -> bool:
    within = all(abs(number) <= 1 for number in numbers)
    return within and any(not float(number).is_integer() for number in numbers)
