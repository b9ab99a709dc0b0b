"""A person changes a plan while its run goes on: no step is lost, none is done twice."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, executor, settings
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.tools import BaseTool, StructuredTool
from plan_runs import check_steps_once, go, plan_after, statuses
from plan_scripts import ALWAYS, find, plan_of, planned, step
from subagent_scripts import RememberingModel, called, specialist

from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.permissions import RunTerms
from dataagent_core.permissions.rules import Rule
from dataagent_core.planning import WorkPlan, edit_plan, read_edits, read_plan
from dataagent_core.planning.plan_log import PlanChangedError
from dataagent_core.planning.work_plan import PlanStatus
from dataagent_core.session.stores.bundle import Stores
from tests.counts import examples

ANSWER = {"text": "That is all [step 1]."}


@dataclass
class Editor:
    """A person with a console beside the run; the tool `pause` says when they act."""

    stores: Stores
    acts: list[Callable[["Editor"], Awaitable[None]]] = field(
        default_factory=list[Callable[["Editor"], Awaitable[None]]]
    )
    errors: list[Exception] = field(default_factory=list[Exception])

    async def edit(self, *edits: dict[str, Any], version: int | None = None) -> WorkPlan:
        plan = await read_plan(self.stores.log, "s")
        assert plan is not None
        return await edit_plan(
            self.stores.log,
            "s",
            read_edits(list(edits)),
            version=version or plan.version,
            by="ada",
        )

    @property
    def tool(self) -> BaseTool:
        async def pause(number: int) -> str:
            """Let the person act."""
            try:
                await self.acts[number](self)
            except (ConflictError, NotFoundError, ValidationError) as error:
                self.errors.append(error)
            return "go on"

        return StructuredTool.from_function(coroutine=pause, name="pause")


def editing(*edits: dict[str, Any]) -> Callable[[Editor], Awaitable[None]]:
    async def act(editor: Editor) -> None:
        await editor.edit(*edits)

    return act


def pause(number: int = 0) -> dict[str, Any]:
    return {"tool_calls": [called("pause", number=number)]}


async def ran(tmp_path: Path, model: Any, *acts: Any, **chosen: Any) -> tuple[list[Any], Editor]:
    """Run a plan while the person acts, and give the whole log."""
    editor = Editor(Stores.in_memory(), list(acts))
    agent = executor(
        model,
        tmp_path,
        tools=[editor.tool],
        stores=editor.stores,
        auto_approve=True,
        chosen=settings(**chosen),
    )
    await go(agent)
    events: list[Any] = await editor.stores.log.read("s", limit=10_000)
    check_steps_once(events)
    return events, editor


async def test_a_step_that_is_left_out_is_not_done_and_those_behind_it_go_on(
    tmp_path: Path,
) -> None:
    model = planned(
        plan_of(step(1, "one"), step(2, "two", 1), step(3, "three", 2)),
        agent=[pause(), {"text": "1"}, {"text": "3"}, ANSWER],
    )
    events, _ = await ran(tmp_path, model, editing({"op": "skip", "step_number": 2}))
    assert statuses(events) == {1: "completed", 2: "skipped", 3: "completed"}
    assert [e.step_number for e in find(events, "step_start")] == [1, 3]
    assert plan_after(events).status is PlanStatus.COMPLETED
    [edited] = [e for e in find(events, "work_plan") if e.change == "edited"]
    assert edited.by == "ada"


async def test_an_added_step_is_done(tmp_path: Path) -> None:
    model = planned(plan_of(step(1, "one")), agent=[pause(), {"text": "1"}, {"text": "2"}, ANSWER])
    added = {"op": "add", "description": "two", "dependencies": [1]}
    events, _ = await ran(tmp_path, model, editing(added))
    assert statuses(events) == {1: "completed", 2: "completed"}
    assert plan_after(events).find(2).result == "2"  # type: ignore[union-attr]


@pytest.mark.requirement("F21-3-edit")
async def test_a_moved_and_a_changed_step_are_done_as_the_person_wants(tmp_path: Path) -> None:
    model = planned(
        plan_of(step(1, "one"), step(2, "two", 1), step(3, "three", 1)),
        agent=[pause(), {"text": "1"}, {"text": "3"}, {"text": "2"}, ANSWER],
        beside=[("^changed three", [{"text": "3"}])],
        two=[{"text": "2"}],
    )
    act = editing(
        {"op": "move", "step_number": 3, "before": 2},
        {"op": "edit", "step_number": 3, "description": "changed three"},
    )
    events, _ = await ran(tmp_path, model, act, max_concurrent_steps=1)
    assert set(statuses(events).values()) == {"completed"}
    starts = find(events, "step_start")
    assert [e.step_number for e in starts] == [1, 3, 2]
    assert starts[1].description == "changed three"


async def test_a_step_may_be_given_to_another_agent(tmp_path: Path) -> None:
    model = planned(
        plan_of(step(1, "one"), step(2, "two", 1)),
        agent=[pause(), {"text": "1"}, {}, ANSWER],
        two=[{"text": "2"}],
    )
    edit = {"op": "edit", "step_number": 2, "assigned_agent": "baker"}
    editor = Editor(Stores.in_memory(), [editing(edit)])
    agent = executor(
        model,
        tmp_path,
        tools=[editor.tool],
        stores=editor.stores,
        auto_approve=True,
        subagents=(specialist("baker"),),
    )
    events = await go(agent)
    assert [e.agent for e in find(events, "step_start")] == ["", "baker"]


@pytest.mark.requirement("F21-bad-edit")
@pytest.mark.parametrize("text", ["wild \ud800", "a\0b"])
def test_a_text_that_cannot_be_stored_is_no_change(text: str) -> None:
    """A sub-agent would be sent it, and no provider takes it."""
    for edit in (
        {"op": "add", "description": text},
        {"op": "edit", "step_number": 3, "thought_prompt": text},
    ):
        with pytest.raises(ValidationError, match="cannot be stored"):
            read_edits([edit])


@pytest.mark.requirement("F21-bad-edit")
@pytest.mark.parametrize("op", ["skip", "edit", "move"])
async def test_a_step_that_is_under_way_or_over_cannot_be_changed(tmp_path: Path, op: str) -> None:
    more = {"description": "other"} if op == "edit" else {}
    acts = [editing({"op": op, "step_number": number, **more}) for number in (1, 2)]
    model = planned(
        plan_of(step(1, "one"), step(2, "two", 1)),
        agent=[{"text": "1"}, pause(0), pause(1), {"text": "2"}, ANSWER],
    )
    events, editor = await ran(tmp_path, model, *acts)
    assert statuses(events) == {1: "completed", 2: "completed"}
    assert [type(error) for error in editor.errors] == [ConflictError] * 2
    assert "step 1 is completed, so it cannot be changed" in str(editor.errors[0])
    assert "step 2 is in progress, so it cannot be changed" in str(editor.errors[1])


@pytest.mark.requirement("F21-3-conflict")
async def test_the_second_of_two_people_is_shown_the_newer_plan(tmp_path: Path) -> None:
    async def both(editor: Editor) -> None:
        plan = await read_plan(editor.stores.log, "s")
        assert plan is not None
        await editor.edit({"op": "skip", "step_number": 2}, version=plan.version)
        await editor.edit({"op": "skip", "step_number": 3}, version=plan.version)

    model = planned(
        plan_of(step(1, "one"), step(2, "two", 1), step(3, "three", 1)),
        agent=[pause(), {"text": "1"}, {"text": "3"}, ANSWER],
    )
    events, editor = await ran(tmp_path, model, both)
    [error] = editor.errors
    assert isinstance(error, PlanChangedError)
    assert [s.status.value for s in error.plan.steps] == ["in_progress", "skipped", "pending"]
    assert statuses(events) == {1: "completed", 2: "skipped", 3: "completed"}


async def test_a_plan_that_is_being_made_or_is_over_cannot_be_changed(tmp_path: Path) -> None:
    """Steps that a person added before there was a plan would stand in its way."""
    stores = Stores.in_memory()
    add = {"op": "add", "description": "mine"}
    errors: list[Exception] = []

    class Planning(RememberingModel):
        async def _astream(
            self, messages: list[BaseMessage], *args: Any, **kwargs: Any
        ) -> AsyncIterator[ChatGenerationChunk]:
            if messages[-1].text.startswith('{"message"'):
                try:
                    await Editor(stores).edit(add)
                except ConflictError as error:
                    errors.append(error)
            async for chunk in super()._astream(messages, *args, **kwargs):
                yield chunk

    base = planned(plan_of(step(1, "one")), agent=[{"text": "1"}, ANSWER])
    agent = executor(Planning(script=base.script), tmp_path, stores=stores)
    events = await go(agent)
    assert statuses(events) == {1: "completed"}
    assert ["still being made" in str(error) for error in errors] == [True]
    with pytest.raises(ConflictError, match=r"the plan is over \(completed\)"):
        await Editor(stores).edit(add)


async def test_a_step_left_out_while_its_call_waits_for_a_person_is_not_done(
    tmp_path: Path,
) -> None:
    """Giving tasks is asked about; meanwhile the person leaves the step out of the plan."""
    editor = Editor(Stores.in_memory())

    class Person(Answering):
        async def request_approval(
            self, action_request: ActionRequest, session_id: str
        ) -> Decision:
            if not self.asked:
                await editor.edit({"op": "skip", "step_number": 2})
            return await super().request_approval(action_request, session_id)

    model = planned(
        plan_of(step(1, "north"), step(2, "south"), step(3, "join", 1, 2)),
        north=[{"text": "1"}],
        south=[{"text": "never"}],
        agent=[{}, {"text": "3"}, ANSWER],
    )
    agent = executor(model, tmp_path, stores=editor.stores, handler=Person())
    terms = RunTerms(kept_rules=[Rule("task", "*", "ask", "person")])
    await go(agent, terms=terms)
    events: list[Any] = await editor.stores.log.read("s", limit=10_000)
    check_steps_once(events)
    assert statuses(events) == {1: "completed", 2: "skipped", 3: "completed"}
    assert [e.step_number for e in find(events, "step_start")] == [1, 3]
    assert not any(request[-1].text.startswith("south") for request in model.requests)


async def test_a_step_added_behind_one_that_failed_is_left_out_and_not_forgotten(
    tmp_path: Path,
) -> None:
    failing = {"tool_calls": [called("finish_step", result="no", success=False)]}
    model = planned(
        plan_of(step(1, "one"), step(2, "two")),
        agent=[failing, pause(), {"text": "2"}, ANSWER],
    )
    added = {"op": "add", "description": "three", "dependencies": [1]}
    events, _ = await ran(tmp_path, model, editing(added), plan_replans_max=0, subagent_depth=0)
    assert statuses(events) == {1: "failed", 2: "completed", 3: "skipped"}
    assert plan_after(events).status is PlanStatus.FAILED


async def test_the_rest_is_planned_again_behind_a_step_that_a_person_left_out(
    tmp_path: Path,
) -> None:
    failing = {"tool_calls": [called("finish_step", result="no", success=False)]}
    model = planned(
        plan_of(step(1, "one"), step(2, "two", 1), step(3, "three", 2)),
        plan_of(step(4, "three, another way", 2)),
        agent=[pause(), {"text": "1"}, failing, {"text": "4"}, ANSWER],
    )
    events, _ = await ran(tmp_path, model, editing({"op": "skip", "step_number": 2}))
    assert statuses(events) == {1: "completed", 2: "skipped", 3: "failed", 4: "completed"}


def random_edit(chance: random.Random, plan: WorkPlan) -> dict[str, Any]:
    number = chance.choice(plan.steps).step_number if plan.steps else 1
    return chance.choice(
        [
            {"op": "skip", "step_number": number},
            {"op": "move", "step_number": number},
            {"op": "edit", "step_number": number, "description": f"edited {number}"},
            {"op": "edit", "step_number": number, "assigned_agent": "general-purpose"},
            {"op": "add", "description": "added", "dependencies": [number]},
            {"op": "add", "description": "added"},
        ]
    )


async def edit_wildly(stores: Stores, seed: int, running: asyncio.Task[Any]) -> set[int]:
    """Change the plan again and again while its run goes on; give the steps that were added."""
    chance, editor, added = random.Random(seed), Editor(stores), set[int]()
    while not running.done():
        for _ in range(chance.randrange(120)):
            await asyncio.sleep(0)
        plan = await read_plan(stores.log, "s")
        if plan is None:
            continue
        edit = random_edit(chance, plan)
        if edit["op"] == "add" and len(plan.steps) > 6:
            continue
        try:
            after = await editor.edit(edit, version=plan.version)
        except (ConflictError, ValidationError, NotFoundError):
            continue
        if edit["op"] == "add":
            added.add(max(s.step_number for s in after.steps))
    return added


@hypothesis_settings(max_examples=examples(100), deadline=None)
@given(seed=st.integers(0, 2**32), wide=st.booleans(), limit=st.integers(1, 3))
async def test_property_edits_at_any_moment_lose_no_step_and_do_none_twice(
    tmp_path: Path, seed: int, wide: bool, limit: int
) -> None:
    stores = Stores.in_memory()
    plan = plan_of(
        step(1, "a"), step(2, "b"), step(3, "c", *([] if wide else [1])), step(4, "d", 2)
    )
    working = [("^(a|b|c|d|edited)", [{"text": "ok"}])]
    model = planned(plan, agent=[{"text": f"turn {n}"} for n in range(200)], beside=working)
    agent = executor(model, tmp_path, stores=stores, chosen=settings(max_concurrent_steps=limit))
    running = asyncio.create_task(go(agent, context=ALWAYS))
    added = await edit_wildly(stores, seed, running)
    await running
    events: list[Any] = await stores.log.read("s", limit=10_000)
    check_steps_once(events)
    assert events[-1].reason == "completed"
    stand = statuses(events)
    assert set(stand.values()) <= {"completed", "skipped"}
    assert {1, 2, 3, 4} | added <= set(stand)
    assert not plan_after(events).is_open
    done = {e.step_number for e in find(events, "step_end") if e.status == "completed"}
    assert done == {number for number, status in stand.items() if status == "completed"}
