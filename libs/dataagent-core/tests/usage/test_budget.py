"""What a shortage asks for is always enough, and says itself in words."""

from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.usage import Amount, Budget, BudgetKey
from dataagent_core.usage.budget import raise_limits, shortage

COUNTS = st.integers(0, 10**12)
LIMITS = st.none() | COUNTS
KEY = BudgetKey("user", "ada", "day")


@given(
    cost=LIMITS,
    tokens=LIMITS,
    used=st.tuples(COUNTS, COUNTS),
    reserved=st.tuples(COUNTS, COUNTS),
    call=st.tuples(COUNTS, COUNTS),
)
def test_what_a_yes_adds_is_enough_for_the_call(
    cost: int | None,
    tokens: int | None,
    used: tuple[int, int],
    reserved: tuple[int, int],
    call: tuple[int, int],
) -> None:
    budget = Budget(key=KEY, cost_nano_max=cost, tokens_max=tokens)
    amounts = Amount(*used), Amount(*call), Amount(*reserved)
    found = shortage(budget, *amounts)
    fits = (tokens is None or used[0] + reserved[0] + call[0] <= tokens) and (
        cost is None or used[1] + reserved[1] + call[1] <= cost
    )
    assert (found is None) == fits
    if found is not None:
        higher = raise_limits(budget, {str(KEY): found.step})
        assert shortage(higher, *amounts) is None
        # Without what is reserved, it is what is used that counts.
        alone = shortage(budget, Amount(*used), Amount(*call))
        assert found.without(Amount(*reserved)) == alone


def test_a_shortage_names_the_budget_what_is_used_and_the_limit() -> None:
    budget = Budget(key=KEY, cost_nano_max=2_000_000_000, tokens_max=5_000)
    found = shortage(budget, Amount(4_000, 1_500_000_000), Amount(2_000, 1_000_000_000))
    assert str(found) == (
        "your budget for this day: 1.5000 of 2.0000 USD and 4,000 of 5,000 tokens used"
    )


def test_what_calls_under_way_may_use_is_named_apart() -> None:
    budget = Budget(key=KEY, cost_nano_max=2_000_000_000, tokens_max=5_000)
    reserved = Amount(3_000, 500_000_000)
    found = shortage(budget, Amount(1_000, 0), Amount(2_000, 0), reserved)
    assert str(found) == (
        "your budget for this day: 0.0000 of 2.0000 USD and 1,000 of 5,000 tokens used, "
        "0.5000 USD and 3,000 tokens reserved by calls under way"
    )
