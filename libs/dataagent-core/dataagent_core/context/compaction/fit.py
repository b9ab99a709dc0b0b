"""Chooses what of a history is still shown, in the order in which things give way. Pure.

    whole                  everything from the last two turns on, and as much before as is recent
    large results          of the last two turns keep their beginning and their end
    one turn               the last turn, with such results
    part of a turn         the latest steps of it, with the question that began it
    last step              shortened to what is left, first with all pins, then with fewer and fewer
    nothing                but the question and the block

Each row gives way to the next only if it does not fit; what it leaves out, it leaves a reference to
or a line of the block. The block's text is made by the caller: what it costs is told by a function.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from langchain_core.messages import BaseMessage

from dataagent_core.config.limits.context import (
    MESSAGE_KEPT_TOKENS_MIN,
    PROTECTED_TURNS,
    RESULT_KEPT_SHARE,
)
from dataagent_core.context.compaction.cut_points import safe_cuts, start_of_last_turns, turn_starts
from dataagent_core.context.context_record import HistoryCut
from dataagent_core.context.token_counter import Count, message_tokens
from dataagent_core.context.view import question_position, render_shown_message


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenAllowance:
    """What there is room for, in tokens of the messages alone."""

    usable: int
    recent: int
    window: int
    pins: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDraft:
    """A way to show a history: from where on, shortened how, with how much room for pins."""

    start: int
    cuts: Mapping[str, HistoryCut] = field(default_factory=dict[str, HistoryCut])
    pins_tokens: int
    tokens: int


BlockTokens = Callable[[int, Mapping[str, HistoryCut], int], int]
"""What the block costs for a start, the cuts and a budget of pins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredHistory:
    """What is to be shown, with what was decided before."""

    messages: Sequence[BaseMessage]
    start: int
    cuts: Mapping[str, HistoryCut]
    seqs: Mapping[str, int]
    count: Count


def drafts(
    history: MeasuredHistory, room: TokenAllowance, block_tokens: BlockTokens
) -> Iterator[RecordDraft]:
    """Give the ways to show a history, the one that keeps most first; the last always fits."""
    messages = history.messages
    safe = [cut for cut in safe_cuts(messages) if cut >= history.start]
    starts = frozenset(turn_starts(messages))
    two, one = (_safe_at(safe, start_of_last_turns(messages, n)) for n in (PROTECTED_TURNS, 1))
    large = int(room.window * RESULT_KEPT_SHARE)
    between_turns = [cut for cut in safe if cut in starts] or [two]
    recent = _start_within(history, between_turns, room.recent, {})
    for start in (min(two, recent), two):
        yield _draft(history, start, {}, room.pins, block_tokens)
    for start in (two, one):
        cuts = _cut_to(history, start, large)
        yield _draft(history, start, cuts, room.pins, block_tokens)
    cuts = _cut_to(history, one, large)
    part = max(one, _start_within(history, safe, room.recent, cuts))
    yield _draft(history, part, cuts, room.pins, block_tokens)
    last = max((cut for cut in safe if cut < len(messages)), default=len(messages))
    for pins in (room.pins, room.pins // 2, room.pins // 4, 0):
        yield _last_step(history, last, pins, room, block_tokens)
    yield _nothing(history, room, block_tokens)


def fit_history(
    history: MeasuredHistory, room: TokenAllowance, block_tokens: BlockTokens
) -> RecordDraft:
    """Choose the first draft that fits, or the last one there is."""
    draft: RecordDraft | None = None
    for draft in drafts(history, room, block_tokens):
        if draft.tokens <= room.usable:
            return draft
    if draft is None:
        raise AssertionError("there is always a last draft")
    return draft


def _safe_at(safe: Sequence[int], wanted: int) -> int:
    """Find the last safe position at or before the wanted one; the first there is, else."""
    return max((cut for cut in safe if cut <= wanted), default=safe[0])


def _start_within(
    history: MeasuredHistory, safe: Sequence[int], tokens_max: int, cuts: Mapping[str, HistoryCut]
) -> int:
    """Find the first safe position from which on messages cost no more than this."""
    allowed = set(safe)
    best = len(history.messages)
    tokens = 0
    for position in range(len(history.messages) - 1, safe[0] - 1, -1):
        tokens += _tokens(history, position, cuts)
        if tokens > tokens_max:
            break
        if position in allowed:
            best = position
    return best


def _draft(
    history: MeasuredHistory,
    start: int,
    cuts: Mapping[str, HistoryCut],
    pins_tokens: int,
    block_tokens: BlockTokens,
) -> RecordDraft:
    shown = _shown_positions(history, start)
    tokens = sum(_tokens(history, position, cuts) for position in shown)
    if start > 0:
        tokens += block_tokens(start, cuts, pins_tokens)
    return RecordDraft(start=start, cuts=cuts, pins_tokens=pins_tokens, tokens=tokens)


def _shown_positions(history: MeasuredHistory, start: int) -> list[int]:
    shown = list(range(start, len(history.messages)))
    question = question_position(history.messages, start) if start > 0 else None
    return shown if question is None else [question, *shown]


def _cut_to(history: MeasuredHistory, start: int, kept_tokens: int) -> dict[str, HistoryCut]:
    """Shorten everything shown that costs more than this."""
    cuts: dict[str, HistoryCut] = {}
    for position in _shown_positions(history, start):
        message = history.messages[position]
        known = history.cuts.get(message.id or "")
        tokens = known.tokens if known is not None else history.count(message)
        if message.id is None or tokens <= kept_tokens:
            continue
        if known is not None and known.kept_tokens <= kept_tokens and not known.only_images:
            continue
        seq = known.seq if known is not None else history.seqs.get(message.id)
        cut = HistoryCut(kept_tokens, tokens, seq)
        # A reference to a short message is longer than the message.
        if message_tokens(render_shown_message(message, cut)) < tokens:
            cuts[message.id] = cut
    return cuts


def _tokens(history: MeasuredHistory, position: int, cuts: Mapping[str, HistoryCut]) -> int:
    message = history.messages[position]
    name = message.id or ""
    cut = cuts.get(name) or history.cuts.get(name)
    return (
        history.count(message)
        if cut is None
        else message_tokens(render_shown_message(message, cut))
    )


def _last_step(
    history: MeasuredHistory,
    start: int,
    pins_tokens: int,
    room: TokenAllowance,
    block_tokens: BlockTokens,
) -> RecordDraft:
    block = block_tokens(start, {}, pins_tokens) if start > 0 else 0
    shown = max(len(_shown_positions(history, start)), 1)
    each = max((room.usable - block) // shown, 0)
    draft = _draft(history, start, _cut_to(history, start, each), pins_tokens, block_tokens)
    # What a shortened message keeps is an estimate; the rest of it is taken off once more.
    while draft.tokens > room.usable and each > 0:
        each = each * 2 // 3 if each > MESSAGE_KEPT_TOKENS_MIN else 0
        draft = _draft(history, start, _cut_to(history, start, each), pins_tokens, block_tokens)
    return draft


def _nothing(
    history: MeasuredHistory, room: TokenAllowance, block_tokens: BlockTokens
) -> RecordDraft:
    return _last_step(history, len(history.messages), 0, room, block_tokens)
