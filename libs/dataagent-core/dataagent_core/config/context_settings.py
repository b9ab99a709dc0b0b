"""Settings of the context window, under S2's names (§5.2.3)."""

from pydantic import Field

from dataagent_core.config.limits.context import (
    COMPRESSION_TRIGGER_PCT,
    HISTORY_BUDGET_PCT,
    OUTPUT_RESERVE_PCT,
    RECENT_BUDGET_PCT,
    SUMMARY_MAX_TOKENS,
    SYSTEM_BUDGET_PCT,
)
from dataagent_core.config.provider_settings import ProviderSettings


class ContextSettings(ProviderSettings):
    """The sizes of the context window and its parts."""

    max_context_tokens: int | None = Field(
        default=None, ge=1, description="Cap on the context window; the model's own when unset"
    )
    max_output_tokens: int | None = Field(
        default=None,
        ge=1,
        description="Cap on one answer's tokens; the model's own when unset",
    )
    system_budget_pct: float = Field(
        default=SYSTEM_BUDGET_PCT, ge=0, le=1, description="Share of the window for instructions"
    )
    history_budget_pct: float = Field(
        default=HISTORY_BUDGET_PCT, ge=0, le=1, description="Share of the window for older messages"
    )
    recent_budget_pct: float = Field(
        default=RECENT_BUDGET_PCT,
        ge=0,
        le=1,
        description="Share of the window for the latest messages, which are kept as they are",
    )
    output_reserve_pct: float = Field(
        default=OUTPUT_RESERVE_PCT, ge=0, lt=1, description="Share of the window for the answer"
    )
    compression_trigger_pct: float = Field(
        default=COMPRESSION_TRIGGER_PCT,
        gt=0,
        le=1,
        description="How full the window may get before older messages are compressed",
    )
    summary_max_tokens: int = Field(
        default=SUMMARY_MAX_TOKENS, ge=1, description="Tokens of a summary of older messages"
    )
