"""S2 §5.2.10: how many tokens there are, how many fit, and when it is time to do something."""

from dataclasses import dataclass

from dataagent_core.config.context_limits import COMPRESSION_TRIGGER_PCT, OUTPUT_TOKEN_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCount:
    """The tokens of a request: what is sent, what is answered, what the provider had cached."""

    input: int = 0
    output: int = 0
    cache_read: int = 0

    @property
    def total(self) -> int:
        """All that takes room in the window."""
        return self.input + self.output + self.cache_read


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLimits:
    """What a model takes; `input` of 0 means: what the answer leaves of the context."""

    context: int
    input: int = 0
    output: int = OUTPUT_TOKEN_MAX

    @property
    def usable(self) -> int:
        """Tokens a request may have."""
        return calculate_usable_context(self)


def calculate_usable_context(limits: ModelLimits) -> int:
    """Take the room of the answer from the context, unless the model states its input limit."""
    output_budget = min(limits.output, OUTPUT_TOKEN_MAX)
    return max(limits.input or (limits.context - output_budget), 0)


def is_overflow(
    tokens: TokenCount, model_limits: ModelLimits, *, auto_compaction_enabled: bool = True
) -> bool:
    """Say whether a request no longer fits; never, where nobody wants to do anything about it."""
    return auto_compaction_enabled and tokens.total >= calculate_usable_context(model_limits)


def should_compact(
    tokens: TokenCount, model_limits: ModelLimits, threshold: float = COMPRESSION_TRIGGER_PCT
) -> bool:
    """Say whether a request fills the window so far that the history should be made shorter."""
    return tokens.total >= calculate_usable_context(model_limits) * threshold
