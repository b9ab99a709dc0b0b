"""A person asks for a shorter view: a run of its own, by the way that every compaction goes."""

from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, resumed, scripted, types
from langchain_core.messages import HumanMessage
from long_sessions import SUMMARY, agent, measuring, questions

from dataagent_core.context.context_record import RECORD_KEY
from dataagent_core.engine.checkpoints.history import thread
from dataagent_core.errors import SessionBusyError, StorageError, ValidationError
from dataagent_core.events import ContextCompressedEvent, Event
from dataagent_core.session import runs_of
from dataagent_core.session.stores.bundle import Stores, open_sqlite
from dataagent_core.session.stores.memory import MemoryEventLog

WINDOW = 128_000
TEXT = "Question {n}: " + "tell me more about the orders of this customer. " * 20


async def compact(executor_: Any, keep: str = "", session: str = "s") -> list[Any]:
    return [event async for event in executor_.compact(session, keep)]


async def talked(model: Any, folder: Path, turns: int = 6, **more: Any) -> Any:
    executor_ = agent(model, folder, WINDOW, **more)
    for n in range(turns):
        assert (await events_of(executor_, TEXT.format(n=n)))[-1].reason == "completed"
    return executor_


def told_in(events: list[Any]) -> ContextCompressedEvent:
    (told,) = [event for event in events if isinstance(event, ContextCompressedEvent)]
    return told


def answers() -> Any:
    return measuring({"text": "An answer. " * 60})


@pytest.mark.requirement("F7-2")
async def test_a_person_may_have_the_history_shown_shorter_before_it_is_full(
    tmp_path: Path,
) -> None:
    model = answers()
    executor_ = await talked(model, tmp_path)
    events = await compact(executor_)
    assert sorted(types(events)[1:-1]) == ["context_compressed", "cost_update", "step_finish"]
    assert (events[0].event_type, events[-1].event_type) == ("start", "done")
    told = told_in(events)
    assert (told.compression_strategy, told.summary) == ("summarize", SUMMARY)
    assert (told.original_message_count, told.summarized_message_count) == (12, 8)
    assert told.from_seq == 1
    assert events[-1].reason == "completed"
    await events_of(executor_, "And now?")
    last = model.answered[-1]
    assert f"> {SUMMARY}" in questions(last)[0]
    assert questions(last)[1:] == [TEXT.format(n=4), TEXT.format(n=5), "And now?"]


@pytest.mark.requirement("F7-2")
async def test_what_the_person_wants_kept_is_asked_of_the_summary_and_kept_word_for_word(
    tmp_path: Path,
) -> None:
    model = answers()
    executor_ = await talked(model, tmp_path)
    keep = "the names of the customers"
    events = await compact(executor_, keep)
    asked = str(model.asked[-1][0][-1].text)
    assert f"The person wants this to be kept above all: {keep}" in asked
    assert {"kind": "instruction", "text": keep, "seq": None} in told_in(events).pins
    await events_of(executor_, "And now?")
    assert f"- {keep}" in questions(model.answered[-1])[0]


@pytest.mark.requirement("S2-5.2.1-stored")
async def test_the_stored_history_is_not_changed(tmp_path: Path) -> None:
    executor_ = await talked(answers(), tmp_path)
    before = await executor_.agent.aget_state(thread((await runs_of_(executor_))[-1]))
    await compact(executor_)
    after = await executor_.agent.aget_state(thread((await runs_of_(executor_))[-1]))
    assert after.values["messages"] == before.values["messages"]
    assert after.values[RECORD_KEY]["covered"] == 8


async def runs_of_(executor_: Any) -> list[str]:
    return [run.run_id for run in await runs_of(executor_._stores.log, "s")]


async def test_it_is_one_run_and_leaves_one_thread_behind(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path / "s.db", "local") as stores:
        executor_ = await talked(answers(), tmp_path, stores=stores)
        events = await compact(executor_)
        runs = await runs_of(stores.log, "s")
        assert [run.done for run in runs] == [True] * 7
        assert runs[-1].run_id == events[0].run_id
        kept = [
            run.run_id
            for run in runs
            if await stores.checkpoints.aget_tuple(thread(run.run_id)) is not None
        ]
        assert kept == [runs[-1].run_id]


@pytest.mark.parametrize("turns", [0, 1, 2])
async def test_where_there_is_nothing_to_win_nothing_is_asked(tmp_path: Path, turns: int) -> None:
    model = answers()
    executor_ = await talked(model, tmp_path, turns)
    asked = len(model.asked)
    events = await compact(executor_)
    expected = ["start", *(["warning"] if turns else []), "done"]
    assert types(events) == expected
    assert events[-1].reason == "completed"
    assert len(model.asked) == asked
    await events_of(executor_, "And now?")
    assert questions(model.answered[-1]) == [*(TEXT.format(n=n) for n in range(turns)), "And now?"]


async def test_without_a_summary_the_pins_stand_alone(tmp_path: Path) -> None:
    refused = {"failures": [{"status": 400, "message": "no"}], "text": "late"}
    model = measuring({"text": "An answer. " * 60}, summary=refused)
    executor_ = await talked(model, tmp_path)
    events = await compact(executor_)
    told = told_in(events)
    assert (told.compression_strategy, told.summary) == ("truncate", None)
    assert events[-1].reason == "completed"


async def test_after_a_run_that_was_stopped_in_a_call_nothing_else_is_done(tmp_path: Path) -> None:
    model = scripted(
        scripts=[
            {"match": "concise summary", "steps": [{"text": SUMMARY}]},
            {"match": "stop here", "steps": [{"tool_calls": [{"name": "echo", "args": {}}]}]},
            {"steps": [{"text": "An answer. " * 60}]},
        ]
    )
    executor_ = await talked(model, tmp_path)
    async with aclosing(executor_.execute("stop here", "s")) as running:
        async for event in running:
            if event.event_type == "tool_call":
                break
    asked = len(model.requests)
    events = await compact(executor_)
    assert "context_compressed" in types(events)
    assert events[-1].reason == "completed"
    assert len(model.requests) == asked + 1


async def test_a_session_with_an_unfinished_run_is_busy(tmp_path: Path) -> None:
    executor_ = await talked(answers(), tmp_path, 1)
    running = executor_.execute("go on", "s")
    await anext(running)
    with pytest.raises(SessionBusyError):
        await compact(executor_)
    await running.aclose()


async def test_words_that_are_too_long_are_refused(tmp_path: Path) -> None:
    executor_ = await talked(answers(), tmp_path, 3)
    events = await compact(executor_, "x" * 2_000_000)
    assert (events[-1].reason, events[-2].code) == ("error", ValidationError.code)


class Failing(MemoryEventLog):
    """A log that breaks when the run is to end, once."""

    broken = False

    async def append(self, session_id: str, run_id: str, events: Any, journal: Any = ()) -> Any:
        if self.broken and any(event.event_type == "done" for event in events):
            self.broken = False
            raise StorageError("gone for a moment")
        return await super().append(session_id, run_id, events, journal)


async def test_one_that_was_cut_off_before_its_end_is_taken_up_again(tmp_path: Path) -> None:
    memory = Stores.in_memory()
    log = Failing()
    stores = Stores(
        sessions=memory.sessions, messages=memory.messages, log=log, checkpoints=memory.checkpoints
    )
    model = answers()
    executor_ = await talked(model, tmp_path, stores=stores)
    log.broken = True
    keep = "the totals"
    assert (await compact(executor_, keep))[-1].event_type == "error"
    again = await resumed(executor_)
    assert again[-1].reason == "completed"
    whole: list[Event] = await log.read("s")
    assert [e.event_type for e in whole].count("context_compressed") == 1
    await events_of(executor_, "And now?")
    block = next(m for m in model.answered[-1] if isinstance(m, HumanMessage))
    assert f"> {SUMMARY}" in str(block.text)
    assert f"- {keep}" in str(block.text)
