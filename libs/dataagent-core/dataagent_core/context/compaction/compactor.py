"""Makes what a model is shown shorter, and says so in the log: the effects around `plan.py`.

    what is known (log, state) > prune > plan > summary, by the run's own model > log

A step that is repeated, after a crash or a wait for a person, finds in the log what it said before
and takes the summary from there: one compaction, one event, one summary, however often it is made.
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

# A summary may take this much of a small window, whatever the setting says.
_SUMMARY_SHARE = 0.1
# Characters of a history that fit a token of the summary's request, whatever the language.
_CHARS_PER_TOKEN = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionTarget:
    """How much may be shown, and what is at stake."""

    budget: int
    # The request does not go through as it is: any gain is worth it.
    must: bool = False
    # A person asked for it, and perhaps said what is to be kept.
    wanted: bool = False
    keep: str = ""


def is_vain(look: RequestSnapshot, aim: CompactionTarget, messages: Sequence[BaseMessage]) -> bool:
    """Say whether it was tried in this turn without winning anything, and nothing forces it."""
    vain_in = look.record.vain_in
    return vain_in is not None and look.tokens < aim.budget and vain_in == question_id(messages)


@dataclass(frozen=True, slots=True)
class Compactor:
    """Makes views of one agent's histories shorter."""

    log: EventLog
    snapshots: RequestSnapshots

    async def shorter(
        self,
        request: ModelRequest[Any],
        handler: Handler,
        look: RequestSnapshot,
        aim: CompactionTarget,
    ) -> RequestSnapshot:
        """Give a shorter view; the same version where that wins nothing and nothing forces it."""
        situation = await self._situation(request, look, aim)
        before = shown_tokens(situation)
        lighter = prune_record(situation)
        if lighter is not None:
            situation = replace(situation, record=lighter)
            if not aim.wanted and self._is_enough(situation, look.report.overhead):
                return await self._told(request, look, lighter)
        plan = plan_compaction(situation, summary_tokens=self._summary_tokens)
        if aim.must or aim.wanted or look.tokens >= aim.budget:
            gains = plan.draft.tokens < before
        else:
            gains = is_worth_it(situation, plan, before)
        if gains:
            record = await self._summarized(request, handler, situation, plan, aim)
            return await self._told(request, look, record)
        if lighter is not None:
            return await self._told(request, look, lighter)
        return replace(look, record=replace(look.record, vain_in=question_id(request.messages)))

    @property
    def _summary_tokens(self) -> int:
        manager = self.snapshots.manager
        return min(manager.config.summary_max_tokens, int(manager.window_tokens * _SUMMARY_SHARE))

    def _is_enough(self, situation: CompactionInput, overhead: int) -> bool:
        share = self.snapshots.manager.config.compression_trigger_pct
        return shown_tokens(situation) + overhead < (situation.room.usable + overhead) * share

    async def _summarized(
        self,
        request: ModelRequest[Any],
        handler: Handler,
        situation: CompactionInput,
        plan: CompactionPlan,
        aim: CompactionTarget,
    ) -> ContextRecord:
        limit = self._summary_tokens
        without, _ = settle_record(situation, plan, None, summary_tokens=limit)
        if not plan.covered or not plan.draft.pins_tokens:
            return without
        told = await self._told_before(request, situation, without)
        if told is None:
            chars_max = max(aim.budget // 2, 1) * _CHARS_PER_TOKEN
            earlier = situation.record.summary
            question = summary_request(plan.covered, earlier, limit, chars_max, aim.keep)
            summary = await ask_for_summary(request, handler, question)
        else:
            summary = told.summary if told.compression_strategy == "summarize" else None
        record, problem = settle_record(situation, plan, summary, summary_tokens=limit)
        if problem is not None:
            logger.warning("a summary of older messages is not used: %s", problem)
        return record

    async def _told_before(
        self, request: ModelRequest[Any], situation: CompactionInput, record: ContextRecord
    ) -> ContextCompressedEvent | None:
        run = run_context(request.runtime).run
        known = await self.log.read(
            run.session_id,
            after=situation.record.to_seq or 0,
            run_id=run.run_id,
            types=("context_compressed",),
        )
        name = event_id_of(run, record)
        events = (e for e in known if isinstance(e, ContextCompressedEvent))
        return next((event for event in events if event.event_id == name), None)

    async def _situation(
        self, request: ModelRequest[Any], look: RequestSnapshot, aim: CompactionTarget
    ) -> CompactionInput:
        context = run_context(request.runtime)
        manager, overhead = self.snapshots.manager, look.report.overhead
        last = ContextReport.from_state(request.state.get(REPORT_KEY))
        usable = max(int(aim.budget / density(last)) - overhead, 0)
        return CompactionInput(
            messages=request.messages,
            record=look.record,
            room=TokenAllowance(
                usable=usable,
                # Whoever asks for less gets the last two turns and nothing more.
                recent=0 if aim.wanted else self._recent_tokens(usable, overhead),
                window=manager.window_tokens,
                pins=min(manager.pins_tokens, manager.history_tokens, usable // 2),
            ),
            count=manager.count,
            seqs=await read_seqs(
                self.log, context.run.session_id, look.record.to_seq or 0, request.messages
            ),
            todos=request.state.get("todos") or (),
            open_questions=open_questions(context.questions.open_requests.values()),
            keep=aim.keep,
        )

    def _recent_tokens(self, usable: int, overhead: int) -> int:
        """Give what may stay beyond the last two turns, such that the next time is not soon."""
        manager = self.snapshots.manager
        trigger = (usable + overhead) * manager.config.compression_trigger_pct - overhead
        spare = manager.window_tokens * HEADROOM_SHARE
        free = int(trigger - manager.pins_tokens - manager.config.summary_max_tokens - spare)
        return min(max(free, 0), manager.recent_tokens)

    async def _told(
        self, request: ModelRequest[Any], before: RequestSnapshot, record: ContextRecord
    ) -> RequestSnapshot:
        """Write into the log that the view changed, and look at it."""
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
