"""How many tokens a request may really have, beside S2's estimate of it.

What a provider counted for the last request of a model says how dense its text really is, and the
next one is mostly the same text; before that, a dense text is assumed.
"""

import math

from dataagent_core.config.limits import (
    INPUT_DENSITY_MARGIN,
    INPUT_DENSITY_MAX,
    INPUT_DENSITY_UNKNOWN,
)


class InputDensity:
    """Remembers by model what a provider counts for an estimated token."""

    def __init__(self) -> None:
        self._known: dict[str, float] = {}

    def at_most(self, name: str, estimated: int) -> int:
        """Give what a request of that estimate may come to."""
        return math.ceil(estimated * self._known.get(name, INPUT_DENSITY_UNKNOWN))

    def learn(self, name: str, estimated: int, counted: int) -> None:
        """Take what a provider counted for a request; it may report anything."""
        if estimated and counted:
            seen = max(counted / estimated, 1.0) * INPUT_DENSITY_MARGIN
            self._known[name] = min(seen, INPUT_DENSITY_MAX)
