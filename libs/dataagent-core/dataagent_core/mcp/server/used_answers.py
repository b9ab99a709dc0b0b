"""Remembers used answers in one process, which is enough where only one serves."""

from collections import OrderedDict
from dataclasses import dataclass, field

from dataagent_core.config.limits.mcp import MCP_SERVED_ANSWERS_KEPT_MAX


@dataclass(slots=True)
class UsedAnswers:
    """The last used answers; older ones have expired before they are dropped."""

    _seen: OrderedDict[str, None] = field(default_factory=OrderedDict[str, None])

    def take(self, answer_id: str) -> bool:
        """Mark an answer as used; False if it was used before."""
        if answer_id in self._seen:
            return False
        self._seen[answer_id] = None
        while len(self._seen) > MCP_SERVED_ANSWERS_KEPT_MAX:
            self._seen.popitem(last=False)
        return True
