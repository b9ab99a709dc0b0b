"""Runs with a plan that do not come to its end: stopped, rejected, out of budget."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, executor, settings
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.tools import StructuredTool
from plan_runs import check_steps_once, go, plan_after, statuses
from plan_scripts import ALWAYS, find, plan_of, planned, step
from subagent_scripts import RememberingModel, called, specialist

from dataagent_core.errors import ConflictError
from dataagent_core.planning import edit_plan, read_edits, read_plan
from dataagent_core.planning.work_plan import PlanStatus
from dataagent_core.session.stores.bundle import Stores

ANSWER = {"text": "All [step 1]."}
PLAN = plan_of(step(1, "north"), step(2, "south"), step(3, "join", 1, 2))


async def check_over(stores: Stores, expected: dict[int, str]) -> None:
    """Check that the plan is over, and that nobody can change it any more."""
    plan = await read_plan(stores.log, "s")
    assert plan is not None
    assert plan.status is PlanStatus.FAILED
    assert {s.step_number: s.status.value for s in plan.steps} == expected
    with pytest.raises(ConflictError, match="the plan is over"):
        await edit_plan(
            stores.log,
            "s",
            read_edits([{"op": "skip", "step_number": 3}]),
            version=plan.version,
            by="ada",
        )


async def test_a_run_that_is_stopped_stops_its_plan(tmp_path: Path) -> None:
    token, stores, one_over = asyncio.Event(), Stores.in_memory(), asyncio.Event()

    async def stop() -> str:
        """Stop the run when the step beside it is over."""
        await one_over.wait()
        token.set()
        await asyncio.Event().wait()
        return "never"

    model = planned(
        PLAN,
        north=[{"text": "1"}],
        south=[{"tool_calls": [called("stop")]}],
        agent=[{}],
    )
    tool = StructuredTool.from_function(coroutine=stop, name="stop")
    agent = executor(model, tmp_path, tools=[tool], stores=stores, auto_approve=True)
    events: list[Any] = []
    async for event in agent.execute("go", "s", ALWAYS, token):
        events.append(event)
        if event.event_type == "step_end":
            one_over.set()
    check_steps_once(events)
    assert events[-1].reason == "user_cancelled"  # type: ignore[union-attr]
    await check_over(stores, {1: "completed", 2: "failed", 3: "pending"})


async def test_a_rejected_call_of_a_step_ends_the_run_and_its_plan(tmp_path: Path) -> None:
    """Two sub-agents ask at once: one is rejected; the call of the other one is still made."""
    stores = Stores.in_memory()
    write = [called("write_file", file_path=f"/{n}.txt", content="x") for n in ("a", "b")]
    model = planned(
        PLAN,
        north=[{"tool_calls": [write[0]]}, {"text": "1"}],
        south=[{"tool_calls": [write[1]]}, {"text": "2"}],
        agent=[{}],
    )
    handler = Answering({"type": "approve"}, {"type": "reject", "message": "no"})
    events = await go(executor(model, tmp_path, stores=stores, handler=handler))
    check_steps_once(events)
    assert events[-1].reason == "rejected"
    assert len(list(tmp_path.glob("?.txt"))) == 1
    await check_over(stores, {1: "failed", 2: "failed", 3: "pending"})


async def test_sub_agents_side_by_side_ask_and_are_answered_differently(tmp_path: Path) -> None:
    write = [called("write_file", file_path=f"/{n}.txt", content="x") for n in ("a", "b")]
    model = planned(
        PLAN,
        north=[{"tool_calls": [write[0]]}, {"text": "n"}],
        south=[{"tool_calls": [write[1]]}, {"text": "s"}],
        agent=[{}, {"text": "both"}, {"text": "All [step 3]."}],
    )
    handler = Answering({"type": "approve"}, {"type": "respond", "message": "write it elsewhere"})
    events = await go(executor(model, tmp_path, handler=handler))
    check_steps_once(events)
    assert len(handler.asked) == 2
    assert set(statuses(events).values()) == {"completed"}
    assert [p.name for p in tmp_path.glob("?.txt")] == ["a.txt"]


async def test_a_run_out_of_calls_ends_with_its_plan(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    model = planned(
        plan_of(step(1, "one"), step(2, "two", 1)),
        agent=[{"tool_calls": [called("ls", path="/")]}, {"text": "1"}],
    )
    chosen = settings(run_model_calls_max=2)
    events = await go(executor(model, tmp_path, stores=stores, chosen=chosen))
    check_steps_once(events)
    assert events[-1].reason == "limit"
    assert plan_after(events).status is PlanStatus.FAILED
    assert statuses(events) == {1: "failed", 2: "pending"}


class Looped(Answering):
    def __init__(self, **decision: Any) -> None:
        super().__init__()
        self.decision = decision

    async def answer_question(self, request: Any, session_id: str) -> Any:
        assert request.kind == "doom_loop"
        return self.decision


@pytest.mark.requirement("F21-3-loop")
@pytest.mark.requirement("S2-6.3")
@pytest.mark.parametrize("answer", ["skip", "correct"])
async def test_a_loop_in_an_own_step_is_left_out_or_corrected(tmp_path: Path, answer: str) -> None:
    looking = {"tool_calls": [called("ls", path="/")]}
    rest = [{"text": "two"}] if answer == "skip" else [{"text": "one"}, {"text": "two"}]
    model = planned(
        plan_of(step(1, "one"), step(2, "two", 1)),
        agent=[looking, looking, looking, *rest, {"text": "All [step 2]."}],
    )
    handler = Looped(type=answer, **({} if answer == "skip" else {"message": "look in /b"}))
    events = await go(executor(model, tmp_path, handler=handler))
    check_steps_once(events)
    first = "skipped" if answer == "skip" else "completed"
    assert statuses(events) == {1: first, 2: "completed"}
    assert len(find(events, "hitl_request")) == 1


@pytest.mark.requirement("S2-6.3")
@pytest.mark.requirement("F21-3-loop")
@pytest.mark.parametrize("nested", [False, True], ids=["its own", "of one it delegated to"])
async def test_a_loop_in_a_step_of_a_sub_agent_leaves_the_step_out(
    tmp_path: Path, nested: bool
) -> None:
    """The person is asked once; nobody works on the step after that, and the plan goes on."""
    looking = [{"tool_calls": [called("ls", path="/")]}] * 6
    delegating = {"tool_calls": [called("task", description="deep", subagent_type="helper")]}
    model = planned(
        PLAN,
        north=[delegating, {"text": "n"}] if nested else [*looking, {"text": "n"}],
        deep=[*looking, {"text": "d"}],
        south=[{"text": "s"}],
        agent=[{}, {"text": "both"}, {"text": "All [step 3]."}],
    )
    agent = executor(
        model, tmp_path, handler=Looped(type="skip"), subagents=(specialist("helper"),)
    )
    events = await go(agent)
    check_steps_once(events)
    assert statuses(events) == {1: "skipped", 2: "completed", 3: "completed"}
    assert "again and again" in (plan_after(events).steps[0].result or "")
    assert [e.kind for e in find(events, "hitl_request") if e.kind != "approval"] == ["doom_loop"]
    assert len(find(events, "tool_call")) == len(find(events, "tool_result"))
    phases = [e.phase for e in find(events, "subagent")]
    assert phases.count("started") == phases.count("finished") + phases.count("failed")
    assert events[-1].content == "All [step 3]."


@pytest.mark.parametrize("alone", [True, False], ids=["own", "of a sub-agent"])
async def test_where_nobody_can_be_asked_a_loop_leaves_no_step_out(
    tmp_path: Path, alone: bool
) -> None:
    """The call is skipped and whoever works on the step finds another way: no person said so."""
    looking = [{"tool_calls": [called("ls", path="/")]}] * 3
    model = planned(
        plan_of(step(1, "north"), *([] if alone else [step(2, "south")])),
        agent=[*looking, {"text": "found"}, ANSWER] if alone else [{}, ANSWER],
        north=[*looking, {"text": "found"}],
        south=[{"text": "s"}],
    )
    events = await go(executor(model, tmp_path))
    check_steps_once(events)
    assert set(statuses(events).values()) == {"completed"}


CALLS = {
    "reason": '{"goal": "go"}',
    "plan": '{"message"',
    "review": '{"goal": "go", "steps"',
    "own step": "one",
    "wave": "north",
    "again": '"first_number"',
}


@pytest.mark.parametrize("where", ["reason", "plan", "own step", "review", "wave", "again"])
async def test_a_run_is_stopped_within_a_second_wherever_its_plan_is(
    tmp_path: Path, where: str
) -> None:
    """The model hangs in that call; the next run of the session begins anew."""
    token, stores, stopped_at = asyncio.Event(), Stores.in_memory(), [0.0]

    class Hanging(RememberingModel):
        async def _astream(
            self, messages: list[BaseMessage], *args: Any, **kwargs: Any
        ) -> AsyncIterator[ChatGenerationChunk]:
            told = "".join(m.text for m in messages)
            is_own = where == "own step" and "You work on step 1 now" in told
            if is_own or (where != "own step" and CALLS[where] in messages[-1].text):
                stopped_at[0] = time.perf_counter()
                token.set()
                await asyncio.Event().wait()
            async for chunk in super()._astream(messages, *args, **kwargs):
                yield chunk

    is_wave = where == "wave"
    failing = {"tool_calls": [called("finish_step", result="no", success=False)]}
    base = planned(
        PLAN if is_wave else plan_of(step(1, "one"), step(2, "two", 1)),
        beside=[
            (r'^\{"goal": "go"\}', [{"text": "A count."}]),
            (r'^\{"goal": "go", "steps"', [{"text": '{"accepted": true}'}]),
        ],
        south=[{"text": "s"}],
        agent=[failing if where == "again" else {"text": "1"}, {"text": "2"}, ANSWER],
    )
    agent = executor(Hanging(script=base.script), tmp_path, stores=stores)
    context = {"planning": {"loop": "staged", "planning_timeout_ms": 60_000}}
    events: list[Any] = [event async for event in agent.execute("go", "s", context, token)]
    assert time.perf_counter() - stopped_at[0] < 1
    check_steps_once(events)
    assert events[-1].reason == "user_cancelled"
    plan = await read_plan(stores.log, "s")
    assert plan is not None
    assert not plan.is_open
    second = planned(plan_of(step(1, "more")), agent=[{"text": "1"}, ANSWER])
    again = await go(executor(second, tmp_path, stores=stores), "go on")
    check_steps_once(again)
    assert (again[-1].reason, statuses(again)) == ("completed", {1: "completed"})
