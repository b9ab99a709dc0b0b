"""Finds the role of a column in a chart by its kind, its name and its values.

time       a date, a timestamp, text such as 2026-03, a year
number     what can be added up and measured
ordered    categories with an order of their own: months, weekdays, quarters, 1 to 31
category   any other text, and booleans
other      identifiers, binary and nested values: nothing to draw by
"""

import re
from collections.abc import Iterable
from typing import Any, Literal

from dataagent_core.tools.data.data_model import ColumnKind

ColumnRole = Literal["time", "number", "ordered", "category", "other"]

_NUMBERS: frozenset[ColumnKind] = frozenset({"integer", "decimal", "float"})
_TIMES: frozenset[ColumnKind] = frozenset({"date", "timestamp"})
_WRITTEN_TIME = re.compile(r"\d{4}-\d{2}(-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?)?\Z")
_IDENTIFIER = re.compile(
    r"(?:\A|_|\s)(?:id|uuid|key|code|no|编号|代码)\Z|id\Z|号码?\Z", re.IGNORECASE
)
_YEAR = re.compile(r"\A(?:year|yr|年份?|年度)\Z|_year\Z", re.IGNORECASE)
_STEP = re.compile(
    r"(?:month|week|weekday|dow|day|hour|quarter|月份?|季度|星期|周|小时)\Z", re.IGNORECASE
)
_YEARS = range(1800, 2201)
_STEPS_MAX = 60
_SEQUENCES: tuple[tuple[str, ...], ...] = tuple(
    tuple(words.split())
    for words in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "monday tuesday wednesday thursday friday saturday sunday",
        "mon tue wed thu fri sat sun",
        "q1 q2 q3 q4",
        "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
        "周一 周二 周三 周四 周五 周六 周日",
        "星期一 星期二 星期三 星期四 星期五 星期六 星期日",
        "一季度 二季度 三季度 四季度",
        "第一季度 第二季度 第三季度 第四季度",
    )
)


def find_role(name: str, kind: ColumnKind, values: Iterable[Any]) -> ColumnRole:
    """Return the role of a column; `values` are some of its non-empty cells."""
    some = list(values)
    if kind in _TIMES:
        return "time"
    if kind in _NUMBERS:
        return _find_number_role(name, kind, some)
    if kind == "text":
        texts = [str(value) for value in some]
        if texts and all(_WRITTEN_TIME.match(text) for text in texts):
            return "time"
        return "ordered" if find_sequence(texts) else "category"
    return "category" if kind in {"boolean", "time"} else "other"


def find_sequence(values: Iterable[str]) -> tuple[str, ...]:
    """Sort months, weekdays or quarters; () if the values are none of these."""
    distinct = {value.strip().lower(): value for value in values}
    for sequence in _SEQUENCES:
        if len(distinct) > 1 and distinct.keys() <= set(sequence):
            return tuple(distinct[word] for word in sequence if word in distinct)
    return ()


def _find_number_role(name: str, kind: ColumnKind, values: list[Any]) -> ColumnRole:
    if kind == "integer":
        if _YEAR.search(name) and all(value in _YEARS for value in values):
            return "time"
        if _STEP.search(name) and all(0 <= value < _STEPS_MAX for value in values):
            return "ordered"
        if _IDENTIFIER.search(name):
            return "other"
    return "number"


def names_no_amount(name: str) -> bool:
    """Say whether a column's numbers only name something: a year, an identifier."""
    return bool(_YEAR.search(name) or _IDENTIFIER.search(name))
