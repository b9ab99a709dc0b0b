"""Metrics in a run: rules about their source hold, and expensive ones are asked about."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted, settings

from dataagent_core.engine import AgentConfig, AgentFactory
from dataagent_core.permissions.taint import is_external
from dataagent_core.tools.data import query_service as desk_module

MODEL = """
datasets: [{name: pay, source: /hr.csv, table: hr, dimensions: [{name: who}]}]
metrics: [{name: paid, dataset: pay, expr: sum(amount)}]
"""
CALL: dict[str, Any] = {"name": "metric_query", "args": {"metrics": ["paid"]}}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    (folder / ".dataagent" / "semantic").mkdir(parents=True)
    (folder / ".dataagent" / "semantic" / "pay.yml").write_text(MODEL)
    (folder / "hr.csv").write_text("who,amount\nann,1\nbob,2\n")
    return folder


async def called(workspace: Path, call: dict[str, Any], *rules: str, **given: Any) -> Any:
    home = workspace.parent / "home"
    home.mkdir(exist_ok=True)
    written = [
        f'[[rules]]\ntool = "{tool}"\nresource = "{resource}"\naction = "deny"\n'
        for tool, resource in (rule.split() for rule in rules)
    ]
    (home / "permissions.toml").write_text("".join(written))
    model = scripted({"tool_calls": [call]}, {"text": "ok"})
    agent = executor(model, workspace, chosen=settings(home=home), **given)
    try:
        events = await events_of(agent)
    finally:
        await agent.aclose()
    return next(e for e in events if e.event_type == "tool_result")


async def test_a_metric_gives_its_number(workspace: Path):
    assert "paid\n3\n" in (await called(workspace, CALL)).result


@pytest.mark.parametrize("rule", ["metric_query /hr.csv", "data /hr.csv"])
@pytest.mark.parametrize("said", [{}, {"source": "/other.csv"}])
async def test_a_denied_source_is_denied_to_its_metrics(
    workspace: Path, rule: str, said: dict[str, str]
):
    call = {**CALL, "args": {**CALL["args"], **said}}
    assert "is denied" in (await called(workspace, call, rule)).result


async def test_another_sources_rule_is_no_rule_for_it(workspace: Path):
    assert (await called(workspace, CALL, "metric_query /other.csv")).status == "success"


async def test_an_expensive_metric_is_put_to_a_person(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(desk_module, "QUERY_ROWS_ASK", 0)
    person = Answering({"type": "respond", "message": "too much"})
    call = {**CALL, "args": {**CALL["args"], "dimensions": ["who"]}}
    result = await called(workspace, call, handler=person)
    assert "expects this query to go through" in str(person.asked[0].get("reason"))
    assert result.status == "error"


async def test_a_metric_that_is_not_there_is_never_put_to_a_person(workspace: Path):
    call = {"name": "metric_query", "args": {"metrics": ["payd"]}}
    person = Answering()
    assert "Did you mean 'paid'" in (await called(workspace, call, handler=person)).result
    assert person.asked == []


def test_what_reads_data_brings_strangers_words(workspace: Path):
    config = AgentConfig(assistant_id="t", model=scripted({"text": ""}), workspace_path=workspace)
    tools = {tool.name: tool for tool in AgentFactory(settings()).built_in_tools(config)}
    strangers = {name for name, tool in tools.items() if is_external(name, tool.metadata)}
    assert {"data_describe", "data_search_catalog", "sql_query", "metric_query"} <= strangers
