"""What the person said in advance about approvals. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRule:
    """`everything` is --yes, `tools` is --approve; `alone` lets the demo answer for itself."""

    everything: bool = False
    tools: frozenset[str] = frozenset()
    alone: bool = False

    def covers(self, tool: str) -> bool:
        """Say whether the person has already approved calls of this tool."""
        return self.everything or tool in self.tools
