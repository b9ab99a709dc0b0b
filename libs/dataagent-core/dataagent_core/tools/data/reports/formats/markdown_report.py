"""Renders a report as Markdown, with its charts as PNG files beside it.

Prose keeps only the markup that was parsed; HTML in it is escaped as text.
"""

import re
from collections.abc import Iterable, Sequence
from typing import assert_never

from dataagent_core.tools.data.reports import report_document as doc
from dataagent_core.tools.data.reports.formats.prose import ProseNode

# Characters that begin markup in a line.
_MARKUP = re.compile(r"([\\`*_\[\]~|&])")
_LINE_START = re.compile(r"^(\s*)([#+\-=>])", re.MULTILINE)
_NUMBERED = re.compile(r"^(\s*\d+)([.)])", re.MULTILINE)


def render_prose_markdown(nodes: Iterable[ProseNode], indent: str = "") -> str:
    """Render prose; the lines after the first begin with `indent`."""
    text = "\n\n".join(_render_block(node) for node in nodes)
    return text.replace("\n", f"\n{indent}") if indent else text


def _render_block(node: ProseNode) -> str:  # noqa: PLR0911 - one for each kind
    match node.kind:
        case "heading":
            return f"{'#' * min(node.level + 1, 6)} {_render_inline(node.children)}"
        case "bullets":
            return "\n".join(
                f"- {render_prose_markdown(item.children, '  ')}" for item in node.children
            )
        case "numbers":
            return "\n".join(
                f"{n}. {render_prose_markdown(item.children, '   ')}"
                for n, item in enumerate(node.children, node.level)
            )
        case "quote":
            return "> " + render_prose_markdown(node.children).replace("\n", "\n> ")
        case "code":
            return render_fence(node.text)
        case "rule":
            return "---"
        case "table":
            rows = [
                [_render_inline(cell.children) for cell in row.children] for row in node.children
            ]
            rule = ["---"] * len(rows[0]) if rows else []
            return "\n".join(
                [
                    *map(render_markdown_row, rows[:1]),
                    render_markdown_row(rule),
                    *map(render_markdown_row, rows[1:]),
                ]
            )
        case _:
            return _render_inline(node.children or (node,))


def _render_inline(nodes: Iterable[ProseNode]) -> str:
    return "".join(_render_span(node) for node in nodes)


def _render_span(node: ProseNode) -> str:  # noqa: PLR0911 - one for each kind
    inner = _render_inline(node.children)
    match node.kind:
        case "strong":
            return f"**{inner}**"
        case "em":
            return f"*{inner}*"
        case "strike":
            return f"~~{inner}~~"
        case "code_span":
            ticks = "`" * (max((len(t) for t in re.findall("`+", node.text)), default=0) + 1)
            return f"{ticks} {node.text} {ticks}" if "`" in node.text else f"`{node.text}`"
        case "link":
            target = node.href.replace("<", "%3C").replace(">", "%3E")
            return f"[{inner}](<{target}>)" if node.href else inner
        case "break":
            return "  \n"
        case "line":
            return "\n"
        case _:
            return escape_markdown(node.text) + inner


def escape_markdown(text: str) -> str:
    """Escape markup in a text."""
    escaped = _LINE_START.sub(r"\1\\\2", _MARKUP.sub(r"\\\1", text))
    return _NUMBERED.sub(r"\1\\\2", escaped).replace("<", "&lt;")


def render_fence(text: str, language: str = "") -> str:
    """Render code with a fence that the code does not contain."""
    ticks = "`" * max(3, max((len(t) for t in re.findall("`+", text)), default=0) + 1)
    return f"{ticks}{language}\n{text.rstrip()}\n{ticks}"


def render_markdown_row(cells: Iterable[str]) -> str:
    """Render one row of a table."""
    return f"| {' | '.join(cells)} |"


def make_chart_file_name(number: int) -> str:
    """Return the file name of a chart."""
    return f"chart-{number}.png"


def render_markdown(report: doc.Report, pictures: str) -> str:
    """Render the report; `pictures` is the relative folder of the charts."""
    made = report.words.made.format(date=report.made_on)
    by = [escape_markdown(report.author)] if report.author else []
    parts = [f"# {escape_markdown(report.title)}", " · ".join([*by, made])]
    parts += [_render_item(item, report, pictures) for item in report.items]
    if report.template.appendix and report.results:
        parts += _render_appendix(report)
    parts.append(f"---\n\n{escape_markdown(report.template.footer or report.words.made_with)}")
    return "\n\n".join(part for part in parts if part) + "\n"


def _render_item(item: doc.Item, report: doc.Report, pictures: str) -> str:  # noqa: PLR0911 - one for each kind
    match item:
        case doc.HeadingItem():
            return f"{'#' * (item.level + 1)} {escape_markdown(item.text)}"
        case doc.ProseItem():
            return render_prose_markdown(item.nodes)
        case doc.TableItem():
            return _render_table(item)
        case doc.ChartItem():
            title = item.title or item.chart.title
            picture = f"![{escape_markdown(title)}]({pictures}/{make_chart_file_name(item.number)})"
            return "\n\n".join([picture, *_render_notes(item.notes, report)])
        case doc.SqlItem():
            return render_fence(item.sql, "sql")
        case doc.FigureItem():
            note = f" ({escape_markdown(item.note)})" if item.note else ""
            label, value = escape_markdown(item.label), escape_markdown(item.value)
            return f"**{label}:** {value}{note} `{item.result_id}`"
        case doc.PageBreakItem():
            return ""
        case _:
            assert_never(item)


def _render_table(item: doc.TableItem) -> str:
    rule = ["---:" if align == "right" else "---" for align in item.aligns]
    names = [_render_cell(name) for name in item.names]
    lines = [
        render_markdown_row(names),
        render_markdown_row(rule),
        *(render_markdown_row([_render_cell(c) for c in row]) for row in item.rows),
    ]
    title = f"**{escape_markdown(item.title)}**\n\n" if item.title else ""
    notes = "".join(f"\n\n{escape_markdown(note)}" for note in item.notes)
    return f"{title}{chr(10).join(lines)}{notes}"


def _render_cell(text: str) -> str:
    return escape_markdown(" ".join(text.split()))


def _render_notes(notes: Sequence[str], report: doc.Report) -> list[str]:
    return [f"{report.words.note}: {escape_markdown(note)}." for note in notes]


def _render_appendix(report: doc.Report) -> list[str]:
    words = report.words
    parts = [f"## {words.appendix}"]
    for name, kept in report.results:
        cut = f" {words.cut(kept.row_count)}" if kept.truncated else ""
        facts = (
            f"{words.source}: {escape_markdown(kept.source)} · {words.result}: "
            f"`{kept.result_id}` · "
            f"{words.rows}: {kept.row_count:,} · {words.hash}: `{kept.sha256}`{cut}"
        )
        parts += [f"### {escape_markdown(name)}", facts, render_fence(kept.sql, "sql")]
    return parts
