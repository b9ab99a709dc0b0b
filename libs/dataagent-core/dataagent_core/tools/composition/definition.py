"""The definition of a composition, with the fields of S2 §7.4."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dataagent_core.config.limits import (
    COMPOSITION_OFFERED_RATE_MIN,
    COMPOSITION_RATED_EXECUTIONS_MIN,
)


@dataclass(frozen=True, slots=True)
class ToolComposition:
    """Tools that are called as one.

    `execution_template` is described in `composition_template.py`; `fallback_alternatives` gives
    for a tool the names to try, in order, when it fails.
    """

    id: str
    name: str
    description: str
    tools: Sequence[str]
    execution_template: Mapping[str, Any]
    fallback_alternatives: Mapping[str, Sequence[str]]
    success_count: int = 0
    failure_count: int = 0

    @property
    def success_rate(self) -> float | None:
        """The share of executions that succeeded; None while there are too few to say."""
        executions = self.success_count + self.failure_count
        if executions < COMPOSITION_RATED_EXECUTIONS_MIN:
            return None
        return self.success_count / executions

    @property
    def is_offered(self) -> bool:
        """Whether it succeeds often enough to be offered; another one is loaded by name only."""
        rate = self.success_rate
        return rate is None or rate >= COMPOSITION_OFFERED_RATE_MIN

    @property
    def digest(self) -> str:
        """The SHA-256 of which tools it calls, and how: with another one its counts begin anew."""
        fallbacks = {name: list(others) for name, others in self.fallback_alternatives.items()}
        calls = [list(self.tools), self.execution_template, fallbacks]
        return hashlib.sha256(json.dumps(calls, sort_keys=True, default=str).encode()).hexdigest()

    def counted(self, *, succeeded: bool) -> "ToolComposition":
        """Return the composition after one more execution."""
        if succeeded:
            return replace(self, success_count=self.success_count + 1)
        return replace(self, failure_count=self.failure_count + 1)
