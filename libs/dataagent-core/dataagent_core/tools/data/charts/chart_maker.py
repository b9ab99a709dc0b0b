"""Makes a chart of a result: from a request in words, or a spec, to pictures."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from dataagent_core.config.limits.data import CHART_ROWS_AGGREGATED_MAX, CHART_ROWS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts import chart_theme
from dataagent_core.tools.data.charts.chart_choice import choose_chart
from dataagent_core.tools.data.charts.chart_data.chart_frame import ChartFrame, read_frame
from dataagent_core.tools.data.charts.chart_model import Chart, ChartFormat, ChartIntent, MaskCell
from dataagent_core.tools.data.charts.kinds.built_chart import BuiltChart, sample_rows
from dataagent_core.tools.data.charts.kinds.chart_builder import build_chart_spec
from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.charts.request.intent_parser import parse_intent
from dataagent_core.tools.data.charts.request.unused_words import make_unused_notes
from dataagent_core.tools.data.charts.spec_check.spec_check import check_spec
from dataagent_core.tools.data.results.result_store import ResultStore


async def make_chart(
    results: ResultStore,
    result_id: str,
    *,
    renderer: Renderer,
    spec: Mapping[str, Any] | None = None,
    intent: ChartIntent | str | None = None,
    formats: Sequence[ChartFormat] = ("png",),
    mask: MaskCell | None = None,
) -> Chart:
    """Draw a result by a Vega-Lite spec, by an intent, or by the roles of its columns."""
    frame = await read_frame(results, result_id, mask)
    built = await asyncio.to_thread(build_chart, frame, spec, intent)
    notes = tuple(built.notes)
    if frame.kept.truncated:
        notes = (f"the result was cut at {frame.kept.row_count:,} rows: more are not in it", *notes)
    whole = _complete_spec(built)
    pictures = await renderer.draw(whole, formats)
    return Chart(kept=frame.kept, title=built.title, spec=whole, pictures=pictures, notes=notes)


def build_chart(
    frame: ChartFrame, spec: Mapping[str, Any] | None, intent: ChartIntent | str | None
) -> BuiltChart:
    """Make the spec of a chart, without a picture."""
    if spec is not None:
        return _build_from_spec(frame, spec)
    wish = parse_intent(intent, frame) if isinstance(intent, str) else intent or ChartIntent()
    built = build_chart_spec(choose_chart(frame, wish), wish)
    if isinstance(intent, str):
        built.notes = [*make_unused_notes(intent, frame), *built.notes]
    return built


def _build_from_spec(frame: ChartFrame, given: Mapping[str, Any]) -> BuiltChart:
    checked = check_spec(given, frame)
    if checked.adds_up and frame.row_count > CHART_ROWS_AGGREGATED_MAX:
        raise ValidationError(
            f"The spec adds rows up, and {frame.kept.result_id} has {frame.row_count:,} rows; "
            f"{CHART_ROWS_AGGREGATED_MAX:,} are possible. Aggregate in the query, or give an "
            "intent instead of a spec: then every row is counted."
        )
    columns = [frame.field(name) for name in checked.columns]
    if not columns:
        raise ValidationError(
            "The spec names no column, so nothing of the result would be drawn. Set a field in "
            f"its encoding; there are: {', '.join(frame.names[:30])}."
        )
    names = [column.name for column in columns]
    cells = zip(*(column.cells for column in columns), strict=True)
    rows = [dict(zip(names, row, strict=True)) for row in cells]
    notes: list[str] = []
    if not checked.adds_up and len(rows) > CHART_ROWS_MAX:
        rows, notes = sample_rows(rows, notes)
    title = _get_title(checked.spec) or f"{', '.join(names[:3])}"
    return BuiltChart(title, rows, checked.spec, notes)


def _get_title(spec: Mapping[str, Any]) -> str:
    title = spec.get("title")
    if isinstance(title, dict):
        title = title.get("text")
    return " ".join(map(str, title)) if isinstance(title, list) else str(title or "")


def _complete_spec(built: BuiltChart) -> dict[str, Any]:
    theirs = built.spec.get("config", {})
    ours = chart_theme.make_vega_config()
    config = {**ours, **(theirs if isinstance(theirs, dict) else {}), "font": ours["font"]}
    text = built.title
    title = {"text": text, "subtitle": built.subtitle} if built.subtitle else text
    titled = {"title": title} if "title" not in built.spec else {}
    return {
        **titled,
        **built.spec,
        "$schema": chart_theme.VEGA_LITE_SCHEMA,
        "data": {"values": built.rows},
        "config": config,
    }
