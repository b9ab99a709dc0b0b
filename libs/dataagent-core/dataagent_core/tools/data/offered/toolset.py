"""All data tools of one agent, what some of them foresee, and what is added to their calls."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from langchain_core.tools import BaseTool

from dataagent_core.sandbox.safe_open import SafeRoot
from dataagent_core.tools.data.charts import Renderer, make_chart_tools
from dataagent_core.tools.data.desk import DataDesk
from dataagent_core.tools.data.offered.catalogue import (
    foresee_describe,
    foresee_search,
    make_describe,
    make_list_sources,
    make_search_catalog,
)
from dataagent_core.tools.data.offered.metric import (
    ReadModel,
    foresee_metric,
    make_metric_query,
)
from dataagent_core.tools.data.offered.reporting import maker_over
from dataagent_core.tools.data.offered.result_export import foresee_export, make_result_export
from dataagent_core.tools.data.offered.ruled import foresee_results
from dataagent_core.tools.data.offered.sql import (
    foresee_check,
    foresee_query,
    make_result_page,
    make_sql_check,
    make_sql_query,
)
from dataagent_core.tools.data.offered.texts import Extra
from dataagent_core.tools.data.offered.write import foresee_write, make_sql_write
from dataagent_core.tools.data.privacy.cells import mask_for
from dataagent_core.tools.data.reports import make_report_tools
from dataagent_core.tools.data.reports.shelf import ReportShelf
from dataagent_core.tools.data.workspace_files import WorkspaceFiles
from dataagent_core.tools.foresight import Foresight, Foresights

# Tools that read kept results by their ids.
_OF_RESULTS = ("result_page", "chart_create", "report_create")


@dataclass(frozen=True, slots=True)
class DataTools:
    """The tools, and by name what is known before a call of theirs."""

    tools: Sequence[BaseTool] = ()
    foresights: Foresights = field(default_factory=dict[str, Foresight])


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What the tools of one agent work with."""

    desk: DataDesk
    extra: Extra
    model: ReadModel
    files: WorkspaceFiles
    workspace: SafeRoot
    renderer: Renderer
    reports: ReportShelf | None = None


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
            *make_report_tools(
                maker_over(desk, bench.model, bench.renderer, mask_for),
                bench.workspace,
                bench.reports,
            ),
        ),
        foresights={
            "data_search_catalog": foresee_search(desk, bench.extra),
            "data_describe": foresee_describe(desk),
            "sql_check": foresee_check(desk),
            "sql_query": foresee_query(desk),
            "metric_query": foresee_metric(desk, bench.model),
            "sql_write": foresee_write(desk),
            "result_export": foresee_export(desk),
            **{tool: foresee_results(desk, tool) for tool in _OF_RESULTS},
        },
    )
