"""Money: the price list's own arithmetic, a person's own figures, and unknown for the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from dataagent_core.config import ModelOverride
from dataagent_core.config.limits import CALL_TOKENS_MAX
from dataagent_core.usage import TokenUsage, price_of
from dataagent_core.usage.budget import nano_of, usd_of

COUNTS = st.integers(0, 1_000_000)


@pytest.mark.requirement("F7-5")
def test_cached_tokens_have_rates_of_their_own() -> None:
    sonnet = price_of("anthropic:claude-sonnet-4-5")
    plain = TokenUsage(input=1_000_000, output=0)
    read = TokenUsage(input=1_000_000, cached_read=1_000_000)
    written = TokenUsage(input=1_000_000, cached_write=1_000_000)
    costs = [sonnet.cost_nano(tokens) for tokens in (read, plain, written)]
    assert all(cost is not None for cost in costs)
    cheap, normal, dear = (cost or 0 for cost in costs)
    assert cheap < normal < dear


@pytest.mark.requirement("F7-5")
def test_a_known_price_is_exact() -> None:
    assert usd_of(price_of("openai:gpt-4o").cost_nano(TokenUsage(input=1000, output=100))) == 0.0035


@pytest.mark.requirement("F7-5")
@pytest.mark.parametrize("name", ["ollama:llama3", "scripted:x", "openai:my-own-model", "demo"])
def test_an_unknown_price_is_unknown_not_nothing(name: str) -> None:
    assert price_of(name).cost_nano(TokenUsage(input=10, output=10)) is None
    worst = price_of(name).worst_case(10, 10)
    assert (worst.tokens, worst.cost_nano) == (20, None)


def test_a_persons_own_figures_win() -> None:
    own = {"llama3": ModelOverride(input_cost_per_1m=1.0, output_cost_per_1m=2.0)}
    cost = price_of("ollama:llama3", own).cost_nano(TokenUsage(input=1_000_000, output=500_000))
    assert usd_of(cost) == 2.0


def test_half_a_price_is_no_price() -> None:
    own = {"llama3": ModelOverride(input_cost_per_1m=1.0)}
    assert price_of("ollama:llama3", own).cost_nano(TokenUsage(input=1)) is None


@pytest.mark.parametrize(
    "name", ["anthropic:claude-sonnet-4-5", "openai:gpt-4o", "google_genai:gemini-2.5-pro"]
)
@given(sent=COUNTS, answer=COUNTS, parts=st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_no_call_costs_more_than_its_worst_case(
    name: str, sent: int, answer: int, parts: tuple[float, float]
) -> None:
    read = int(sent * parts[0])
    written = int((sent - read) * parts[1])
    call = TokenUsage(input=sent, output=answer, cached_read=read, cached_write=written)
    pricing = price_of(name)
    worst = pricing.worst_case(sent, answer)
    assert worst.tokens == call.total
    assert (pricing.cost_nano(call) or 0) <= (worst.cost_nano or 0)


def test_money_is_rounded_up() -> None:
    assert nano_of(0.0000000001) == 1
    assert nano_of(0) == 0


@pytest.mark.parametrize("price", [-1.0, 10.0**30, float("nan"), float("inf")])
def test_a_price_that_cannot_be_is_refused(price: float) -> None:
    with pytest.raises(ValidationError):
        ModelOverride(input_cost_per_1m=price)


def test_the_dearest_call_there_can_be_fits_a_database() -> None:
    own = {"x": ModelOverride(input_cost_per_1m=1e6, output_cost_per_1m=1e6)}
    whole = TokenUsage(input=CALL_TOKENS_MAX, output=CALL_TOKENS_MAX)
    assert (price_of("openai:x", own).cost_nano(whole) or 0) < 2**62
