"""Modes through whole runs: what plan mode lets happen, how it ends, and how a switch arrives."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, echo, events_of, executor, resumed, scripted, types
from langchain_core.tools import BaseTool, tool
from pydantic import Field

from dataagent_core.errors import NoOneToAskError, StorageError
from dataagent_core.events import HITLRequestEvent
from dataagent_core.events.system import Mode
from dataagent_core.hitl import ActionRequest, Decision, default_answer
from dataagent_core.models import ScriptedChatModel
from dataagent_core.session import EventLog, Outcome, change_mode, mode_of
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.session.stores.memory import MemoryEventLog
from dataagent_core.tools.conversation.plan_proposal import (
    ACCEPT_AND_ASK,
    ACCEPT_AND_GO,
    KEEP_PLANNING,
)
from dataagent_core.tools.effects import effect_metadata

WRITE: dict[str, Any] = {"name": "write_file", "args": {"file_path": "/a.txt", "content": "A"}}
PROPOSE: dict[str, Any] = {"name": "propose_plan", "args": {"plan": "1. Write `a.txt`."}}


def call(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"tool_calls": list(calls)}


def results(events: Sequence[Any]) -> list[str]:
    return [str(e.result) for e in events if e.event_type == "tool_result"]


def switches(events: Sequence[Any]) -> list[tuple[str, str | None]]:
    return [(e.mode, e.by) for e in events if e.event_type == "mode_changed"]


class Planner(Answering):
    """A person who answers the plans put to them, in turn."""

    def __init__(self, *answers: str) -> None:
        super().__init__()
        self._answers = list(answers)
        self.questions: list[HITLRequestEvent] = []

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
        self.questions.append(request)
        return {"type": "answer", "answer": self._answers.pop(0)}


class Away(Answering):
    """Nobody who answers anything."""

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:
        raise NoOneToAskError("nobody is here")

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
        raise NoOneToAskError("nobody is here")


async def stores_in(mode: Mode, log: MemoryEventLog | None = None) -> Stores:
    stores = replace(Stores.in_memory(), log=log or MemoryEventLog())
    await change_mode(stores.log, "s", mode, "ada")
    return stores


@pytest.mark.requirement("S2-C.2.4")
@pytest.mark.requirement("F8-4")
@pytest.mark.parametrize(("answer", "mode"), [(ACCEPT_AND_ASK, "ask"), (ACCEPT_AND_GO, "auto")])
async def test_an_accepted_plan_is_carried_out_in_the_mode_the_person_chose(
    tmp_path: Path, answer: str, mode: Mode
) -> None:
    stores = await stores_in("plan")
    person = Planner(answer)
    model = scripted(call(WRITE), call(PROPOSE), call(WRITE), {"text": "done"})
    events = await events_of(executor(model, tmp_path, handler=person, stores=stores))
    assert events[0].mode == "plan"
    assert "plan mode" in results(events)[0]
    assert f"{mode} mode" in results(events)[1]
    assert switches(events) == [(mode, "handler")]
    assert [action["name"] for action in person.asked] == (["write_file"] if mode == "ask" else [])
    assert [told["name"] for told in person.told] == (["write_file"] if mode == "auto" else [])
    assert (tmp_path / "a.txt").read_text() == "A"
    assert await mode_of(stores.log, "s") == mode
    again = await events_of(executor(scripted({"text": "hi"}), tmp_path, stores=stores))
    assert again[0].mode == mode


async def test_a_plan_is_a_decision_that_no_clock_answers(tmp_path: Path) -> None:
    person = Planner(KEEP_PLANNING)
    agent = executor(
        scripted(call(PROPOSE), {"text": "ok"}),
        tmp_path,
        handler=person,
        stores=await stores_in("plan"),
    )
    events = await events_of(agent)
    (asked,) = [e for e in events if e.event_type == "hitl_request"]
    assert (asked.kind, asked.question_type, asked.question) == (
        "decision",
        "plan",
        "1. Write `a.txt`.",
    )
    assert [o["label"] for o in asked.options] == [ACCEPT_AND_ASK, ACCEPT_AND_GO, KEEP_PLANNING]
    assert default_answer(asked) is None


@pytest.mark.requirement("F8-4")
@pytest.mark.parametrize("words", [KEEP_PLANNING, "Leave the CSV files alone."])
async def test_a_plan_that_is_not_accepted_is_planned_on_with_the_persons_words(
    tmp_path: Path, words: str
) -> None:
    stores = await stores_in("plan")
    model = scripted(call(PROPOSE), call(WRITE), call(PROPOSE), call(WRITE), {"text": "done"})
    person = Planner(words, ACCEPT_AND_GO)
    events = await events_of(executor(model, tmp_path, handler=person, stores=stores))
    said = results(events)
    assert "stays in plan mode" in said[0]
    assert (words in said[0]) == (words != KEEP_PLANNING)
    assert "plan mode" in said[1]
    assert switches(events) == [("auto", "handler")]
    assert (tmp_path / "a.txt").exists()


async def test_a_run_stopped_at_its_plan_changes_nothing_and_leaves_the_mode(
    tmp_path: Path,
) -> None:
    stores = await stores_in("plan")
    token = asyncio.Event()

    class Stopping(Planner):
        async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
            token.set()
            await asyncio.Event().wait()
            raise AssertionError

    agent = executor(
        scripted(call(PROPOSE), call(WRITE)), tmp_path, handler=Stopping(), stores=stores
    )
    events: list[Any] = [e async for e in agent.execute("go", "s", cancellation_token=token)]
    assert events[-1].reason == "user_cancelled"
    assert [e.superseded for e in events if e.event_type == "hitl_answer"] == [True]
    assert await mode_of(stores.log, "s") == "plan"
    assert not (tmp_path / "a.txt").exists()


async def test_a_plain_answer_in_plan_mode_ends_the_run_and_the_mode_stays(tmp_path: Path) -> None:
    stores = await stores_in("plan")
    events = await events_of(executor(scripted({"text": "Two."}), tmp_path, stores=stores))
    assert (events[-1].reason, events[-1].content) == ("completed", "Two.")
    assert await mode_of(stores.log, "s") == "plan"


class Dies(MemoryEventLog):
    """A log whose process is gone when the plan was accepted: before, or after, the switch."""

    def __init__(self, *, before_switch: bool) -> None:
        super().__init__()
        self.armed = False
        self._before_switch = before_switch

    async def append(self, session_id: str, run_id: str, events: Any, journal: Any = ()) -> Any:
        switched = any(e.event_type == "mode_changed" for e in events)
        proposed = any(isinstance(r, Outcome) and r.tool_name == "propose_plan" for r in journal)
        if self.armed and (switched if self._before_switch else proposed):
            raise StorageError("gone")
        return await super().append(session_id, run_id, events, journal)


@pytest.mark.requirement("F8-4")
@pytest.mark.parametrize("before_switch", [True, False])
async def test_a_crash_after_the_answer_switches_the_mode_exactly_once(
    tmp_path: Path, before_switch: bool
) -> None:
    log = Dies(before_switch=before_switch)
    stores = await stores_in("plan", log)
    log.armed = True
    model = scripted(call(PROPOSE), call(WRITE), {"text": "done"})
    person = Planner(ACCEPT_AND_GO)
    first = await events_of(executor(model, tmp_path, handler=person, stores=stores))
    assert types(first)[-1] == "error"
    assert await mode_of(log, "s") == ("plan" if before_switch else "auto")
    log.armed = False
    rest = await resumed(executor(model, tmp_path, handler=Away(), stores=stores))
    assert rest[-1].reason == "completed"
    assert (tmp_path / "a.txt").exists()
    assert switches(await log.read("s")) == [("plan", "ada"), ("auto", "handler")]
    assert len(person.questions) == 1


@pytest.mark.requirement("F8-4")
async def test_a_resumed_run_is_still_in_plan_mode(tmp_path: Path) -> None:
    stores = await stores_in("plan")
    model = scripted(call(PROPOSE), call(WRITE), {"text": "done"})
    waiting = await events_of(executor(model, tmp_path, handler=Away(), stores=stores))
    assert types(waiting)[-1] == "hitl_request"
    rest = await resumed(executor(model, tmp_path, handler=Planner(KEEP_PLANNING), stores=stores))
    assert "plan mode" in results(rest)[-1]
    assert not (tmp_path / "a.txt").exists()


def switching(log: EventLog, mode: Mode) -> BaseTool:
    @tool
    async def meanwhile() -> str:
        """Let somebody switch the mode, from anywhere."""
        await change_mode(log, "s", mode, "ada")
        return "ok"

    return meanwhile.model_copy(update={"metadata": effect_metadata("pure")})


@pytest.mark.requirement("F8-4")
@pytest.mark.parametrize("mode", ["plan", "auto"])
async def test_a_switch_while_a_run_is_under_way_counts_for_its_next_call(
    tmp_path: Path, mode: Mode
) -> None:
    stores = await stores_in("ask")
    person = Answering()
    agent = executor(
        scripted(call({"name": "meanwhile", "args": {}}), call(WRITE), {"text": "done"}),
        tmp_path,
        handler=person,
        tools=[switching(stores.log, mode)],
        stores=stores,
    )
    events = await events_of(agent)
    assert events[0].mode == "ask"
    assert person.asked == []
    assert (tmp_path / "a.txt").exists() == (mode == "auto")


async def test_a_yes_given_before_the_switch_to_plan_mode_runs_nothing_after_it(
    tmp_path: Path,
) -> None:
    stores = await stores_in("ask")

    class Switching(Answering):
        async def request_approval(
            self, action_request: ActionRequest, session_id: str
        ) -> Decision:
            await change_mode(stores.log, "s", "plan", "ada")
            return await super().request_approval(action_request, session_id)

    agent = executor(
        scripted(call(WRITE), {"text": "done"}), tmp_path, handler=Switching(), stores=stores
    )
    events = await events_of(agent)
    assert "plan mode" in results(events)[0]
    assert not (tmp_path / "a.txt").exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [("touch b.txt", "plan mode"), ("cat a.txt; ls > b.txt", "plan mode"), ("ls", "a.txt")],
)
async def test_a_line_a_person_edits_is_held_to_plan_mode_too(
    tmp_path: Path, line: str, said: str
) -> None:
    (tmp_path / "a.txt").write_text("here\n")
    stores = await stores_in("ask")

    class Editing(Answering):
        async def request_approval(
            self, action_request: ActionRequest, session_id: str
        ) -> Decision:
            await change_mode(stores.log, "s", "plan", "ada")
            return {"type": "edit", "args": {"command": line}}

    written = {"name": "shell", "args": {"command": "touch c.txt"}}
    agent = executor(
        scripted(call(written), {"text": "done"}), tmp_path, handler=Editing(), stores=stores
    )
    events = await events_of(agent)
    assert said in results(events)[0]
    assert [path.name for path in tmp_path.glob("*.txt")] == ["a.txt"]


async def test_what_may_have_happened_before_a_crash_is_not_asked_about_in_plan_mode(
    tmp_path: Path,
) -> None:
    class DiesOnce(MemoryEventLog):
        dying = True

        async def append(self, session_id: str, run_id: str, events: Any, journal: Any = ()) -> Any:
            if self.dying and any(isinstance(record, Outcome) for record in journal):
                raise StorageError("gone")
            return await super().append(session_id, run_id, events, journal)

    log = DiesOnce()
    stores = replace(Stores.in_memory(), log=log)
    model = scripted(call({"name": "echo", "args": {"text": "hi"}}), {"text": "ok"})
    await events_of(executor(model, tmp_path, tools=[echo], stores=stores))
    log.dying = False
    await change_mode(log, "s", "plan", "ada")
    person = Answering()
    rest = await resumed(executor(model, tmp_path, tools=[echo], stores=stores, handler=person))
    assert person.asked == []
    assert "Nobody knows whether it happened" in results(rest)[-1]
    assert "plan mode" in results(rest)[-1]


class Listening(ScriptedChatModel):
    """A model that remembers which tools it was offered."""

    offered: list[list[str]] = Field(default_factory=list[list[str]])

    def bind_tools(self, tools: Sequence[Any], **more: Any) -> Any:
        self.offered.append([each.name for each in tools])
        return super().bind_tools(tools, **more)


async def test_only_a_model_in_plan_mode_hears_of_it(tmp_path: Path) -> None:
    async def request_in(mode: Mode | None) -> tuple[str, list[str]]:
        stores = Stores.in_memory() if mode is None else await stores_in(mode)
        model = Listening(script=scripted({"text": "hi"}).script)
        await events_of(executor(model, tmp_path, stores=stores))
        return str(model.requests[0][0].text), model.offered[0]

    unheard = await request_in(None)
    assert await request_in("ask") == await request_in("auto") == unheard
    prompt, offered = await request_in("plan")
    assert prompt.startswith(unheard[0])
    assert "# Plan mode" in prompt.removeprefix(unheard[0])
    assert set(offered) - set(unheard[1]) == {"propose_plan"}
