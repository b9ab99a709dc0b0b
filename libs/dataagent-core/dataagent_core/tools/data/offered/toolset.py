"""All data tools of one agent, what some of them foresee, and what is added to their calls."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.tools import BaseTool

from dataagent_core.sandbox.safe_open import SafeRoot
from dataagent_core.tools.data.charts import Renderer, make_chart_tools
from dataagent_core.tools.data.desk import DataDesk
from dataagent_core.tools.data.offered.catalogue import (
    make_describe,
    make_list_sources,
    make_search_catalog,
)
from dataagent_core.tools.data.offered.metric import (
    foresee_metric,
    make_metric_query,
    metric_from,
    name_the_source,
    run_metric_query,
)
from dataagent_core.tools.data.offered.sql import (
    foresee_query,
    make_result_export,
    make_result_page,
    make_sql_check,
    make_sql_query,
)
from dataagent_core.tools.data.offered.texts import Extra
from dataagent_core.tools.data.offered.write import foresee_write, make_sql_write
from dataagent_core.tools.data.privacy.cells import mask_for
from dataagent_core.tools.data.reports import ReportMaker, make_report_tools
from dataagent_core.tools.data.results.kept import Kept
from dataagent_core.tools.data.semantic import SemanticModel
from dataagent_core.tools.data.workspace_files import WorkspaceFiles
from dataagent_core.tools.foresight import Foresight, Foresights
from dataagent_core.tools.hooks import PreHook


@dataclass(frozen=True, slots=True)
class DataTools:
    """The tools, by name what is known before a call of theirs, and hooks before each call."""

    tools: Sequence[BaseTool] = ()
    foresights: Foresights = field(default_factory=dict[str, Foresight])
    pre_hooks: tuple[PreHook, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What the tools of one agent work with."""

    desk: DataDesk
    extra: Extra
    model: Callable[[], SemanticModel]
    files: WorkspaceFiles
    workspace: SafeRoot
    renderer: Renderer


def make_data_tools(bench: Bench) -> DataTools:
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
            *make_chart_tools(desk.results, bench.workspace, bench.renderer, mask_for),
            *make_report_tools(report_maker(bench), bench.workspace),
        ),
        foresights={
            "sql_query": foresee_query(desk),
            "metric_query": foresee_metric(desk, bench.model),
            "sql_write": foresee_write(desk),
        },
        pre_hooks=(name_the_source(bench.model),),
    )


def report_maker(bench: Bench) -> ReportMaker:
    """Give reports their way to data: the desk, like everybody."""
    desk = bench.desk

    async def run_query(source: str, sql: str) -> Kept:
        return await desk.query(source, sql)

    async def run_metric(asked: Mapping[str, Any]) -> Kept:
        return await run_metric_query(desk, bench.model(), metric_from(asked))

    return ReportMaker(
        results=desk.results,
        renderer=bench.renderer,
        run_query=run_query,
        run_metric=run_metric,
        mask_for=mask_for,
    )
