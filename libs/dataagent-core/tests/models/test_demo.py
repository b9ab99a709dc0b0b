"""The built-in demo: only known tools, true figures, and an honest answer to anything else."""

import re
from pathlib import Path

import duckdb
import pytest
from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage

from dataagent_core.models import DEMO_PROMPT, demo_model
from dataagent_core.models.scripted.demo import NO_MODEL_ANSWER
from dataagent_core.models.scripted.demo_script import demo_steps
from dataagent_core.models.scripted.demo_words import CHINESE, ENGLISH, DemoWords
from dataagent_core.tools.data.sample import make_shop

TOOLS = {
    "write_todos",
    "data_describe",
    "sql_query",
    "chart_create",
    "report_create",
    "write_file",
    "edit_file",
}


each_language = pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh"])


async def play(prompt: str) -> list[BaseMessage]:
    model = demo_model()
    messages: list[BaseMessage] = [HumanMessage(prompt, id="m0")]
    for number in range(20):
        answer = await model.ainvoke(messages)
        messages.append(answer)
        if not answer.tool_calls:
            break
        told = f"r_{number:012x}: rows"
        messages += [ToolMessage(told, tool_call_id=call["id"]) for call in answer.tool_calls]
    return messages


@each_language
async def test_the_demo_plays_to_its_end(words: DemoWords) -> None:
    messages = await play(words.prompt)
    assert str(messages[-1].content).startswith(words.answer.partition("[")[0])
    calls = [call for m in messages for call in getattr(m, "tool_calls", [])]
    assert {call["name"] for call in calls} == TOOLS
    assert len({call["id"] for call in calls}) == len(calls)
    # Every result is named by an id a tool gave, none is left open.
    assert "{{" not in str([m.content for m in messages]) + str(calls)


async def test_any_other_prompt_gets_the_way_to_a_real_model() -> None:
    for prompt in ("hello", DEMO_PROMPT + " ", DEMO_PROMPT.lower(), ""):
        messages = await play(prompt)
        assert [m.content for m in messages[1:]] == [NO_MODEL_ANSWER]
    assert "DATAAGENT_MODEL=provider:name" in NO_MODEL_ANSWER


@each_language
@pytest.mark.requirement("F5-demo")
def test_the_figures_of_the_answer_are_those_of_sql_written_by_hand(
    tmp_path: Path, words: DemoWords
) -> None:
    make_shop(tmp_path)
    database = duckdb.connect()
    by_category = database.execute(
        f"SELECT category, sum(quantity * unit_price) FROM '{tmp_path}/order_lines.parquet' "
        f"JOIN '{tmp_path}/products.parquet' USING (product_id) GROUP BY 1"
    ).fetchall()
    for category, revenue in by_category:
        assert f"| {category} | {revenue:,} |" in words.answer
    by_month = database.execute(
        f"WITH o AS (SELECT order_id, min(ordered_at) AS first_at FROM '{tmp_path}/orders.parquet' "
        f"GROUP BY 1) SELECT month(first_at), sum(quantity * unit_price) "
        f"FROM '{tmp_path}/order_lines.parquet' JOIN o USING (order_id) GROUP BY 1 ORDER BY 1"
    ).fetchall()
    first, last = by_month[0][1], by_month[-1][1]
    assert re.search(rf"{first:,}\D+(12\D+)?{last:,}", words.answer)


@each_language
def test_the_edit_changes_a_line_the_note_has(words: DemoWords) -> None:
    steps = demo_steps(words)
    edits = [c.args for step in steps for c in step.tool_calls if c.name == "edit_file"]
    assert edits
    assert all(words.note_file.count(edit["old_string"]) == 1 for edit in edits)
    figures = re.findall(r"\d[\d,.]*\d", edits[0]["new_string"])
    assert figures
    assert all(figure in words.answer for figure in figures)


@each_language
def test_the_plan_ends_with_every_step_completed(words: DemoWords) -> None:
    plans = [
        c.args["todos"] for s in demo_steps(words) for c in s.tool_calls if c.name == "write_todos"
    ]
    assert [todo["status"] for todo in plans[-1]] == ["completed"] * 3
    assert all(sum(t["status"] == "in_progress" for t in plan) == 1 for plan in plans[:-1])
