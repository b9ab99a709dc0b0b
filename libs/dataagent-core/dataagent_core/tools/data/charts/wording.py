"""An intent in plain words, read against the columns of a result: "line of revenue by month".

Reads English and Chinese; what it does not understand it leaves open, and the columns decide.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from dataagent_core.config.data_limits import CHART_TEXT_CHARS_MAX
from dataagent_core.tools.data.charts.frame import Frame
from dataagent_core.tools.data.charts.model import Aggregate, ChartKind, Grain, Intent

_Value = TypeVar("_Value")
_KINDS: tuple[tuple[str, ChartKind], ...] = (
    (r"histogram|distribution|直方|分布", "histogram"),
    (r"scatter|points?\b|correlation|散点|相关", "point"),
    (r"\bpie\b|donut|doughnut|饼图?", "pie"),
    (r"heat ?map|热力", "heatmap"),
    (r"\barea\b|面积", "area"),
    (r"\blines?\b|trend|over time|折线|趋势|走势", "line"),
    (r"\bbars?\b|\bcolumns? chart|ranking|top \d+|柱|条形|排名|对比", "bar"),
)
_AGGREGATES: tuple[tuple[str, Aggregate], ...] = (
    (r"\baverages?\b|\bmean\b|\bavg\b|平均|均值", "mean"),
    (r"\bmedian\b|中位", "median"),
    (r"\bmax(imum)?\b|最大|最高", "max"),
    (r"\bmin(imum)?\b|最小|最低", "min"),
    (r"\bhow many\b|\bnumber of rows\b|\bcount of\b|数量|个数|笔数", "count"),
    (r"\bsum\b|\btotal\b|合计|总和|总额", "sum"),
)
_GRAINS: tuple[tuple[str, Grain], ...] = (
    (r"\b(per|by|each|every) hour|hourly|每小时|按小时", "hour"),
    (r"\b(per|by|each|every) day|daily|每[天日]|按[天日]", "day"),
    (r"\b(per|by|each|every) week|weekly|每周|按周", "week"),
    (r"\b(per|by|each|every) month|monthly|每月|各月|按月", "month"),
    (r"\b(per|by|each|every) quarter|quarterly|每季|各季|按季", "quarter"),
    (r"\b(per|by|each|every) year|yearly|annual|每年|各年|按年", "year"),
)
_COLOUR = re.compile(r"\b(?:colou?red|split|broken down|stacked|grouped) by |\bfor each ")
_BY = re.compile(r"\b(?:by|per|over|across|against|vs\.?|versus)\b|[按各每]")


def read_intent(words: str, frame: Frame) -> Intent:
    """Understand what somebody wants to see."""
    text = words[:CHART_TEXT_CHARS_MAX].lower()
    named = _named_columns(text, frame)
    intent = Intent(
        kind=_first(text, _KINDS),
        aggregate=_first(text, _AGGREGATES),
        grain=_first(text, _GRAINS),
    )
    # "count" is how rows are put together only where it is not a column's name.
    if intent.aggregate == "count" and any("count" in name.lower() for _, name in named):
        intent = replace(intent, aggregate=None)
    return _placed(intent, text, named, frame)


def _placed(intent: Intent, text: str, named: list[tuple[int, str]], frame: Frame) -> Intent:
    numbers = {field.name for field in frame.of("number")}
    coloured = _COLOUR.search(text)
    by = _BY.search(text)
    for place, name in named:
        if coloured and place >= coloured.start() and intent.color is None and intent.x:
            intent = replace(intent, color=name)
        elif name in numbers and intent.y is None and not (by and place > by.start() and intent.y):
            intent = replace(intent, y=name)
        elif intent.x is None:
            intent = replace(intent, x=name)
        elif intent.color is None and name not in numbers:
            intent = replace(intent, color=name)
    if coloured and intent.color is None and intent.x and intent.x not in numbers:
        after = [name for place, name in named if place >= coloured.start()]
        if intent.x in after and (frame.of("time") or len(named) > 1):
            intent = replace(intent, x=None, color=intent.x)
    return intent


def _named_columns(text: str, frame: Frame) -> list[tuple[int, str]]:
    """Find the columns that are named, longest names first, in the order of the words."""
    left = text
    found: list[tuple[int, str]] = []
    for name in sorted(frame.names, key=len, reverse=True):
        for spelling in dict.fromkeys((name.lower(), name.lower().replace("_", " "))):
            if not spelling.strip():
                continue
            hit = re.search(_bounded(spelling), left)
            if hit:
                found.append((hit.start(), name))
                left = left[: hit.start()] + "\0" * len(hit[0]) + left[hit.end() :]
                break
    return sorted(found)


def _bounded(spelling: str) -> str:
    # Chinese has no spaces to bound a word by.
    before = r"(?<![a-z0-9_])" if spelling[0].isascii() else ""
    after = r"(?![a-z0-9_])" if spelling[-1].isascii() else ""
    return before + re.escape(spelling) + after


def _first(text: str, table: Iterable[tuple[str, _Value]]) -> _Value | None:
    return next((value for pattern, value in table if re.search(pattern, text)), None)
