"""Places for live connections: counted exactly, whoever comes and goes in whichever order."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ConfigurationError
from dataagent_core.events import WarningEvent
from dataagent_server.api.middleware.errors.error_body import make_error_answer
from dataagent_server.common.errors import OverloadedError, RateLimitedError
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.common.metrics import Metrics
from dataagent_server.sessions.live.connection_manager import Connection, ConnectionManager

WHO = st.tuples(
    st.sampled_from(["t", "u"]).map(TenantId), st.sampled_from("ab"), st.sampled_from("xyz")
)
# Come as somebody, or let the n-th of those still there go (once, or twice).
STEPS = st.lists(st.one_of(WHO, st.integers(0, 20)), max_size=60)


def check(manager: ConnectionManager, there: list[Connection]) -> None:
    assert manager.total == len(there)
    for tenant in ("t", "u"):
        mine = [one for one in there if one.tenant_id == tenant]
        assert manager.of_tenant(TenantId(tenant)) == len(mine)
        users, sessions = Counter(c.user_id for c in mine), Counter(c.session_id for c in mine)
        assert all(manager.of_user(TenantId(tenant), name) == users[name] for name in "ab")
        assert all(manager.of_session(TenantId(tenant), s) == sessions[s] for s in "xyz")


@pytest.mark.requirement("S0-28")
@given(steps=STEPS)
def test_s0_28_who_leaves_frees_their_own_place_and_nothing_else(steps: list[object]):
    manager = ConnectionManager(100)
    there: list[Connection] = []
    for step in steps:
        if isinstance(step, tuple):
            there.append(manager.connect(*step))
        elif isinstance(step, int) and there:
            gone = there.pop(step % len(there))
            manager.disconnect(gone)
            manager.disconnect(gone)
        check(manager, there)
    for one in there:
        manager.disconnect(one)
    check(manager, [])
    kept = vars(manager)
    assert not any(kept[name] for name in ("_open", "_by_session", "_by_user", "_by_tenant"))


@pytest.mark.requirement("S0-37")
@given(comers=st.lists(WHO, min_size=1, max_size=40), places=st.integers(1, 30))
def test_s0_37_the_count_stays_right_under_threads(
    comers: list[tuple[TenantId, str, str]], places: int
):
    manager = ConnectionManager(places)
    together = threading.Barrier(4)
    most = 0

    def come_and_go(mine: list[tuple[TenantId, str, str]]) -> int:
        nonlocal most
        together.wait()
        refused = 0
        for who in mine:
            try:
                connection = manager.connect(*who)
            except OverloadedError:
                refused += 1
                continue
            most = max(most, manager.total)
            manager.disconnect(connection)
        return refused

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(come_and_go, [comers] * 4))
    assert most <= places
    check(manager, [])


@pytest.mark.requirement("S0-38")
@given(places=st.integers(1, 50), extra=st.integers(1, 10), who=WHO)
def test_s0_38_beyond_the_limit_the_answer_is_503(
    places: int, extra: int, who: tuple[TenantId, str, str]
):
    manager = ConnectionManager(places)
    there = [manager.connect(*who) for _ in range(places)]
    for _ in range(extra):
        with pytest.raises(OverloadedError) as refused:
            manager.connect(*who, kind="sse")
        answer = make_error_answer(refused.value)
        assert (answer.status, answer.headers["retry-after"]) == (503, "5")
    manager.disconnect(there.pop())
    there.append(manager.connect(*who))
    check(manager, there)


@given(places=st.integers(1, 20), share=st.integers(1, 20), comers=st.lists(WHO, max_size=60))
def test_a_tenant_has_its_share_and_no_more(
    places: int, share: int, comers: list[tuple[TenantId, str, str]]
):
    manager = ConnectionManager(places, per_tenant=share)
    there: list[Connection] = []
    for who in comers:
        full = manager.of_tenant(who[0]) >= share
        try:
            there.append(manager.connect(*who))
            assert not full
        except RateLimitedError:
            assert full
        except OverloadedError:
            assert manager.total == places
        check(manager, there)


def test_open_connections_are_a_metric():
    metrics = Metrics()
    manager = ConnectionManager(5, metrics)
    one = manager.connect(TenantId("t"), "a", "x")
    manager.connect(TenantId("t"), "a", "x", kind="sse")

    def shown(kind: str) -> float | None:
        return metrics.registry.get_sample_value("dataagent_connections", {"kind": kind})

    assert (shown("websocket"), shown("sse")) == (1, 1)
    manager.disconnect(one)
    assert (shown("websocket"), shown("sse")) == (0, 1)


async def test_capacity_is_checked_as_connecting_would_find_it():
    manager = ConnectionManager(1)
    await manager.check_capacity()
    connection = manager.connect(DEFAULT_TENANT, "ann", "s")
    with pytest.raises(OverloadedError):
        await manager.check_capacity()
    manager.disconnect(connection)
    await manager.check_capacity()


async def test_without_a_log_no_event_can_be_sent():
    with pytest.raises(ConfigurationError, match="event log"):
        await ConnectionManager().send_event("s", WarningEvent(code="NOTE", message="hi"))
