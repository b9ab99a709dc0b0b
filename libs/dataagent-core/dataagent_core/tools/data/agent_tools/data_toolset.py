"""All data tools of one agent, what some of them foresee, and what is added to their calls.

How every report comes to its data: through the desk, like everybody.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.tools import BaseTool

from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.data.agent_tools.catalogue_tools import (
    forecast_describe,
    forecast_search,
    make_describe,
    make_list_sources,
    make_search_catalog,
)
from dataagent_core.tools.data.agent_tools.export_tool import forecast_export, make_result_export
from dataagent_core.tools.data.agent_tools.metric_tool import (
    LoadSemanticModel,
    forecast_metric,
    make_metric_query,
    parse_metric_query,
    run_metric_query,
)
from dataagent_core.tools.data.agent_tools.shared_arguments import CatalogueExtra
from dataagent_core.tools.data.agent_tools.source_rules import forecast_results
from dataagent_core.tools.data.agent_tools.sql_tools import (
    forecast_check,
    forecast_query,
    make_result_page,
    make_sql_check,
    make_sql_query,
)
from dataagent_core.tools.data.agent_tools.sql_write_tool import forecast_write, make_sql_write
from dataagent_core.tools.data.charts import Renderer, make_chart_tools
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.privacy.cell_masks import make_cell_mask
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.reports import ReportMaker, make_report_tools
from dataagent_core.tools.data.reports.report_run import MaskFor
from dataagent_core.tools.data.reports.report_store import ReportStore
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.workspace_files import WorkspaceFiles
from dataagent_core.tools.pipeline.call_forecast import Forecaster, Forecasters


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


# Tools that read kept results by their ids.
_OF_RESULTS = ("result_page", "chart_create", "report_create")


@dataclass(frozen=True, slots=True)
class DataTools:
    """The tools, and by name what is known before a call of theirs."""

    tools: Sequence[BaseTool] = ()
    foresights: Forecasters = field(default_factory=dict[str, Forecaster])


@dataclass(frozen=True, slots=True, kw_only=True)
class DataToolServices:
    """What the tools of one agent work with."""

    desk: QueryService
    extra: CatalogueExtra
    model: LoadSemanticModel
    files: WorkspaceFiles
    workspace: SafeRoot
    renderer: Renderer
    reports: ReportStore | None = None


def make_data_tools(bench: DataToolServices) -> DataTools:
    """Make them. What they write into a workspace a model can read, so it is masked too."""
    desk = bench.desk
    return DataTools(
        tools=(
            make_list_sources(desk, bench.extra),
            make_search_catalog(desk, bench.extra),
            make_describe(desk),
            make_sql_check(desk),
            make_sql_query(desk),
            make_metric_query(desk, bench.model),
            make_sql_write(desk),
            make_result_page(desk),
            make_result_export(desk, bench.files.deliver),
            *make_chart_tools(desk.results, bench.workspace, bench.renderer, make_cell_mask),
            *make_report_tools(
                make_report_maker(desk, bench.model, bench.renderer, make_cell_mask),
                bench.workspace,
                bench.reports,
            ),
        ),
        foresights={
            "data_search_catalog": forecast_search(desk, bench.extra),
            "data_describe": forecast_describe(desk),
            "sql_check": forecast_check(desk),
            "sql_query": forecast_query(desk),
            "metric_query": forecast_metric(desk, bench.model),
            "sql_write": forecast_write(desk),
            "result_export": forecast_export(desk),
            **{tool: forecast_results(desk, tool) for tool in _OF_RESULTS},
        },
    )
