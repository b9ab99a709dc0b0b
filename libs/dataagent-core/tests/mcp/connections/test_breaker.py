"""When a server that failed is tried again."""

from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.mcp.connections.connection_limit import ConnectionLimits
from dataagent_core.mcp.connections.server_health import CLOSED, Backoff

LIMITS = ConnectionLimits(retry_base_s=1, retry_delay_s_max=300)


@given(st.lists(st.sampled_from(["failure", "loss"]), max_size=60), st.floats(0, 1))
def test_the_wait_doubles_up_to_its_limit_and_is_never_twice_the_same(
    kinds: list[str], luck: float
):
    backoff = Backoff(LIMITS, lambda: 50.0, lambda: luck)
    breaker = CLOSED
    for number, kind in enumerate(kinds):
        after = backoff.after_failure if kind == "failure" else backoff.after_loss
        breaker = after(breaker, "why")
        doublings = number if kind == "failure" else number - 1
        longest = min(300, 2.0 ** min(doublings, 30)) if doublings >= 0 else 0
        assert longest / 2 <= breaker.wait_s(50.0) <= longest
        assert breaker.failures == number + 1
    assert breaker.wait_s(50.0 + 300) == 0


def test_thousands_of_failures_do_no_harm():
    backoff = Backoff(LIMITS, lambda: 0.0, lambda: 1.0)
    breaker = CLOSED
    for _ in range(5_000):
        breaker = backoff.after_failure(breaker, "why")
    assert breaker.sentence(0.0) == "was tried 5000 times, next try in 300 s: why"
