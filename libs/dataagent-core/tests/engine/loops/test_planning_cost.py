"""What planning adds to a message: nothing to a simple one, a note to a moderate one."""

from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, types
from plan_runs import go
from plan_scripts import find, plan_of, planned, step
from subagent_scripts import RememberingModel, called

from dataagent_core.models import Script

NEVER = {"planning": {"mode": "never"}}
SIMPLE = ("hi", "What is 2 + 2?", "列出文件", "thanks")
MODERATE = "Read the orders file and then write a summary"
COMPLEX = (
    "Load the orders of Q3 and Q4 from the warehouse, clean them, compare both quarters by region, "
    "analyse the trend, draw a chart, write a report and send a summary to the team"
)
PLAN_WORDS = ("finish_step", "plan_question", "work-plan", "planning-note")


def playing(*turns: dict[str, Any]) -> RememberingModel:
    return RememberingModel(script=Script.model_validate({"steps": list(turns)}))


def list_requests(model: RememberingModel) -> list[Any]:
    """List what the provider got: messages as they are sent, instructions, names of tools."""
    sent = [[(m.type, m.content) for m in request] for request in model.requests]
    return [sent, model.calls]


async def both_ways(tmp_path: Path, text: str, *turns: dict[str, Any]) -> list[list[Any]]:
    """Send a message as usual, and with planning switched off; give what both sent."""
    requests: list[list[Any]] = []
    for context in (None, NEVER):
        model = playing(*turns)
        agent = executor(model, tmp_path, auto_approve=True)
        events = await go(agent, text, context)
        assert events[-1].reason == "completed"
        assert not {"work_plan", "step_start"} & set(types(events))
        requests.append(list_requests(model))
    return requests


@pytest.mark.requirement("F21-1-simple")
@pytest.mark.parametrize("text", SIMPLE)
async def test_a_simple_message_pays_nothing(tmp_path: Path, text: str) -> None:
    reading = {"tool_calls": [called("ls", path="/")]}
    usual, without = await both_ways(tmp_path, text, reading, {"text": "There."})
    assert usual == without
    assert len(usual[0]) == 2
    assert not any(word in str(usual) for word in PLAN_WORDS)


async def test_a_moderate_message_has_a_note_and_may_be_planned_with_the_person(
    tmp_path: Path,
) -> None:
    usual, without = await both_ways(tmp_path, MODERATE, {"text": "Done."})
    note = "\n\n<planning-note>\nThis takes several steps: keep a list of them with `write_todos`."
    note += "\n</planning-note>"
    [[[*before, (kind, said)]], [(told, tools)]] = usual
    assert said.startswith(MODERATE + note)
    others = [name for name in tools if name != "plan_enter"]
    assert [[[*before, (kind, said.replace(note, ""))]], [(told, others)]] == without


async def test_a_complex_message_is_planned_by_itself(tmp_path: Path) -> None:
    model = planned(plan_of(step(1, "load")), agent=[{"text": "x"}, {"text": "x [step 1]"}])
    events = await go(executor(model, tmp_path), COMPLEX, None)
    assert [e.status for e in find(events, "work_plan")] == ["planning", "in_progress", "completed"]


async def test_the_tools_of_plans_are_not_offered_by_the_catalog_either(tmp_path: Path) -> None:
    """Tools beyond the core are found and loaded by name."""
    finding = {"tool_calls": [called("find_tools", query="finish step plan question")]}
    loading = {"tool_calls": [called("load_tools", names=["finish_step", "plan_question"])]}
    model = playing(finding, loading, {"text": "ok"})
    events = await events_of(executor(model, tmp_path, auto_approve=True), "hi")
    assert events[-1].reason == "completed"
    results = [str(e.result) for e in find(events, "tool_result")]
    offered = [name for _, tools in model.calls for name in tools]
    assert not {"finish_step", "plan_question"} & set(offered), results
