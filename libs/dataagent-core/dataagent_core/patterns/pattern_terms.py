"""The numbers of S2 §6.5.4 to §6.5.7, with the document's defaults; settings may give others."""

from dataclasses import dataclass, fields

from dataagent_core.config.limits.patterns import PATTERN_HINTS_MAX
from dataagent_core.errors import ConfigurationError

_SHARES = ("offer_over", "hint_from", "admission_rate", "rate_min", "high_rate", "decay_share")


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternTerms:
    """Weights of similarity, thresholds of use, and the terms of a pattern's life."""

    signature_weight: float = 0.50
    entity_weight: float = 0.20
    recency_weight: float = 0.15
    success_weight: float = 0.15
    # Over the first a pattern is offered, from the second on it is a hint.
    offer_over: float = 0.8
    hint_from: float = 0.5
    hints_max: int = PATTERN_HINTS_MAX
    recent_days: int = 7
    high_rate: float = 0.8

    admission_successes: int = 3
    admission_rate: float = 0.6
    admission_asked_days: int = 7
    # More failures in a row: untrusted; a lower rate: draft; unused for longer: archived.
    failures_in_row_max: int = 5
    rate_min: float = 0.4
    unused_days_max: int = 180
    # The rate loses this share for each whole period without use.
    decay_days: int = 90
    decay_share: float = 0.2

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            is_share = one.name in _SHARES or one.name.endswith("_weight")
            if is_share and not 0 <= value <= 1:
                raise ConfigurationError(
                    f"{one.name} of patterns is {value}: it must be between 0 and 1."
                )
            if value < 0:
                raise ConfigurationError(
                    f"{one.name} of patterns is {value}: it must be 0 or more."
                )
        if self.decay_days == 0:
            raise ConfigurationError("decay_days of patterns is 0: it must be 1 or more.")
