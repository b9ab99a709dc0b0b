"""The account of a run: its owner, its limits, and what it has used so far.

One account serves a run and all its sub-agents. It reserves and settles in the usage store; the
engine asks a person when a call does not fit (`engine/model_calls/call_meter.py`).
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Self

from dataagent_core.usage.budget import (
    Amount,
    Budget,
    BudgetRefusal,
    Spender,
    cells_of,
    shortage,
)
from dataagent_core.usage.memory_usage import MemoryUsageStore
from dataagent_core.usage.usage_store import (
    BudgetUse,
    CallUse,
    Reservation,
    Total,
    UsageStore,
    select_budgets,
)


@dataclass(slots=True, kw_only=True)
class RunAccount:
    """Reserves and settles the calls of one run."""

    spender: Spender
    book: UsageStore = field(default_factory=MemoryUsageStore)
    # The limits of the settings; the store has others of its own.
    budgets: Sequence[Budget] = ()
    total: Total = field(default_factory=Total)
    # The part of each sub-agent's task in it, by the task's id.
    by_subagent: dict[str, Total] = field(default_factory=dict[str, Total])
    # What a person allowed this run beyond a budget, by the budget's name.
    extra: dict[str, Amount] = field(default_factory=dict[str, Amount])
    _allowed_by: set[str] = field(default_factory=set[str])

    @classmethod
    def of_nobody(cls) -> Self:
        """Make an account without an owner, for parts that are used without an executor."""
        return cls(spender=Spender(tenant_id="", run_id="", session_id=""))

    async def reserve(self, worst: Amount, model: str = "") -> Reservation | BudgetRefusal:
        """Reserve the worst case of a call."""
        reserving = asyncio.ensure_future(
            self.book.reserve(
                self.spender, worst, model=model, budgets=self.budgets, extra=self.extra
            )
        )
        try:
            return await asyncio.shield(reserving)
        except asyncio.CancelledError:
            # A reservation without a call would count as spent.
            await asyncio.shield(self._release_cancelled(reserving))
            raise

    async def refusal(self, worst: Amount) -> BudgetRefusal | None:
        """Return the budgets that a call would not fit into now; nothing is reserved."""
        now = datetime.now(UTC)
        cells = cells_of(self.spender, now)
        limits = select_budgets(cells, [*self.budgets, *await self.book.budgets()], self.extra)
        used = await self.book.used(list(limits), now)
        found = [shortage(budget, used[key], worst) for key, budget in limits.items()]
        short = tuple(one for one in found if one is not None)
        return BudgetRefusal(short) if short else None

    async def settle(
        self, reservation: Reservation, use: CallUse, subagent_id: str | None = None
    ) -> list[BudgetUse]:
        """Settle a call that was made, by a sub-agent in its task if one is named."""
        self.total = self.total.plus(use)
        if subagent_id is not None:
            self.by_subagent[subagent_id] = self.by_subagent.get(subagent_id, Total()).plus(use)
        return await self.book.settle(reservation, use)

    async def release(self, reservation: Reservation) -> None:
        """Release the reservation of a call that failed."""
        await self.book.release(reservation)

    def allow(self, interrupt_id: str, steps: Mapping[str, Amount]) -> None:
        """Raise the run's budgets by what a person approved, once per request."""
        if interrupt_id in self._allowed_by:
            return
        self._allowed_by.add(interrupt_id)
        for key, step in steps.items():
            before = self.extra.get(key, Amount())
            self.extra[key] = Amount(
                before.tokens + step.tokens, (before.cost_nano or 0) + (step.cost_nano or 0)
            )

    async def _release_cancelled(
        self, reserving: "asyncio.Future[Reservation | BudgetRefusal]"
    ) -> None:
        outcome = await reserving
        if isinstance(outcome, Reservation):
            await self.book.release(outcome)
