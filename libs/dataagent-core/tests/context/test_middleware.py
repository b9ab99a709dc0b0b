"""The context window around real runs: what the model is sent, what the log says, what is kept."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, scripted, settings
from langchain_core.messages import HumanMessage, ToolMessage
from long_sessions import (
    SUMMARY,
    InOrder,
    Measuring,
    agent,
    measuring,
    pairs_are_whole,
    questions,
    rows,
)

from dataagent_core.context.context_record import RECORD_KEY, REPORT_KEY
from dataagent_core.context.report import ContextReport, last_report
from dataagent_core.context.view import is_block
from dataagent_core.engine.checkpoints.history import thread
from dataagent_core.events import ContextCompressedEvent
from dataagent_core.models import Script
from dataagent_core.session.stores.bundle import Stores, open_sqlite

WINDOW = 24_000
LOOK = {"tool_calls": [{"name": "rows", "args": {"count": 400}}]}


async def state_after(executor_: Any, events: list[Any]) -> dict[str, Any]:
    return (await executor_.agent.aget_state(thread(events[-1].run_id))).values


def compressions(events: list[Any]) -> list[ContextCompressedEvent]:
    return [event for event in events if isinstance(event, ContextCompressedEvent)]


async def talk(executor_: Any, turns: int, text: str = "Question {n}.") -> list[Any]:
    events: list[Any] = []
    for n in range(turns):
        events += await events_of(executor_, text.format(n=n))
        assert events[-1].reason == "completed", events[-2]
    return events


@pytest.mark.requirement("S2-5.2.5-none")
async def test_a_short_conversation_is_sent_as_it_is(tmp_path: Path) -> None:
    model = measuring(LOOK, {"text": "ok"})
    events = await talk(agent(model, tmp_path, 1_000_000), 3)
    assert compressions(events) == []
    assert [len(sent) for sent in model.answered] == [2, 4, 6, 8, 10, 12]


@pytest.mark.requirement("F7-2")
async def test_old_results_become_references_before_anything_is_summarized(tmp_path: Path) -> None:
    look = {"tool_calls": [{"name": "rows", "args": {"count": 800}}]}
    model = measuring(look, {"text": "ok"})
    executor_ = agent(model, tmp_path, 64_000)
    events = await talk(executor_, 16)
    first = compressions(events)[0]
    assert (first.compression_strategy, first.summary) == ("truncate", None)
    assert first.final_message_count == first.original_message_count
    results = [m.text for m in model.answered[-1] if isinstance(m, ToolMessage)]
    assert results[-1].startswith("row 0 of 800")
    assert "left out; recall(" in results[0]
    stored = (await state_after(executor_, events))["messages"]
    assert all("left out" not in str(message.text) for message in stored)


SKILL = "---\nname: counting\ndescription: How to count rows.\n---\n"
LESSON = "\n".join(f"line {n} of the lesson" for n in range(600))


@pytest.mark.requirement("S2-5.2.10-protected-tools")
@pytest.mark.requirement("F7-2")
async def test_pruning_leaves_skills_whole_however_they_were_loaded(tmp_path: Path) -> None:
    folder = tmp_path / ".dataagent/skills/counting"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL + LESSON)
    (tmp_path / "lesson.txt").write_text(LESSON)
    paths = ["/skills/project/counting/SKILL.md", "/lesson.txt"]
    load = [{"name": "read_file", "args": {"file_path": path}} for path in paths]
    load.append({"name": "skill", "args": {"name": "counting"}})
    look = {"tool_calls": [{"name": "rows", "args": {"count": 800}}]}
    scripts = [
        {"match": "concise summary", "steps": [{"text": SUMMARY}]},
        {"match": "^Load", "steps": [{"tool_calls": load}, {"text": "ok"}]},
        {"steps": [look, {"text": "ok"}]},
    ]
    model = Measuring(script=Script.model_validate({"scripts": scripts}), asked=[])
    chosen = settings(max_context_tokens=64_000)
    executor_ = executor(model, tmp_path, tools=[rows], chosen=chosen)
    await events_of(executor_, "Load what you need.")
    events = await talk(executor_, 12)
    assert [e.compression_strategy for e in compressions(events)] == ["truncate"]
    shown = [m.text for m in model.answered[-1] if isinstance(m, ToolMessage)]
    read_skill, read_file, called_skill, *_ = shown
    assert "left out" in read_file
    assert "line 599 of the lesson" in read_skill
    # Of the real tool: without it there would be an error here.
    assert called_skill.startswith("Skill counting (project")
    assert "line 599 of the lesson" in called_skill


@pytest.mark.requirement("S2-5.2.4")
@pytest.mark.requirement("F7-2")
async def test_a_long_conversation_is_summarized_and_stays_in_the_window(tmp_path: Path) -> None:
    model = measuring({"text": "An answer. " * 60}, window=WINDOW)
    stores = Stores.in_memory()
    executor_ = agent(model, tmp_path, WINDOW, stores=stores)
    text = "Question {n}: " + "tell me more about the orders of this customer. " * 20
    events = await talk(executor_, 60, text)
    told = [event for event in compressions(events) if event.compression_strategy == "summarize"]
    assert told
    assert max(model.size(n) for n in range(len(model.asked))) <= WINDOW
    last = model.answered[-1]
    assert SUMMARY in questions(last)[0]
    assert questions(last)[-2:] == [text.format(n=58), text.format(n=59)]
    stored = (await state_after(executor_, events))["messages"]
    assert len(stored) == 120


@pytest.mark.requirement("S2-5.2.8-event")
@pytest.mark.requirement("F7-2")
async def test_the_event_has_all_fields_of_the_document(tmp_path: Path) -> None:
    model = measuring({"text": "An answer. " * 60})
    text = "Question {n}: " + "tell me more about the orders of this customer. " * 20
    events = await talk(agent(model, tmp_path, WINDOW), 60, text)
    told = next(e for e in compressions(events) if e.compression_strategy == "summarize")
    assert told.was_compressed
    assert told.original_message_count > told.final_message_count
    assert told.summarized_message_count > 0
    assert told.token_budget == 19_904
    assert told.budget_utilization_pct == round(100 * told.estimated_tokens / 19_904, 2)
    assert told.summary == SUMMARY
    assert (told.from_seq, told.seq) == (1, told.seq)
    assert told.to_seq is not None
    assert told.seq is not None
    assert 1 < told.to_seq < told.seq
    assert told.pins[0]["text"] == text.format(n=0).strip()


@pytest.mark.requirement("F7-3")
async def test_what_a_person_said_once_is_in_every_later_request(tmp_path: Path) -> None:
    model = measuring({"text": "An answer. " * 60}, window=WINDOW)
    executor_ = agent(model, tmp_path, WINDOW)
    await events_of(executor_, "Hello.")
    await events_of(executor_, "Never use the table payments_2019. How are you?")
    await talk(executor_, 60, "Question {n}: " + "tell me more about this customer. " * 20)
    for sent in model.answered[1:]:
        assert any("Never use the table payments_2019." in said for said in questions(sent))


@pytest.mark.requirement("S2-5.2.5-truncate")
@pytest.mark.requirement("F7-3")
@pytest.mark.parametrize(
    "summary",
    ["", "word " * 20_000, {"failures": [{"status": 400, "message": "no"}], "text": "late"}],
    ids=["empty", "longer than what it replaces", "refused"],
)
async def test_a_summary_that_is_no_use_gives_way_to_the_pins_alone(
    tmp_path: Path, summary: Any
) -> None:
    model = measuring({"text": "An answer. " * 60}, window=WINDOW, summary=summary)
    text = "Question {n}: " + "tell me more about the orders of this customer. " * 20
    events = await talk(agent(model, tmp_path, WINDOW), 45, text)
    assert {e.compression_strategy for e in compressions(events)} == {"truncate"}
    assert questions(model.answered[-1])[0].startswith("[Earlier events")


async def test_a_summary_is_never_part_of_the_answer(tmp_path: Path) -> None:
    model = measuring({"text": "An answer. " * 60})
    text = "Question {n}: " + "tell me more about the orders of this customer. " * 20
    events = await talk(agent(model, tmp_path, WINDOW), 60, text)
    assert any(e.compression_strategy == "summarize" for e in compressions(events))
    said = "".join(event.content for event in events if event.event_type in {"text", "done"})
    assert SUMMARY not in said


@pytest.mark.requirement("F7-overflow")
async def test_when_the_provider_says_it_is_too_long_less_is_sent(tmp_path: Path) -> None:
    # The catalogue knows 128,000 tokens; the endpoint takes fewer.
    model = measuring({"text": "An answer. " * 60}, window=20_000)
    text = "Question {n}: " + "tell me more about the orders of this customer. " * 40
    events = await talk(agent(model, tmp_path, 128_000), 40, text)
    # It learns: only the first time is anything refused.
    refused = [n for n in range(len(model.asked)) if model.size(n) > 20_000]
    assert 1 <= len(refused) <= 3
    assert compressions(events)
    assert pairs_are_whole(model.answered[-1])
    assert questions(model.answered[-1])[-1] == text.format(n=39)


@pytest.mark.requirement("F7-overflow")
async def test_what_cannot_be_made_to_fit_is_said_once(tmp_path: Path) -> None:
    model = measuring({"text": "ok"}, window=100)
    events = await events_of(agent(model, tmp_path, 128_000), "word " * 2_000)
    assert events[-2].code == "CONTEXT_OVERFLOW"
    assert "DATAAGENT_MAX_CONTEXT_TOKENS" in events[-2].error
    assert len(model.answered) <= 4


async def test_a_turn_longer_than_the_window_keeps_its_question_and_its_last_steps(
    tmp_path: Path,
) -> None:
    calls = [{"tool_calls": [{"name": "rows", "args": {"count": 300 + n}}]} for n in range(30)]
    model = measuring(*calls, {"text": "done"}, window=WINDOW, kind=InOrder)
    executor_ = agent(model, tmp_path, WINDOW)
    events = await events_of(executor_, "Look thirty times.")
    assert events[-1].content == "done"
    assert compressions(events)
    for sent in model.answered:
        assert "Look thirty times." in questions(sent)[-1]
        assert pairs_are_whole(sent)


async def test_how_the_history_is_shown_is_carried_to_the_next_run_and_process(
    tmp_path: Path,
) -> None:
    text = "Question {n}: " + "tell me more about the orders of this customer. " * 20
    async with open_sqlite(tmp_path / "s.db", "local") as stores:
        first = agent(measuring({"text": "An answer. " * 60}), tmp_path, WINDOW, stores=stores)
        events = await talk(first, 45, text)
        record = (await state_after(first, events))[RECORD_KEY]
    async with open_sqlite(tmp_path / "s.db", "local") as stores:
        model = measuring({"text": "ok"})
        later = agent(model, tmp_path, WINDOW, stores=stores)
        assert compressions(await events_of(later, "And now?")) == []
        assert questions(model.answered[0])[0] == record["block"]


async def test_a_sub_agent_has_a_window_of_its_own(tmp_path: Path) -> None:
    work = [{"tool_calls": [{"name": "rows", "args": {"count": 300 + n}}]} for n in range(25)]
    asked = {"description": "Look often", "subagent_type": "general-purpose"}
    task = {"tool_calls": [{"name": "task", "args": asked}]}
    model = measuring(
        task, *work, {"text": "looked"}, {"text": "done"}, window=WINDOW, kind=InOrder
    )
    events = await events_of(agent(model, tmp_path, WINDOW), "Please delegate.")
    assert events[-1].content == "done", events[-2]
    assert compressions(events)
    assert "Look often" in questions(model.answered[-2])[-1]
    # The agent itself saw a question, a call, and its result.
    assert len(model.answered[-1]) == 4


@pytest.mark.requirement("F7-4")
async def test_a_report_says_how_the_window_of_a_turn_was_spent(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Prices are net.")
    model = measuring(LOOK, {"text": "ok"})
    stores = Stores.in_memory()
    executor_ = agent(model, tmp_path, 128_000, stores=stores)
    events = await talk(executor_, 2)
    report = (await state_after(executor_, events))[REPORT_KEY]
    assert report["tools"] > 1_000
    assert report["memory"] >= 4
    assert report["results"] > 2 * 1_000
    assert 0 < report["history"] < 200
    assert report["summary"] == 0
    assert (report["window_tokens"], report["token_budget"]) == (128_000, 108_800)
    found = await last_report(stores.log, stores.checkpoints, "s")
    assert found == ContextReport.from_state(report)
    parts = ("system", "tools", "skills", "memory", "summary", "history", "results")
    estimate = sum(report[part] for part in parts)
    # The model measures what it is sent in the same way.
    assert abs(model.size(-1) - estimate) < 50
    assert report["reported_tokens"] > 0


@pytest.mark.requirement("F7-8")
async def test_requests_begin_alike_so_that_a_provider_can_cache_them(tmp_path: Path) -> None:
    model = measuring({"text": "An answer. " * 60})
    text = "Question {n}: " + "tell me more about the orders of this customer. " * 20
    events = await talk(agent(model, tmp_path, WINDOW), 60, text)
    asked = [pair for pair in model.asked if "concise summary" not in str(pair[0][-1].text)]
    assert len({str(sent[0].content) for sent, _ in asked}) == 1
    assert len({str(tools) for _, tools in asked}) == 1
    changed = sum(later[: len(earlier)] != earlier for (earlier, _), (later, _) in pairwise(asked))
    assert changed == len(compressions(events))
    assert changed < len(asked) / 4


async def test_the_window_of_the_catalogue_holds_unless_it_is_capped(tmp_path: Path) -> None:
    chosen = settings(models={"scripted": {"context_length": 32_000}})
    executor_ = executor(scripted({"text": "ok"}), tmp_path, tools=[rows], chosen=chosen)
    report = (await state_after(executor_, await events_of(executor_)))[REPORT_KEY]
    assert report["window_tokens"] == 32_000


def test_a_message_of_a_person_is_not_taken_for_a_block() -> None:
    assert not is_block(HumanMessage(content="[Earlier events"))
