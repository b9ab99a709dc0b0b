"""What is void and what is missing after a crash, and resuming in another executor."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, echo, events_of, executor, resumed, scripted, settings, types
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from dataagent_core.engine.checkpoints.history import thread
from dataagent_core.engine.checkpoints.recovery import recover
from dataagent_core.engine.stream_events import text_event_id
from dataagent_core.errors import (
    ConflictError,
    NoOneToAskError,
    NotFoundError,
    SessionBusyError,
    StorageError,
)
from dataagent_core.events import (
    Event,
    HITLRequestEvent,
    RunResumedEvent,
    RunStartedEvent,
    TextEvent,
    ThoughtEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.session.stores.bundle import Stores, open_sqlite
from dataagent_core.session.stores.memory import MemoryEventLog

ANSWER = AIMessage(content="whole", id="m1")
FINAL = text_event_id(ANSWER, "r")


def numbered(*events: Event) -> list[Event]:
    from dataclasses import replace

    return [
        replace(event, seq=number, event_id=event.event_id or f"e{number}")
        for number, event in enumerate(events, 1)
    ]


def test_pieces_of_an_answer_that_was_cut_are_void() -> None:
    events = numbered(RunStartedEvent(), TextEvent(content="who"), TextEvent(content="le"))
    recovery = recover(events, [], "r")
    assert (recovery.attempt, recovery.discard_after, recovery.missing) == (2, 1, [])


def test_an_answer_in_log_and_checkpoint_stays() -> None:
    final = TextEvent(content="whole", is_final=True, event_id=FINAL)
    recovery = recover(
        numbered(RunStartedEvent(), TextEvent(content="whole"), final), [ANSWER], "r"
    )
    assert (recovery.discard_after, recovery.missing) == (3, [])


def test_a_final_text_the_checkpoint_never_saw_is_void() -> None:
    final = TextEvent(content="whole", is_final=True, event_id=FINAL)
    assert recover(numbered(RunStartedEvent(), final), [], "r").discard_after == 1


def test_an_answer_only_the_checkpoint_has_is_added() -> None:
    recovery = recover(numbered(RunStartedEvent(), TextEvent(content="who")), [ANSWER], "r")
    assert recovery.discard_after == 1
    assert recovery.missing == [
        TextEvent(
            event_id=FINAL, content="whole", is_final=True, timestamp=recovery.missing[0].timestamp
        )
    ]


def test_a_call_without_a_result_is_void_and_one_with_a_result_is_not() -> None:
    events = numbered(
        RunStartedEvent(),
        ToolCallEvent(tool_call_id="a"),
        ToolCallEvent(tool_call_id="b"),
        ToolResultEvent(tool_call_id="a"),
    )
    assert recover(events, [], "r").discard_after == 2


def test_the_result_of_one_sub_agent_closes_no_call_of_another() -> None:
    """Some models call the first call of every conversation "call_0"."""
    events = numbered(
        RunStartedEvent(),
        ToolCallEvent(tool_call_id="call_0", subagent_id="one"),
        ToolCallEvent(tool_call_id="call_0", subagent_id="two"),
        ToolResultEvent(tool_call_id="call_0", subagent_id="one"),
    )
    assert recover(events, [], "r").discard_after == 2


def test_what_an_earlier_attempt_voided_is_not_counted_again() -> None:
    events = numbered(
        RunStartedEvent(), TextEvent(content="x"), RunResumedEvent(attempt=2, discard_after=1)
    )
    recovery = recover(events, [], "r")
    assert (recovery.attempt, recovery.discard_after) == (3, 3)


@given(
    st.lists(
        st.sampled_from(["piece", "final", "lost final", "call", "result", "resumed"]), max_size=20
    )
)
def test_nothing_that_stays_valid_is_ever_void(kinds: list[str]) -> None:
    """Whatever the log holds, no kept final text and no result lies in the void range as text."""
    made: dict[str, Event] = {
        "piece": TextEvent(content="p"),
        "lost final": TextEvent(content="l", is_final=True),
        "call": ToolCallEvent(tool_call_id="c"),
        "result": ToolResultEvent(tool_call_id="c"),
        "resumed": RunResumedEvent(),
    }
    events: list[Event] = [RunStartedEvent()]
    for number, kind in enumerate(kinds):
        final = TextEvent(content="f", is_final=True, event_id=f"text:r:{number}")
        events.append(final if kind == "final" else made[kind])
    events = numbered(*events)
    kept = [
        AIMessage(content="f", id=str(number)) for number, k in enumerate(kinds) if k == "final"
    ]
    recovery = recover(events, kept, "r")
    assert recovery.missing == []
    last_resumed = max((e.seq or 0 for e in events if isinstance(e, RunResumedEvent)), default=0)
    for event in events:
        if isinstance(event, TextEvent) and str(event.event_id).startswith("text:r:"):
            assert (event.seq or 0) <= max(recovery.discard_after, last_resumed)


class Nobody:
    """There is no person to ask."""

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:
        raise NoOneToAskError("nobody")

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Nobody to tell either."""


WRITE = {"name": "write_file", "args": {"file_path": "/a.txt", "content": "A"}}
TWO = {"tool_calls": [WRITE, {"name": "echo", "args": {"text": "free"}}]}


async def test_a_run_that_waits_is_resumed_by_whoever_can_answer(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path / "db", "local") as stores:
        model = scripted(TWO, {"text": "written"})
        waiting = executor(model, tmp_path, handler=Nobody(), tools=[echo], stores=stores)
        first = await events_of(waiting)
        assert types(first)[-1] == "hitl_request"
    async with open_sqlite(tmp_path / "db", "local") as stores:
        model = scripted(TWO, {"text": "written"})
        person = Answering()
        able = executor(model, tmp_path, handler=person, tools=[echo], stores=stores)
        rest = await resumed(able)
    assert types(rest)[0] == "resumed"
    assert rest[-1].content == "written"
    assert len(person.asked) == 1
    assert types(first + rest).count("hitl_request") == 1
    assert types(first + rest).count("tool_result") == 2
    assert [e.seq for e in first + rest] == list(range(1, len(first + rest) + 1))


async def test_an_answer_given_before_the_crash_is_not_asked_for_again(tmp_path: Path) -> None:
    """The log has the answer, the checkpoint does not: the write after it never happened."""

    class Dies(MemoryEventLog):
        dying = True

        async def append(self, session_id: str, run_id: str, events: Any, journal: Any = ()) -> Any:
            if self.dying and any(type(record).__name__ == "Intent" for record in journal):
                raise StorageError("gone")
            return await super().append(session_id, run_id, events, journal)

    from dataclasses import replace

    log = Dies()
    stores = replace(Stores.in_memory(), log=log)
    person = Answering({"type": "edit", "args": {"file_path": "/b.txt", "content": "B"}})
    model = scripted({"tool_calls": [WRITE]}, {"text": "ok"})
    events = await events_of(executor(model, tmp_path, handler=person, stores=stores))
    assert types(events)[-1] == "error"
    assert events[-1].seq is None
    log.dying = False
    again = executor(model, tmp_path, handler=person, stores=stores)
    rest = await resumed(again)
    assert rest[-1].reason == "completed"
    assert len(person.asked) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]


async def test_a_new_message_to_an_unfinished_run_is_refused_with_the_way_out(
    tmp_path: Path,
) -> None:
    stores = Stores.in_memory()
    waiting = executor(scripted({"tool_calls": [WRITE]}), tmp_path, handler=Nobody(), stores=stores)
    await events_of(waiting)
    with pytest.raises(SessionBusyError, match="resume it first"):
        await events_of(waiting, "another")


async def test_only_an_unfinished_run_can_be_resumed(tmp_path: Path) -> None:
    agent = executor(scripted({"text": "ok"}), tmp_path)
    with pytest.raises(NotFoundError):
        await anext(agent.resume("s"))
    await events_of(agent)
    with pytest.raises(ConflictError):
        await anext(agent.resume("s"))


async def test_a_session_remembers_what_was_said_before(tmp_path: Path) -> None:
    model = scripted({"text": "hello"})
    agent = executor(model, tmp_path)
    await events_of(agent, "I am Ada")
    await events_of(agent, "who am I?")
    said = [message.text for message in model.requests[-1]]
    assert "I am Ada" in said
    assert "who am I?" in said


@pytest.mark.parametrize("wrong", ["", "x" * 400_001])
async def test_a_run_that_failed_at_once_takes_nothing_of_the_conversation(
    tmp_path: Path, wrong: str
) -> None:
    model = scripted({"text": "hello"})
    agent = executor(model, tmp_path)
    await events_of(agent, "I am Ada")
    assert (await events_of(agent, wrong))[-1].reason == "error"
    await events_of(agent, "who am I?")
    assert "I am Ada" in [message.text for message in model.requests[-1]]


async def test_a_resumed_run_tells_and_counts_only_what_is_its_own(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    model = scripted(
        scripts=[
            {"match": "write", "steps": [{"tool_calls": [WRITE]}, {"text": "written"}]},
            {"steps": [{"text": "hello there"}]},
        ]
    )
    waiting = executor(model, tmp_path, handler=Nobody(), stores=stores)
    await events_of(waiting, "one")
    first = await events_of(waiting, "write it")
    rest = await resumed(executor(model, tmp_path, handler=Answering(), stores=stores))
    texts = [e.content for e in first + rest if e.event_type == "text" and e.is_final]
    assert texts == ["written"]
    alone = await events_of(executor(model, tmp_path), "write it")
    assert rest[-1].token_usage["output_tokens"] == alone[-1].token_usage["output_tokens"]


async def test_the_limit_of_model_calls_counts_over_attempts(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    chosen = settings(run_model_calls_max=2)
    step = {"tool_calls": [WRITE]}
    model = scripted(step, step, step, {"text": "never"})
    await events_of(executor(model, tmp_path, handler=Nobody(), stores=stores, chosen=chosen))
    able = executor(model, tmp_path, handler=Answering(), stores=stores, chosen=chosen)
    assert (await resumed(able))[-1].reason == "limit"
    assert len(model.requests) == 2


async def test_the_plan_outlives_the_run(tmp_path: Path) -> None:
    todo = {"name": "write_todos", "args": {"todos": [{"content": "one", "status": "pending"}]}}
    model = scripted(
        scripts=[
            {"match": "plan", "steps": [{"tool_calls": [todo]}, {"text": "ok"}]},
            {"steps": [{"text": "hi"}]},
        ]
    )
    agent = executor(model, tmp_path)
    await events_of(agent, "plan it")
    last = (await events_of(agent, "and now?"))[-1]
    state = await agent.agent.aget_state(thread(last.run_id))
    assert [todo["content"] for todo in state.values["todos"]] == ["one"]


async def test_a_thought_before_a_question_stays_when_the_run_is_resumed() -> None:
    thinking = AIMessage(content=[{"type": "reasoning", "reasoning": "hm"}], id="m1")
    thought = ThoughtEvent(content="hm", is_final=True, event_id="thought:r:m1")
    events = numbered(RunStartedEvent(), ThoughtEvent(content="hm"), thought, HITLRequestEvent())
    assert recover(events, [thinking], "r").discard_after == 4


@pytest.mark.requirement("F2-checkpoint-growth")
async def test_two_hundred_steps_stay_small_and_older_runs_leave_no_checkpoints(
    tmp_path: Path,
) -> None:
    calls = [{"name": "echo", "args": {"text": f"{n:0200}"}} for n in range(50)]
    steps = [{"text": "Next.", "tool_calls": [call]} for call in calls]
    database = tmp_path / "db"
    async with open_sqlite(database, "local") as stores:
        agent = executor(scripted(*steps, {"text": "ok"}), tmp_path, tools=[echo], stores=stores)
        events: list[Any] = []
        for number in range(4):
            events = await events_of(agent, f"go {number}")
            assert types(events).count("tool_result") == 50
        threads = {
            item.config.get("configurable", {})["thread_id"]
            async for item in stores.checkpoints.alist(None)
        }
        assert threads == {events[-1].run_id}
    size = sum(path.stat().st_size for path in tmp_path.glob("db*"))
    assert size < 30_000_000
