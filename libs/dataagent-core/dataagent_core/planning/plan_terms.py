"""The terms on which one run is planned: the settings, and what a message says beside its text."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, StrictStr
from pydantic import ValidationError as PydanticValidationError

from dataagent_core.config import Settings
from dataagent_core.config.limits.patterns import PATTERN_NAME_CHARS_MAX, WORKFLOW_NAMES_MAX
from dataagent_core.config.limits.planning import CONCURRENT_STEPS_MAX, PLANNING_TIMEOUT_MS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.planning.complexity import ComplexityTerms

Loop = Literal["react", "staged"]
Planned = Literal["auto", "always", "never"]

# What a client may say beside a message, under this key of its context.
PLANNING_KEY: Final = "planning"
# What a person gives to a workflow; true is no number.
WorkflowValue = StrictStr | StrictInt | StrictFloat


class MessagePlanning(BaseModel):
    """What a client says about planning beside a message; what it leaves out is as usual."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    loop: Loop | None = None
    mode: Planned | None = None
    # Whether a person is there who can be asked.
    ask: bool | None = None
    max_concurrent_steps: int | None = Field(default=None, ge=1, le=CONCURRENT_STEPS_MAX)
    planning_timeout_ms: int | None = Field(default=None, ge=100, le=PLANNING_TIMEOUT_MS_MAX)
    # Whether patterns are used and learned (S2 §6.5.8).
    learn: bool | None = None
    # The pattern whose workflow the run follows, and its inputs.
    workflow: str | None = Field(default=None, min_length=1, max_length=PATTERN_NAME_CHARS_MAX)
    # Who had that pattern when the message was taken: another one that has its id by now is not
    # followed. A server says it itself.
    workflow_owner: str | None = Field(default=None, max_length=PATTERN_NAME_CHARS_MAX)
    inputs: dict[str, WorkflowValue] | None = Field(default=None, max_length=WORKFLOW_NAMES_MAX)


def read_message_planning(context: Mapping[str, Any] | None) -> MessagePlanning:
    """Read what the context of a message says about planning."""
    given = (context or {}).get(PLANNING_KEY)
    if given is None:
        return MessagePlanning()
    try:
        return MessagePlanning.model_validate(given)
    except PydanticValidationError as error:
        raise ValidationError(f"{PLANNING_KEY}: {error}") from error


_OF_RUN: Final = ("loop", "mode", "ask", "max_concurrent_steps", "planning_timeout_ms")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTerms:
    """The terms of one agent, or of one run of it."""

    loop: Loop = "react"
    mode: Planned = "auto"
    # Nobody is asked where nobody is there.
    ask: bool = False
    settings: Settings
    max_concurrent_steps: int
    planning_timeout_ms: int

    @property
    def complexity(self) -> ComplexityTerms:
        """The signs of a complex message."""
        return ComplexityTerms(length_chars=self.settings.complex_message_chars)

    @classmethod
    def of(cls, settings: Settings, loop: Loop = "react") -> Self:
        """Return the terms of an agent with these settings."""
        return cls(
            loop=loop,
            mode=settings.planning,
            settings=settings,
            max_concurrent_steps=settings.max_concurrent_steps,
            planning_timeout_ms=settings.planning_timeout_ms,
        )

    def for_message(self, planning: Mapping[str, Any]) -> Self:
        """Return the terms of a run, for what its message says."""
        known = {name: planning[name] for name in _OF_RUN if planning.get(name) is not None}
        return replace(self, **known)
