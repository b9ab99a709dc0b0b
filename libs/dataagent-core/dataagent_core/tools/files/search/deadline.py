"""How long one search may take."""

import time
from dataclasses import dataclass, field

from dataagent_core.config.limits import SEARCH_S_MAX
from dataagent_core.errors import ToolExecutionError


@dataclass(frozen=True, slots=True)
class SearchDeadline:
    """The moment a search must be done."""

    at_s: float = field(default_factory=lambda: time.monotonic() + SEARCH_S_MAX)

    def left_s(self) -> float:
        """Give the time that is left, or raise when there is none."""
        left = self.at_s - time.monotonic()
        if left <= 0:
            raise make_too_slow_error()
        return left


def make_too_slow_error() -> ToolExecutionError:
    """Say that a search was given up, and how to make it smaller."""
    return ToolExecutionError(
        f"The search took longer than {SEARCH_S_MAX:.0f} s and was stopped. Name a smaller folder "
        "as path, or a simpler pattern."
    )
