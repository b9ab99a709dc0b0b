"""Renders a report as one HTML file: prose, tables, embedded charts and styles.

All text is escaped and every tag is written here. The page loads nothing and runs nothing; its
Content-Security-Policy forbids scripts and the network.
"""

import base64
from collections.abc import Iterable
from html import escape
from typing import assert_never

from dataagent_core.tools.data.charts.fonts import FONT_FAMILY
from dataagent_core.tools.data.reports import report_document as doc
from dataagent_core.tools.data.reports.formats.prose import ProseNode

HTML_STYLE = """
*{box-sizing:border-box}
body{margin:0;background:#f4f5f7;color:#1f2328;
font:16px/1.6 "Noto Sans SC",system-ui,-apple-system,"Segoe UI","PingFang SC",
"Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{max-width:56rem;margin:2rem auto;padding:2.5rem 3rem;background:#fff;
border-top:4px solid var(--accent);box-shadow:0 1px 3px #0002}
h1{margin:0;font-size:1.9rem;line-height:1.25}
h2{margin:2.2rem 0 .6rem;font-size:1.35rem;color:var(--accent)}
h3{margin:1.6rem 0 .4rem;font-size:1.1rem}
h4,h5,h6{margin:1.2rem 0 .3rem;font-size:1rem}
.made,.note,footer{color:#59636e;font-size:.85rem}
.made{margin:.4rem 0 1.6rem}
.note{margin:.3rem 0;overflow-wrap:anywhere}
footer{margin-top:3rem;padding-top:.8rem;border-top:1px solid #e4e7eb}
.table{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.3rem 0}
th,td{padding:.35rem .6rem;border-bottom:1px solid #e4e7eb;text-align:left;vertical-align:top}
th{border-bottom:2px solid #c7ccd1;white-space:nowrap}
th.right,td.right{text-align:right}
tbody tr:nth-child(even){background:#f8f9fa}
figure{margin:1.4rem 0}
figcaption{font-weight:600}
.chart svg{max-width:100%;height:auto}
.figures{display:flex;flex-wrap:wrap;gap:1rem;margin:1.2rem 0}
.one{flex:1 1 10rem;padding:.8rem 1rem;background:#f4f7fa;border-left:3px solid var(--accent)}
.label{color:#59636e;font-size:.85rem}
.value{font-size:1.6rem;line-height:1.3;font-variant-numeric:tabular-nums}
pre{padding:.8rem 1rem;background:#f6f8fa;overflow-x:auto;font-size:.85rem;line-height:1.45}
code{font-family:ui-monospace,"SF Mono",Consolas,"DejaVu Sans Mono",monospace,
"Noto Sans SC";font-size:.92em}
blockquote{margin:1rem 0;padding:.1rem 1rem;border-left:3px solid #c7ccd1;color:#59636e}
a{color:var(--accent)}
@media print{body{background:#fff}main{margin:0;padding:0;max-width:none;box-shadow:none;
border-top:0}.break{break-after:page}thead{display:table-header-group}tr,figure{break-inside:avoid}}
""".replace("\n", "")
_TAGS = {
    "paragraph": "p",
    "bullets": "ul",
    "item": "li",
    "quote": "blockquote",
    "row": "tr",
    "head": "th",
    "cell": "td",
    "strong": "strong",
    "em": "em",
    "strike": "s",
    "code_span": "code",
}
_VOID_ELEMENTS = {"rule": "<hr>", "break": "<br>", "line": "\n"}


def render_prose_html(nodes: Iterable[ProseNode]) -> str:
    """Render prose."""
    return "".join(_render_node(node) for node in nodes)


def _render_node(node: ProseNode) -> str:
    inner = escape(node.text) + render_prose_html(node.children)
    match node.kind:
        case "code":
            return f"<pre><code>{inner}</code></pre>"
        case "heading":
            level = min(node.level + 1, 6)
            return f"<h{level}>{inner}</h{level}>"
        case "numbers":
            return f'<ol start="{node.level}">{inner}</ol>'
        case "table":
            return f'<div class="table"><table>{inner}</table></div>'
        case "link" if node.href:
            return f'<a href="{escape(node.href)}" rel="noopener noreferrer">{inner}</a>'
        case kind:
            return _VOID_ELEMENTS.get(kind) or (
                f"<{_TAGS[kind]}>{inner}</{_TAGS[kind]}>" if kind in _TAGS else inner
            )


_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def render_html(report: doc.Report, font: bytes | None = None) -> str:
    """Render the report; `font` (WOFF) is embedded."""
    font_face = _render_font_face(font) if font else ""
    language = "zh-CN" if report.words.language == "zh" else "en"
    made = report.words.made.format(date=report.made_on)
    by = f"{escape(report.author)} · " if report.author else ""
    appendix = _render_appendix(report) if report.template.appendix and report.results else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{escape(report.title)}</title>"
        f"<style>{font_face}:root{{--accent:{report.template.accent}}}{HTML_STYLE}</style></head><body><main>"
        f'<header><h1>{escape(report.title)}</h1><p class="made">{by}{escape(made)}</p></header>'
        f"{_render_items(report)}{appendix}"
        f"<footer>{escape(report.template.footer or report.words.made_with)}</footer>"
        "</main></body></html>\n"
    )


def _render_font_face(font: bytes) -> str:
    data = base64.b64encode(font).decode()
    source = f"url(data:font/woff;base64,{data}) format('woff')"
    return f'@font-face{{font-family:"{FONT_FAMILY}";src:{source}}}'


def _render_items(report: doc.Report) -> str:
    parts: list[str] = []
    before: doc.Item | None = None
    for item in report.items:
        # Consecutive figures are shown side by side.
        if isinstance(item, doc.FigureItem) and not isinstance(before, doc.FigureItem):
            parts.append('<div class="figures">')
        if isinstance(before, doc.FigureItem) and not isinstance(item, doc.FigureItem):
            parts.append("</div>")
        parts.append(_render_item(item, report))
        before = item
    if isinstance(before, doc.FigureItem):
        parts.append("</div>")
    return "".join(parts)


def _render_item(item: doc.Item, report: doc.Report) -> str:  # noqa: PLR0911 - one for each kind
    match item:
        case doc.HeadingItem():
            return f"<h{item.level + 1}>{escape(item.text)}</h{item.level + 1}>"
        case doc.ProseItem():
            return render_prose_html(item.nodes)
        case doc.TableItem():
            return _render_table(item)
        case doc.ChartItem():
            svg = item.chart.pictures["svg"].decode()
            caption = f"<figcaption>{escape(item.title)}</figcaption>" if item.title else ""
            label = escape(item.title or item.chart.title)
            notes = _render_notes(f"{report.words.note}: {note}." for note in item.notes)
            return (
                f'<figure>{caption}<div class="chart" role="img" aria-label="{label}">{svg}</div>'
                f"{notes}</figure>"
            )
        case doc.SqlItem():
            return f"<pre><code>{escape(item.sql)}</code></pre>"
        case doc.FigureItem():
            return (
                f'<div class="one"><div class="label">{escape(item.label)}</div>'
                f'<div class="value">{escape(item.value)}</div>{_render_notes([item.note])}</div>'
            )
        case doc.PageBreakItem():
            return '<div class="break"></div>'
        case _:
            assert_never(item)


def _render_table(item: doc.TableItem) -> str:
    def render_row(tag: str, row: Iterable[str]) -> str:
        return "".join(
            f'<{tag} class="{align}">{escape(text)}</{tag}>'
            for text, align in zip(row, item.aligns, strict=True)
        )

    caption = f"<caption>{escape(item.title)}</caption>" if item.title else ""
    body = "".join(f"<tr>{render_row('td', row)}</tr>" for row in item.rows)
    return (
        f'<div class="table"><table>{caption}<thead><tr>{render_row("th", item.names)}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>{_render_notes(item.notes)}"
    )


def _render_notes(notes: Iterable[str]) -> str:
    return "".join(f'<p class="note">{escape(note)}</p>' for note in notes if note)


def _render_appendix(report: doc.Report) -> str:
    words = report.words
    parts = [f'<section class="appendix"><h2>{escape(words.appendix)}</h2>']
    for name, kept in report.results:
        facts = (
            f"{words.source}: {kept.source} · {words.result}: {kept.result_id} · "
            f"{words.rows}: {kept.row_count:,} · {words.hash}: {kept.sha256}"
        )
        cut = [words.cut(kept.row_count)] if kept.truncated else []
        parts.append(
            f'<h3>{escape(name)}</h3><p class="note">{escape(facts)}</p>{_render_notes(cut)}'
            f"<pre><code>{escape(kept.sql)}</code></pre>"
        )
    return "".join([*parts, "</section>"])
