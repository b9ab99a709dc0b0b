"""S0's properties of a run: approval, completion, failure, tracking, cancellation."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, echo, events_of, executor, explode, scripted, settings, types
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.tools import tool

from dataagent_core.errors import SessionBusyError
from dataagent_core.events import (
    DoneEvent,
    ErrorEvent,
    ExecutionEvent,
    FileOperationEvent,
    HITLRequestEvent,
    ToolResultEvent,
)
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.permissions.tool_groups import ALLOWED_BY_DEFAULT
from dataagent_core.session.stores.bundle import Stores

names = st.text("abcdefghij", min_size=1, max_size=8)
contents = st.text(max_size=60)
prompts = st.text(min_size=1, max_size=80).filter(lambda text: text.strip())


def write(name: str, content: str) -> dict[str, object]:
    return {"name": "write_file", "args": {"file_path": f"/{name}.txt", "content": content}}


def edit(name: str, old: str, new: str) -> dict[str, object]:
    args = {"file_path": f"/{name}.txt", "old_string": old, "new_string": new}
    return {"name": "edit_file", "args": args}


@pytest.mark.requirement("S0-7")
@given(
    name=names, content=contents, calls=st.integers(1, 3), message=st.none() | st.text(max_size=20)
)
async def test_property_7_a_rejection_cancels_the_run(
    tmp_path: Path, name: str, content: str, calls: int, message: str | None
) -> None:
    wanted = [write(f"{name}{n}", content) for n in range(calls)]
    handler = Answering({"type": "reject", "message": message})
    agent = executor(scripted({"tool_calls": wanted}, {"text": "never"}), tmp_path, handler=handler)
    events = await events_of(agent)
    done = events[-1]
    assert isinstance(done, DoneEvent)
    assert (done.cancelled, done.reason) == (True, "rejected")
    assert not list(tmp_path.glob(f"{name}*.txt"))
    assert types(events).count("hitl_answer") == calls
    assert sum(e.superseded for e in events if e.event_type == "hitl_answer") == calls - 1


@pytest.mark.requirement("S0-8")
@given(name=names, content=contents)
async def test_property_8_without_a_handler_everything_is_approved(
    tmp_path: Path, name: str, content: str
) -> None:
    agent = executor(scripted({"tool_calls": [write(name, content)]}, {"text": "ok"}), tmp_path)
    events = await events_of(agent)
    assert any(isinstance(e, HITLRequestEvent) for e in events)
    assert (tmp_path / f"{name}.txt").exists()
    assert events[-1].event_type == "done"
    (tmp_path / f"{name}.txt").unlink()


@pytest.mark.requirement("S0-12")
@given(prompt=st.text(max_size=200))
async def test_property_12_execute_is_an_async_iterator_of_events(
    tmp_path: Path, prompt: str
) -> None:
    run = executor(scripted({"text": "hi"}), tmp_path).execute(prompt, "s")
    assert isinstance(run, AsyncIterator)
    events = [event async for event in run]
    assert all(isinstance(event, ExecutionEvent) for event in events)
    assert types(events)[0] == "start"
    assert types(events)[-1] == "done"
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


@pytest.mark.requirement("S0-13")
@given(status=st.sampled_from([400, 401, 403, 404, 429, 500, 503]), text=contents)
async def test_property_13_a_failure_becomes_an_error_event_and_done(
    tmp_path: Path, status: int, text: str
) -> None:
    failing = scripted({"text": "x", "failures": [{"status": status, "message": text or "-"}]})
    events = await events_of(executor(failing, tmp_path))
    error, done = events[-2:]
    assert isinstance(error, ErrorEvent)
    assert isinstance(done, DoneEvent)
    assert (done.cancelled, done.reason) == (False, "error")
    assert error.recoverable == (status in {429, 500, 503})


@pytest.mark.requirement("S0-13")
async def test_a_tool_that_raises_is_told_to_the_model_and_the_run_goes_on(tmp_path: Path) -> None:
    call = {"name": "explode", "args": {"text": "boom"}}
    agent = executor(scripted({"tool_calls": [call]}, {"text": "I see"}), tmp_path, tools=[explode])
    events = await events_of(agent)
    result = next(e for e in events if isinstance(e, ToolResultEvent))
    assert (result.status, result.result) == ("error", "RuntimeError: boom")
    assert events[-1].event_type == "done"
    assert "error" not in types(events)


@pytest.mark.requirement("S0-14")
@given(prompt=prompts, answer=st.text(min_size=1, max_size=80).filter(str.strip))
async def test_property_14_a_completed_run_ends_with_done_not_cancelled(
    tmp_path: Path, prompt: str, answer: str
) -> None:
    events = await events_of(executor(scripted({"text": answer}), tmp_path), prompt)
    done = events[-1]
    assert isinstance(done, DoneEvent)
    assert (done.cancelled, done.reason) == (False, "completed")
    assert types(events).count("done") == 1
    assert done.content


@pytest.mark.requirement("S0-15")
@given(
    name=names,
    before=st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=5).map("\n".join),
    after=st.lists(st.text("cd", min_size=1, max_size=4), min_size=1, max_size=5).map("\n".join),
)
async def test_property_15_every_file_operation_is_tracked(
    tmp_path: Path, name: str, before: str, after: str
) -> None:
    (tmp_path / f"{name}.txt").unlink(missing_ok=True)
    model = scripted(
        {"tool_calls": [write(name, f"[{before}]")]},
        {"tool_calls": [{"name": "read_file", "args": {"file_path": f"/{name}.txt"}}]},
        {"tool_calls": [edit(name, f"[{before}]", f"[{after}]")]},
        {"text": "ok"},
    )
    events = await events_of(executor(model, tmp_path))
    operations = [e for e in events if isinstance(e, FileOperationEvent)]
    assert [e.operation for e in operations] == ["write", "read", "edit"]
    assert {e.file_path for e in operations} == {f"/{name}.txt"}
    written, read, edited = operations
    assert written.metrics["lines_written"] == len(f"[{before}]".splitlines())
    assert read.metrics["lines_read"] == written.metrics["lines_written"]
    assert edited.diff is not None
    # The old letters are all gone and the new ones all there, so every line of both counts.
    assert edited.metrics["lines_removed"] == len(f"[{before}]".splitlines())
    assert edited.metrics["lines_added"] == len(f"[{after}]".splitlines())


@tool
async def dawdle() -> str:
    """Take longer than anybody waits."""
    await asyncio.sleep(60)
    return "finally"


@tool
def block() -> str:
    """Hold a thread that cannot be interrupted."""
    time.sleep(1.5)
    return "finally"


@pytest.mark.requirement("S0-39")
@pytest.mark.requirement("S0-41")
@given(after=st.integers(1, 5), steps=st.integers(1, 4))
async def test_property_39_and_41_cancelling_ends_the_run_and_leaves_nothing_behind(
    tmp_path: Path, after: int, steps: int
) -> None:
    tasks_before = asyncio.all_tasks()
    token = asyncio.Event()
    calls = [{"tool_calls": [{"name": "echo", "args": {"text": str(n)}}]} for n in range(steps)]
    slow = {"tool_calls": [{"name": "dawdle", "args": {}}]}
    agent = executor(scripted(*calls, slow, {"text": "never"}), tmp_path, tools=[echo, dawdle])
    events = []
    async for event in agent.execute("go", "s", cancellation_token=token):
        events.append(event)
        if len(events) == after or (
            event.event_type == "tool_call" and event.tool_name == "dawdle"
        ):
            token.set()
    done = events[-1]
    assert isinstance(done, DoneEvent)
    assert (done.cancelled, done.reason) == (True, "user_cancelled")
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == tasks_before
    async with aclosing(agent.execute("go on", "s")) as again:
        assert (await anext(again)).event_type == "start"


@pytest.mark.requirement("S0-40")
@given(delay_s=st.floats(0, 0.01))
async def test_property_40_cancelling_takes_less_than_a_second(
    tmp_path: Path, delay_s: float
) -> None:
    slow = {"text": "x" * 50, "chunk_chars": 1, "chunk_delay_s": 0.2}
    agent = executor(scripted(slow), tmp_path)
    token = asyncio.Event()
    asyncio.get_running_loop().call_later(delay_s, token.set)
    began = time.monotonic()
    events = [e async for e in agent.execute("go", "s", cancellation_token=token)]
    assert time.monotonic() - began < 1 + delay_s
    assert events[-1].event_type == "done"


async def test_a_tool_that_ignores_cancellation_does_not_hold_up_the_answer(tmp_path: Path) -> None:
    call = {"tool_calls": [{"name": "block", "args": {}}]}
    agent = executor(scripted(call, {"text": "never"}), tmp_path, tools=[block])
    token = asyncio.Event()
    began = 0.0
    last = ""
    async for event in agent.execute("go", "s", cancellation_token=token):
        last = event.event_type
        if last == "tool_call":
            began = time.monotonic()
            token.set()
    assert time.monotonic() - began < 1
    assert last == "done"


async def test_a_run_beyond_its_time_ends_as_timed_out(tmp_path: Path) -> None:
    call = {"tool_calls": [{"name": "dawdle", "args": {}}]}
    agent = executor(scripted(call), tmp_path, tools=[dawdle], timeout=0.2)
    events = await events_of(agent)
    assert types(events)[-2:] == ["error", "done"]
    assert events[-1].reason == "timeout"
    assert events[-1].cancelled


async def test_a_reader_who_leaves_ends_the_run_as_cancelled(tmp_path: Path) -> None:
    call = {"tool_calls": [{"name": "dawdle", "args": {}}]}
    stores = Stores.in_memory()
    agent = executor(scripted(call), tmp_path, tools=[dawdle], stores=stores)
    async with aclosing(agent.execute("go", "s")) as run:
        async for event in run:
            if event.event_type == "tool_call":
                break
    last = (await stores.log.read("s"))[-1]
    assert isinstance(last, DoneEvent)
    assert last.reason == "user_cancelled"


def test_the_tools_that_ask_are_those_of_s1() -> None:
    asked = {"shell", "execute", "write_file", "edit_file", "web_search", "fetch_url", "task"}
    assert not ALLOWED_BY_DEFAULT.intersection(asked)


async def test_auto_approve_asks_nobody_but_tells(tmp_path: Path) -> None:
    handler = Answering()
    agent = executor(
        scripted({"tool_calls": [write("a", "b")]}, {"text": "ok"}),
        tmp_path,
        handler=handler,
        auto_approve=True,
    )
    events = await events_of(agent)
    assert "hitl_request" not in types(events)
    assert not handler.asked
    assert [action["name"] for action in handler.told] == ["write_file"]


async def test_always_holds_for_the_rest_of_the_session(tmp_path: Path) -> None:
    handler = Answering({"type": "approve", "scope": "always"})
    model = scripted(
        {"tool_calls": [write("a", "1")]}, {"tool_calls": [write("b", "2")]}, {"text": "ok"}
    )
    agent = executor(model, tmp_path, handler=handler)
    await events_of(agent, "first")
    await events_of(agent, "second")
    assert len(handler.asked) == 1
    await events_of(agent, "in another session", "other")
    assert len(handler.asked) == 3


async def test_an_answer_that_does_not_fit_is_asked_for_again(tmp_path: Path) -> None:
    person = Answering({"type": "stop"}, {"type": "edit"}, {"type": "approve"})
    agent = executor(
        scripted({"tool_calls": [write("a", "1")]}, {"text": "ok"}), tmp_path, handler=person
    )
    events = await events_of(agent)
    warnings = [e.message for e in events if e.event_type == "warning"]
    assert "approve, edit, respond, reject" in warnings[0]
    assert "needs 'args'" in warnings[1]
    assert (tmp_path / "a.txt").exists()


async def test_answers_that_never_fit_end_the_run_with_the_reason(tmp_path: Path) -> None:
    stop: Decision = {"type": "stop"}
    person = Answering(*[stop] * 9)
    agent = executor(scripted({"tool_calls": [write("a", "1")]}), tmp_path, handler=person)
    events = await events_of(agent)
    assert types(events)[-3:] == ["hitl_answer", "error", "done"]
    assert events[-3].superseded
    assert len(person.asked) == 3


async def test_a_handler_that_knows_only_s0s_method_is_enough(tmp_path: Path) -> None:
    class Simple:
        async def request_approval(
            self, action_request: ActionRequest, session_id: str
        ) -> Decision:
            return {"type": "approve", "scope": "always"}

    handler: Any = Simple()
    model = scripted(
        {"tool_calls": [write("a", "1")]}, {"tool_calls": [write("b", "2")]}, {"text": "ok"}
    )
    events = await events_of(executor(model, tmp_path, handler=handler))
    assert events[-1].reason == "completed"


async def test_always_with_changed_arguments_allows_only_that_call(tmp_path: Path) -> None:
    edited = {"file_path": "/c.txt", "content": "C"}
    person = Answering({"type": "edit", "args": edited, "scope": "always"})
    model = scripted(
        {"tool_calls": [write("a", "1")]}, {"tool_calls": [write("b", "2")]}, {"text": "ok"}
    )
    await events_of(executor(model, tmp_path, handler=person))
    assert len(person.asked) == 2


async def test_a_session_runs_one_message_at_a_time(tmp_path: Path) -> None:
    call = {"tool_calls": [{"name": "dawdle", "args": {}}]}
    agent = executor(scripted(call), tmp_path, tools=[dawdle])
    async with aclosing(agent.execute("go", "s")) as first:
        await anext(first)
        assert agent.running
        with pytest.raises(SessionBusyError):
            await anext(agent.execute("me too", "s"))
        with pytest.raises(SessionBusyError):
            await anext(agent.resume("s"))
    assert not agent.running


async def test_what_waits_is_closed_when_the_run_is_cancelled(tmp_path: Path) -> None:
    class Thinking(Answering):
        async def request_approval(
            self, action_request: ActionRequest, session_id: str
        ) -> Decision:
            token.set()
            await asyncio.sleep(60)
            return {"type": "approve"}

    token = asyncio.Event()
    agent = executor(scripted({"tool_calls": [write("a", "1")]}), tmp_path, handler=Thinking())
    events = [e async for e in agent.execute("go", "s", cancellation_token=token)]
    assert types(events)[-3:] == ["hitl_request", "hitl_answer", "done"]
    assert not (tmp_path / "a.txt").exists()


@pytest.mark.requirement("F2-call-limit")
async def test_a_run_stops_at_its_limit_of_model_calls(tmp_path: Path) -> None:
    steps = [{"tool_calls": [{"name": "echo", "args": {"text": "x"}}]}] * 10
    agent = executor(
        scripted(*steps), tmp_path, tools=[echo], chosen=settings(run_model_calls_max=3)
    )
    events = await events_of(agent)
    assert types(events).count("tool_result") == 3
    assert (events[-2].code, events[-1].reason) == ("LIMIT_REACHED", "limit")


async def test_a_run_stops_at_its_recursion_limit(tmp_path: Path) -> None:
    steps = [{"tool_calls": [{"name": "echo", "args": {"text": "x"}}]}] * 20
    events = await events_of(executor(scripted(*steps), tmp_path, tools=[echo], recursion_limit=4))
    assert events[-1].reason == "limit"


async def test_always_for_one_call_does_not_overrule_a_no_to_its_neighbour(tmp_path: Path) -> None:
    handler = Answering(
        {"type": "approve", "scope": "always"}, {"type": "respond", "message": "not b"}
    )
    calls = [write("a", "1"), write("b", "2")]
    agent = executor(scripted({"tool_calls": calls}, {"text": "ok"}), tmp_path, handler=handler)
    await events_of(agent)
    assert (tmp_path / "a.txt").exists()
    assert not (tmp_path / "b.txt").exists()
