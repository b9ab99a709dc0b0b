"""Which tool calls wait for a person: a pure decision over the call and the policy."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["allow", "ask"]

# S1 §3.2.1, and the delete tool: what changes files, runs code, leaves the machine or delegates.
ASK_BY_DEFAULT = frozenset(
    {
        "shell",
        "execute",
        "write_file",
        "edit_file",
        "delete",
        "web_search",
        "fetch_url",
        "task",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPolicy:
    """The tools that ask, unless the owner of the run said yes to all."""

    ask: frozenset[str] = ASK_BY_DEFAULT
    auto_approve: bool = False

    def would_ask(self, tool_name: str) -> bool:
        """Say whether this tool is one that asks at all."""
        return tool_name in self.ask


def decide(tool_name: str, policy: AskPolicy, always_approved: Collection[str]) -> Verdict:
    """Decide about one call."""
    if not policy.would_ask(tool_name) or policy.auto_approve or tool_name in always_approved:
        return "allow"
    return "ask"
