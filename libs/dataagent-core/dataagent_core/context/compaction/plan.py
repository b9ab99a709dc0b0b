"""Makes the next record of a history that is too long. Pure: the summary is an argument.

    prune old results > choose what is still shown (`fit.py`) > pins > block > check

A summary that loses a pin, does not shrink or does not fit is not used; then the pins alone replace
what is left out.
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

# The lines for pins that did not fit take at most about half as much as the pins.
_RANGE_TOKENS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionInput:
    """Everything a compaction depends on."""

    messages: Sequence[BaseMessage]
    record: ContextRecord
    allowance: TokenAllowance
    count: Count = message_tokens
    # The numbers of messages' events, by their ids.
    seqs: Mapping[str, int] = field(default_factory=dict[str, int])
    todos: Sequence[Mapping[str, Any]] = ()
    open_questions: Sequence[tuple[str, int | None]] = ()
    # What the user wants kept, in their words, on one line.
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


def shown_tokens(given: CompactionInput, record: ContextRecord | None = None) -> int:
    """Estimate what the view costs."""
    known = given.record if record is None else record
    return sum(map(message_tokens, view(given.messages, known)))


def prune_record(given: CompactionInput) -> ContextRecord | None:
    """Leave out old results and old images; None if that gains nothing."""
    record, messages = given.record, given.messages
    shown = view(messages, record)
    by_id = {message.id: message for message in messages if message.id is not None}
    cuts = dict(record.cuts)
    result = prune_tool_outputs(shown, window_tokens=given.allowance.window)
    for position in old_images(shown):
        name = shown[position].id
        if name in by_id and name not in cuts:
            cuts[name] = _make_cut(given, by_id[name], only_images=True)
    for position in result.pruned:
        name = shown[position].id
        if name in by_id:
            cuts[name] = _make_cut(given, by_id[name])
    if cuts == dict(record.cuts):
        return None
    return replace(
        record,
        version=record.version + 1,
        strategy="truncate",
        cuts=cuts,
        made_after=given.last_id,
    )


def plan_compaction(given: CompactionInput, *, summary_tokens: int) -> CompactionPlan:
    """Choose what is still shown, and reserve tokens for a summary of this length."""
    messages, record = given.messages, given.record
    start = kept_start(messages, record)
    kept_summary = _reserve_for_summary(record, summary_tokens)

    known: dict[tuple[int, frozenset[str], int], PinBlock] = {}

    def block_for(upto: int, cuts: Mapping[str, HistoryCut], pins_tokens: int) -> PinBlock:
        key = (upto, frozenset(cuts), pins_tokens)
        if key not in known:
            known[key] = _make_block(given, start, upto, cuts, pins_tokens)
        return known[key]

    def block_tokens(upto: int, cuts: Mapping[str, HistoryCut], pins_tokens: int) -> int:
        # Without tokens for pins there are none for a summary either.
        summary = kept_summary if pins_tokens else 0
        tokens = block_for(upto, cuts, pins_tokens).tokens()
        return tokens + summary + MESSAGE_OVERHEAD_TOKENS

    history = MeasuredHistory(
        messages=messages,
        start=start,
        cuts=record.cuts,
        seqs=given.seqs,
        count=given.count,
    )
    draft = fit_history(history, given.allowance, block_tokens)
    covered = messages[start : draft.start]
    replaced = sum(map(given.count, covered)) + estimate_tokens(record.block)
    block = block_for(draft.start, draft.cuts, draft.pins_tokens)
    return CompactionPlan(draft, block, covered, replaced)


def is_worth_it(given: CompactionInput, plan: CompactionPlan, tokens: int) -> bool:
    """Return whether a plan gains enough for the provider's cache that it invalidates."""
    gain = tokens - plan.draft.tokens
    return gain >= given.allowance.window * COMPACTION_GAIN_SHARE


def settle_record(
    given: CompactionInput, plan: CompactionPlan, summary: str | None, *, summary_tokens: int
) -> tuple[ContextRecord, str | None]:
    """Make the record, and return why the summary is not used, if it is not."""
    draft = plan.draft
    problem = None
    if summary is not None:
        text = summary.strip()
        block = replace(plan.block, summary=text)
        problem = _find_problem(given, plan, block, summary_tokens)
        if problem is None:
            return _make_record(given, draft, block, "summarize"), None
    # An earlier summary is kept while it fits.
    kept = given.record.summary if draft.pins_tokens else ""
    block = replace(plan.block, summary=kept)
    return _make_record(given, draft, block, "truncate"), problem


def _find_problem(
    given: CompactionInput, plan: CompactionPlan, block: PinBlock, summary_tokens: int
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
    reserved = _reserve_for_summary(given.record, summary_tokens)
    over = block.tokens() - bare - reserved
    if over > 0 and plan.draft.tokens + over > given.allowance.usable:
        return f"it has {tokens:,} tokens and does not fit"
    return problem_with(block.text(), block.pins, plan.replaced_tokens)


def _reserve_for_summary(record: ContextRecord, summary_tokens: int) -> int:
    # Without a new one, the earlier one stays.
    return max(summary_tokens, estimate_tokens(summary_text(record.summary)))


def _make_block(
    given: CompactionInput,
    start: int,
    upto: int,
    cuts: Mapping[str, HistoryCut],
    pins_tokens: int,
) -> PinBlock:
    messages, record = given.messages, given.record
    # A shortened message loses its middle, so it is pinned as well.
    gone = [*messages[start:upto], *(m for m in messages[upto:] if m.id in cuts)]
    first = next((n for n, m in enumerate(gone) if isinstance(m, HumanMessage)), None)
    whole = [first] if start == 0 and first is not None else []
    carried = [pin for pin in record.pins if pin.kind not in MOMENTARY]
    now = [*open_pins(given.open_questions), *plan_pin(given.todos)]
    requested = [ContextPin("instruction", given.keep)] if given.keep else []
    question = question_position(messages, start)
    lead = messages[start if question is None else question : start]
    found = extract(gone, given.seqs, is_whole=whole, lead=lead)
    pins = select_pins([*carried, *found, *requested, *now], pins_tokens)
    seqs = given.seqs
    known = [seqs[m.id] for m in messages[start:upto] if m.id is not None and m.id in seqs]
    # A momentary pin is determined anew each time, so it is not lost.
    lost = [pin for pin in pins.left if pin.kind not in MOMENTARY]
    return PinBlock(
        pins=pins.kept,
        ranges=merge_ranges(
            [*record.ranges, *range_of(lost)],
            min(PIN_RANGES_MAX, pins_tokens // _RANGE_TOKENS),
        ),
        from_seq=record.from_seq if record.from_seq is not None else min(known, default=None),
        to_seq=max(known, default=record.to_seq),
    )


def _make_record(
    given: CompactionInput, draft: RecordDraft, block: PinBlock, strategy: Any
) -> ContextRecord:
    messages, record = given.messages, given.record
    shown = {message.id for message in view(messages, _cover(given, draft))}
    cuts = {name: cut for name, cut in {**record.cuts, **draft.cuts}.items() if name in shown}
    return replace(
        _cover(given, draft),
        version=record.version + 1,
        strategy=strategy,
        block=block.text() if draft.start else "",
        summary=block.summary,
        pins=tuple(block.pins),
        ranges=tuple(block.ranges),
        from_seq=block.from_seq,
        to_seq=block.to_seq,
        cuts=cuts,
        made_after=given.last_id,
    )


def _cover(given: CompactionInput, draft: RecordDraft) -> ContextRecord:
    last = given.messages[draft.start - 1].id if draft.start else None
    return replace(given.record, covered_to=last, covered=draft.start)


def _make_cut(
    given: CompactionInput, message: BaseMessage, *, only_images: bool = False
) -> HistoryCut:
    tokens = given.count(message)
    return HistoryCut(0, tokens, given.seqs.get(message.id or ""), only_images)
