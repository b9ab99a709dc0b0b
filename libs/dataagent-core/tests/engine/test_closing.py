"""Closing an executor, or the graph, closes all the agent holds, whatever one part does."""

from dataclasses import replace
from pathlib import Path

import pytest
from agents import scripted, settings

from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.engine.graph.agent_graph import AgentGraph


class Part:
    """Something to close, which may fail at it."""

    def __init__(self, name: str, closed: list[str], *, fails: bool) -> None:
        self._name = name
        self._closed = closed
        self._fails = fails

    async def aclose(self) -> None:
        self._closed.append(self._name)
        if self._fails:
            raise OSError(f"{self._name} cannot be closed")


@pytest.mark.parametrize("kind", ["executor", "graph"])
async def test_every_part_is_closed_in_order_and_what_failed_is_told(tmp_path: Path, kind: str):
    closed: list[str] = []
    parts = [Part(name, closed, fails=name != "c") for name in "abc"]
    config = AgentConfig("tester", model=scripted({"text": "ok"}), workspace_path=tmp_path)
    made, backend = AgentFactory(settings()).create_agent(config)
    graph = AgentGraph.of(replace(made.resources, closing=parts), backend)
    with pytest.raises(ExceptionGroup) as failed:
        await (graph if kind == "graph" else AgentExecutor(graph, backend)).aclose()
    assert closed == ["a", "b", "c"]
    assert [str(error) for error in failed.value.exceptions] == [
        "a cannot be closed",
        "b cannot be closed",
    ]
    await made.aclose()
