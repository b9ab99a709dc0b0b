"""The cache forgets in time."""

import pytest
from installation import Time

from dataagent_server.common.ids import TenantId
from dataagent_server.identity.auth import cache as module
from dataagent_server.identity.auth.cache import PrincipalCache
from dataagent_server.identity.auth.limits import PRINCIPAL_CACHED_S
from dataagent_server.identity.auth.principal import Principal

ANN = Principal(TenantId("a"), "ann", "member")


def test_an_entry_lives_no_longer_than_five_seconds():
    time = Time()
    cache = PrincipalCache(time.monotonic)
    cache.put("h", ANN, cache.generation)
    time.pass_s(PRINCIPAL_CACHED_S - 0.01)
    assert cache.get("h") == ANN
    time.pass_s(0.01)
    assert cache.get("h") is None
    assert PRINCIPAL_CACHED_S <= 5


def test_an_answer_read_before_a_change_is_not_kept_after_it():
    cache = PrincipalCache(Time().monotonic)
    asked = cache.generation
    cache.forget_all()
    cache.put("h", ANN, asked)
    assert cache.get("h") is None


def test_it_stays_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "PRINCIPALS_CACHED_MAX", 10)
    cache = PrincipalCache(Time().monotonic)
    for number in range(100):
        cache.put(str(number), ANN, cache.generation)
    assert [cache.get(str(n)) is not None for n in (89, 90, 99)] == [False, True, True]
