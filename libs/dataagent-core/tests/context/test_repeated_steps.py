"""A compaction that is made again, after a crash or a wait: one event, one summary, one view."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, resumed
from budgeted import Person
from long_sessions import InOrder, Measuring, agent, measuring, questions

from dataagent_core.context.context_record import RECORD_KEY
from dataagent_core.engine.checkpoints.history import thread
from dataagent_core.errors import StorageError
from dataagent_core.events import ContextCompressedEvent, Event
from dataagent_core.hitl import Decision
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.session.stores.memory import MemoryEventLog

WINDOW = 24_000
TEXT = "Question {n}: " + "tell me more about the orders of this customer. " * 20


class Dying(Measuring):
    """A model whose process ends when it has written a summary and is asked for the answer."""

    async def _astream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        if summaries(self) and "concise summary" not in str(messages[-1].text):
            raise StorageError("the process is gone")
        async for chunk in super()._astream(messages, *args, **kwargs):
            yield chunk


def stores_with(log: MemoryEventLog) -> Stores:
    memory = Stores.in_memory()
    return Stores(
        sessions=memory.sessions, messages=memory.messages, log=log, checkpoints=memory.checkpoints
    )


def summaries(model: Any) -> int:
    return sum("concise summary" in str(sent[-1].text) for sent, _ in model.asked)


async def compressions(log: MemoryEventLog) -> list[ContextCompressedEvent]:
    found = await log.read("s", types=("context_compressed",))
    return [event for event in found if isinstance(event, ContextCompressedEvent)]


class Counting(MemoryEventLog):
    """Counts how often it is read for the sake of the view."""

    looked = 0

    async def read(self, session_id: str, **how: Any) -> list[Event]:
        self.looked += "tool_result" in (how.get("types") or ())
        return await super().read(session_id, **how)


@pytest.mark.requirement("F7-1")
async def test_in_a_long_turn_in_which_nothing_can_be_won_it_is_tried_once(tmp_path: Path) -> None:
    log = Counting()
    calls = [{"tool_calls": [{"name": "rows", "args": {"count": 40 + n}}]} for n in range(45)]
    model = measuring(*calls, {"text": "done"}, window=WINDOW, kind=InOrder)
    executor_ = agent(model, tmp_path, WINDOW, stores=stores_with(log))
    events = await events_of(executor_, "Look often.")
    assert events[-1].content == "done"
    sizes = [model.size(n) for n in range(len(model.asked))]
    # What this is about: many steps between the trigger and what does not fit any more.
    assert sum(0.8 * 19_904 < size < 19_904 for size in sizes) > 5
    assert log.looked <= 2 * (1 + len(await compressions(log)))


@pytest.mark.requirement("F7-2")
async def test_after_a_crash_between_the_event_and_the_answer_the_summary_is_not_asked_again(
    tmp_path: Path,
) -> None:
    log = MemoryEventLog()
    model = measuring({"text": "An answer. " * 60}, window=WINDOW, kind=Dying)
    first = agent(model, tmp_path, WINDOW, stores=(stores := stores_with(log)))
    events: list[Any] = []
    for n in range(60):
        events = await events_of(first, TEXT.format(n=n))
        if events[-1].event_type != "done":
            break
    assert (events[-2].event_type, events[-1].event_type) == ("context_compressed", "error")
    assert summaries(model) == 1
    # Another process, in which the model would summarize differently.
    other = measuring({"text": "An answer. " * 60}, window=WINDOW, summary="Something else.")
    later = agent(other, tmp_path, WINDOW, stores=stores)
    events = await resumed(later)
    assert events[-1].reason == "completed"
    (told,) = await compressions(log)
    assert summaries(other) == 0
    state = (await later.agent.aget_state(thread(events[-1].run_id))).values
    assert state[RECORD_KEY]["summary"] == told.summary
    assert f"> {told.summary}" in questions(other.answered[-1])[0]


@pytest.mark.requirement("F7-2")
async def test_a_wait_at_the_budget_after_a_compaction_makes_no_second_one(tmp_path: Path) -> None:
    log = MemoryEventLog()
    yes: Decision = {"type": "approve"}
    person = Person(*[yes] * 60)
    model = measuring({"text": "An answer. " * 60}, window=WINDOW)
    chosen = {"run_tokens_max": 15_500, "max_output_tokens": 100}
    executor_ = agent(
        model, tmp_path, WINDOW, stores=stores_with(log), handler=person, settings=chosen
    )
    events: list[Any] = []
    for n in range(45):
        events = await events_of(executor_, TEXT.format(n=n))
        assert events[-1].reason == "completed", events[-2]
    assert person.questions
    told = await compressions(log)
    # What this is about: the answer was asked about after the view had been made.
    waits = await log.read("s", types=("hitl_request",))
    assert any(w.run_id == t.run_id and (w.seq or 0) > (t.seq or 0) for w in waits for t in told)
    assert len({event.event_id for event in told}) == len(told) == summaries(model)
    state = (await executor_.agent.aget_state(thread(events[-1].run_id))).values
    assert state[RECORD_KEY]["summary"] == told[-1].summary
