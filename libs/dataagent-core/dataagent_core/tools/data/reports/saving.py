"""The files of a report in a workspace: the forms asked for, its charts, and its definition."""

import asyncio
from collections.abc import Sequence
from typing import Literal

from pydantic import JsonValue

from dataagent_core.sandbox.safe_open import SafeRoot
from dataagent_core.tools.artifacts import described
from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.charts.saving import file_stem
from dataagent_core.tools.data.charts.theme import is_chinese
from dataagent_core.tools.data.reports.definition import written_definition
from dataagent_core.tools.data.reports.document import ChartItem, Report
from dataagent_core.tools.data.reports.to_html import html_of
from dataagent_core.tools.data.reports.to_markdown import chart_file, markdown_of
from dataagent_core.tools.data.reports.to_pdf import pdf_of

ReportFormat = Literal["pdf", "html", "md"]
REPORTS_FOLDER = "/reports"


async def save_report(
    root: SafeRoot,
    report: Report,
    renderer: Renderer,
    formats: Sequence[ReportFormat],
    name: str | None = None,
) -> list[dict[str, JsonValue]]:
    """Write the forms asked for and `<name>.yml`, from which it can be run again."""
    files = await report_files(report, renderer, formats, name)
    return await asyncio.to_thread(_write, root, files)


async def report_files(
    report: Report,
    renderer: Renderer,
    formats: Sequence[ReportFormat],
    name: str | None = None,
) -> dict[str, bytes]:
    """Make the files by their paths."""
    stem = f"{REPORTS_FOLDER}/{file_stem(name or report.title)}"
    files: dict[str, bytes] = {}
    if "pdf" in formats:
        files[f"{stem}.pdf"] = await pdf_of(report, renderer)
    if "html" in formats:
        files[f"{stem}.html"] = await _html(report, renderer)
    if "md" in formats:
        pictures = f"{stem}-files"
        relative = pictures.rpartition("/")[2]
        files[f"{stem}.md"] = markdown_of(report, relative).encode("utf-8", "replace")
        for item in report.items:
            if isinstance(item, ChartItem):
                files[f"{pictures}/{chart_file(item.number)}"] = item.chart.pictures["png"]
    definition = written_definition(report.definition)
    files[f"{stem}.yml"] = definition.encode("utf-8", "replace")
    return files


async def _html(report: Report, renderer: Renderer) -> bytes:
    page = html_of(report)
    if is_chinese(page):
        # Whoever opens it may have no font for it.
        page = html_of(report, await renderer.cut_font(page))
    return page.encode("utf-8", "replace")


def _write(root: SafeRoot, files: dict[str, bytes]) -> list[dict[str, JsonValue]]:
    for path, data in files.items():
        root.write_atomic(path, data)
    return described(root, files)
