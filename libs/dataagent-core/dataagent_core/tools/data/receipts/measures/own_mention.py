"""Finds the mention of a measure that belongs to a figure.

The one right behind it ("120 orders"), or else the one before it in its own part of the sentence
("revenue was 120"), or else the one after it up to the next pause ("120 were resolved"). A mention
that belongs to the figure before is not taken twice.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from dataagent_core.tools.data.receipts.context.figure_context import PAUSE, FigureContext
from dataagent_core.tools.data.receipts.figures.units import is_in_basis_points, read_unit_behind
from dataagent_core.tools.data.receipts.measures.mentions import MeasureMention

ADJACENT = re.compile(
    r"[\s*_`-]*(?:(?:more|fewer|less|additional|extra|new|total|of|the|in|个|单|件|笔|元|人|次|张|名|位|套|辆|台|所|座|户|头|条|通|趟|班|家|场|份)\s?){0,2}\Z"
)
_OUT_OF = re.compile(r"[\s*_`]*(?:out )?of (?:its|the|their|all|our)?[\s*_`]*\Z")
_WERE = re.compile(r"(?: (?:that|who))? (?:was|were|are|got|(?:have|had|has) been) (?:\w+ly )?")
# What stands between the members of a list of measures, and of figures.
_LISTED = re.compile(
    r"[\s*_`]*(?:,|、|和|与|及|以及|,? ?and|against|vs\.?|versus|outnumber(?:s|ed)?"
    r"|exceed(?:s|ed)?)[\s*_`]*(?:the )?"
)
_ALSO = re.compile(
    r"[\s*_`]*(?:,|、|和|与|及|,? ?and|against|vs\.?|versus|to|/)[\s*_`$€£\u00a5]*\Z"
)
_IN_ORDER = ("respectively", "分别", "依次")
_Span = tuple[int, int]


def find_own_mention(
    context: FigureContext, mentions: Sequence[MeasureMention]
) -> tuple[MeasureMention | None, MeasureMention | None]:
    """Return the mention of the figure itself, and that of the figure before."""
    if (listed := _find_in_order(context, mentions)) is not None:
        return listed, None
    spans = sorted(context.spans)
    taken: list[MeasureMention] = []
    last: MeasureMention | None = None
    for at, span in enumerate(spans):
        found = _find_claimed(context.sentence, spans, at, [m for m in mentions if m not in taken])
        if found is not None and last is not None and found.is_unit:
            # "Harvests grew from 3 t to 5 t".
            shared = found.columns & last.columns
            found = replace(found, columns=shared or found.columns)
        if span[0] == context.start:
            return found, last
        last = found or last
        beside = _find_beside(context.sentence, spans, at, mentions)
        taken += [one for one in (found, beside) if one is not None and one.start >= span[1]]
    return None, last


def _find_claimed(
    sentence: str, spans: Sequence[_Span], at: int, mentions: Sequence[MeasureMention]
) -> MeasureMention | None:
    start, end = spans[at]
    left = spans[at - 1][1] if at else 0
    right = spans[at + 1][0] if at + 1 < len(spans) else len(sentence)
    before = [m for m in mentions if left <= m.start and m.end <= start]
    close = _list_close(sentence, spans, at, mentions)
    beside = _find_beside(sentence, spans, at, mentions)
    part_of = at > 0 and _OUT_OF.match(sentence[left:start])
    if not close and at + 1 < len(spans) and _OUT_OF.match(sentence[end:right]):
        # "517 of 12,874 orders were refunded": the first is what happened.
        states = [
            m for m in mentions if m.start >= spans[at + 1][1] and (m.is_state or m.is_participle)
        ]
        return before[-1] if before else (states[0] if states else None)
    if part_of:
        close = [m for m in close if not (m.is_state or m.is_participle)]
    if (
        beside is not None
        and not part_of
        and (done := _find_action(sentence, beside, close)) is not None
    ):
        return done
    if beside is not None and beside.is_entity and not part_of:
        happened = [m for m in (*reversed(before), *close) if m.is_state and m is not beside]
        return happened[0] if happened else beside
    if (
        beside is not None
        and before
        and (found := _choose_verb_or_unit(sentence, (start, end), before[-1], beside))
    ):
        return found
    chinese = sentence[end : end + 1] > "\u2e80" and bool(before)
    if beside is not None and not chinese:
        return beside
    if before and close and at and _is_of_last(sentence, left, before[-1], start):
        before = []  # "$147 in its shop and $786 from tickets"
    return next(iter((*before[-1:], *close)), None)


def _find_action(
    sentence: str, beside: MeasureMention, close: Sequence[MeasureMention]
) -> MeasureMention | None:
    """Find what was done with what is counted: "127 animals were born" is of births."""
    return next(
        (
            one
            for one in close
            if one.start >= beside.end
            and _WERE.fullmatch(sentence, beside.end, one.start)
            and len(one.columns) == 1
        ),
        None,
    )


def _choose_verb_or_unit(
    sentence: str, span: _Span, before: MeasureMention, beside: MeasureMention
) -> MeasureMention | None:
    """Choose between a verb before a figure or a unit behind it, and the other mention."""
    start, end = span
    if before.is_participle and not sentence[before.end : start].strip(" *_`"):
        # "Damaged 97 parcels" is of the damaged, "carried 9 passengers" not of cars_carried.
        whole = beside.is_whole and not before.is_whole and not before.columns & beside.akin
        return beside if whole or beside.is_last_word else before
    if not beside.is_unit:
        return None
    # "Standby was 12,745 kWh", "the yield climbed 79 bps"; but "containers stay 5.1 days".
    if shared := before.columns & beside.columns:
        return replace(before, columns=shared)
    return before if is_in_basis_points(read_unit_behind(sentence, end)) else beside


def _is_of_last(sentence: str, left: int, mention: MeasureMention, start: int) -> bool:
    """Say whether a mention goes with the figure before: no pause before it, one behind it."""
    return (
        PAUSE.search(sentence, left, mention.start) is None
        and PAUSE.search(sentence, mention.end, start) is not None
    )


def _list_close(
    sentence: str, spans: Sequence[_Span], at: int, mentions: Sequence[MeasureMention]
) -> list[MeasureMention]:
    """List the mentions behind a figure, up to the next pause or figure."""
    end = spans[at][1]
    right = spans[at + 1][0] if at + 1 < len(spans) else len(sentence)
    pause = PAUSE.search(sentence, end, right)
    until = pause.start() if pause is not None else right
    return [one for one in mentions if end <= one.start < until and not one.is_ahead]


def _find_beside(
    sentence: str, spans: Sequence[_Span], at: int, mentions: Sequence[MeasureMention]
) -> MeasureMention | None:
    """Find the mention right behind a figure: "120 orders"."""
    close = _list_close(sentence, spans, at, mentions)
    if close and ADJACENT.match(sentence[spans[at][1] : close[0].start]):
        return close[0]
    return None


def _find_in_order(
    context: FigureContext, mentions: Sequence[MeasureMention]
) -> MeasureMention | None:
    """Read "returns and cancellations were 3 and 5", with "respectively" or without."""
    spans = sorted(context.spans)
    listed = [m for m in mentions if m.end <= spans[0][0]]
    at = next((n for n, span in enumerate(spans) if span[0] == context.start), None)
    if at is None or len(listed) < 2 or len(spans) % len(listed):  # noqa: PLR2004 (a list)
        return None
    is_respective = any(word in context.sentence for word in _IN_ORDER)
    if is_respective:
        return listed[at] if len(listed) == len(spans) else None
    between = (context.sentence[one.end : two.start] for one, two in pairwise(listed))
    if len(listed) < len(mentions) or not all(map(_LISTED.fullmatch, between)):
        return None
    gaps = (context.sentence[one[1] : two[0]] for one, two in pairwise(spans))
    joined = [_ALSO.match(gap) is not None for gap in gaps]
    wanted = [bool((n + 1) % len(listed)) for n in range(len(spans) - 1)]
    return (
        listed[at % len(listed)]
        if all(j for j, w in zip(joined, wanted, strict=True) if w)
        else None
    )
