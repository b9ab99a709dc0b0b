"""`ContextWindowManager`: S2's parameters, and compaction asked through it."""

from pathlib import Path

import pytest
from agents import settings
from langchain_core.messages import AIMessage, HumanMessage

from dataagent_core.config import Settings
from dataagent_core.config.model_catalog import ModelMetadata
from dataagent_core.context import ContextWindowConfig, ContextWindowManager, ModelLimits
from dataagent_core.errors import ConfigurationError

MODEL = ModelMetadata(name="m", context_length=64_000, max_output_tokens=8_192)


def manager(window: int, **more: float) -> ContextWindowManager:
    return ContextWindowManager(ContextWindowConfig(max_context_tokens=window, **more))  # pyright: ignore[reportArgumentType] (by name)


@pytest.mark.requirement("S2-5.2.3-defaults")
@pytest.mark.requirement("F7-1")
def test_the_defaults_are_those_of_the_document() -> None:
    config = ContextWindowConfig()
    assert (config.max_context_tokens, config.max_output_tokens) == (128_000, 4_096)
    assert (config.system_budget_pct, config.history_budget_pct) == (0.10, 0.50)
    assert (config.recent_budget_pct, config.output_reserve_pct) == (0.25, 0.15)
    assert (config.compression_trigger_pct, config.summary_max_tokens) == (0.80, 500)


@pytest.mark.requirement("S2-5.2.3-settings")
@pytest.mark.requirement("F7-1")
def test_every_parameter_is_a_setting_under_its_name(tmp_path: Path) -> None:
    environment = {
        "DATAAGENT_HOME": str(tmp_path),
        "DATAAGENT_MAX_CONTEXT_TOKENS": "10000",
        "DATAAGENT_MAX_OUTPUT_TOKENS": "1000",
        "DATAAGENT_SYSTEM_BUDGET_PCT": "0.2",
        "DATAAGENT_HISTORY_BUDGET_PCT": "0.3",
        "DATAAGENT_RECENT_BUDGET_PCT": "0.4",
        "DATAAGENT_OUTPUT_RESERVE_PCT": "0.1",
        "DATAAGENT_COMPRESSION_TRIGGER_PCT": "0.5",
        "DATAAGENT_SUMMARY_MAX_TOKENS": "77",
    }
    config = ContextWindowConfig.of(Settings.load(environment, tmp_path), MODEL)
    assert config == ContextWindowConfig(
        max_context_tokens=10_000,
        max_output_tokens=1_000,
        system_budget_pct=0.2,
        history_budget_pct=0.3,
        recent_budget_pct=0.4,
        output_reserve_pct=0.1,
        compression_trigger_pct=0.5,
        summary_max_tokens=77,
        cap_tokens=10_000,
    )


@pytest.mark.requirement("F7-1")
@pytest.mark.parametrize(("cap", "window"), [(None, 64_000), (32_000, 32_000), (99_000, 64_000)])
def test_the_catalogue_says_how_large_the_window_is_and_a_person_may_cap_it(
    cap: int | None, window: int
) -> None:
    config = ContextWindowConfig.of(settings(max_context_tokens=cap), MODEL)
    assert config.max_context_tokens == window


def test_shares_that_add_up_to_more_than_a_window_are_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"add up to 1\.15"):
        ContextWindowConfig(history_budget_pct=0.65)


def test_the_shares_of_a_window() -> None:
    shares = manager(128_000)
    assert (shares.system_tokens, shares.history_tokens) == (12_800, 64_000)
    assert (shares.recent_tokens, shares.pins_tokens) == (32_000, 19_200)
    assert (shares.token_budget, shares.trigger_tokens) == (108_800, 87_040)


@pytest.mark.parametrize(("window", "budget"), [(5_000, 2_500), (1_000, 500), (9_000, 4_904)])
def test_a_small_window_has_room_for_the_answer_and_for_what_is_asked(
    window: int, budget: int
) -> None:
    assert manager(window).token_budget == budget


def test_a_cap_below_what_a_model_may_answer_leaves_room_for_the_question() -> None:
    config = ContextWindowConfig.of(settings(max_context_tokens=8_000), MODEL)
    assert ContextWindowManager(config).token_budget == 4_000


class TestCompactionIntegration:
    def test_messages_are_counted(self) -> None:
        count = manager(1_000).get_token_count([HumanMessage(content="word " * 40)])
        assert (count.input, count.output, count.cache_read) == (54, 0, 0)

    def test_nothing_does_not_overflow(self) -> None:
        assert not manager(10_000).is_overflow([])

    def test_too_much_does(self) -> None:
        assert manager(10_000).is_overflow([HumanMessage(content="word " * 10_000)])

    @pytest.mark.requirement("S2-5.2.10-manager-overflow")
    def test_the_limits_of_another_model_may_be_asked_for(self) -> None:
        said = [HumanMessage(content="word " * 10_000)]
        assert not manager(10_000).is_overflow(said, ModelLimits(context=200_000))

    def test_four_fifths_of_the_budget_are_the_trigger(self) -> None:
        # 10,000 without the answer's 4,096 are 5,904; four fifths are 4,723.
        said = [AIMessage(content="word " * 3_776)]
        assert manager(10_000).should_compact(said)
        assert not manager(10_000).should_compact([AIMessage(content="word " * 3_700)])

    @pytest.mark.requirement("S2-5.2.10-manager-compact")
    def test_another_threshold_may_be_asked_for(self) -> None:
        said = [AIMessage(content="word " * 2_400)]
        assert manager(10_000).should_compact(said, threshold=0.5)
        assert not manager(10_000).should_compact(said, threshold=0.6)

    def test_the_setting_moves_the_trigger(self) -> None:
        said = [AIMessage(content="word " * 2_400)]
        assert manager(10_000, compression_trigger_pct=0.5).should_compact(said)
