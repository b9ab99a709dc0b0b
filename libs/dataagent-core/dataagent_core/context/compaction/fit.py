"""Chooses which part of a history is still shown: the first of these drafts that fits. Pure.

    whole                  everything from the last two turns on, and as much before as is recent
    large results          of the last two turns keep their beginning and their end
    one turn               the last turn, with such results
    part of a turn         the latest steps of it, with the question that began it
    last step              shortened to what is left, first with all pins, then with fewer and fewer
    nothing                but the question and the block

What a draft leaves out is replaced by a reference or by a line of the block. The caller makes the
block's text; a function returns its tokens.
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
    """The tokens available for messages."""

    usable: int
    recent: int
    window: int
    pins: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDraft:
    """A way to show a history: its start, its cuts, and the tokens for pins."""

    start: int
    cuts: Mapping[str, HistoryCut] = field(default_factory=dict[str, HistoryCut])
    pins_tokens: int
    tokens: int


BlockTokens = Callable[[int, Mapping[str, HistoryCut], int], int]
"""Returns the tokens of the block for a start, the cuts and a budget of pins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredHistory:
    """A history with the earlier decisions about it."""

    messages: Sequence[BaseMessage]
    start: int
    cuts: Mapping[str, HistoryCut]
    seqs: Mapping[str, int]
    count: Count


def drafts(
    history: MeasuredHistory, allowance: TokenAllowance, block_tokens: BlockTokens
) -> Iterator[RecordDraft]:
    """Yield the drafts of a history, the one that keeps most first; the last always fits."""
    messages = history.messages
    safe = [cut for cut in safe_cuts(messages) if cut >= history.start]
    starts = frozenset(turn_starts(messages))
    two, one = (
        _safe_cut_before(safe, start_of_last_turns(messages, n)) for n in (PROTECTED_TURNS, 1)
    )
    large = int(allowance.window * RESULT_KEPT_SHARE)
    between_turns = [cut for cut in safe if cut in starts] or [two]
    recent = _find_start_within(history, between_turns, allowance.recent, {})
    for start in (min(two, recent), two):
        yield _make_draft(history, start, {}, allowance.pins, block_tokens)
    for start in (two, one):
        cuts = _shorten_long(history, start, large)
        yield _make_draft(history, start, cuts, allowance.pins, block_tokens)
    cuts = _shorten_long(history, one, large)
    part = max(one, _find_start_within(history, safe, allowance.recent, cuts))
    yield _make_draft(history, part, cuts, allowance.pins, block_tokens)
    last = max((cut for cut in safe if cut < len(messages)), default=len(messages))
    for pins in (allowance.pins, allowance.pins // 2, allowance.pins // 4, 0):
        yield _shorten_last_step(history, last, pins, allowance, block_tokens)
    yield _shorten_last_step(history, len(messages), 0, allowance, block_tokens)


def fit_history(
    history: MeasuredHistory, allowance: TokenAllowance, block_tokens: BlockTokens
) -> RecordDraft:
    """Choose the first draft that fits, or the last one there is."""
    draft: RecordDraft | None = None
    for draft in drafts(history, allowance, block_tokens):
        if draft.tokens <= allowance.usable:
            return draft
    if draft is None:
        raise AssertionError("there is always a last draft")
    return draft


def _safe_cut_before(safe: Sequence[int], wanted: int) -> int:
    """Return the last safe position at or before the wanted one, else the first."""
    return max((cut for cut in safe if cut <= wanted), default=safe[0])


def _find_start_within(
    history: MeasuredHistory, safe: Sequence[int], tokens_max: int, cuts: Mapping[str, HistoryCut]
) -> int:
    """Find the first safe position from which on messages have no more than these tokens."""
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


def _make_draft(
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


def _shorten_long(history: MeasuredHistory, start: int, kept_tokens: int) -> dict[str, HistoryCut]:
    """Shorten every shown message that has more than these tokens."""
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


def _shorten_last_step(
    history: MeasuredHistory,
    start: int,
    pins_tokens: int,
    allowance: TokenAllowance,
    block_tokens: BlockTokens,
) -> RecordDraft:
    block = block_tokens(start, {}, pins_tokens) if start > 0 else 0
    shown = max(len(_shown_positions(history, start)), 1)
    each = max((allowance.usable - block) // shown, 0)
    draft = _make_draft(
        history, start, _shorten_long(history, start, each), pins_tokens, block_tokens
    )
    # The tokens of a shortened message are estimated, so it may have to be shortened again.
    while draft.tokens > allowance.usable and each > 0:
        each = each * 2 // 3 if each > MESSAGE_KEPT_TOKENS_MIN else 0
        draft = _make_draft(
            history, start, _shorten_long(history, start, each), pins_tokens, block_tokens
        )
    return draft
