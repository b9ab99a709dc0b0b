"""An endpoint that keeps failing is left alone, then one call tries for all."""

from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config import Settings
from dataagent_core.config.limits import BREAKER_FAILURES, BREAKER_OPEN_S, BREAKERS_KEPT_MAX
from dataagent_core.models import Script, ScriptedChatModel, resolve_model
from dataagent_core.models.retry.circuit_breaker import (
    EndpointBreaker,
    EndpointBreakers,
    endpoint_of,
)


def opened(now_s: float = 0.0) -> EndpointBreaker:
    breaker = EndpointBreaker()
    for _ in range(BREAKER_FAILURES):
        breaker.failed(now_s)
    return breaker


def test_it_opens_only_after_enough_failures_in_a_row() -> None:
    breaker = EndpointBreaker()
    for _ in range(BREAKER_FAILURES - 1):
        breaker.failed(0.0)
    assert breaker.wait_s(0.0) == 0.0
    breaker.succeeded()
    breaker.failed(0.0)
    assert breaker.wait_s(0.0) == 0.0
    assert opened().wait_s(0.0) == BREAKER_OPEN_S


def test_one_caller_tries_for_all_and_its_success_lets_everybody_through() -> None:
    breaker = opened()
    later = BREAKER_OPEN_S + 1
    assert breaker.wait_s(later) == 0.0
    assert breaker.wait_s(later) > 0.0
    breaker.succeeded()
    assert breaker.wait_s(later) == 0.0


def test_its_failure_keeps_everybody_away_for_as_long_again() -> None:
    breaker = opened()
    later = BREAKER_OPEN_S + 1
    assert breaker.wait_s(later) == 0.0
    breaker.failed(later + 5)
    assert breaker.wait_s(later + 5) == BREAKER_OPEN_S


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 100))))
def test_nobody_ever_waits_longer_than_it_is_open(steps: list[tuple[bool, float]]) -> None:
    breaker, now_s = EndpointBreaker(), 0.0
    for failed, passed_s in steps:
        now_s += passed_s
        if failed:
            breaker.failed(now_s)
        else:
            breaker.succeeded()
        assert 0.0 <= breaker.wait_s(now_s) <= BREAKER_OPEN_S


def test_each_endpoint_has_its_own_and_only_so_many_are_kept() -> None:
    breakers = EndpointBreakers()
    assert breakers.of("a") is breakers.of("a")
    assert breakers.of("a") is not breakers.of("b")
    first = breakers.of("a")
    for number in range(BREAKERS_KEPT_MAX):
        breakers.of(f"other{number}")
    assert breakers.of("a") is not first


def test_models_of_one_address_share_an_endpoint_and_no_key_is_in_its_name() -> None:
    settings = Settings(openai_api_key="sk-x", openai_base_url="http://user:pw@127.0.0.1:9/v1")  # pyright: ignore[reportArgumentType] (pydantic reads it)
    names = {
        endpoint_of(resolve_model(name, settings)) for name in ("openai:gpt-4o", "openai:other")
    }
    assert names == {"http://127.0.0.1:9"}
    plain = Settings(anthropic_api_key="sk-x")  # pyright: ignore[reportArgumentType] (pydantic reads it)
    assert "anthropic" in (endpoint_of(resolve_model("anthropic:claude-x", plain)) or "")


def test_a_model_in_this_process_has_no_endpoint() -> None:
    model = ScriptedChatModel(script=Script.of())
    assert endpoint_of(resolve_model(model, Settings())) is None
