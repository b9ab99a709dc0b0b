"""What can be matched to a message: a skill, a sub-agent, later a memory. Values only."""

from dataclasses import dataclass
from typing import Literal

MatchType = Literal["keyword", "semantic", "hybrid"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedPattern:
    """Words, or a regular expression written `/.../`, and how much they count (0 to 1)."""

    pattern: str
    weight: float = 1.0

    @property
    def regex(self) -> str | None:
        """The regular expression, if it is one."""
        text = self.pattern.strip()
        return text[1:-1] if len(text) > 2 and text[0] == text[-1] == "/" else None  # noqa: PLR2004


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchDocument:
    """One candidate: how it is called, what it is for, and what people say who want it."""

    key: str
    name: str = ""
    description: str
    # Examples of messages: triggers of a skill, examples of a sub-agent.
    phrases: tuple[str, ...] = ()
    # Words that speak for it, one by one: patterns of a skill, keywords of a sub-agent.
    patterns: tuple[WeightedPattern, ...] = ()
    tags: tuple[str, ...] = ()
    type: MatchType = "hybrid"
