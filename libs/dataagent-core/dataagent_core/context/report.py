"""How the context window of a turn was used: the tokens of each part of a request.

`request_snapshot.py` computes the report of a request; `last_report` reads that of the last model
call from where the runs of a session store it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver

from dataagent_core.config.limits.context import (
    DENSITY_MAX,
    REPORTED_EXTRA_TOKENS,
    REPORTED_SHARE_MAX,
    REPORTED_SHARE_MIN,
)
from dataagent_core.config.prompts import SKILL_LIST_BEGIN, SKILL_LIST_END
from dataagent_core.context.context_record import REPORT_KEY
from dataagent_core.context.token_counter import Count
from dataagent_core.session import EventLog, runs_of
from dataagent_core.tools.catalog.core_tools import estimate_tokens

# Prompts are few and the same in every turn, so each is counted once.
_tokens_of = lru_cache(maxsize=64)(estimate_tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextReport:
    """Estimated tokens of a request by part, and what the provider counted."""

    system: int = 0
    tools: int = 0
    skills: int = 0
    memory: int = 0
    summary: int = 0
    history: int = 0
    results: int = 0
    window_tokens: int = 0
    token_budget: int = 0
    # After the answer: the provider's count of the request, and of its cached part.
    reported_tokens: int | None = None
    cached_tokens: int | None = None

    @property
    def overhead(self) -> int:
        """The tokens of a request without messages."""
        return self.system + self.tools + self.skills + self.memory

    @property
    def estimated_tokens(self) -> int:
        """The estimated tokens of the whole request."""
        return self.overhead + self.summary + self.history + self.results

    @property
    def cached_share(self) -> float | None:
        """The part of the request that the provider had cached, from 0 to 1."""
        if not self.reported_tokens or self.cached_tokens is None:
            return None
        return self.cached_tokens / self.reported_tokens

    def to_state(self) -> dict[str, Any]:
        """Return plain values, as a checkpoint holds them."""
        return asdict(self)

    @classmethod
    def from_state(cls, state: Mapping[str, Any] | None) -> "ContextReport | None":
        """Read a report back."""
        return cls(**state) if state else None


@dataclass(frozen=True, slots=True)
class SystemParts:
    """The tokens of a system message by where its parts come from."""

    system: int
    skills: int
    memory: int


def system_parts(message: SystemMessage | None, memory: str | None) -> SystemParts:
    """Count the parts of a system message."""
    text = str(message.text) if message is not None else ""
    _, begin, rest = text.partition(SKILL_LIST_BEGIN)
    skills = _tokens_of(rest.partition(SKILL_LIST_END)[0]) if begin else 0
    memory_tokens = _tokens_of(memory) if memory else 0
    return SystemParts(max(_tokens_of(text) - skills - memory_tokens, 0), skills, memory_tokens)


def add_answer(report: ContextReport, messages: list[Any]) -> ContextReport:
    """Add the provider's count."""
    for message in messages:
        usage = message.usage_metadata if isinstance(message, AIMessage) else None
        if usage:
            details = usage.get("input_token_details") or {}
            return replace(
                report,
                reported_tokens=usage["input_tokens"],
                cached_tokens=details.get("cache_read", 0),
            )
    return report


async def last_report(
    log: EventLog, checkpoints: BaseCheckpointSaver[Any], session_id: str
) -> ContextReport | None:
    """Find the report in the newest run that has one; None before the first model call."""
    for run in reversed(await runs_of(log, session_id)):
        # Each run keeps its state under its own id (`engine/checkpoints/history.py`).
        thread: RunnableConfig = {"configurable": {"thread_id": run.run_id}}
        kept = await checkpoints.aget_tuple(thread)
        values = kept.checkpoint["channel_values"] if kept is not None else {}
        if report := ContextReport.from_state(values.get(REPORT_KEY)):
            return report
    return None


def calibrate(
    now: ContextReport,
    last: ContextReport | None,
    messages: Sequence[BaseMessage],
    made_after: str | None,
    count: Count,
) -> int:
    """Return the tokens of a request: the reported number and the estimate of what is new."""
    estimate = now.estimated_tokens
    if last is None or last.reported_tokens is None:
        return estimate
    new = 0
    for message in reversed(messages):
        if message.id == made_after and made_after is not None:
            # The view was changed after the provider last counted it.
            return int(estimate * density(last))
        new += count(message)
        if isinstance(message, AIMessage) and message.usage_metadata:
            counted = message.usage_metadata["input_tokens"] + new + now.overhead - last.overhead
            return _clamp_count(counted, estimate)
    return estimate


def density(last: ContextReport | None) -> float:
    """Return how much denser than estimated the last request was; at least 1."""
    if last is None or not last.reported_tokens or not last.estimated_tokens:
        return 1.0
    return min(max(last.reported_tokens / last.estimated_tokens, 1.0), DENSITY_MAX)


def _clamp_count(counted: int, estimate: int) -> int:
    least = int(estimate * REPORTED_SHARE_MIN)
    most = int(estimate * REPORTED_SHARE_MAX) + REPORTED_EXTRA_TOKENS
    return min(max(counted, least), most)
