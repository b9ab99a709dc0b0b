"""Guessing is slow; the right person still gets in."""

import pytest
from installation import Time

from dataagent_server.common.errors import RateLimitedError
from dataagent_server.identity.auth import limits
from dataagent_server.identity.auth.login_limits import LoginLimits


def tries(guard: LoginLimits, account: str, address: str) -> int:
    for number in range(1_000):
        try:
            guard.take(account, address)
        except RateLimitedError:
            return number
    return 1_000


def test_a_guesser_is_stopped_and_may_come_back_later():
    time = Time()
    guard = LoginLimits(time.monotonic)
    assert tries(guard, "ann", "1.2.3.4") == limits.LOGIN_FAILURES_PER_PAIR_MAX
    guard.take("ann", "9.9.9.9")
    guard.take("bob", "1.2.3.4")
    time.pass_s(limits.LOGIN_WINDOW_S)
    guard.take("ann", "1.2.3.4")


def test_one_address_cannot_try_every_account():
    guard = LoginLimits(Time().monotonic)
    passed = sum(tries(guard, f"user{n}", "1.2.3.4") for n in range(100))
    assert passed == limits.LOGIN_FAILURES_PER_ADDRESS_MAX


def test_one_account_cannot_be_tried_from_every_address():
    guard = LoginLimits(Time().monotonic)
    passed = sum(tries(guard, "ann", f"1.2.3.{n}") for n in range(100))
    assert passed == limits.LOGIN_FAILURES_PER_ACCOUNT_MAX


def test_who_knows_the_password_is_never_counted():
    guard = LoginLimits(Time().monotonic)
    for _ in range(500):
        guard.take("ann", "1.2.3.4")
        guard.note_success("ann", "1.2.3.4")


def test_the_refusal_says_when_to_come_back():
    guard = LoginLimits(Time().monotonic)
    tries(guard, "ann", "1.2.3.4")
    with pytest.raises(RateLimitedError) as refusal:
        guard.take("ann", "1.2.3.4")
    assert refusal.value.retry_after_s == limits.LOGIN_WINDOW_S


def test_the_counters_stay_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "LOGIN_COUNTERS_KEPT_MAX", 30)
    guard = LoginLimits(Time().monotonic)
    for number in range(100):
        guard.take(f"user{number}", f"10.0.0.{number}")
    assert len(guard._counts) == 30  # pyright: ignore[reportPrivateUsage]
