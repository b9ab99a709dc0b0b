"""How long to wait before a failed call is tried again (S3 property 4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.models import RetryPolicy

BASES = st.floats(0.001, 1_000)
RETRIES = st.integers(0, 60)
SECONDS = st.floats(0, 1e6)
CHANCES = st.floats(0, 1)


@pytest.mark.requirement("S3-4")
@given(base_s=BASES, max_retries=RETRIES, retry=RETRIES)
def test_s3_property_4_the_delay_before_retry_n_is_the_base_times_two_to_the_n(
    base_s: float, max_retries: int, retry: int
) -> None:
    policy = RetryPolicy(base_delay_s=base_s, max_retries=max_retries)
    assert policy.delay_s(retry) == base_s * 2**retry


@pytest.mark.requirement("S2-5.1-retry")
@pytest.mark.requirement("S3-4")
@given(base_s=BASES, retry=RETRIES)
def test_without_chance_a_wait_is_the_delay_up_to_its_cap(base_s: float, retry: int) -> None:
    policy = RetryPolicy(base_delay_s=base_s, delay_s_max=60.0)
    assert policy.wait_s(retry) == min(base_s * 2**retry, 60.0)


@given(retry=RETRIES, asked=st.none() | SECONDS, max_s=SECONDS, chance=CHANCES)
def test_chance_only_adds_and_within_its_share(
    retry: int, asked: float | None, max_s: float, chance: float
) -> None:
    policy = RetryPolicy(delay_s_max=max_s, jitter_share=0.1)
    plain, with_chance = policy.wait_s(retry, asked), policy.wait_s(retry, asked, chance)
    assert plain <= with_chance <= plain * 1.1 + 1e-9
    assert plain >= min(asked or 0.0, max_s)


def test_a_huge_number_of_retries_is_still_a_wait() -> None:
    assert RetryPolicy(delay_s_max=60.0).wait_s(10**6) == 60.0
