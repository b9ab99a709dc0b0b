"""How every report comes to its data: through the desk, like everybody."""

from collections.abc import Mapping
from typing import Any

from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.desk import DataDesk
from dataagent_core.tools.data.model import QueryLimits
from dataagent_core.tools.data.offered.metric import ReadModel, metric_from, run_metric_query
from dataagent_core.tools.data.reports import ReportMaker
from dataagent_core.tools.data.reports.running import MaskFor
from dataagent_core.tools.data.results.kept import Kept


def maker_over(
    desk: DataDesk, model: ReadModel, renderer: Renderer, mask_for: MaskFor | None = None
) -> ReportMaker:
    """Make reports of what a desk answers."""

    async def run_query(source: str, sql: str, rows_max: int) -> Kept:
        return await desk.query(source, sql, QueryLimits(rows_max=rows_max))

    async def run_metric(asked: Mapping[str, Any]) -> Kept:
        return await run_metric_query(desk, await model(), metric_from(asked))

    return ReportMaker(
        results=desk.results,
        renderer=renderer,
        run_query=run_query,
        run_metric=run_metric,
        mask_for=mask_for,
    )
