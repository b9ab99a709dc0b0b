"""The built-in demo: only known tools, true figures, and an honest answer to anything else."""

import csv
import io

from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage

from dataagent_core.models import DEMO_PROMPT, demo_model
from dataagent_core.models.demo import NO_MODEL_ANSWER
from dataagent_core.models.demo_script import DEMO_STEPS, FINAL_ANSWER, REPORT_MD, SALES_CSV

TOOLS = {"write_todos", "ls", "read_file", "write_file", "edit_file"}


async def play(prompt: str) -> list[BaseMessage]:
    model = demo_model()
    messages: list[BaseMessage] = [HumanMessage(prompt, id="m0")]
    for _ in range(20):
        answer = await model.ainvoke(messages)
        messages.append(answer)
        if not answer.tool_calls:
            break
        messages += [ToolMessage("ok", tool_call_id=call["id"]) for call in answer.tool_calls]
    return messages


async def test_the_demo_plays_to_its_end() -> None:
    messages = await play(DEMO_PROMPT)
    assert messages[-1].content == FINAL_ANSWER
    names = [call["name"] for m in messages for call in getattr(m, "tool_calls", [])]
    assert set(names) == TOOLS
    ids = [call["id"] for m in messages for call in getattr(m, "tool_calls", [])]
    assert len(ids) == len(set(ids))


async def test_any_other_prompt_gets_the_way_to_a_real_model() -> None:
    for prompt in ("hello", DEMO_PROMPT + " ", DEMO_PROMPT.lower(), ""):
        messages = await play(prompt)
        assert [m.content for m in messages[1:]] == [NO_MODEL_ANSWER]
    assert "DATAAGENT_MODEL=provider:name" in NO_MODEL_ANSWER


def test_the_figures_of_the_report_are_the_sums_of_the_table() -> None:
    rows = list(csv.DictReader(io.StringIO(SALES_CSV)))
    for text in (REPORT_MD, FINAL_ANSWER):
        for region in ("North", "South"):
            own = [row for row in rows if row["region"] == region]
            orders = sum(int(row["orders"]) for row in own)
            revenue = sum(int(row["revenue"]) for row in own)
            assert f"| {region} | {orders} | {revenue:,} |" in text
        assert f"**{sum(int(row['revenue']) for row in rows):,}**" in text


def test_the_edit_changes_a_line_the_report_has() -> None:
    edits = [c.args for step in DEMO_STEPS for c in step.tool_calls if c.name == "edit_file"]
    assert edits
    assert all(REPORT_MD.count(edit["old_string"]) == 1 for edit in edits)


def test_the_plan_ends_with_every_step_completed() -> None:
    plans = [c.args["todos"] for s in DEMO_STEPS for c in s.tool_calls if c.name == "write_todos"]
    assert [todo["status"] for todo in plans[-1]] == ["completed"] * 3
    assert all(sum(t["status"] == "in_progress" for t in plan) == 1 for plan in plans[:-1])
