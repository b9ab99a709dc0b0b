"""`data chart` and `data report`: pictures and documents, with no column masked."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.data.access import open_query_service, project_model
from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.wiring import App
from dataagent_core.errors import NotFoundError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from dataagent_core.tools.data.charts.chart_model import ChartFormat
    from dataagent_core.tools.data.reports.report_files import ReportFormat


async def draw_chart(
    app: App, result_id: str, intent: str, formats: "Sequence[ChartFormat]", folder: Path
) -> None:
    """Draw a result, show it as text, and write its files into a folder."""
    from dataagent_core.sandbox.files.safe_root import SafeRoot
    from dataagent_core.tools.data.charts import Renderer, make_chart, save_chart
    from dataagent_core.tools.data.charts.terminal_chart import render_terminal_chart

    renderer = Renderer()
    try:
        async with open_query_service(app) as queries:
            chart = await make_chart(
                queries.results,
                result_id,
                renderer=renderer,
                intent=intent or None,
                formats=formats,
            )
    finally:
        await renderer.aclose()
    made = save_chart(SafeRoot(folder, links="beneath"), chart, tuple(formats), None)
    app.output.line(sanitize_text(render_terminal_chart(chart.spec)))
    for note in chart.notes:
        app.output.note(app.say.translate(sanitize_text(note)), fg="yellow")
    for file in made:
        app.output.note(app.say("wrote_file", path=folder / str(file["path"]).lstrip("/")))


async def make_report(
    app: App,
    file: Path,
    parameters: "Mapping[str, Any]",
    formats: "Sequence[ReportFormat]",
    folder: Path,
) -> None:
    """Run a report's definition with fresh data and write its files into a folder."""
    from dataagent_core.sandbox.files.safe_root import SafeRoot
    from dataagent_core.tools.data.agent_tools.report_tool import make_report_maker
    from dataagent_core.tools.data.charts import Renderer
    from dataagent_core.tools.data.reports import (
        make_self_contained,
        read_definition,
        run_report,
        save_report,
    )

    definition = read_definition(await asyncio.to_thread(_text_of, app, file))
    renderer = Renderer()
    try:
        async with open_query_service(app) as queries:
            definition = await make_self_contained(definition, queries.results)
            maker = make_report_maker(queries, project_model, renderer)
            report = await run_report(definition, maker, parameters=parameters)
            made = await save_report(
                SafeRoot(folder, links="beneath"), report, renderer, list(formats), None
            )
    finally:
        await renderer.aclose()
    for one in made:
        app.output.note(app.say("wrote_file", path=folder / str(one["path"]).lstrip("/")))


def _text_of(app: App, file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NotFoundError(app.say("cannot_read", path=file, error=error)) from None
