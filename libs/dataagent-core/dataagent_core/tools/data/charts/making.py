"""`make_chart`: from a result and a wish, or a spec, to pictures."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from dataagent_core.config.data_limits import CHART_ROWS_AGGREGATED_MAX, CHART_ROWS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts import theme
from dataagent_core.tools.data.charts.building import build
from dataagent_core.tools.data.charts.built import Built, sampled
from dataagent_core.tools.data.charts.checking import check_spec
from dataagent_core.tools.data.charts.choosing import choose
from dataagent_core.tools.data.charts.frame import Frame, read_frame
from dataagent_core.tools.data.charts.model import Chart, ChartFormat, Intent, Mask
from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.charts.unused import unused_notes
from dataagent_core.tools.data.charts.wording import read_intent
from dataagent_core.tools.data.results.store import Results


async def make_chart(
    results: Results,
    result_id: str,
    *,
    renderer: Renderer,
    spec: Mapping[str, Any] | None = None,
    intent: Intent | str | None = None,
    formats: Sequence[ChartFormat] = ("png",),
    mask: Mask | None = None,
) -> Chart:
    """Draw a result by a Vega-Lite spec, by an intent, or by what its columns are."""
    frame = await read_frame(results, result_id, mask)
    built = await asyncio.to_thread(build_chart, frame, spec, intent)
    notes = tuple(built.notes)
    if frame.kept.truncated:
        notes = (f"the result was cut at {frame.kept.row_count:,} rows: more are not in it", *notes)
    whole = _whole(built)
    pictures = await renderer.draw(whole, formats)
    return Chart(kept=frame.kept, title=built.title, spec=whole, pictures=pictures, notes=notes)


def build_chart(frame: Frame, spec: Mapping[str, Any] | None, intent: Intent | str | None) -> Built:
    """Make the spec of a chart, without a picture."""
    if spec is not None:
        return _from_spec(frame, spec)
    wish = read_intent(intent, frame) if isinstance(intent, str) else intent or Intent()
    built = build(choose(frame, wish), wish)
    if isinstance(intent, str):
        built.notes = [*unused_notes(intent, frame), *built.notes]
    return built


def _from_spec(frame: Frame, given: Mapping[str, Any]) -> Built:
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
        rows, notes = sampled(rows, notes)
    title = _title_of(checked.spec) or f"{', '.join(names[:3])}"
    return Built(title, rows, checked.spec, notes)


def _title_of(spec: Mapping[str, Any]) -> str:
    title = spec.get("title")
    if isinstance(title, dict):
        title = title.get("text")
    return " ".join(map(str, title)) if isinstance(title, list) else str(title or "")


def _whole(built: Built) -> dict[str, Any]:
    theirs = built.spec.get("config", {})
    ours = theme.config()
    config = {**ours, **(theirs if isinstance(theirs, dict) else {}), "font": ours["font"]}
    text = built.title
    title = {"text": text, "subtitle": built.subtitle} if built.subtitle else text
    titled = {"title": title} if "title" not in built.spec else {}
    return {
        **titled,
        **built.spec,
        "$schema": theme.SCHEMA,
        "data": {"values": built.rows},
        "config": config,
    }
