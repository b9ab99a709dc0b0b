"""S2 §1.2: an agent has sub-agents, a sub-agent has skills, a skill is made of tools."""

import json
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor
from made_skills import fixed, make_skill
from subagent_scripts import called, ends_of, playing, specialist, task

COPY_STEPS = {
    "kind": "sequential",
    "inputs": {"target": {"type": "string"}},
    "steps": [
        {"args": {"pattern": "total", "path": "/in.txt"}},
        {"args": {"file_path": "{{input.target}}", "content": "{{previous}}"}},
    ],
}


@pytest.mark.requirement("S2-1.2-layers")
async def test_one_message_goes_through_all_four_layers(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("total 42\n")
    copying = make_skill(
        "copying",
        tools=("grep", "write_file"),
        metadata={"execution_template": json.dumps(COPY_STEPS)},
    )
    clerk = specialist(
        "clerk", allowed_tools=("grep", "write_file", "skill"), allowed_skills=("copying",)
    )
    model = playing(
        task("SUB copy the total", to="clerk"),
        SUB=[
            {"tool_calls": [called("skill", name="copying", inputs={"target": "/out.txt"})]},
            {"text": "copied"},
        ],
    )
    person = Answering()
    agent = executor(
        model,
        tmp_path,
        skills=fixed(copying, make_skill("other")),
        subagents=(clerk,),
        handler=person,
    )
    events: list[Any] = await events_of(agent)

    # The tool, which only a person may allow, however deep it is called.
    assert [request["name"] for request in person.asked] == ["task", "write_file"]
    assert "total 42" in (tmp_path / "out.txt").read_text()
    # Skill and tools belong to the task of the sub-agent, and its report to the agent.
    end = ends_of(events)["clerk"]
    assert end.phase == "finished"
    steps = [event for event in events if event.event_type == "skill" and event.phase != "matched"]
    assert [event.phase for event in steps] == [
        "activated", "started", "tool_started", "tool_result", "tool_started", "tool_result",
        "completed",
    ]  # fmt: skip
    assert {event.subagent_id for event in steps} == {end.subagent_id}
    delegated = [event for event in events if event.event_type == "tool_result"][-1]
    assert (delegated.tool_name, delegated.subagent_id) == ("task", None)
    assert "copied" in str(delegated.result)
    # A skill that the sub-agent does not have is not even in its list.
    ((instructions, _), *_) = model.called_as("You are clerk.")
    assert "- copying:" in instructions
    assert "- other:" not in instructions
