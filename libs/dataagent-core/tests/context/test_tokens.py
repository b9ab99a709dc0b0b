"""S2 §5.2.10's list of unit tests: counts, limits, overflow, the trigger, the constants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config.limits.context import (
    OUTPUT_TOKEN_MAX,
    PRUNE_MINIMUM_TOKENS,
    PRUNE_PROTECT_TOKENS,
    PRUNE_PROTECTED_TOOLS,
)
from dataagent_core.context import (
    ModelLimits,
    TokenCount,
    calculate_usable_context,
    is_overflow,
    should_compact,
)
from dataagent_core.context.compaction.prune import prune_limits
from dataagent_core.tools.catalog.core_tools import estimate_tokens

LIMITS = ModelLimits(context=100_000, output=4_000)


class TestTokenCount:
    @pytest.mark.requirement("S2-5.2.10-token-count")
    def test_all_that_takes_room_counts(self) -> None:
        assert TokenCount(input=1, output=20, cache_read=300).total == 321

    def test_nothing_is_nothing(self) -> None:
        assert TokenCount().total == 0


class TestModelLimits:
    @pytest.mark.requirement("S2-5.2.10-model-limits")
    def test_the_answer_is_taken_from_the_context(self) -> None:
        assert LIMITS.usable == 96_000

    @pytest.mark.requirement("S2-5.2.10-usable")
    def test_a_stated_input_limit_holds_instead(self) -> None:
        assert ModelLimits(context=100_000, input=50_000, output=4_000).usable == 50_000


class TestCalculateUsableContext:
    def test_no_more_than_the_output_maximum_is_reserved(self) -> None:
        assert calculate_usable_context(ModelLimits(context=100_000, output=64_000)) == 91_808

    def test_a_window_smaller_than_its_answer_has_no_room(self) -> None:
        assert calculate_usable_context(ModelLimits(context=1_000, output=4_000)) == 0


class TestEstimateTokens:
    @pytest.mark.requirement("S2-5.2.6")
    @pytest.mark.parametrize(
        ("text", "tokens"),
        [("", 0), ("abcd", 1), ("abcde", 2), ("数据分析", 2), ("数据 analysis of it", 6)],
    )
    def test_it_depends_on_the_share_of_chinese(self, text: str, tokens: int) -> None:
        assert estimate_tokens(text) == tokens

    @given(st.text(max_size=200), st.text(max_size=200))
    def test_two_texts_never_cost_less_than_a_quarter_of_their_characters(
        self, one: str, other: str
    ) -> None:
        assert estimate_tokens(one + other) * 4 >= len(one + other)


class TestIsOverflow:
    @pytest.mark.requirement("S2-5.2.10-is-overflow")
    @pytest.mark.parametrize(("tokens", "over"), [(95_999, False), (96_000, True)])
    def test_at_the_limit_it_is_over(self, tokens: int, over: bool) -> None:
        assert is_overflow(TokenCount(input=tokens), LIMITS) is over

    def test_cached_and_answered_tokens_count_too(self) -> None:
        assert is_overflow(TokenCount(input=50_000, output=6_000, cache_read=40_000), LIMITS)

    def test_where_nobody_wants_compaction_nothing_overflows(self) -> None:
        tokens = TokenCount(input=1_000_000)
        assert not is_overflow(tokens, LIMITS, auto_compaction_enabled=False)


class TestShouldCompact:
    @pytest.mark.requirement("S2-5.2.10-should-compact")
    @pytest.mark.parametrize(("tokens", "should"), [(76_799, False), (76_800, True)])
    def test_at_four_fifths_it_is_time(self, tokens: int, should: bool) -> None:
        assert should_compact(TokenCount(input=tokens), LIMITS) is should

    def test_another_threshold_may_be_chosen(self) -> None:
        assert should_compact(TokenCount(input=48_000), LIMITS, 0.5)


class TestConstants:
    @pytest.mark.requirement("S2-5.2.10-constants")
    def test_they_are_those_of_the_document(self) -> None:
        assert PRUNE_MINIMUM_TOKENS == 20_000
        assert PRUNE_PROTECT_TOKENS == 40_000
        assert frozenset({"skill"}) == PRUNE_PROTECTED_TOOLS
        assert OUTPUT_TOKEN_MAX == 8_192

    @pytest.mark.requirement("F7-2")
    @pytest.mark.parametrize(
        ("window", "protected", "minimum"),
        [
            (None, 40_000, 20_000),
            (1_000_000, 40_000, 20_000),
            (128_000, 39_680, 20_000),
            (32_000, 9_920, 5_120),
        ],
    )
    def test_both_are_ceilings_that_smaller_windows_scale_down(
        self, window: int | None, protected: int, minimum: int
    ) -> None:
        assert prune_limits(window) == (protected, minimum)
