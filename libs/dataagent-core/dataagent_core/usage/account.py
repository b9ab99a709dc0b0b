"""The account of a run: its owner, its limits, and what it has used so far.

One account serves a run and all its sub-agents. It reserves and settles in the usage store; the
engine asks a person when a call does not fit (`engine/model_calls/call_meter.py`).

A call that would fit, were it not for what other calls of the same run have reserved, waits until
they are settled: a worst case is rarely used up. Calls of the run wait in line, so that a large one
is not overtaken by small ones for ever. What other runs have reserved is not waited for: nobody
here would notice when it is free.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Self

from dataagent_core.config.limits import RESERVATION_LEASE_S
from dataagent_core.usage.budget import (
    Amount,
    Budget,
    BudgetKey,
    BudgetRefusal,
    Spender,
    cells_of,
    period_of,
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
    # The reservations of calls under way, by their ids.
    _open: dict[str, Reservation] = field(default_factory=dict[str, Reservation], init=False)
    # Whose turn it is to reserve.
    _line: asyncio.Lock = field(default_factory=asyncio.Lock, init=False, compare=False)
    # A reservation has ended since whoever has the turn last tried.
    _freed: asyncio.Event = field(default_factory=asyncio.Event, init=False, compare=False)

    @classmethod
    def of_nobody(cls) -> Self:
        """Make an account without an owner, for parts that are used without an executor."""
        return cls(spender=Spender(tenant_id="", run_id="", session_id=""))

    async def reserve(
        self, worst: Amount, model: str = "", *, waits: bool = True
    ) -> Reservation | BudgetRefusal:
        """Reserve the worst case of a call, when the run's other calls leave room for it.

        A call that is made while another one waits for its result must not wait for that one: it
        sets `waits` to false.
        """
        if not waits:
            return await self._reserve_now(worst, model)
        async with self._line:
            return await self._reserve_in_turn(worst, model)

    async def _reserve_in_turn(self, worst: Amount, model: str) -> Reservation | BudgetRefusal:
        # No other call of the run reserves meanwhile, so there are as many rounds as calls under
        # way at most, and none of them takes longer than its lease.
        while True:
            # Before the attempt, so that no end of a reservation is missed.
            self._freed.clear()
            answer = await self._reserve_now(worst, model)
            if isinstance(answer, Reservation):
                return answer
            if not self._freed.is_set() and not self._is_blocked_by_own(answer):
                return answer
            try:
                async with asyncio.timeout(RESERVATION_LEASE_S):
                    await self._freed.wait()
            except TimeoutError:
                return answer

    def _is_blocked_by_own(self, refused: BudgetRefusal) -> bool:
        """Return whether the call would fit but for what this run has reserved."""
        return bool(self._open) and all(
            one.without(self._reserved_in(one.budget.key)) is None for one in refused.shortages
        )

    def _reserved_in(self, key: BudgetKey) -> Amount:
        """Sum what the run's calls under way have reserved in a budget's present period."""
        now = period_of(key.period, datetime.now(UTC))
        amounts = [
            one.worst for one in self._open.values() if period_of(key.period, one.moment) == now
        ]
        return Amount(
            sum(one.tokens for one in amounts), sum(one.cost_nano or 0 for one in amounts)
        )

    async def _reserve_now(self, worst: Amount, model: str) -> Reservation | BudgetRefusal:
        reserving = asyncio.ensure_future(
            self.book.reserve(
                self.spender, worst, model=model, budgets=self.budgets, extra=self.extra
            )
        )
        try:
            answer = await asyncio.shield(reserving)
        except asyncio.CancelledError:
            # A reservation without a call would count as spent.
            await asyncio.shield(self._release_cancelled(reserving))
            raise
        if isinstance(answer, Reservation) and answer.budgets:
            self._open[answer.reservation_id] = answer
        return answer

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
        try:
            return await self.book.settle(reservation, use)
        finally:
            self._end(reservation)

    async def release(self, reservation: Reservation) -> None:
        """Release the reservation of a call that failed."""
        try:
            await self.book.release(reservation)
        finally:
            self._end(reservation)

    def _end(self, reservation: Reservation) -> None:
        # Also where the store failed: nobody may wait for it then.
        self._open.pop(reservation.reservation_id, None)
        self._freed.set()

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
        try:
            outcome = await reserving
            if isinstance(outcome, Reservation):
                await self.book.release(outcome)
        finally:
            self._freed.set()
