"""How many tokens a request has: by S2's estimate, and at most by what a provider counted.

What is sent is counted once for each message. What a provider counted for the last request of a
model says how dense its text really is, and the next one is mostly the same text; before that, a
dense text is assumed.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from langchain.agents.middleware.types import ModelRequest

from dataagent_core.config.limits import (
    INPUT_DENSITY_MARGIN,
    INPUT_DENSITY_MAX,
    INPUT_DENSITY_UNKNOWN,
)
from dataagent_core.context.token_counter import TokenCounter, content_tokens, tools_tokens


@dataclass(slots=True, eq=False)
class RequestSizes:
    """Estimates requests and learns from what providers count; one for all calls of an agent."""

    _count: TokenCounter = field(default_factory=TokenCounter, init=False)
    # By model: what its provider counts for an estimated token.
    _densities: dict[str, float] = field(default_factory=dict[str, float], init=False)

    def of(self, request: ModelRequest[Any]) -> int:
        """Estimate the tokens of instructions, tools and messages."""
        system = request.system_message
        instructions = 0 if system is None else content_tokens(system.content)
        return instructions + tools_tokens(request.tools) + sum(map(self._count, request.messages))

    def at_most(self, name: str, estimated: int) -> int:
        """Give what a request of that estimate may come to."""
        return math.ceil(estimated * self._densities.get(name, INPUT_DENSITY_UNKNOWN))

    def learn(self, name: str, estimated: int, counted: int) -> None:
        """Take what a provider counted for a request; it may report anything."""
        if estimated and counted:
            seen = max(counted / estimated, 1.0) * INPUT_DENSITY_MARGIN
            self._densities[name] = min(seen, INPUT_DENSITY_MAX)
