"""All data tools of one agent, and what is forecast of their calls."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from langchain_core.tools import BaseTool

from dataagent_core.tools.data.agent_tools.catalogue_tools import (
    data_describe,
    data_list_sources,
    data_search_catalog,
    forecast_describe,
    forecast_search,
)
from dataagent_core.tools.data.agent_tools.chart_tool import chart_create
from dataagent_core.tools.data.agent_tools.data_tool_services import DataToolServices
from dataagent_core.tools.data.agent_tools.export_tool import forecast_export, result_export
from dataagent_core.tools.data.agent_tools.metric_tool import forecast_metric, metric_query
from dataagent_core.tools.data.agent_tools.report_tool import report_create
from dataagent_core.tools.data.agent_tools.source_rules import forecast_results
from dataagent_core.tools.data.agent_tools.sql_tools import (
    forecast_check,
    forecast_query,
    result_page,
    sql_check,
    sql_query,
)
from dataagent_core.tools.data.agent_tools.sql_write_tool import forecast_write, sql_write
from dataagent_core.tools.pipeline.call_forecast import CallForecast, Forecasters, JudgeSource

# In the order a model is shown them.
_TOOLS = (
    data_list_sources,
    data_search_catalog,
    data_describe,
    sql_check,
    sql_query,
    metric_query,
    sql_write,
    result_page,
    result_export,
    chart_create,
    report_create,
)

_ForecastCall = Callable[[DataToolServices, dict[str, Any], JudgeSource], Awaitable[CallForecast]]
_FORECASTS: Mapping[str, _ForecastCall] = {
    "data_search_catalog": forecast_search,
    "data_describe": forecast_describe,
    "sql_check": forecast_check,
    "sql_query": forecast_query,
    "metric_query": forecast_metric,
    "sql_write": forecast_write,
    "result_export": forecast_export,
    # These read kept results by their ids.
    "result_page": partial(forecast_results, tool="result_page"),
    "chart_create": partial(forecast_results, tool="chart_create"),
    "report_create": partial(forecast_results, tool="report_create"),
}


@dataclass(frozen=True, slots=True)
class DataTools:
    """The tools, by name what is forecast of their calls, and the services to close with them."""

    tools: Sequence[BaseTool]
    forecasts: Forecasters
    services: DataToolServices


def make_data_tools(services: DataToolServices) -> DataTools:
    """Bind the tools to an agent's services."""
    return DataTools(
        tools=[definition.bind(services) for definition in _TOOLS],
        forecasts={name: partial(forecast, services) for name, forecast in _FORECASTS.items()},
        services=services,
    )
