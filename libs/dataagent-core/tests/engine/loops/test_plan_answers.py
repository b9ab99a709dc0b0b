"""The answer of a planned run names the steps it comes from, by itself or in a line below it."""

from pathlib import Path
from typing import Any

import pytest
from agents import executor, settings
from plan_runs import check_steps_once, go
from plan_scripts import find, plan_of, planned, step
from subagent_scripts import called

from dataagent_core.planning.answer_sources import find_named_steps

TWO = plan_of(step(1, "count the files\nand  links"), step(2, "x" * 300, 1))


async def answer_of(tmp_path: Path, text: str, plan: str = TWO, **chosen: Any) -> str:
    model = planned(plan, agent=[{"text": "one"}, {"text": "two"}, {"text": text}])
    events = await go(executor(model, tmp_path, chosen=settings(**chosen)))
    check_steps_once(events)
    # What is stored, what is streamed at the end and what the run returns are one text.
    [final] = [e for e in find(events, "text") if e.is_final and e.content.startswith(text)]
    assert final.content == events[-1].content
    return events[-1].content


@pytest.mark.requirement("S2-6.3")
@pytest.mark.parametrize(
    "text",
    [
        "3 files [step 1].",
        "3 files [Step 2], 4 links (steps 1, 2).",
        "\u5171\u6709 3 \u4e2a\u6587\u4ef6\u3010\u6b65\u9aa4 1\u3011\u3002",
        "3 \u4e2a\u6587\u4ef6\uff08\u6b65\u9aa41\uff09",
    ],
)
async def test_an_answer_that_names_its_steps_stays_as_it_is(tmp_path: Path, text: str) -> None:
    assert await answer_of(tmp_path, text) == text


@pytest.mark.requirement("F21-2-sources")
@pytest.mark.requirement("S2-6.3")
@pytest.mark.parametrize("text", ["3 files.", "3 files [step 7].", "Step 1 was easy: 3 files."])
async def test_an_answer_that_names_none_gets_a_line_of_sources(tmp_path: Path, text: str) -> None:
    line = f"Sources: [step 1] count the files and links; [step 2] {'x' * 79}\u2026"
    assert await answer_of(tmp_path, text) == f"{text}\n\n{line}"


@pytest.mark.requirement("S2-6.3")
async def test_a_chinese_answer_gets_a_chinese_line(tmp_path: Path) -> None:
    plan = plan_of(step(1, "\u7edf\u8ba1\u6587\u4ef6"), step(2, "\u7edf\u8ba1\u94fe\u63a5", 1))
    text = "\u5171\u6709 3 \u4e2a\u6587\u4ef6\u3002"
    line = (
        "\u6765\u6e90\uff1a[\u6b65\u9aa4 1] \u7edf\u8ba1\u6587\u4ef6\uff1b"
        "[\u6b65\u9aa4 2] \u7edf\u8ba1\u94fe\u63a5"
    )
    assert await answer_of(tmp_path, text, plan) == f"{text}\n\n{line}"


async def test_only_steps_that_were_done_are_sources(tmp_path: Path) -> None:
    failing = {"tool_calls": [called("finish_step", result="no", success=False)]}
    model = planned(
        plan_of(step(1, "one"), step(2, "two")),
        agent=[{"text": "1"}, failing, {"text": "One of two [step 2]."}],
    )
    chosen = settings(plan_replans_max=0, subagent_depth=0)
    events = await go(executor(model, tmp_path, chosen=chosen))
    assert events[-1].content == "One of two [step 2].\n\nSources: [step 1] one"


async def test_where_nothing_was_done_there_are_no_sources(tmp_path: Path) -> None:
    failing = {"tool_calls": [called("finish_step", result="no", success=False)]}
    model = planned(plan_of(step(1, "one")), agent=[failing, {"text": "It cannot be done."}])
    events = await go(executor(model, tmp_path, chosen=settings(plan_replans_max=0)))
    assert events[-1].content == "It cannot be done."


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("[step 1][steps 2, 3]", {1, 2, 3}),
        ("(Step 12)", {12}),
        ("\u3010\u6b65\u9aa4 1\u30012\u3011", {1, 2}),
        ("[step " + "1," * 50_000, {1}),
        ("[step " * 50_000, set[int]()),
        ("step 1, [stepper 2]", set[int]()),
    ],
)
def test_references_are_found(text: str, numbers: set[int]) -> None:
    assert find_named_steps(text) == numbers
