"""The labels of a report, in English and Chinese."""

from collections.abc import Sequence
from dataclasses import dataclass

from dataagent_core.language.chinese import in_chinese
from dataagent_core.tools.data.charts.chart_theme import is_chinese
from dataagent_core.tools.data.reports.report_definition import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWords:
    """Labels; those with braces are format strings."""

    language: Language
    made: str
    made_with: str
    contents: str
    appendix: str
    source: str
    result: str
    rows: str
    hash: str
    ran_at: str
    cut_result: str
    rows_shown: str
    columns_left_out: str
    note: str

    def notes(self, english: Sequence[str]) -> tuple[str, ...]:
        """Return a chart's notes in the report's language."""
        return tuple(map(in_chinese, english)) if self.language == "zh" else tuple(english)

    def rows_of(self, shown: int, total: int) -> str:
        return self.rows_shown.format(shown=f"{shown:,}", total=f"{total:,}")

    def cut(self, rows: int) -> str:
        return self.cut_result.format(rows=f"{rows:,}")


_ENGLISH = ReportWords(
    language="en",
    made="Made {date}",
    made_with="Made with DataAgent",
    contents="Contents",
    appendix="Queries",
    source="Source",
    result="Result",
    rows="Rows",
    hash="SHA-256",
    ran_at="Ran",
    cut_result="The result was cut at {rows} rows: totals over it are not the whole.",
    rows_shown="Rows 1 to {shown} of {total}.",
    columns_left_out="Left out: {columns}.",
    note="Note",
)
_CHINESE = ReportWords(
    language="zh",
    made="生成于 {date}",
    made_with="由 DataAgent 生成",
    contents="目录",
    appendix="查询",
    source="数据源",
    result="结果",
    rows="行数",
    hash="SHA-256",
    ran_at="执行时间",
    cut_result="结果在 {rows} 行处被截断：据此得出的合计并非全部。",  # noqa: RUF001 - Chinese
    rows_shown="显示第 1 至 {shown} 行，共 {total} 行。",  # noqa: RUF001 - Chinese
    columns_left_out="未显示：{columns}。",  # noqa: RUF001 - Chinese
    note="注",
)


def get_report_words(language: Language | None, title: str) -> ReportWords:
    """Choose the labels by the given language, else by the title."""
    chinese = language == "zh" if language else is_chinese(title)
    return _CHINESE if chinese else _ENGLISH
