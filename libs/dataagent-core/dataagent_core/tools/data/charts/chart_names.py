"""Names columns in a spec, and titles charts in English or Chinese."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dataagent_core.tools.data.charts.chart_choice import ChartChoice
from dataagent_core.tools.data.charts.chart_model import Aggregate
from dataagent_core.tools.data.charts.chart_theme import is_chinese

_SPECIAL = re.compile(r"([.\[\]])")
_CHINESE_AGGREGATES: dict[Aggregate, str] = {
    "sum": "总",
    "mean": "平均",
    "median": "中位",
    "min": "最小",
    "max": "最大",
    "count": "数量",
}


def escape_field(name: str) -> str:
    """Escape a column's name as a field: Vega reads dots and brackets as paths."""
    return _SPECIAL.sub(r"\\\1", name)


@dataclass(frozen=True, slots=True)
class ChartWords:
    """The words of one chart."""

    chinese: bool

    @property
    def rows(self) -> str:
        return "行数" if self.chinese else "rows"

    @property
    def other(self) -> str:
        return "其他" if self.chinese else "Other"

    @property
    def empty(self) -> str:
        return "(空)" if self.chinese else "(empty)"

    @property
    def name(self) -> str:
        """The heading of the column that names several numbers."""
        return "指标" if self.chinese else "measure"

    @property
    def value(self) -> str:
        """The heading of the column that holds several numbers."""
        return "数值" if self.chinese else "value"

    def share(self, measure: str) -> str:
        return f"{measure}占比" if self.chinese else f"share of {measure}"

    def left_out(
        self, column: str, names: int, shown: int, hidden: int, together: str | None
    ) -> str:
        """Write the text in the picture about what it does not show."""
        if self.chinese:
            rest = f",其余 {hidden:,} 个未画出" + (f"(合计 {together})" if together else "")
            return f"{names:,} 个{column}中最大的 {shown:,} 个{rest}"
        rest = f" (together {together})" if together else ""
        return f"The {shown:,} greatest of {names:,} values of {column}; {hidden:,} not shown{rest}"

    def measure(self, how: Aggregate, name: str) -> str:
        return f"{_CHINESE_AGGREGATES[how]}{name}" if self.chinese else f"{how} of {name}"

    def title(self, measure: str, x: str, color: str | None) -> str:
        if self.chinese:
            return f"各{x}{f'、各{color}' if color else ''}的{measure}"
        return _capitalize(f"{measure} by {x}{f' and {color}' if color else ''}")

    def title_of(self, measures: Sequence[str], x: str) -> str:
        if self.chinese:
            return f"各{x}的{'、'.join(measures)}"
        return _capitalize(f"{', '.join(measures[:-1])} and {measures[-1]} by {x}")

    def pair(self, y: str, x: str) -> str:
        return f"{y}与{x}" if self.chinese else _capitalize(f"{y} and {x}")

    def distribution(self, name: str) -> str:
        return f"{name}的分布" if self.chinese else f"Distribution of {name}"

    def distribution_by(self, name: str, x: str) -> str:
        return f"各{x}的{name}分布" if self.chinese else f"Distribution of {name} by {x}"


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def choose_words(choice: ChartChoice) -> ChartWords:
    """Choose the language of the column names."""
    columns = (choice.x, choice.y, choice.color, *choice.measures)
    return ChartWords(is_chinese(*(column.name for column in columns if column is not None)))
