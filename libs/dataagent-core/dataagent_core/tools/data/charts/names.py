"""How columns are called in a spec, and how charts are called, in English or Chinese. Pure."""

import re
from dataclasses import dataclass

from dataagent_core.tools.data.charts.choosing import Choice
from dataagent_core.tools.data.charts.model import Aggregate
from dataagent_core.tools.data.charts.theme import is_chinese

_SPECIAL = re.compile(r"([.\[\]])")
_CHINESE_AGGREGATES: dict[Aggregate, str] = {
    "sum": "总",
    "mean": "平均",
    "median": "中位",
    "min": "最小",
    "max": "最大",
    "count": "数量",
}


def escaped(name: str) -> str:
    """Write a column's name as a field: Vega takes dots and brackets for paths otherwise."""
    return _SPECIAL.sub(r"\\\1", name)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one chart."""

    chinese: bool

    @property
    def rows(self) -> str:
        return "行数" if self.chinese else "rows"

    @property
    def other(self) -> str:
        return "其他" if self.chinese else "Other"

    def measure(self, how: Aggregate, name: str) -> str:
        return f"{_CHINESE_AGGREGATES[how]}{name}" if self.chinese else f"{how} of {name}"

    def title(self, measure: str, x: str, color: str | None) -> str:
        if self.chinese:
            return f"各{x}{f'、各{color}' if color else ''}的{measure}"
        return _capital(f"{measure} by {x}{f' and {color}' if color else ''}")

    def pair(self, y: str, x: str) -> str:
        return f"{y}与{x}" if self.chinese else _capital(f"{y} and {x}")

    def distribution(self, name: str) -> str:
        return f"{name}的分布" if self.chinese else f"Distribution of {name}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def words_for(choice: Choice) -> Words:
    """Speak the language the columns are named in."""
    columns = (choice.x, choice.y, choice.color)
    return Words(is_chinese(*(column.name for column in columns if column is not None)))
