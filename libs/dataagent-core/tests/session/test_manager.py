"""Executors are kept while a session is used, and let go when it is not."""

import asyncio
import logging
import weakref
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.session import Session, SessionManager
from dataagent_core.session.stores.memory import MemorySessionStore


class Executor:
    """What holds the resources of a session."""

    running = False
    closed = False
    fails = False

    async def aclose(self) -> None:
        self.closed = True
        if self.fails:
            raise OSError("it is stuck")


class Factory:
    """Makes executors and follows each as long as it lives."""

    def __init__(self) -> None:
        self.alive: weakref.WeakSet[Executor] = weakref.WeakSet()

    def create_executor(self, config: str, hitl_handler: str | None = None) -> Executor:
        executor = Executor()
        self.alive.add(executor)
        return executor


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


Manager = SessionManager[str, str, Executor]


def session(name: str) -> Session:
    return Session(session_id=name, user_id="ada", assistant_id="helper")


@pytest.fixture
def manager() -> Manager:
    return SessionManager(MemorySessionStore(), Factory())


@pytest.mark.requirement("S0-21")
@given(
    timeout_s=st.integers(1, 100),
    steps=st.lists(st.tuples(st.integers(0, 60), st.sampled_from("abcd")), max_size=20),
    idle_s=st.integers(0, 120),
)
async def test_s0_21_a_session_idle_beyond_its_time_out_loses_its_resources(
    timeout_s: int, steps: list[tuple[int, str]], idle_s: int
):
    factory, clock = Factory(), Clock()
    manager = SessionManager(MemorySessionStore(), factory, timeout_s, clock)
    last_used: dict[str, float] = {}
    for seconds, name in steps:
        clock.now_s += seconds
        await manager.get_executor(session(name), "config")
        last_used[name] = clock.now_s
    clock.now_s += idle_s
    before = set(manager.active_sessions())
    closed = await manager.cleanup_idle()
    in_use = {name for name, used in last_used.items() if clock.now_s - used < timeout_s}
    assert set(manager.active_sessions()) == in_use
    assert set(closed) == before - in_use
    assert len(factory.alive) == len(in_use)


@pytest.mark.requirement("S0-21")
@given(timeout_s=st.integers(1, 1_000), over_s=st.integers(0, 1_000))
async def test_s0_21_using_one_session_cleans_up_the_others(timeout_s: int, over_s: int):
    clock = Clock()
    manager = SessionManager(MemorySessionStore(), Factory(), timeout_s, clock)
    await manager.get_executor(session("idle"), "config")
    clock.now_s += timeout_s + over_s
    await manager.get_executor(session("in-use"), "config")
    assert manager.active_sessions() == ["in-use"]


async def test_a_session_keeps_its_executor_while_it_is_used():
    clock = Clock()
    manager = SessionManager(MemorySessionStore(), Factory(), 60, clock)
    first = await manager.get_executor(session("s"), "config")
    for _ in range(5):
        clock.now_s += 59
        assert await manager.get_executor(session("s"), "config") is first


async def test_a_session_that_timed_out_gets_a_new_executor():
    clock = Clock()
    manager = SessionManager(MemorySessionStore(), Factory(), 60, clock)
    first = await manager.get_executor(session("s"), "config")
    clock.now_s += 60
    assert await manager.get_executor(session("s"), "config") is not first


async def test_sessions_do_not_share_an_executor(manager: Manager):
    first = await manager.get_executor(session("one"), "config")
    assert await manager.get_executor(session("two"), "config") is not first


async def test_closing_a_session_keeps_what_is_stored(manager: Manager):
    made = await manager.get_or_create_session("ada", "helper")
    await manager.get_executor(made, "config")
    await manager.close_session(made.session_id)
    assert manager.active_sessions() == []
    assert await manager.store.get(made.session_id) == made


async def test_a_persons_own_session_is_found_again(manager: Manager):
    made = await manager.get_or_create_session("ada", "helper")
    assert await manager.get_or_create_session("ada", "helper", made.session_id) == made


@pytest.mark.parametrize("session_id", [None, "never-made"])
async def test_without_a_known_session_there_is_a_new_one(manager: Manager, session_id: str | None):
    made = await manager.get_or_create_session("ada", "helper", session_id)
    assert made.session_id != session_id
    assert (made.user_id, made.assistant_id) == ("ada", "helper")


async def test_knowing_the_id_of_anothers_session_does_not_hand_it_out(manager: Manager):
    theirs = await manager.get_or_create_session("ada", "helper")
    mine = await manager.get_or_create_session("eve", "helper", theirs.session_id)
    assert mine.session_id != theirs.session_id
    assert mine.user_id == "eve"
    assert await manager.store.get(theirs.session_id) == theirs


async def test_an_idle_session_is_closed_and_one_at_work_is_not():
    clock = Clock()
    manager: Manager = SessionManager(MemorySessionStore(), Factory(), 10, clock)
    idle = await manager.get_executor(session("idle"), "config")
    busy = await manager.get_executor(session("busy"), "config")
    busy.running = True
    clock.now_s = 11
    assert await manager.cleanup_idle() == ["idle"]
    assert (idle.closed, busy.closed) == (True, False)
    assert manager.active_sessions() == ["busy"]


async def test_another_configuration_builds_another_executor_and_closes_the_former(
    manager: Manager,
):
    first = await manager.get_executor(session("s"), "config")
    assert await manager.get_executor(session("s"), "config") is first
    second = await manager.get_executor(session("s"), "changed")
    assert second is not first
    assert (first.closed, second.closed) == (True, False)


async def test_an_executor_at_work_is_not_taken_from_its_run(manager: Manager):
    first = await manager.get_executor(session("s"), "config")
    first.running = True
    assert await manager.get_executor(session("s"), "changed") is first
    assert not first.closed


async def test_callers_at_once_share_one_executor(manager: Manager):
    asked = (manager.get_executor(session("s"), "config") for _ in range(5))
    assert len(set(await asyncio.gather(*asked))) == 1


async def test_a_lent_executor_is_kept_however_long_its_run_takes():
    clock = Clock()
    manager: Manager = SessionManager(MemorySessionStore(), Factory(), 10, clock)
    async with manager.lend_executor(session("s"), "config") as executor:
        clock.now_s = 100
        assert await manager.cleanup_idle() == []
        assert not await manager.close_session("s", only_idle=True)
        assert manager.idle_sessions() == {}
    assert manager.idle_sessions() == {"s": 100}
    async with manager.lend_executor(session("s"), "config") as again:
        assert again is executor


async def test_a_second_run_gets_an_executor_of_its_own(manager: Manager):
    lend = manager.lend_executor
    async with lend(session("s"), "config") as first, lend(session("s"), "config") as second:
        assert second is not first
        assert (first.closed, second.closed) == (True, False)


async def test_an_executor_that_a_cancelled_run_did_not_get_is_idle(manager: Manager):
    closing = asyncio.Event()

    class Stuck(Executor):
        async def aclose(self) -> None:
            closing.set()
            await asyncio.Event().wait()

    async def run() -> None:
        async with manager.lend_executor(session("s"), "changed"):
            raise AssertionError("the run was cancelled before")

    former = await manager.get_executor(session("s"), "config")
    former.__class__ = Stuck
    task = asyncio.create_task(run())
    await closing.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list(manager.idle_sessions()) == ["s"]
    assert await manager.close_session("s", only_idle=True)


async def test_what_an_executor_shares_is_held_while_it_is_kept():
    held: list[str] = []

    @asynccontextmanager
    async def hold(config: str) -> AsyncGenerator[None]:
        held.append(config)
        yield
        held.remove(config)

    manager: Manager = SessionManager(MemorySessionStore(), Factory(), hold=hold)
    await manager.get_executor(session("one"), "a")
    await manager.get_executor(session("two"), "b")
    assert held == ["a", "b"]
    await manager.close_session("one")
    assert held == ["b"]
    await manager.aclose()
    assert held == []


async def test_an_executor_that_cannot_be_closed_is_logged_and_stops_nobody(
    caplog: pytest.LogCaptureFixture,
):
    clock = Clock()
    manager: Manager = SessionManager(MemorySessionStore(), Factory(), 10, clock)
    idle = await manager.get_executor(session("idle"), "config")
    idle.fails = True
    clock.now_s = 10
    with caplog.at_level(logging.ERROR):
        await manager.get_executor(session("other"), "config")
    assert manager.active_sessions() == ["other"]
    assert "cannot close an executor" in caplog.text
