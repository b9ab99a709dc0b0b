"""Limits of wrong passwords: per account and address, per address, per account.

The pair stops a guesser without locking the user out elsewhere; the account's own, much higher
limit stops guessing from many addresses. Counted in this process: with N workers a guesser has at
most N times as many attempts.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from dataagent_server.common.errors import RateLimitedError
from dataagent_server.identity.auth import limits


@dataclass(slots=True)
class _Count:
    since: float
    failures: int = 0


class LoginLimits:
    """Counts failures in windows; `clock` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._counts: OrderedDict[tuple[str, ...], _Count] = OrderedDict()

    def take(self, account: str, address: str) -> None:
        """Count an attempt before it is made, or refuse it.

        Counted before, so that parallel attempts cannot pass together.
        """
        now = self._clock()
        for key, most in _list_counters(account, address):
            count = self._counts.get(key)
            if count is None or now - count.since >= limits.LOGIN_WINDOW_S:
                continue
            if count.failures >= most:
                wait_s = limits.LOGIN_WINDOW_S - (now - count.since)
                raise RateLimitedError(
                    f"Too many wrong passwords. Try again in {max(1, round(wait_s / 60))} minutes.",
                    retry_after_s=wait_s,
                )
        for key, _ in _list_counters(account, address):
            self._add(key, now)

    def note_success(self, account: str, address: str) -> None:
        """Undo the attempt and clear this pair's failures."""
        self._counts.pop(("pair", account, address), None)
        for key in (("address", address), ("account", account)):
            if count := self._counts.get(key):
                count.failures = max(0, count.failures - 1)

    def _add(self, key: tuple[str, ...], now: float) -> None:
        count = self._counts.get(key)
        if count is None or now - count.since >= limits.LOGIN_WINDOW_S:
            count = self._counts[key] = _Count(now)
        self._counts.move_to_end(key)
        count.failures += 1
        while len(self._counts) > limits.LOGIN_COUNTERS_KEPT_MAX:
            self._counts.popitem(last=False)


def _list_counters(account: str, address: str) -> tuple[tuple[tuple[str, ...], int], ...]:
    return (
        (("pair", account, address), limits.LOGIN_FAILURES_PER_PAIR_MAX),
        (("address", address), limits.LOGIN_FAILURES_PER_ADDRESS_MAX),
        (("account", account), limits.LOGIN_FAILURES_PER_ACCOUNT_MAX),
    )
