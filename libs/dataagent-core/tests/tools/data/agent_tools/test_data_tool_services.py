"""The services of data tools are built when a tool needs them, and closed with their agent."""

from dataclasses import replace
from pathlib import Path

import pytest
from query_services import make_services

from dataagent_core.errors import ConflictError
from dataagent_core.tools.data.agent_tools import make_data_tools
from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.data.sources.engines.engine_openers import make_engine_opener
from dataagent_core.tools.data.sources.engines.engine_pool import EnginePool

LAZY = {"queries", "results", "files", "renderer", "_pool"}


class WatchedPool(EnginePool):
    """A pool that says whether it was closed."""

    closed = False

    async def aclose(self) -> None:
        self.closed = True
        await super().aclose()


class WatchedRenderer(Renderer):
    """A renderer that says whether it was closed."""

    closed = False

    async def aclose(self) -> None:
        self.closed = True
        await super().aclose()


async def test_an_agent_whose_data_tools_are_not_called_builds_no_service(tmp_path: Path):
    services = make_services(tmp_path)
    data = make_data_tools(services)
    await services.aclose()
    assert len(data.tools) == 11
    assert not LAZY & vars(services).keys()


async def test_a_tool_builds_what_it_needs_and_no_more(tmp_path: Path):
    services = make_services(tmp_path)
    (tmp_path / "sales.csv").write_text("region\nEast\n")
    tools = {tool.name: tool for tool in make_data_tools(services).tools}
    assert "sales.csv" in await tools["data_list_sources"].ainvoke({})
    assert LAZY & vars(services).keys() == {"files"}
    await services.aclose()


async def test_engines_of_the_agent_are_closed_with_it(tmp_path: Path):
    (tmp_path / "sales.csv").write_text("region\nEast\n")
    services = make_services(tmp_path)
    tools = {tool.name: tool for tool in make_data_tools(services).tools}
    arguments = {"source": "/sales.csv", "sql": "SELECT region FROM sales"}
    assert "East" in str(await tools["sql_query"].ainvoke(arguments))
    await services.aclose()
    with pytest.raises(ConflictError, match="closed"):
        await tools["sql_query"].ainvoke(arguments)


async def test_nothing_is_built_once_the_agent_is_closed(tmp_path: Path):
    services = make_services(tmp_path)
    await services.aclose()
    with pytest.raises(ConflictError, match="the agent was closed"):
        _ = services.queries
    with pytest.raises(ConflictError, match="the agent was closed"):
        _ = services.renderer


async def test_shared_services_stay_open_for_the_others(tmp_path: Path):
    pool, renderer = WatchedPool(make_engine_opener(tmp_path)), WatchedRenderer()
    services = make_services(tmp_path, renderer=renderer)
    services = replace(services, access=replace(services.access, pool=pool))
    _ = services.queries
    assert services.renderer is renderer
    await services.aclose()
    assert not pool.closed
    assert not renderer.closed
