"""The tokens of one model call, read from what LangChain reports. Pure.

`input` and `output` are totals: cached tokens are part of the input, reasoning of the output.
A provider may report anything; what is no number counts as 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from dataagent_core.config.limits import CALL_TOKENS_MAX

# Some providers report cache writes by how long the prefix is kept.
_CACHE_WRITES = ("cache_creation", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsage:
    """How many of each kind."""

    input: int = 0
    output: int = 0
    cached_read: int = 0
    cached_write: int = 0
    reasoning: int = 0

    @property
    def total(self) -> int:
        return self.input + self.output

    @property
    def cached_share(self) -> float:
        """The part of the input that came from the provider's cache, from 0 to 1."""
        return self.cached_read / self.input if self.input else 0.0

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        names = (field.name for field in fields(self))
        return TokenUsage(**{name: getattr(self, name) + getattr(other, name) for name in names})

    def as_dict(self) -> dict[str, int]:
        """Return them with the names of events; cached and reasoning tokens only if not 0."""
        details = {
            "cached_read_tokens": self.cached_read,
            "cached_write_tokens": self.cached_write,
            "reasoning_tokens": self.reasoning,
        }
        return {
            "input_tokens": self.input,
            "output_tokens": self.output,
            "total_tokens": self.total,
            **{name: count for name, count in details.items() if count},
        }

    @classmethod
    def from_dict(cls, counts: Mapping[str, int]) -> "TokenUsage":
        """Read what `as_dict` wrote."""
        return cls(
            input=counts.get("input_tokens", 0),
            output=counts.get("output_tokens", 0),
            cached_read=counts.get("cached_read_tokens", 0),
            cached_write=counts.get("cached_write_tokens", 0),
            reasoning=counts.get("reasoning_tokens", 0),
        )


def tokens_of(usage: Mapping[str, Any] | None) -> TokenUsage:
    """Read a message's `usage_metadata`."""
    if not usage:
        return TokenUsage()
    into, out = usage.get("input_token_details") or {}, usage.get("output_token_details") or {}
    whole = _count(usage.get("input_tokens"))
    read = min(_count(into.get("cache_read")), whole)
    written = sum(_count(into.get(name)) for name in _CACHE_WRITES)
    output = _count(usage.get("output_tokens"))
    return TokenUsage(
        input=whole,
        output=output,
        cached_read=read,
        cached_write=min(written, whole - read),
        reasoning=min(_count(out.get("reasoning")), output),
    )


def _count(value: Any) -> int:
    return min(max(value, 0), CALL_TOKENS_MAX) if isinstance(value, int) else 0
