"""How every report comes to its data: through the desk, like everybody."""

from collections.abc import Mapping
from typing import Any

from dataagent_core.tools.data.agent_tools.metric_tool import (
    LoadSemanticModel,
    parse_metric_query,
    run_metric_query,
)
from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.reports import ReportMaker
from dataagent_core.tools.data.reports.report_run import MaskFor
from dataagent_core.tools.data.results.stored_result import StoredResult


def make_report_maker(
    desk: QueryService,
    model: LoadSemanticModel,
    renderer: Renderer,
    mask_for: MaskFor | None = None,
) -> ReportMaker:
    """Make reports of what a desk answers."""

    async def run_query(source: str, sql: str, rows_max: int) -> StoredResult:
        return await desk.query(source, sql, QueryLimits(rows_max=rows_max))

    async def run_metric(asked: Mapping[str, Any]) -> StoredResult:
        return await run_metric_query(desk, await model(), parse_metric_query(asked))

    return ReportMaker(
        results=desk.results,
        renderer=renderer,
        run_query=run_query,
        run_metric=run_metric,
        mask_for=mask_for,
    )
