"""Writes the files of a report into a workspace: its formats, its charts, and its definition."""

import asyncio
from collections.abc import Sequence
from typing import Literal

from pydantic import JsonValue

from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.data.charts.chart_files import make_file_stem
from dataagent_core.tools.data.charts.chart_theme import is_chinese
from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.reports.formats.html_report import render_html
from dataagent_core.tools.data.reports.formats.markdown_report import (
    make_chart_file_name,
    render_markdown,
)
from dataagent_core.tools.data.reports.formats.pdf_report import render_pdf
from dataagent_core.tools.data.reports.report_definition import write_definition
from dataagent_core.tools.data.reports.report_document import ChartItem, Report
from dataagent_core.tools.output.artifacts import describe_files

ReportFormat = Literal["pdf", "html", "md"]
REPORTS_FOLDER = "/reports"


async def save_report(
    root: SafeRoot,
    report: Report,
    renderer: Renderer,
    formats: Sequence[ReportFormat],
    name: str | None = None,
) -> list[dict[str, JsonValue]]:
    """Write the requested formats and `<name>.yml`, from which the report can run again."""
    files = await render_report_files(report, renderer, formats, name)
    return await asyncio.to_thread(_write_files, root, files)


async def render_report_files(
    report: Report,
    renderer: Renderer,
    formats: Sequence[ReportFormat],
    name: str | None = None,
) -> dict[str, bytes]:
    """Render the files, by path."""
    stem = f"{REPORTS_FOLDER}/{make_file_stem(name or report.title)}"
    files: dict[str, bytes] = {}
    if "pdf" in formats:
        files[f"{stem}.pdf"] = await render_pdf(report, renderer)
    if "html" in formats:
        files[f"{stem}.html"] = await _render_html_file(report, renderer)
    if "md" in formats:
        pictures = f"{stem}-files"
        relative = pictures.rpartition("/")[2]
        files[f"{stem}.md"] = render_markdown(report, relative).encode("utf-8", "replace")
        for item in report.items:
            if isinstance(item, ChartItem):
                files[f"{pictures}/{make_chart_file_name(item.number)}"] = item.chart.pictures[
                    "png"
                ]
    definition = write_definition(report.definition)
    files[f"{stem}.yml"] = definition.encode("utf-8", "replace")
    return files


async def _render_html_file(report: Report, renderer: Renderer) -> bytes:
    page = render_html(report)
    if is_chinese(page):
        # The reader may have no Chinese font.
        page = render_html(report, await renderer.cut_font(page))
    return page.encode("utf-8", "replace")


def _write_files(root: SafeRoot, files: dict[str, bytes]) -> list[dict[str, JsonValue]]:
    for path, data in files.items():
        root.write_atomic(path, data)
    return describe_files(root, files)
