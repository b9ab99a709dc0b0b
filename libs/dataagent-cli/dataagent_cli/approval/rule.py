"""Which tool calls the person approved in advance. Pure."""

from dataclasses import dataclass

from dataagent_core.hitl import ActionRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRule:
    """`everything` is --yes, `tools` is --approve; `alone` lets the demo answer for itself."""

    everything: bool = False
    tools: frozenset[str] = frozenset()
    alone: bool = False

    def covers(self, action: ActionRequest) -> bool:
        """Say whether the person has already approved this call.

        A call that must be seen first, or that repeats an earlier one, cannot be approved in
        advance.
        """
        if action.get("unknown_outcome") or action.get("always_asked"):
            return False
        return self.everything or action["name"] in self.tools
