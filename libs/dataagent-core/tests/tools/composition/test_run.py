"""Compositions carried out: order, fallbacks, conditions, refusals, failures and cancellation."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import ToolMessage
from langgraph.errors import GraphInterrupt

from dataagent_core.errors import StorageError
from dataagent_core.tools.composition import (
    CompositionResult,
    MemberCall,
    ToolComposition,
    admit_all,
    run_composition,
)
from dataagent_core.tools.pipeline.hooks import Refusal

Function = Callable[[Any], Any]

FUNCTIONS: dict[str, Function] = {
    "double": lambda x: x * 2,
    "negate": lambda x: -x,
    "next": lambda x: x + 1,
    "square": lambda x: x * x,
}


class Hands:
    """Runs plain functions as tools and remembers the calls."""

    def __init__(self, **functions: Function) -> None:
        self.functions = {**FUNCTIONS, **functions}
        self.calls: list[MemberCall] = []

    async def __call__(self, call: MemberCall) -> ToolMessage:
        self.calls.append(call)
        result = self.functions[call.name](call.args.get("x"))
        if isinstance(result, Awaitable):
            result = await result
        text = json.dumps({"value": result})
        return ToolMessage(content=text, tool_call_id=call.call_id)


def fail(x: Any) -> Any:
    raise ValueError(f"no {x}")


def composed(
    kind: str, tools: list[str], args: list[dict[str, Any]] | None = None, **fallbacks: list[str]
) -> ToolComposition:
    first, rest = {"x": "{{input.x}}"}, {"x": "{{previous.value}}"}
    default = [first] * len(tools) if kind == "parallel" else [first, *[rest] * (len(tools) - 1)]
    steps = [{"args": a} for a in args or default]
    template = {"kind": kind, "inputs": {"x": {"type": "integer"}}, "steps": steps}
    return ToolComposition("id", "both", "d", tools, template, fallbacks)


async def run(
    composition: ToolComposition, hands: Any, x: int = 3, **more: Any
) -> CompositionResult:
    more.setdefault("admit", admit_all)
    return await run_composition(composition, {"x": x}, call_id="c", run_tool=hands, **more)


def statuses(result: CompositionResult) -> list[str]:
    return [member.status for member in result.members]


@pytest.mark.requirement("S2-7.4-sequence")
@pytest.mark.requirement("F3-11")
@given(
    x=st.integers(-100, 100),
    names=st.lists(st.sampled_from(sorted(FUNCTIONS)), min_size=1, max_size=5),
)
async def test_a_sequence_is_the_composition_of_its_functions(x: int, names: list[str]) -> None:
    result = await run(composed("sequential", names), Hands(), x)
    assert result.succeeded
    expected = reduce(lambda value, name: FUNCTIONS[name](value), names, x)
    assert result.members[-1].output == {"value": expected}


@pytest.mark.requirement("F3-11")
@given(
    x=st.integers(-100, 100),
    names=st.lists(st.sampled_from(sorted(FUNCTIONS)), min_size=1, max_size=5),
)
async def test_side_by_side_gives_every_result_in_order(x: int, names: list[str]) -> None:
    result = await run(composed("parallel", names), Hands(), x)
    assert [m.output["value"] for m in result.members] == [FUNCTIONS[n](x) for n in names]


async def test_a_sequence_stops_at_a_failure_and_says_what_did_not_run() -> None:
    result = await run(composed("sequential", ["double", "fail", "next"]), Hands(fail=fail))
    assert statuses(result) == ["ok", "failed"]
    assert result.text() == (
        "both failed.\n1. double: ok\n2. fail: failed\nValueError: no 6\nNot run: 3 (next)."
    )
    assert (result.composition.success_count, result.composition.failure_count) == (0, 1)


@pytest.mark.requirement("S2-7.4-counts")
async def test_counts_are_new_values() -> None:
    composition = composed("sequential", ["double"])
    result = await run(composition, Hands())
    assert (composition.success_count, result.composition.success_count) == (0, 1)


async def test_a_failure_side_by_side_is_its_own_and_the_others_finish() -> None:
    result = await run(composed("parallel", ["fail", "double"]), Hands(fail=fail))
    assert statuses(result) == ["failed", "ok"]
    assert not result.succeeded
    assert '2. double: ok\n{"value": 6}' in result.text()


@pytest.mark.requirement("S2-7.4-parallel")
async def test_members_side_by_side_run_at_the_same_time() -> None:
    barrier = asyncio.Barrier(3)

    async def meet(_: Any) -> int:
        async with asyncio.timeout(60):
            return await barrier.wait()

    result = await run(composed("parallel", ["meet"] * 3), Hands(meet=meet))
    assert result.succeeded


async def test_a_sequence_may_run_two_steps_at_the_same_time_and_stops_when_one_fails() -> None:
    barrier = asyncio.Barrier(2)

    async def meet(x: Any) -> int:
        async with asyncio.timeout(60):
            await barrier.wait()
        return x

    steps = [
        {"args": {"x": 1}},
        {"args": {"x": 2}, "beside_previous": True},
        {"args": {"x": "{{step.1.value}}"}},
    ]
    together = ToolComposition(
        "i", "n", "d", ["meet", "meet", "next"], {"kind": "sequential", "steps": steps}, {}
    )
    result = await run(together, Hands(meet=meet))
    assert result.succeeded
    assert result.answering == (3,)
    assert result.members[-1].output == {"value": 2}
    failing = replace(together, tools=["fail", "double", "next"])
    result = await run(failing, Hands(fail=fail))
    assert not result.succeeded
    assert statuses(result) == ["failed", "ok"]
    assert "Not run: 3 (next)." in result.text()


@pytest.mark.requirement("S2-7.4-fallback")
@pytest.mark.requirement("F3-11")
async def test_alternatives_are_tried_in_order_with_the_same_arguments() -> None:
    hands = Hands(fail=fail, broken=fail)
    result = await run(composed("sequential", ["fail"], fail=["broken", "double"]), hands)
    assert result.succeeded
    assert [(c.name, c.args, c.call_id) for c in hands.calls] == [
        ("fail", {"x": 3}, "c/1"), ("broken", {"x": 3}, "c/1.1"), ("double", {"x": 3}, "c/1.2"),
    ]  # fmt: skip
    assert "1. double (after fail, broken failed): ok" in result.text()


async def test_an_error_message_counts_as_a_failure() -> None:
    async def erring(call: MemberCall) -> ToolMessage:
        status = "error" if call.name == "a" else "success"
        return ToolMessage(content=call.name, tool_call_id=call.call_id, status=status)

    result = await run(composed("sequential", ["a"], a=["b"]), erring)
    assert result.members[0].tried == ("a", "b")
    assert result.succeeded


async def test_a_refusal_ends_the_member_and_no_way_around_is_tried() -> None:
    async def refuse(call: MemberCall) -> MemberCall | Refusal:
        return Refusal("the person said no") if call.name == "double" else call

    hands = Hands()
    result = await run(
        composed("sequential", ["double", "next"], double=["square"]), hands, admit=refuse
    )
    assert statuses(result) == ["refused"]
    assert hands.calls == []
    assert "the person said no" in result.text()


async def test_a_refusal_is_no_failure_that_a_branch_may_handle() -> None:
    async def refuse(call: MemberCall) -> Refusal:
        return Refusal("no")

    steps = [{"next": [{"on": "failure", "step": 2}]}, {}]
    composition = ToolComposition(
        "i", "n", "d", ["double", "next"], {"kind": "conditional", "steps": steps}, {}
    )
    assert statuses(await run(composition, Hands(), admit=refuse)) == ["refused"]


async def test_admission_may_change_the_arguments() -> None:
    async def edit(call: MemberCall) -> MemberCall:
        return MemberCall(name=call.name, args={"x": 50}, call_id=call.call_id)

    result = await run(composed("sequential", ["double"]), Hands(), admit=edit)
    assert result.members[0].output == {"value": 100}


async def test_all_members_of_a_round_are_admitted_in_order_before_any_runs() -> None:
    order: list[str] = []

    async def admit(call: MemberCall) -> MemberCall:
        order.append(f"admit {call.call_id}")
        return call

    async def hands(call: MemberCall) -> ToolMessage:
        order.append(f"run {call.call_id}")
        status = "error" if call.name == "a" else "success"
        return ToolMessage(content="", tool_call_id=call.call_id, status=status)

    await run(composed("parallel", ["a", "b", "a"], a=["b"]), hands, admit=admit)
    assert order == [
        "admit c/1", "admit c/2", "admit c/3", "run c/1", "run c/2", "run c/3",
        "admit c/1.1", "admit c/3.1", "run c/1.1", "run c/3.1",
    ]  # fmt: skip


async def test_a_question_to_a_person_passes_once_the_others_have_finished() -> None:
    finished: list[str] = []

    async def hands(call: MemberCall) -> ToolMessage:
        if call.name == "ask":
            raise GraphInterrupt
        await asyncio.sleep(0)
        finished.append(call.name)
        return ToolMessage(content="", tool_call_id=call.call_id)

    with pytest.raises(GraphInterrupt):
        await run(composed("parallel", ["ask", "double"], ask=["next"]), hands)
    assert finished == ["double"]


async def test_a_log_that_cannot_be_written_is_no_failure_of_the_member() -> None:
    def broken(x: Any) -> Any:
        raise StorageError("disk full")

    with pytest.raises(StorageError):
        await run(composed("sequential", ["broken"], broken=["double"]), Hands(broken=broken))


async def test_a_member_that_is_cancelled_takes_the_rest_with_it() -> None:
    released: list[str] = []

    async def cancelled(_: Any) -> None:
        raise asyncio.CancelledError

    async def wait(_: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            released.append("wait")

    hands = Hands(cancelled=cancelled, wait=wait)
    tools = ["double", "wait", "cancelled"]
    result = await run(composed("parallel", tools, cancelled=["next"]), hands)
    assert statuses(result) == ["ok", "cancelled", "cancelled"]
    assert released == ["wait"]
    assert len(hands.calls) == 3


async def test_cancelling_the_composition_cancels_every_member_and_waits_for_their_end() -> None:
    started = asyncio.Barrier(3)
    released: list[int] = []

    async def wait(x: int) -> None:
        try:
            await started.wait()
            await asyncio.Event().wait()
        finally:
            for _ in range(3):
                await asyncio.sleep(0)
            released.append(x)

    task = asyncio.create_task(run(composed("parallel", ["wait", "wait"]), Hands(wait=wait)))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert released == [3, 3]


def branching(*branches: dict[str, Any]) -> ToolComposition:
    steps = [
        {"args": {"x": "{{input.x}}"}, "next": list(branches)},
        {"args": {"x": "{{step.1.value}}"}},
        {"args": {"x": "{{input.x}}"}},
    ]
    template = {"kind": "conditional", "inputs": {"x": {"type": "integer"}}, "steps": steps}
    return ToolComposition("id", "both", "d", ["first", "double", "negate"], template, {})


@pytest.mark.requirement("S2-7.4-condition")
@pytest.mark.requirement("F3-11")
@pytest.mark.parametrize(("x", "taken"), [(1, [1, 2]), (-1, [1, 3]), (0, [1])])
async def test_the_result_decides_which_step_is_next(x: int, taken: list[int]) -> None:
    composition = branching(
        {"when": {"value": "{{previous.value}}", "op": "greater", "to": 0}, "step": 2},
        {"when": {"value": "{{previous.value}}", "op": "less", "to": 0}, "step": 3},
    )
    result = await run(composition, Hands(first=lambda x: x), x)
    assert [member.step for member in result.members] == taken
    assert result.succeeded


async def test_a_branch_can_take_care_of_a_failure() -> None:
    result = await run(branching({"step": 2}, {"on": "failure", "step": 3}), Hands(first=fail))
    assert statuses(result) == ["failed", "ok"]
    assert result.succeeded


async def test_a_failure_nobody_takes_care_of_fails_the_whole() -> None:
    result = await run(branching({"step": 2}), Hands(first=fail))
    assert not result.succeeded


async def test_a_value_the_result_does_not_have_fails_the_step_without_running_it() -> None:
    hands = Hands()
    args = [{"x": "{{input.x}}"}, {"x": "{{previous.total}}"}]
    result = await run(composed("sequential", ["double", "next"], args), hands)
    assert statuses(result) == ["ok", "failed"]
    assert "no 'total' in an object with value" in result.text()
    assert len(hands.calls) == 1


async def test_a_part_of_an_input_that_is_missing_fails_only_its_step_side_by_side() -> None:
    args = [{"x": "{{input.x.deep}}"}, {"x": "{{input.x}}"}]
    result = await run(composed("parallel", ["double", "next"], args), Hands())
    assert [(m.step, m.status) for m in result.members] == [(1, "failed"), (2, "ok")]


async def test_an_input_left_out_has_its_default() -> None:
    template = {
        "kind": "sequential",
        "inputs": {"x": {"type": "integer", "default": 21}},
        "steps": [{"args": {"x": "{{input.x}}"}}],
    }
    composition = ToolComposition("id", "n", "d", ["double"], template, {})
    result = await run_composition(composition, {}, call_id="c", run_tool=Hands(), admit=admit_all)
    assert result.members[0].output == {"value": 42}
