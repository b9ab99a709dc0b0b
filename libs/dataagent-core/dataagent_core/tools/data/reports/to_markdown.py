"""A report as Markdown, with its charts as PNG files beside it."""

from collections.abc import Sequence
from typing import assert_never

from dataagent_core.tools.data.reports import document as doc
from dataagent_core.tools.data.reports.prose_markdown import (
    fenced,
    markdown_row,
    plain,
    prose_markdown,
)


def chart_file(number: int) -> str:
    """Name the picture of a chart."""
    return f"chart-{number}.png"


def markdown_of(report: doc.Report, pictures: str) -> str:
    """Write the report; `pictures` is the folder of the charts, relative to it."""
    made = report.words.made.format(date=report.made_on)
    by = [plain(report.author)] if report.author else []
    parts = [f"# {plain(report.title)}", " · ".join([*by, made])]
    parts += [_item(item, report, pictures) for item in report.items]
    if report.template.appendix and report.results:
        parts += _appendix(report)
    parts.append(f"---\n\n{plain(report.template.footer or report.words.made_with)}")
    return "\n\n".join(part for part in parts if part) + "\n"


def _item(item: doc.Item, report: doc.Report, pictures: str) -> str:  # noqa: PLR0911 - one for each kind
    match item:
        case doc.HeadingItem():
            return f"{'#' * (item.level + 1)} {plain(item.text)}"
        case doc.ProseItem():
            return prose_markdown(item.nodes)
        case doc.TableItem():
            return _table(item)
        case doc.ChartItem():
            title = item.title or item.chart.title
            picture = f"![{plain(title)}]({pictures}/{chart_file(item.number)})"
            return "\n\n".join([picture, *_notes(item.notes, report)])
        case doc.SqlItem():
            return fenced(item.sql, "sql")
        case doc.FigureItem():
            note = f" ({plain(item.note)})" if item.note else ""
            return f"**{plain(item.label)}:** {plain(item.value)}{note} `{item.result_id}`"
        case doc.PageBreakItem():
            return ""
        case _:
            assert_never(item)


def _table(item: doc.TableItem) -> str:
    rule = ["---:" if align == "right" else "---" for align in item.aligns]
    names = [_cell(name) for name in item.names]
    lines = [
        markdown_row(names),
        markdown_row(rule),
        *(markdown_row([_cell(c) for c in row]) for row in item.rows),
    ]
    title = f"**{plain(item.title)}**\n\n" if item.title else ""
    notes = "".join(f"\n\n{plain(note)}" for note in item.notes)
    return f"{title}{chr(10).join(lines)}{notes}"


def _cell(text: str) -> str:
    return plain(" ".join(text.split()))


def _notes(notes: Sequence[str], report: doc.Report) -> list[str]:
    return [f"{report.words.note}: {plain(note)}." for note in notes]


def _appendix(report: doc.Report) -> list[str]:
    words = report.words
    parts = [f"## {words.appendix}"]
    for name, kept in report.results:
        cut = f" {words.cut(kept.row_count)}" if kept.truncated else ""
        facts = (
            f"{words.source}: {plain(kept.source)} · {words.result}: `{kept.result_id}` · "
            f"{words.rows}: {kept.row_count:,} · {words.hash}: `{kept.sha256}`{cut}"
        )
        parts += [f"### {plain(name)}", facts, fenced(kept.sql, "sql")]
    return parts
