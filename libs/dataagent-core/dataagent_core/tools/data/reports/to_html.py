"""A report as one HTML file: charts inside it, nothing fetched, nothing that runs.

All text is escaped; the page forbids itself scripts and the network (its Content-Security-Policy).
"""

import base64
from collections.abc import Iterable
from html import escape
from typing import assert_never

from dataagent_core.tools.data.charts.fonts import FONT_FAMILY
from dataagent_core.tools.data.reports import document as doc
from dataagent_core.tools.data.reports.prose_html import prose_html
from dataagent_core.tools.data.reports.style import STYLE

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def html_of(report: doc.Report, font: bytes | None = None) -> str:
    """Write the report; `font` (WOFF) is put into it."""
    face = _font_face(font) if font else ""
    language = "zh-CN" if report.words.language == "zh" else "en"
    made = report.words.made.format(date=report.made_on)
    by = f"{escape(report.author)} · " if report.author else ""
    appendix = _appendix(report) if report.template.appendix and report.results else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{escape(report.title)}</title>"
        f"<style>{face}:root{{--accent:{report.template.accent}}}{STYLE}</style></head><body><main>"
        f'<header><h1>{escape(report.title)}</h1><p class="made">{by}{escape(made)}</p></header>'
        f"{_items(report)}{appendix}"
        f"<footer>{escape(report.template.footer or report.words.made_with)}</footer>"
        "</main></body></html>\n"
    )


def _font_face(font: bytes) -> str:
    data = base64.b64encode(font).decode()
    source = f"url(data:font/woff;base64,{data}) format('woff')"
    return f'@font-face{{font-family:"{FONT_FAMILY}";src:{source}}}'


def _items(report: doc.Report) -> str:
    parts: list[str] = []
    before: doc.Item | None = None
    for item in report.items:
        # Figures that follow each other stand side by side.
        if isinstance(item, doc.FigureItem) and not isinstance(before, doc.FigureItem):
            parts.append('<div class="figures">')
        if isinstance(before, doc.FigureItem) and not isinstance(item, doc.FigureItem):
            parts.append("</div>")
        parts.append(_item(item, report))
        before = item
    if isinstance(before, doc.FigureItem):
        parts.append("</div>")
    return "".join(parts)


def _item(item: doc.Item, report: doc.Report) -> str:  # noqa: PLR0911 - one for each kind
    match item:
        case doc.HeadingItem():
            return f"<h{item.level + 1}>{escape(item.text)}</h{item.level + 1}>"
        case doc.ProseItem():
            return prose_html(item.nodes)
        case doc.TableItem():
            return _table(item)
        case doc.ChartItem():
            svg = item.chart.pictures["svg"].decode()
            caption = f"<figcaption>{escape(item.title)}</figcaption>" if item.title else ""
            label = escape(item.title or item.chart.title)
            notes = _notes(f"{report.words.note}: {note}." for note in item.notes)
            return (
                f'<figure>{caption}<div class="chart" role="img" aria-label="{label}">{svg}</div>'
                f"{notes}</figure>"
            )
        case doc.SqlItem():
            return f"<pre><code>{escape(item.sql)}</code></pre>"
        case doc.FigureItem():
            return (
                f'<div class="one"><div class="label">{escape(item.label)}</div>'
                f'<div class="value">{escape(item.value)}</div>{_notes([item.note])}</div>'
            )
        case doc.PageBreakItem():
            return '<div class="break"></div>'
        case _:
            assert_never(item)


def _table(item: doc.TableItem) -> str:
    def cells(tag: str, row: Iterable[str]) -> str:
        return "".join(
            f'<{tag} class="{align}">{escape(text)}</{tag}>'
            for text, align in zip(row, item.aligns, strict=True)
        )

    caption = f"<caption>{escape(item.title)}</caption>" if item.title else ""
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in item.rows)
    return (
        f'<div class="table"><table>{caption}<thead><tr>{cells("th", item.names)}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>{_notes(item.notes)}"
    )


def _notes(notes: Iterable[str]) -> str:
    return "".join(f'<p class="note">{escape(note)}</p>' for note in notes if note)


def _appendix(report: doc.Report) -> str:
    words = report.words
    parts = [f'<section class="appendix"><h2>{escape(words.appendix)}</h2>']
    for name, kept in report.results:
        facts = (
            f"{words.source}: {kept.source} · {words.result}: {kept.result_id} · "
            f"{words.rows}: {kept.row_count:,} · {words.hash}: {kept.sha256}"
        )
        cut = [words.cut(kept.row_count)] if kept.truncated else []
        parts.append(
            f'<h3>{escape(name)}</h3><p class="note">{escape(facts)}</p>{_notes(cut)}'
            f"<pre><code>{escape(kept.sql)}</code></pre>"
        )
    return "".join([*parts, "</section>"])
