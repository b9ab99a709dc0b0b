"""Compacts a history and records it in the log: the effects around `plan.py`.

    input (log, state) > prune > plan > summary, by the run's own model > log

A step that is repeated, after a crash or a wait for a person, finds its event in the log and reuses
the summary: one compaction has one event and one summary.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import BaseMessage

from dataagent_core.config.limits.context import HEADROOM_SHARE
from dataagent_core.context.compaction.compaction_events import (
    compressed_event,
    event_id_of,
    open_questions,
)
from dataagent_core.context.compaction.cut_points import question_id
from dataagent_core.context.compaction.fit import TokenAllowance
from dataagent_core.context.compaction.plan import (
    CompactionInput,
    CompactionPlan,
    is_worth_it,
    plan_compaction,
    prune_record,
    settle_record,
    shown_tokens,
)
from dataagent_core.context.compaction.summary_prompt import ask_for_summary, summary_request
from dataagent_core.context.context_record import REPORT_KEY, ContextRecord
from dataagent_core.context.event_numbers import read_seqs
from dataagent_core.context.report import ContextReport, density
from dataagent_core.context.request_snapshot import RequestSnapshot, RequestSnapshots
from dataagent_core.events import ContextCompressedEvent
from dataagent_core.runs import run_context
from dataagent_core.session import EventLog

Handler = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]

logger = logging.getLogger(__name__)

# The most a summary may take of a small window, whatever the setting.
_SUMMARY_SHARE = 0.1
# Characters of a history that fit a token of the summary's request, whatever the language.
_CHARS_PER_TOKEN = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionTarget:
    """How many tokens may be shown, and why."""

    budget: int
    # The provider refused the request: any gain is worth it.
    is_forced: bool = False
    # A user asked for it; `keep` is what they want kept.
    is_requested: bool = False
    keep: str = ""


def was_vain(
    snapshot: RequestSnapshot, target: CompactionTarget, messages: Sequence[BaseMessage]
) -> bool:
    """Return whether an attempt in this turn gained nothing, and nothing forces another."""
    vain_in = snapshot.record.vain_in
    return (
        vain_in is not None and snapshot.tokens < target.budget and vain_in == question_id(messages)
    )


@dataclass(frozen=True, slots=True)
class Compactor:
    """Compacts the histories of one agent."""

    log: EventLog
    snapshots: RequestSnapshots

    async def shorten(
        self,
        request: ModelRequest[Any],
        handler: Handler,
        snapshot: RequestSnapshot,
        target: CompactionTarget,
    ) -> RequestSnapshot:
        """Return a shorter view; the same version if it gains nothing and nothing forces it."""
        given = await self._gather_input(request, snapshot, target)
        before = shown_tokens(given)
        pruned = prune_record(given)
        if pruned is not None:
            given = replace(given, record=pruned)
            if not target.is_requested and self._is_enough(given, snapshot.report.overhead):
                return await self._record_and_measure(request, snapshot, pruned)
        plan = plan_compaction(given, summary_tokens=self._summary_tokens)
        if target.is_forced or target.is_requested or snapshot.tokens >= target.budget:
            gains = plan.draft.tokens < before
        else:
            gains = is_worth_it(given, plan, before)
        if gains:
            record = await self._summarize(request, handler, given, plan, target)
            return await self._record_and_measure(request, snapshot, record)
        if pruned is not None:
            return await self._record_and_measure(request, snapshot, pruned)
        return replace(
            snapshot, record=replace(snapshot.record, vain_in=question_id(request.messages))
        )

    @property
    def _summary_tokens(self) -> int:
        manager = self.snapshots.manager
        return min(manager.config.summary_max_tokens, int(manager.window_tokens * _SUMMARY_SHARE))

    def _is_enough(self, given: CompactionInput, overhead: int) -> bool:
        share = self.snapshots.manager.config.compression_trigger_pct
        return shown_tokens(given) + overhead < (given.allowance.usable + overhead) * share

    async def _summarize(
        self,
        request: ModelRequest[Any],
        handler: Handler,
        given: CompactionInput,
        plan: CompactionPlan,
        target: CompactionTarget,
    ) -> ContextRecord:
        limit = self._summary_tokens
        without_summary, _ = settle_record(given, plan, None, summary_tokens=limit)
        if not plan.covered or not plan.draft.pins_tokens:
            return without_summary
        earlier_event = await self._find_earlier_event(request, given, without_summary)
        if earlier_event is None:
            chars_max = max(target.budget // 2, 1) * _CHARS_PER_TOKEN
            earlier = given.record.summary
            question = summary_request(plan.covered, earlier, limit, chars_max, target.keep)
            summary = await ask_for_summary(request, handler, question)
        else:
            summary = (
                earlier_event.summary if earlier_event.compression_strategy == "summarize" else None
            )
        record, problem = settle_record(given, plan, summary, summary_tokens=limit)
        if problem is not None:
            logger.warning("a summary of older messages is not used: %s", problem)
        return record

    async def _find_earlier_event(
        self, request: ModelRequest[Any], given: CompactionInput, record: ContextRecord
    ) -> ContextCompressedEvent | None:
        run = run_context(request.runtime).run
        known = await self.log.read(
            run.session_id,
            after=given.record.to_seq or 0,
            run_id=run.run_id,
            types=("context_compressed",),
        )
        name = event_id_of(run, record)
        events = (e for e in known if isinstance(e, ContextCompressedEvent))
        return next((event for event in events if event.event_id == name), None)

    async def _gather_input(
        self, request: ModelRequest[Any], snapshot: RequestSnapshot, target: CompactionTarget
    ) -> CompactionInput:
        context = run_context(request.runtime)
        manager, overhead = self.snapshots.manager, snapshot.report.overhead
        last = ContextReport.from_state(request.state.get(REPORT_KEY))
        usable = max(int(target.budget / density(last)) - overhead, 0)
        return CompactionInput(
            messages=request.messages,
            record=snapshot.record,
            allowance=TokenAllowance(
                usable=usable,
                # At a user's request, only the last two turns stay.
                recent=0 if target.is_requested else self._recent_tokens(usable, overhead),
                window=manager.window_tokens,
                pins=min(manager.pins_tokens, manager.history_tokens, usable // 2),
            ),
            count=manager.count,
            seqs=await read_seqs(
                self.log, context.run.session_id, snapshot.record.to_seq or 0, request.messages
            ),
            todos=request.state.get("todos") or (),
            open_questions=open_questions(context.questions.open_requests.values()),
            keep=target.keep,
        )

    def _recent_tokens(self, usable: int, overhead: int) -> int:
        """Return the tokens that may stay beyond the last two turns, with headroom for new ones."""
        manager = self.snapshots.manager
        trigger = (usable + overhead) * manager.config.compression_trigger_pct - overhead
        spare = manager.window_tokens * HEADROOM_SHARE
        free = int(trigger - manager.pins_tokens - manager.config.summary_max_tokens - spare)
        return min(max(free, 0), manager.recent_tokens)

    async def _record_and_measure(
        self, request: ModelRequest[Any], before: RequestSnapshot, record: ContextRecord
    ) -> RequestSnapshot:
        """Write into the log that the view changed, and take a snapshot of it."""
        context = run_context(request.runtime)
        after = self.snapshots.at(request, record)
        event = compressed_event(
            context.run,
            record,
            original_messages=len(before.messages),
            final_messages=len(after.messages),
            tokens=after.tokens,
            budget=self.snapshots.manager.token_budget,
        )
        await context.recorder.commit(event)
        return after
