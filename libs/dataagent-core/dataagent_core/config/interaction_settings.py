"""Settings of S2 §6.4: how long a question to a person waits, and when calls are a loop.

How long an approval waits is the server's to say (`approval_timeout`); a terminal waits for ever.
"""

from pydantic import Field

from dataagent_core.config.limits import (
    CLARIFICATION_TIMEOUT_S,
    DECISION_TIMEOUT_S,
    DOOM_LOOP_CALLS,
    DOOM_LOOP_WINDOW_S,
    QUESTION_TIMEOUT_S_MAX,
)
from dataagent_core.config.resolve.layered_settings import LayeredSettings


class InteractionSettings(LayeredSettings):
    """When a person is asked, and for how long."""

    doom_loop_threshold: int = Field(
        default=DOOM_LOOP_CALLS,
        ge=2,
        le=1_000,
        description="Equal tool calls in a row that count as a loop, which a person is asked about",
    )
    doom_loop_window: float = Field(
        default=DOOM_LOOP_WINDOW_S,
        gt=0,
        allow_inf_nan=False,
        description="Seconds within which equal tool calls count as a loop",
    )
    clarification_timeout: int = Field(
        default=CLARIFICATION_TIMEOUT_S,
        ge=1,
        le=QUESTION_TIMEOUT_S_MAX,
        description="Seconds an optional clarification waits; then its recommended option is taken",
    )
    decision_timeout: int = Field(
        default=DECISION_TIMEOUT_S,
        ge=1,
        le=QUESTION_TIMEOUT_S_MAX,
        description="Seconds an optional decision waits; then its recommended option is taken",
    )
