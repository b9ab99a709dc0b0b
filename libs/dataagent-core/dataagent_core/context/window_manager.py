"""`ContextWindowManager` (S2 §5.2.3, §5.2.10): the size of a context window and its parts.

It computes how many tokens fit, whether a request overflows and when to compact.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from langchain_core.messages import BaseMessage

from dataagent_core.config.context_settings import ContextSettings
from dataagent_core.config.limits import CONTEXT_LENGTH_TOKENS, OUTPUT_TOKENS_MAX
from dataagent_core.config.limits.context import (
    COMPRESSION_TRIGGER_PCT,
    HISTORY_BUDGET_PCT,
    OUTPUT_RESERVE_PCT,
    OUTPUT_TOKEN_MAX,
    PINS_SHARE,
    RECENT_BUDGET_PCT,
    SUMMARY_MAX_TOKENS,
    SYSTEM_BUDGET_PCT,
)
from dataagent_core.config.model_catalog import ModelMetadata
from dataagent_core.context.token_counter import TokenCounter
from dataagent_core.errors import ConfigurationError


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCount:
    """The tokens of a request: input, output, and read from the provider's cache."""

    input: int = 0
    output: int = 0
    cache_read: int = 0

    @property
    def total(self) -> int:
        """All tokens in the window."""
        return self.input + self.output + self.cache_read


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLimits:
    """The limits of a model; `input` of 0 means the context without the answer."""

    context: int
    input: int = 0
    output: int = OUTPUT_TOKEN_MAX

    @property
    def usable(self) -> int:
        """Tokens a request may have."""
        return calculate_usable_context(self)


def calculate_usable_context(limits: ModelLimits) -> int:
    """Subtract the answer's tokens from the context, unless the model states its input limit."""
    output_budget = min(limits.output, OUTPUT_TOKEN_MAX)
    return max(limits.input or (limits.context - output_budget), 0)


def is_overflow(
    tokens: TokenCount, model_limits: ModelLimits, *, auto_compaction_enabled: bool = True
) -> bool:
    """Return whether a request no longer fits; always False if compaction is off."""
    return auto_compaction_enabled and tokens.total >= calculate_usable_context(model_limits)


def should_compact(
    tokens: TokenCount, model_limits: ModelLimits, threshold: float = COMPRESSION_TRIGGER_PCT
) -> bool:
    """Return whether a request fills the window so far that the history should be compacted."""
    return tokens.total >= calculate_usable_context(model_limits) * threshold


_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextWindowConfig:
    """S2's parameters, under its names and with its defaults."""

    max_context_tokens: int = CONTEXT_LENGTH_TOKENS
    max_output_tokens: int = OUTPUT_TOKENS_MAX
    system_budget_pct: float = SYSTEM_BUDGET_PCT
    history_budget_pct: float = HISTORY_BUDGET_PCT
    recent_budget_pct: float = RECENT_BUDGET_PCT
    output_reserve_pct: float = OUTPUT_RESERVE_PCT
    compression_trigger_pct: float = COMPRESSION_TRIGGER_PCT
    summary_max_tokens: int = SUMMARY_MAX_TOKENS
    # The user's limit, whatever the model's.
    cap_tokens: int | None = None

    def __post_init__(self) -> None:
        shares = (
            self.system_budget_pct
            + self.history_budget_pct
            + self.recent_budget_pct
            + self.output_reserve_pct
        )
        if shares > 1 + _ROUNDING:
            raise ConfigurationError(
                "DATAAGENT_SYSTEM_BUDGET_PCT, DATAAGENT_HISTORY_BUDGET_PCT, "
                "DATAAGENT_RECENT_BUDGET_PCT and DATAAGENT_OUTPUT_RESERVE_PCT share out one "
                f"window, but add up to {shares:.2f}. Make them 1 or less."
            )

    @classmethod
    def of(cls, settings: ContextSettings, model: ModelMetadata) -> "ContextWindowConfig":
        """Combine a model's limits from the catalogue with the user's settings."""
        window, output = model.context_length, model.max_output_tokens
        return cls(
            max_context_tokens=min(window, settings.max_context_tokens or window),
            cap_tokens=settings.max_context_tokens,
            max_output_tokens=min(output, settings.max_output_tokens or output),
            system_budget_pct=settings.system_budget_pct,
            history_budget_pct=settings.history_budget_pct,
            recent_budget_pct=settings.recent_budget_pct,
            output_reserve_pct=settings.output_reserve_pct,
            compression_trigger_pct=settings.compression_trigger_pct,
            summary_max_tokens=settings.summary_max_tokens,
        )


class ContextWindowManager:
    """Computes for one model what fits and how many tokens each part may have."""

    def __init__(
        self, config: ContextWindowConfig | None = None, count: TokenCounter | None = None
    ) -> None:
        self.config = config = config or ContextWindowConfig()
        self.count = count or TokenCounter()
        self.window_tokens = window = config.max_context_tokens
        # Some models can answer more than a small window holds: half of it is for the input.
        output = min(config.max_output_tokens, window // 2)
        usable = calculate_usable_context(ModelLimits(context=window, output=output))
        # The reserve for the answer is kept free.
        reserve = int(window * config.output_reserve_pct)
        self.limits = ModelLimits(
            context=window, input=max(min(usable, window - reserve), 1), output=output
        )
        # The most tokens a request may have, and the size from which on the history is compacted.
        self.token_budget = self.limits.input
        self.trigger_tokens = int(self.token_budget * config.compression_trigger_pct)
        # The shares of instructions, older messages, the latest messages, and pins.
        self.system_tokens = int(window * config.system_budget_pct)
        self.history_tokens = int(window * config.history_budget_pct)
        self.recent_tokens = int(window * config.recent_budget_pct)
        self.pins_tokens = int(window * PINS_SHARE)

    def within(self, window_tokens: int) -> "ContextWindowManager":
        """Return a manager for another window size; the user's limit still applies."""
        cap = self.config.cap_tokens
        known = window_tokens if cap is None else min(window_tokens, cap)
        return ContextWindowManager(replace(self.config, max_context_tokens=known), self.count)

    def get_token_count(self, messages: Sequence[BaseMessage]) -> TokenCount:
        """Estimate what messages cost."""
        return TokenCount(input=self.count.total(messages))

    def is_overflow(
        self, messages: Sequence[BaseMessage], model_limits: ModelLimits | None = None
    ) -> bool:
        """Return whether messages no longer fit."""
        return is_overflow(self.get_token_count(messages), model_limits or self.limits)

    def should_compact(
        self, messages: Sequence[BaseMessage], threshold: float | None = None
    ) -> bool:
        """Return whether messages fill the window so far that they should be compacted."""
        chosen = self.config.compression_trigger_pct if threshold is None else threshold
        return should_compact(self.get_token_count(messages), self.limits, chosen)
