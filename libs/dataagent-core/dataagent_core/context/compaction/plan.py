"""Makes the next record of a history that got too long. Pure: the summary is handed in.

    prune old results > choose what is still shown (`fit.py`) > pins > block > check

A summary that loses a pin, does not shrink or does not fit is not used; the pins alone stand for
what is left out then.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage

from dataagent_core.config.limits.context import (
    COMPACTION_GAIN_SHARE,
    MESSAGE_OVERHEAD_TOKENS,
    PIN_RANGES_MAX,
    SUMMARY_EXCESS_MAX,
)
from dataagent_core.context.compaction.fit import (
    MeasuredHistory,
    RecordDraft,
    TokenAllowance,
    fit_history,
)
from dataagent_core.context.compaction.prune import old_images, prune_tool_outputs
from dataagent_core.context.compaction.summary_prompt import is_echo
from dataagent_core.context.context_record import ContextRecord, HistoryCut
from dataagent_core.context.pins.block import PinBlock, problem_with, summary_text
from dataagent_core.context.pins.extract import extract, open_pins, plan_pin
from dataagent_core.context.pins.pin import MOMENTARY, ContextPin, merge_ranges, range_of
from dataagent_core.context.pins.pin_selection import select_pins
from dataagent_core.context.token_counter import Count, message_tokens
from dataagent_core.context.view import kept_start, question_position, view
from dataagent_core.tools.catalog.core_tools import estimate_tokens

# The lines for what did not fit take at most about half as much as the pins.
_RANGE_TOKENS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionInput:
    """Everything a compaction looks at."""

    messages: Sequence[BaseMessage]
    record: ContextRecord
    room: TokenAllowance
    count: Count = message_tokens
    # The numbers of messages' events, by their ids.
    seqs: Mapping[str, int] = field(default_factory=dict[str, int])
    todos: Sequence[Mapping[str, Any]] = ()
    open_questions: Sequence[tuple[str, int | None]] = ()
    # What a person wants kept, in their words, on one line.
    keep: str = ""

    @property
    def last_id(self) -> str | None:
        """The newest message, after which the next record is made."""
        return self.messages[-1].id if self.messages else None


@dataclass(frozen=True, slots=True)
class CompactionPlan:
    """What will be shown; the summary of `covered` may be added to the block."""

    draft: RecordDraft
    block: PinBlock
    covered: Sequence[BaseMessage]
    replaced_tokens: int


def shown_tokens(situation: CompactionInput, record: ContextRecord | None = None) -> int:
    """Estimate what the view costs."""
    known = situation.record if record is None else record
    return sum(map(message_tokens, view(situation.messages, known)))


def prune_record(situation: CompactionInput) -> ContextRecord | None:
    """Leave out old results and old images; None if there is nothing to win."""
    record, messages = situation.record, situation.messages
    shown = view(messages, record)
    by_id = {message.id: message for message in messages if message.id is not None}
    cuts = dict(record.cuts)
    result = prune_tool_outputs(shown, window_tokens=situation.room.window)
    for position in old_images(shown):
        name = shown[position].id
        if name in by_id and name not in cuts:
            cuts[name] = _cut(situation, by_id[name], only_images=True)
    for position in result.pruned:
        name = shown[position].id
        if name in by_id:
            cuts[name] = _cut(situation, by_id[name])
    if cuts == dict(record.cuts):
        return None
    return replace(
        record,
        version=record.version + 1,
        strategy="truncate",
        cuts=cuts,
        made_after=situation.last_id,
    )


def plan_compaction(situation: CompactionInput, *, summary_tokens: int) -> CompactionPlan:
    """Choose what is still shown, with room for a summary of this length."""
    messages, record = situation.messages, situation.record
    start = kept_start(messages, record)
    kept_summary = _summary_room(record, summary_tokens)

    known: dict[tuple[int, frozenset[str], int], PinBlock] = {}

    def block_for(upto: int, cuts: Mapping[str, HistoryCut], pins_tokens: int) -> PinBlock:
        key = (upto, frozenset(cuts), pins_tokens)
        if key not in known:
            known[key] = _block(situation, start, upto, cuts, pins_tokens)
        return known[key]

    def block_tokens(upto: int, cuts: Mapping[str, HistoryCut], pins_tokens: int) -> int:
        # With no room for pins there is none for a summary either.
        summary = kept_summary if pins_tokens else 0
        tokens = block_for(upto, cuts, pins_tokens).tokens()
        return tokens + summary + MESSAGE_OVERHEAD_TOKENS

    history = MeasuredHistory(
        messages=messages,
        start=start,
        cuts=record.cuts,
        seqs=situation.seqs,
        count=situation.count,
    )
    draft = fit_history(history, situation.room, block_tokens)
    covered = messages[start : draft.start]
    replaced = sum(map(situation.count, covered)) + estimate_tokens(record.block)
    block = block_for(draft.start, draft.cuts, draft.pins_tokens)
    return CompactionPlan(draft, block, covered, replaced)


def is_worth_it(situation: CompactionInput, plan: CompactionPlan, tokens: int) -> bool:
    """Say whether a plan wins enough for the cache it costs."""
    gain = tokens - plan.draft.tokens
    return gain >= situation.room.window * COMPACTION_GAIN_SHARE


def settle_record(
    situation: CompactionInput, plan: CompactionPlan, summary: str | None, *, summary_tokens: int
) -> tuple[ContextRecord, str | None]:
    """Make the record, and say why the summary is not in it, if it is not."""
    draft = plan.draft
    problem = None
    if summary is not None:
        text = summary.strip()
        block = replace(plan.block, summary=text)
        problem = _problem(situation, plan, block, summary_tokens)
        if problem is None:
            return _record(situation, draft, block, "summarize"), None
    # What an earlier summary said is still known, while there is room for it.
    kept = situation.record.summary if draft.pins_tokens else ""
    block = replace(plan.block, summary=kept)
    return _record(situation, draft, block, "truncate"), problem


def _problem(
    situation: CompactionInput, plan: CompactionPlan, block: PinBlock, summary_tokens: int
) -> str | None:
    if not block.summary:
        return "it is empty"
    if is_echo(block.summary):
        return "it repeats what it was asked"
    if not plan.draft.pins_tokens:
        return "there is no room for it"
    tokens = estimate_tokens(block.summary)
    if tokens > summary_tokens * SUMMARY_EXCESS_MAX:
        return f"it has {tokens:,} tokens, and {summary_tokens:,} were asked for"
    bare = plan.block.tokens()
    reserved = _summary_room(situation.record, summary_tokens)
    over = block.tokens() - bare - reserved
    if over > 0 and plan.draft.tokens + over > situation.room.usable:
        return f"it has {tokens:,} tokens and does not fit"
    return problem_with(block.text(), block.pins, plan.replaced_tokens)


def _summary_room(record: ContextRecord, summary_tokens: int) -> int:
    # If there is no new one, the earlier one stays.
    return max(summary_tokens, estimate_tokens(summary_text(record.summary)))


def _block(
    situation: CompactionInput,
    start: int,
    upto: int,
    cuts: Mapping[str, HistoryCut],
    pins_tokens: int,
) -> PinBlock:
    messages, record = situation.messages, situation.record
    # What is shortened loses its middle: what must survive of it is pinned as well.
    gone = [*messages[start:upto], *(m for m in messages[upto:] if m.id in cuts)]
    first = next((n for n, m in enumerate(gone) if isinstance(m, HumanMessage)), None)
    whole = [first] if start == 0 and first is not None else []
    carried = [pin for pin in record.pins if pin.kind not in MOMENTARY]
    now = [*open_pins(situation.open_questions), *plan_pin(situation.todos)]
    wanted = [ContextPin("instruction", situation.keep)] if situation.keep else []
    asked = question_position(messages, start)
    lead = messages[start if asked is None else asked : start]
    found = extract(gone, situation.seqs, is_whole=whole, lead=lead)
    pins = select_pins([*carried, *found, *wanted, *now], pins_tokens)
    seqs = situation.seqs
    known = [seqs[m.id] for m in messages[start:upto] if m.id is not None and m.id in seqs]
    return PinBlock(
        pins=pins.kept,
        ranges=merge_ranges(
            [*record.ranges, *range_of(_countable(pins.left))],
            min(PIN_RANGES_MAX, pins_tokens // _RANGE_TOKENS),
        ),
        from_seq=record.from_seq if record.from_seq is not None else min(known, default=None),
        to_seq=max(known, default=record.to_seq),
    )


def _countable(pins: Sequence[ContextPin]) -> list[ContextPin]:
    # What is true only now can be asked for again; it is not lost with the past.
    return [pin for pin in pins if pin.kind not in MOMENTARY]


def _record(
    situation: CompactionInput, draft: RecordDraft, block: PinBlock, strategy: Any
) -> ContextRecord:
    messages, record = situation.messages, situation.record
    shown = {message.id for message in view(messages, _covering(situation, draft))}
    cuts = {name: cut for name, cut in {**record.cuts, **draft.cuts}.items() if name in shown}
    return replace(
        _covering(situation, draft),
        version=record.version + 1,
        strategy=strategy,
        block=block.text() if draft.start else "",
        summary=block.summary,
        pins=tuple(block.pins),
        ranges=tuple(block.ranges),
        from_seq=block.from_seq,
        to_seq=block.to_seq,
        cuts=cuts,
        made_after=situation.last_id,
    )


def _covering(situation: CompactionInput, draft: RecordDraft) -> ContextRecord:
    last = situation.messages[draft.start - 1].id if draft.start else None
    return replace(situation.record, covered_to=last, covered=draft.start)


def _cut(
    situation: CompactionInput, message: BaseMessage, *, only_images: bool = False
) -> HistoryCut:
    tokens = situation.count(message)
    return HistoryCut(0, tokens, situation.seqs.get(message.id or ""), only_images)
