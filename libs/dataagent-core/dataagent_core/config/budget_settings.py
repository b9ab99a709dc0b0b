"""Settings that limit what models may cost; none is set by default.

A price that nobody knows cannot be held against a limit of money: set one of tokens as well.
"""

from pydantic import Field

from dataagent_core.config.resolve.layered_settings import LayeredSettings

_COST_MAX = 1_000_000.0
_TOKENS_MAX = 10**15


def _cost(what: str) -> float | None:
    return Field(
        default=None,
        ge=0,
        le=_COST_MAX,
        allow_inf_nan=False,
        description=f"US dollars {what}; no limit when unset",
    )


def _tokens(what: str) -> int | None:
    return Field(
        default=None, ge=0, le=_TOKENS_MAX, description=f"Tokens {what}; no limit when unset"
    )


class BudgetSettings(LayeredSettings):
    """What a run, and a person in a day or a month (UTC), may use."""

    run_cost_max: float | None = _cost("one run may cost")
    run_tokens_max: int | None = _tokens("one run may use")
    day_cost_max: float | None = _cost("one person may use in a day")
    day_tokens_max: int | None = _tokens("one person may use in a day")
    month_cost_max: float | None = _cost("one person may use in a month")
    month_tokens_max: int | None = _tokens("one person may use in a month")
