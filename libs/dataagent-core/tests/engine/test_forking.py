"""A fork goes on by itself, from exactly what was there before the chosen message."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, echo, events_of, executor, resumed
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from long_sessions import Measuring, agent, measuring, questions, said_by

from dataagent_core.engine.checkpoints.checkpoint_histories import CheckpointHistories
from dataagent_core.errors import ConflictError, NoOneToAskError, NotFoundError
from dataagent_core.events import (
    ContextCompressedEvent,
    HITLAnswerEvent,
    RunStartedEvent,
    ToolResultEvent,
)
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.session import read_all, runs_of
from dataagent_core.session.copies.fork import ORIGIN_KEY, Fork, fork
from dataagent_core.session.store import all_messages
from dataagent_core.session.stores.bundle import Stores, open_sqlite

ECHO = {"name": "echo", "args": {"text": "said the tool"}}


@pytest.fixture(params=["memory", "sqlite"])
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Stores]:
    if request.param == "memory":
        yield Stores.in_memory()
        return
    async with open_sqlite(tmp_path / "db" / "dataagent.db", "local") as opened:
        yield opened


async def forked(stores: Stores, message_id: str | None = None, new: str = "f") -> Fork:
    histories = CheckpointHistories(stores.checkpoints)
    return await fork(stores, histories, "s", message_id=message_id, new_session_id=new)


async def everything(stores: Stores, session_id: str = "s") -> tuple[Any, ...]:
    runs = await runs_of(stores.log, session_id)
    threads = [
        await stores.checkpoints.aget_tuple({"configurable": {"thread_id": run.run_id}})
        for run in runs
    ]
    return (
        await stores.sessions.get(session_id),
        await all_messages(stores.messages, session_id),
        await read_all(stores.log, session_id),
        [thread.checkpoint["id"] if thread else None for thread in threads],
    )


async def asked(stores: Stores, number: int) -> str:
    """Name the message of a run."""
    return (await runs_of(stores.log, "s"))[number].message_id


def plain(messages: list[BaseMessage]) -> list[tuple[str, str, Any]]:
    """Give what a provider is sent of messages, without ids."""
    return [
        (m.type, str(m.text), [c["name"] for c in m.tool_calls] if isinstance(m, AIMessage) else "")
        for m in messages
    ]


async def three_turns(stores: Stores, folder: Path) -> Measuring:
    model = measuring({"tool_calls": [ECHO]}, {"text": "done"})
    one = executor(model, folder, stores=stores, tools=[echo], auto_approve=True)
    await stores.sessions.create("ada", "tester", session_id="s")
    for prompt in ("first", "second", "third"):
        await events_of(one, prompt)
    return model


@pytest.mark.requirement("F8-fork")
async def test_the_model_sees_exactly_what_was_before_the_chosen_message(
    stores: Stores, tmp_path: Path
):
    model = await three_turns(stores, tmp_path)
    before_third = model.asked[4][0]
    assert questions(before_third) == ["first", "second", "third"]
    await forked(stores, await asked(stores, 2))
    await events_of(
        executor(model, tmp_path, stores=stores, tools=[echo], auto_approve=True), "other", "f"
    )
    sent = model.asked[6][0]
    assert questions(sent) == ["first", "second", "other"]
    assert plain(sent[:-1]) == plain(before_third[:-1])
    tools = [m for m in sent if isinstance(m, ToolMessage)]
    assert [m.tool_call_id for m in tools] == [
        m.tool_call_id for m in before_third if isinstance(m, ToolMessage)
    ]


@pytest.mark.requirement("F8-fork")
async def test_both_sessions_go_on_and_neither_notices_the_other(stores: Stores, tmp_path: Path):
    model = await three_turns(stores, tmp_path)
    before = await everything(stores)
    made = await forked(stores, await asked(stores, 1))
    assert await everything(stores) == before
    assert made.session.state[ORIGIN_KEY]["session_id"] == "s"
    ids = {run.run_id for run in await runs_of(stores.log, "s")}
    assert not ids & {run.run_id for run in await runs_of(stores.log, "f")}
    one = executor(model, tmp_path, stores=stores, tools=[echo], auto_approve=True)
    await events_of(one, "in the fork", "f")
    assert await everything(stores) == before
    await events_of(one, "in the original", "s")
    assert questions(model.asked[-1][0]) == ["first", "second", "third", "in the original"]
    await events_of(one, "again in the fork", "f")
    assert questions(model.asked[-1][0]) == ["first", "in the fork", "again in the fork"]


async def test_a_copy_keeps_numbers_moments_and_words_and_has_its_own_names(
    stores: Stores, tmp_path: Path
):
    await three_turns(stores, tmp_path)
    await forked(stores, await asked(stores, 2))
    old = await read_all(stores.log, "s")
    new = await read_all(stores.log, "f")
    assert [(e.seq, e.event_type, e.timestamp) for e in new] == [
        (e.seq, e.event_type, e.timestamp) for e in old[: len(new)]
    ]
    assert old[len(new)].event_type == "start"
    said = [(m.role, m.content, m.created_at) for m in await all_messages(stores.messages, "s")]
    copied = await all_messages(stores.messages, "f")
    assert [(m.role, m.content, m.created_at) for m in copied] == said[:4]
    started = [e for e in new if isinstance(e, RunStartedEvent)]
    assert [e.message_id for e in started] == [m.message_id for m in copied if m.role == "user"]
    receipts = [e.receipt for e in new if isinstance(e, ToolResultEvent)]
    assert all(receipts)
    for run in await runs_of(stores.log, "s"):
        assert run.run_id not in str([e.to_dict() for e in new])


@pytest.mark.requirement("F8-fork-cost")
async def test_nothing_is_counted_as_used_twice(stores: Stores, tmp_path: Path):
    await three_turns(stores, tmp_path)
    await forked(stores)
    for run in await runs_of(stores.log, "f"):
        assert (await stores.usage.total_of_run(run.run_id)).calls == 0
        assert await stores.log.journal(run.run_id) == []


async def test_an_answer_is_forked_after_and_its_question_before(stores: Stores, tmp_path: Path):
    model = await three_turns(stores, tmp_path)
    second = (await runs_of(stores.log, "s"))[1]
    await forked(stores, f"{second.run_id}:answer", "after")
    await forked(stores, second.message_id, "before")
    one = executor(model, tmp_path, stores=stores, tools=[echo], auto_approve=True)
    for session, expected in (("after", ["first", "second", "x"]), ("before", ["first", "x"])):
        await events_of(one, "x", session)
        assert questions(model.asked[-1][0]) == expected


async def test_a_fork_before_the_first_message_begins_with_nothing(stores: Stores, tmp_path: Path):
    model = await three_turns(stores, tmp_path)
    await forked(stores, await asked(stores, 0))
    assert await read_all(stores.log, "f") == []
    await events_of(executor(model, tmp_path, stores=stores, tools=[echo]), "new", "f")
    assert questions(model.asked[-1][0]) == ["new"]


async def test_a_fork_can_be_forked_before_what_it_was_given(stores: Stores, tmp_path: Path):
    model = await three_turns(stores, tmp_path)
    await forked(stores)
    second = (await runs_of(stores.log, "f"))[1].message_id
    histories = CheckpointHistories(stores.checkpoints)
    await fork(
        stores, histories, "f",
        message_id=second, new_session_id="g",
    )  # fmt: skip
    await events_of(executor(model, tmp_path, stores=stores, tools=[echo]), "x", "g")
    assert questions(model.asked[-1][0]) == ["first", "x"]


async def test_an_always_of_the_original_does_not_hold_in_the_fork(stores: Stores, tmp_path: Path):
    write = {"name": "write_file", "args": {"file_path": "/a.txt", "content": "x"}}
    model = measuring({"tool_calls": [write]}, {"text": "done"})
    await stores.sessions.create("ada", "tester", session_id="s")
    person = Answering({"type": "approve", "scope": "always"})
    one = executor(model, tmp_path, stores=stores, handler=person)
    await events_of(one, "first")
    await events_of(one, "second")
    assert len(person.asked) == 1
    await forked(stores)
    await events_of(one, "third", "f")
    assert len(person.asked) == 2
    scopes = [
        e.decision.get("scope")
        for e in await read_all(stores.log, "f")
        if isinstance(e, HITLAnswerEvent)
    ]
    assert "always" not in scopes


async def test_a_fork_before_a_compaction_shows_what_was_there_and_nothing_of_later(
    tmp_path: Path,
):
    stores = Stores.in_memory()
    await stores.sessions.create("ada", "tester", session_id="s")
    call = {"name": "rows", "args": {"count": 400}}
    model = measuring({"tool_calls": [call]}, {"text": "done"}, window=12_000)
    one = agent(model, tmp_path, 12_000, stores=stores, auto_approve=True)
    for prompt in ("first", "second", "third", "fourth", "never tell CODE-4711", "sixth"):
        await events_of(one, prompt)
    events = await read_all(stores.log, "s")
    first_compacted = next(e for e in events if isinstance(e, ContextCompressedEvent))
    runs = await runs_of(stores.log, "s")
    number = next(n for n, run in enumerate(runs) if run.run_id == first_compacted.run_id)
    assert number >= 1
    await forked(stores, runs[number].message_id)
    await events_of(one, "other", "f")
    first_sent = next(sent for sent in model.answered if questions(sent)[-1:] == ["other"])
    assert "4711" not in str(first_sent)
    # Kept as it was told: a whole fork of a compacted session begins with its summary.
    await forked(stores, None, "g")
    await events_of(one, "seventh", "g")
    again = next(sent for sent in model.answered if questions(sent)[-1:] == ["seventh"])
    assert len(said_by(again, HumanMessage)) < len(runs) + 1
    numbers = [e.seq for e in await read_all(stores.log, "g")]
    assert numbers == list(range(1, len(numbers) + 1))


async def test_what_cannot_be_forked_is_said_and_leaves_nothing(stores: Stores, tmp_path: Path):
    await three_turns(stores, tmp_path)
    with pytest.raises(NotFoundError, match="no message 'nowhere'"):
        await forked(stores, "nowhere")
    assert await stores.sessions.get("f") is None
    await stores.sessions.create("bob", "tester", session_id="f")
    with pytest.raises(ConflictError, match="'f'"):
        await forked(stores)
    assert await read_all(stores.log, "f") == []


class Away:
    """Nobody to ask: the run waits, and the process may end."""

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:
        raise NoOneToAskError("nobody is here")

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        pass


@pytest.mark.requirement("F8-fork-unfinished")
async def test_an_unfinished_run_stays_behind_and_is_resumed_in_the_original(
    stores: Stores, tmp_path: Path
):
    write = {"name": "write_file", "args": {"file_path": "/a.txt", "content": "x"}}
    model = measuring({"tool_calls": [write]}, {"text": "done"})
    await stores.sessions.create("ada", "tester", session_id="s")
    quick = executor(model, tmp_path, stores=stores, auto_approve=True)
    await events_of(quick, "first")

    waiting = executor(model, tmp_path, stores=stores, handler=Away())
    events = await events_of(waiting, "second")
    assert events[-1].event_type == "hitl_request"
    made = await forked(stores)
    assert made.part.stops_at_unfinished
    assert len(await runs_of(stores.log, "f")) == 1
    done = await resumed(executor(model, tmp_path, stores=stores, handler=Answering()))
    assert done[-1].event_type == "done"
    await events_of(quick, "third", "f")
    assert questions(model.asked[-1][0]) == ["first", "third"]
