"""The account of a run: whose it is, its limits, and what it has used so far.

One account serves a run and all its sub-agents. It reserves and settles in the usage store; the
engine asks a person when a call does not fit (`engine/model_calls/call_meter.py`).
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Self

from dataagent_core.usage.budget import Amount, Budget, BudgetRefusal, shortage
from dataagent_core.usage.memory_usage import MemoryUsageStore
from dataagent_core.usage.spender import Spender, cells_of
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
    """The run's side of the book."""

    spender: Spender
    book: UsageStore = field(default_factory=MemoryUsageStore)
    # The limits of the settings; the book has others of its own.
    budgets: Sequence[Budget] = ()
    total: Total = field(default_factory=Total)
    # What a person allowed this run beyond a budget, by the budget's name.
    extra: dict[str, Amount] = field(default_factory=dict[str, Amount])
    _allowed_by: set[str] = field(default_factory=set[str])

    @classmethod
    def of_nobody(cls) -> Self:
        """Open an account that nobody reads, for parts that are used without a run's executor."""
        return cls(spender=Spender(tenant_id="", run_id="", session_id=""))

    async def reserve(self, worst: Amount, model: str = "") -> Reservation | BudgetRefusal:
        """Hold a place for a call."""
        holding = asyncio.ensure_future(
            self.book.reserve(
                self.spender, worst, model=model, budgets=self.budgets, extra=self.extra
            )
        )
        try:
            return await asyncio.shield(holding)
        except asyncio.CancelledError:
            # A place that is held for nobody would count as spent.
            await asyncio.shield(self._never_held(holding))
            raise

    async def refusal(self, worst: Amount) -> BudgetRefusal | None:
        """Say what a call would not fit into now; nothing is held."""
        now = datetime.now(UTC)
        cells = cells_of(self.spender, now)
        limits = select_budgets(cells, [*self.budgets, *await self.book.budgets()], self.extra)
        used = await self.book.used(list(limits), now)
        found = [shortage(budget, used[key], worst) for key, budget in limits.items()]
        short = tuple(one for one in found if one is not None)
        return BudgetRefusal(short) if short else None

    async def settle(self, reservation: Reservation, use: CallUse) -> list[BudgetUse]:
        """Count a call that was made."""
        self.total = self.total.plus(use)
        return await self.book.settle(reservation, use)

    async def release(self, reservation: Reservation) -> None:
        """Give back the place of a call that failed."""
        await self.book.release(reservation)

    def allow(self, interrupt_id: str, steps: Mapping[str, Amount]) -> None:
        """Take a person's yes, each once: from now on this run may use so much more."""
        if interrupt_id in self._allowed_by:
            return
        self._allowed_by.add(interrupt_id)
        for key, step in steps.items():
            before = self.extra.get(key, Amount())
            self.extra[key] = Amount(
                before.tokens + step.tokens, (before.cost_nano or 0) + (step.cost_nano or 0)
            )

    async def _never_held(self, holding: "asyncio.Future[Reservation | BudgetRefusal]") -> None:
        held = await holding
        if isinstance(held, Reservation):
            await self.book.release(held)
