"""What the run costs and how its context was kept small."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from dataagent_core.events.base import ExecutionEvent


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextCompressedEvent(ExecutionEvent):
    """The model now sees a shorter view of the history; the history itself is unchanged."""

    event_type: Literal["context_compressed"] = "context_compressed"
    was_compressed: bool = True
    compression_strategy: Literal["none", "truncate", "summarize"] = "summarize"
    original_message_count: int = 0
    final_message_count: int = 0
    estimated_tokens: int = 0
    token_budget: int = 0
    budget_utilization_pct: float = 0.0
    summarized_message_count: int = 0
    summary: str | None = None
    from_seq: int | None = None
    to_seq: int | None = None
    pins: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])


@dataclass(frozen=True, kw_only=True, slots=True)
class CostUpdateEvent(ExecutionEvent):
    """Running totals; an unknown price is `None`, never 0."""

    event_type: Literal["cost_update"] = "cost_update"
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    cost: float | None = None
    currency: str = "USD"
    budgets: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])
