"""Calls kept while nobody watches: how long, how many, and what becomes of them."""

import asyncio
from typing import Any

import pytest
from mcp_offering import ME, text
from mcp_waiting import eventually

from dataagent_core.config.limits.mcp import MCP_HELD_CALLS_MAX, MCP_QUESTIONS_PER_CALL_MAX
from dataagent_core.mcp.ports import Elicit, Elicitation, ElicitationResult, OnProgress, Sample
from dataagent_core.mcp.tools import held_calls as module
from dataagent_core.mcp.tools.held_calls import HeldCall, HeldCalls, HeldKey, HeldQuestion

WHO = Elicitation("Who?", {"type": "object"})


def key(number: int = 0, run_id: str = "run") -> HeldKey:
    return HeldKey(ME, "desk", run_id, f"call{number}")


async def asks_once(_: OnProgress, elicit: Elicit, __: Sample) -> Any:
    return text((await elicit(WHO)).action)


def begun(start: Any = asks_once) -> HeldCall:
    call = HeldCall(start)
    call.begin()
    return call


async def test_a_question_is_heard_as_often_as_it_is_asked_for_and_answered_once() -> None:
    call = begun()
    first = await call.next(0, 5)
    assert isinstance(first, HeldQuestion)
    assert await call.next(0, 5) is first
    first.give(ElicitationResult("accept"))
    first.give(ElicitationResult("cancel"))
    result = await call.next(1, 5)
    assert result == text("accept")


async def test_what_the_call_raises_is_raised_where_its_end_is_waited_for() -> None:
    async def breaks(*_: Any) -> Any:
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        await begun(breaks).next(0, 5)


async def test_silence_is_counted_from_the_last_sign_of_life() -> None:
    signs = asyncio.Queue[None]()

    async def slow(on_progress: OnProgress, *_: Any) -> Any:
        for step in range(5):
            await signs.get()
            await on_progress(step, None, None)
        await asyncio.Event().wait()

    call = begun(slow)
    waiting = asyncio.create_task(call.next(0, 0.2))
    for _ in range(5):
        signs.put_nowait(None)
        await asyncio.sleep(0)
    with pytest.raises(TimeoutError):
        await waiting
    await call.aclose()


async def test_a_call_put_away_is_given_up_when_its_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MCP_HELD_S", 0.01)
    calls, call = HeldCalls(), begun()
    await call.next(0, 5)
    calls.keep(key(), call)
    await eventually(lambda: not call.alive)
    assert calls.find(key()) is None


async def test_a_call_somebody_came_back_for_is_not_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MCP_HELD_S", 0.05)
    calls, call, other = HeldCalls(), begun(), begun()
    asked = await call.next(0, 5)
    await other.next(0, 5)
    calls.keep(key(1), call)
    calls.keep(key(2), other)
    assert await call.next(0, 5) is asked
    # The one put away after it is gone: its own time would be over, too.
    await eventually(lambda: not other.alive)
    assert calls.find(key(1)) is call
    await calls.aclose()


async def test_of_too_many_the_oldest_goes() -> None:
    calls = HeldCalls()
    made = [begun() for _ in range(MCP_HELD_CALLS_MAX + 1)]
    for number, call in enumerate(made):
        await call.next(0, 5)
        calls.keep(key(number), call)
    await eventually(lambda: not made[0].alive)
    assert calls.find(key(0)) is None
    assert calls.find(key(1)) is made[1]
    await calls.aclose()
    assert not any(call.alive for call in made)


async def test_a_server_that_never_stops_asking_is_told_that_nobody_answers() -> None:
    heard: list[str] = []

    async def asks_on(_: OnProgress, elicit: Elicit, __: Sample) -> Any:
        while not heard or heard[-1] != "cancel":
            heard.append((await elicit(WHO)).action)
        return text("done")

    call = begun(asks_on)
    for number in range(MCP_QUESTIONS_PER_CALL_MAX):
        asked = await call.next(number, 5)
        assert isinstance(asked, HeldQuestion)
        asked.give(ElicitationResult("accept"))
    assert await call.next(MCP_QUESTIONS_PER_CALL_MAX, 5) == text("done")
    assert heard.count("accept") == MCP_QUESTIONS_PER_CALL_MAX


async def test_progress_while_nobody_watches_is_dropped() -> None:
    seen: list[float] = []
    go = asyncio.Event()

    async def works(on_progress: OnProgress, elicit: Elicit, _: Sample) -> Any:
        await on_progress(1, None, None)
        await elicit(WHO)
        await on_progress(2, None, None)
        await go.wait()
        await on_progress(3, None, None)
        return text("done")

    async def listen(progress: float, _: float | None, __: str | None) -> None:
        seen.append(progress)

    calls, call = HeldCalls(), HeldCall(works, listener=listen)
    call.begin()
    asked = await call.next(0, 5)
    assert isinstance(asked, HeldQuestion)
    calls.keep(key(), call)
    asked.give(ElicitationResult("accept"))
    for _ in range(5):
        await asyncio.sleep(0)
    call.listener = listen
    go.set()
    assert await call.next(1, 5) == text("done")
    assert seen == [1, 3]
