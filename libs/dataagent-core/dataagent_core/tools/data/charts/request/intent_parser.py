"""Parses a request in words with the columns of a result: "line of revenue by month".

It reads English and Chinese. What it does not understand stays open, and the columns decide;
`unused_words.py` lists those words.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from dataagent_core.config.limits.data import CHART_TEXT_CHARS_MAX
from dataagent_core.tools.data.charts.chart_data.chart_frame import ChartFrame
from dataagent_core.tools.data.charts.chart_model import ChartIntent
from dataagent_core.tools.data.charts.request.named_columns import NamedColumn, find_named_columns
from dataagent_core.tools.data.charts.request.vocabulary import (
    AGGREGATES,
    BY_WORDS,
    COLOUR_WORDS,
    COMPARE_WORDS,
    GRAINS,
    KINDS,
    PERCENT,
    SIDE_BY_SIDE,
    TIME_WORDS,
    TITLE,
    TOP,
    parse_count,
)

_Value = TypeVar("_Value")
_TOP_MAX = 1_000


def parse_intent(words: str, frame: ChartFrame) -> ChartIntent:
    """Parse a request into an intent."""
    text, title = split_title(words[:CHART_TEXT_CHARS_MAX])
    named, rest = find_named_columns(text, frame)
    intent = ChartIntent(
        kind=_find_first(rest, KINDS),
        aggregate=_find_first(rest, AGGREGATES),
        grain=_find_first(text, GRAINS),
        percent=bool(PERCENT.search(rest)),
        side_by_side=bool(SIDE_BY_SIDE.search(rest)),
        top=_parse_top(rest),
        title=title,
    )
    return _assign_axes(intent, text, named, frame)


def split_title(words: str) -> tuple[str, str | None]:
    """Split a request into its lower-case text and its title."""
    hit = TITLE.search(words)
    if not hit:
        return words.lower(), None
    title = next((group for group in hit.groups() if group), "").strip()
    return f"{words[: hit.start()]} {words[hit.end() :]}".lower(), title or None


@dataclass(frozen=True, slots=True)
class _ColumnUses:
    """The named columns by their use, which the words around them tell."""

    measures: list[str]
    compared: list[str]
    number_axes: list[str]
    axes: list[str]
    colours: list[str]


def _assign_uses(text: str, named: list[NamedColumn], frame: ChartFrame) -> _ColumnUses:
    numbers = {field.name for field in frame.of("number")}
    coloured = COLOUR_WORDS.search(text)
    uses = _ColumnUses([], [], [], [], [])
    for column in named:
        before = text[: column.start].rstrip()
        if column.name not in numbers:
            is_colour = coloured is not None and column.start >= coloured.start()
            (uses.colours if is_colour else uses.axes).append(column.name)
        elif COMPARE_WORDS.search(before):
            uses.compared.append(column.name)
        elif BY_WORDS.search(before):
            uses.number_axes.append(column.name)
        else:
            uses.measures.append(column.name)
    return uses


def _assign_axes(
    intent: ChartIntent, text: str, named: list[NamedColumn], frame: ChartFrame
) -> ChartIntent:
    found = _assign_uses(text, named, frame)
    if intent.top and found.number_axes and found.measures:
        # "top 5 sizes by sales" ranks sizes.
        found = replace(found, measures=found.number_axes, number_axes=found.measures)
    measures, axes, colours = found.measures, found.axes, found.colours
    x = axes.pop(0) if axes else None
    if x is None and colours and not frame.of("time") and len(named) == 1:
        x = colours.pop(0)
    color = next(iter([*colours, *axes]), None)
    laid_out = bool(x or color or intent.grain or TIME_WORDS.search(text))
    if intent.kind == "point" or (found.compared and intent.kind is None and not laid_out):
        numbers = [*measures, *found.compared, *found.number_axes]
        across = numbers[1] if len(numbers) > 1 else None
        # Points lie between two numbers; a category can only colour them.
        return replace(intent, y=next(iter(numbers), None), x=across, color=color or x)
    measures += found.compared
    if x is None and measures and found.number_axes:
        x = found.number_axes.pop(0)
    elif intent.aggregate == "count" and not measures and found.number_axes:
        x = x or found.number_axes.pop(0)
    measures += found.number_axes
    if measures and intent.aggregate == "count":
        intent = replace(intent, aggregate=None)  # "how many orders": the column holds the count
    several = tuple(dict.fromkeys(measures))
    return replace(
        intent,
        x=x,
        y=next(iter(several), None),
        measures=several if len(several) > 1 else (),
        color=color,
    )


def _parse_top(text: str) -> int | None:
    hit = TOP.search(text)
    digits = next((group for group in hit.groups() if group), "") if hit else ""
    count = parse_count(digits)
    return count if count is not None and 0 < count <= _TOP_MAX else None


def _find_first(text: str, table: Iterable[tuple[str, _Value]]) -> _Value | None:
    return next((value for pattern, value in table if re.search(pattern, text)), None)
