"""Renders a report as PDF: its data as JSON beside a fixed typst document."""

import json
import re
from pathlib import Path
from typing import Any, assert_never

from dataagent_core.tools.data.charts.fonts import FONT_FAMILY
from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.reports import report_document as doc
from dataagent_core.tools.data.reports.formats.prose import ProseNode

_MAIN = Path(__file__).with_name("report.typ")
_SVG_SIZE = re.compile(rb'<svg[^>]*? width="([\d.]+)"[^>]*? height="([\d.]+)"')
# The space between the margins, in points; a pixel is three quarters of a point.
_WIDTH_POINTS, _HEIGHT_POINTS = 470.0, 560.0
_PIXEL_POINTS = 0.75
# Typst does not break words, and a hash or a link can be wider than its column.
_UNBROKEN = re.compile(r"[^\s\u200b\u3000-\u9fff]{20}(?=[^\s])")


async def render_pdf(report: doc.Report, renderer: Renderer) -> bytes:
    """Typeset the report."""
    charts = {
        _make_chart_name(item): item.chart.pictures["svg"]
        for item in report.items
        if isinstance(item, doc.ChartItem)
    }
    words = json.dumps(_make_data(report), ensure_ascii=False).encode("utf-8", "replace")
    files = {"main.typ": _MAIN.read_bytes(), "data.json": words, **charts}
    return await renderer.typeset(files, report.made_at)


def _make_chart_name(item: doc.ChartItem) -> str:
    return f"chart-{item.number}.svg"


def _make_data(report: doc.Report) -> dict[str, Any]:
    words = report.words
    return {
        "title": report.title,
        "author": report.author,
        "made": words.made.format(date=report.made_on),
        "lang": words.language,
        "font": FONT_FAMILY,
        "page": report.template.page,
        "accent": report.template.accent,
        "cover": report.template.cover,
        "contents": words.contents if report.template.contents else "",
        "footer": report.template.footer or words.made_with,
        "items": _group_figures(report),
        "appendix_title": words.appendix,
        "appendix": _make_appendix(report) if report.template.appendix else [],
    }


def _group_figures(report: doc.Report) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    for item in report.items:
        rendered = _make_item(item, report)
        # Consecutive figures are shown side by side.
        if rendered["type"] == "figure":
            if not items or items[-1]["type"] != "figures":
                items.append({"type": "figures", "items": []})
            items[-1]["items"].append(rendered)
        else:
            items.append(rendered)
    return items


def _make_item(item: doc.Item, report: doc.Report) -> dict[str, Any]:  # noqa: PLR0911 - one for each kind
    match item:
        case doc.HeadingItem():
            return {"type": "heading", "text": item.text, "level": item.level}
        case doc.ProseItem():
            return {"type": "prose", "nodes": [_make_node(node) for node in item.nodes]}
        case doc.TableItem():
            return {
                "type": "table",
                "title": item.title,
                "names": [_make_breakable(name) for name in item.names],
                "aligns": list(item.aligns),
                "rows": [[_make_breakable(cell) for cell in row] for row in item.rows],
                "notes": list(item.notes),
            }
        case doc.ChartItem():
            return {
                "type": "chart",
                "file": _make_chart_name(item),
                "alt": item.title or item.chart.title,
                "title": item.title,
                "width": _compute_width_points(item.chart.pictures["svg"]),
                "notes": [f"{report.words.note}: {note}." for note in item.notes],
            }
        case doc.SqlItem():
            return {"type": "sql", "sql": item.sql}
        case doc.FigureItem():
            figure = {"label": item.label, "value": item.value, "note": item.note}
            return {"type": "figure", **figure}
        case doc.PageBreakItem():
            return {"type": "page_break"}
        case _:
            assert_never(item)


def _compute_width_points(svg: bytes) -> float:
    """Scale a chart to fit between the margins."""
    size = _SVG_SIZE.search(svg)
    width, height = (float(side) for side in size.groups()) if size else (640.0, 360.0)
    scale = min(_PIXEL_POINTS, _WIDTH_POINTS / max(width, 1), _HEIGHT_POINTS / max(height, 1))
    return width * scale


def _make_appendix(report: doc.Report) -> list[dict[str, Any]]:
    words = report.words
    return [
        {
            "name": name,
            "facts": [
                [words.source, _make_breakable(kept.source)],
                [words.result, kept.result_id],
                [words.rows, f"{kept.row_count:,}"],
                [words.hash, _make_breakable(kept.sha256)],
            ],
            "note": words.cut(kept.row_count) if kept.truncated else "",
            "sql": kept.sql,
        }
        for name, kept in report.results
    ]


def _make_node(node: ProseNode) -> dict[str, Any]:
    return {
        "kind": node.kind,
        "text": node.text if node.kind == "code" else _make_breakable(node.text),
        "level": node.level,
        "href": node.href,
        "children": [_make_node(child) for child in node.children],
    }


def _make_breakable(text: str) -> str:
    return _UNBROKEN.sub(lambda found: found[0] + "\u200b", text)
