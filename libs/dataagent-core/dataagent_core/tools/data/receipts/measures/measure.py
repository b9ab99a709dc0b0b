"""Finds the measure that the words around a figure name.

A figure has the measure that stands right behind it ("120 orders"), or else the one before it in
its own part of the sentence ("revenue was 120"), or else the one after it up to the next pause
("120 were resolved"). A measure that belongs to the figure before is not taken twice. Where a
figure has none of its own, the sentence goes on about that of the figure before, or the last one
named ("orders: East 120, West 80").
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from dataagent_core.tools.data.receipts.context.claims import ALL_OF_THEM
from dataagent_core.tools.data.receipts.context.figure_context import PAUSE, FigureContext
from dataagent_core.tools.data.receipts.context.neutral_words import is_neutral
from dataagent_core.tools.data.receipts.figures.figure_reader import read_figures
from dataagent_core.tools.data.receipts.figures.quantity_kinds import (
    find_only_column_of_kind,
    list_columns_of_kind,
)
from dataagent_core.tools.data.receipts.figures.units import is_same_kind, read_unit_behind
from dataagent_core.tools.data.receipts.measures.mentions import MeasureMention
from dataagent_core.tools.data.receipts.measures.own_mention import ADJACENT, find_own_mention
from dataagent_core.tools.data.receipts.measures.worth import find_worth_column
from dataagent_core.tools.data.receipts.result_values.numeric_column import NumericColumn
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex

_RUN_BEFORE = re.compile(r"[\u4e00-\u9fff]{2,8}\s?\Z")
THAN_ITS = re.compile(r"\bthan (?:it|its|they|their|he|she)\s\Z")
_OWN_VERB = re.compile(r"\bt(?:ook|akes?) in\b|[a-z]{2,}")
_NAME_CHARS_MAX = 12
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class NamedMeasure:
    """The columns that are named for a figure."""

    columns: tuple[NumericColumn, ...] = ()
    # Of a rate, also the columns that share a word with its name: 付费转化率 is of 付费用户.
    parts: tuple[NumericColumn, ...] = ()
    # Said of this figure itself, not of one before it.
    own: bool = False
    # It is said to be a rate of them, or of a measure that the result does not have.
    other: bool = False

    @property
    def named(self) -> tuple[NumericColumn, ...]:
        """List the columns that this figure alone is said to be of."""
        return self.columns if self.own else ()

    def fits(self, column: NumericColumn, index: ResultIndex) -> bool:
        """Say whether the words make it this column: it alone is named, or there is no other."""
        if self.columns:
            return self.columns == (column,) and (not self.other or column.rate_named)
        alone = sum(not one.names_things for one in index.numeric) == 1
        return alone and (not self.other or column.is_generic)


def find_measure(context: FigureContext, index: ResultIndex) -> NamedMeasure:
    """Find the columns of a result that a figure is said to be of."""
    if context.in_table:
        return _find_in_table(context, index)
    if counted := _find_counted(context, index):
        return _make_measure_of(*counted)
    mentions = _list_mentions(context, index)
    if (worth := find_worth_column(context, index, mentions)) is not None:
        return _make_measure_of(worth)
    own, before = find_own_mention(context, mentions)
    if own is not None:
        own = _narrow_by_verb(own, context, mentions)
        own = _find_by_kind(own, context, index, mentions)
        return _make_measure([_narrow_by_unit(own, context, index)], index, own=True)
    inherited = [before] if before is not None else _find_inherited(context, index, mentions)
    return _find_without_own(context, index, inherited)


def _find_without_own(
    context: FigureContext, index: ResultIndex, inherited: Sequence[MeasureMention]
) -> NamedMeasure:
    """Read a figure that no mention is of: by its unit, or as one more of what was said before."""
    column = _find_by_unit(context, index)
    fitting = list_columns_of_kind(
        context, [index.numeric[at] for one in inherited for at in one.columns]
    )
    if column is None and not fitting:
        column = find_only_column_of_kind(context, index)
    if column is not None:
        return _make_measure_of(column)
    if inherited:
        made = _make_measure(inherited, index, own=False)
        return replace(made, other=made.other or _says_something_else(context, index))
    left, right = context.segment
    return NamedMeasure(other=index.names.names_another(context.sentence[left:right]))


def _make_measure_of(*columns: NumericColumn) -> NamedMeasure:
    return NamedMeasure(columns, columns, own=True)


def _make_measure(
    mentions: Sequence[MeasureMention], index: ResultIndex, *, own: bool
) -> NamedMeasure:
    columns = {at for mention in mentions for at in mention.columns}
    parts = {at for mention in mentions if mention.is_rate for at in mention.akin} | columns
    return NamedMeasure(
        tuple(index.numeric[at] for at in sorted(columns)),
        tuple(index.numeric[at] for at in sorted(parts)),
        own=own,
        other=any(mention.is_rate for mention in mentions),
    )


def _narrow_by_verb(
    own: MeasureMention, context: FigureContext, mentions: Sequence[MeasureMention]
) -> MeasureMention:
    """Take of several columns the one that a word nearby names, too: "gave 26,715 doses"."""
    left, right = context.segment
    pauses = [found.start() for found in PAUSE.finditer(context.sentence, context.end, right)]
    begins = [found.end() for found in PAUSE.finditer(context.sentence, left, context.start)]
    start, end = max(begins, default=left), min(pauses, default=right)
    near = [one for one in mentions if start <= one.start and one.end <= end and one != own]
    both = {own.columns & one.columns for one in near if own.columns & one.columns}
    if len(own.columns) == 1 or len(both) != 1:
        return own
    return replace(own, columns=both.pop())


def _find_by_kind(
    own: MeasureMention,
    context: FigureContext,
    index: ResultIndex,
    mentions: Sequence[MeasureMention],
) -> MeasureMention:
    """Take a mention nearby where only its column is printed so: "handles a call in 9 minutes"."""
    fitting = list_columns_of_kind(context, [index.numeric[at] for at in own.columns])
    if fitting is None or len(fitting) > 1:
        return own
    if fitting:
        return replace(own, columns=frozenset({index.numeric.index(fitting[0])}))
    left, right = context.segment
    near = [one for one in mentions if left <= one.start and one.end <= right and not one.is_unit]
    fit = {
        at
        for one in near
        for at in one.columns
        if list_columns_of_kind(context, [index.numeric[at]]) and len(one.columns) == 1
    }
    return replace(own, columns=frozenset(fit)) if len(fit) == 1 else own


def _narrow_by_unit(
    mention: MeasureMention, context: FigureContext, index: ResultIndex
) -> MeasureMention:
    """Take of several columns the one that is in the figure's unit: 充电231万度 is no 充电次数."""
    unit = read_unit_behind(context.sentence, context.end)
    fit = {at for at in mention.columns if is_same_kind(unit, index.numeric[at].measured_in)}
    return replace(mention, columns=frozenset(fit)) if len(fit) == 1 else mention


def _says_something_else(context: FigureContext, index: ResultIndex) -> bool:
    """Say whether a figure has its own, unknown verb: "and sent home 312"."""
    left, _ = context.segment
    pauses = [found.end() for found in PAUSE.finditer(context.sentence, left, context.start)]
    if left and not pauses:
        return False
    words = context.sentence[max(pauses, default=0) : context.start]
    for column in index.labels:
        words = column.blanked(words)
    return any(not is_neutral(word[0]) for word in _OWN_VERB.finditer(words))


def _find_in_table(context: FigureContext, index: ResultIndex) -> NamedMeasure:
    if (exact := index.column(context.header)) is not None and context.header:
        return NamedMeasure((exact,), (exact,), own=True)
    for text in (context.header, *context.cells[:1]):
        if found := index.names.mentions(text):
            return _make_measure(found, index, own=True)
    return NamedMeasure(other=index.names.names_another(context.header))


def _find_by_unit(context: FigureContext, index: ResultIndex) -> NumericColumn | None:
    """Find the column that the words before a figure and the unit behind it name together."""
    left, _ = context.segment
    said = _RUN_BEFORE.search(context.sentence, left, context.start)
    unit = context.sentence[context.end : context.end + 1]
    if said is None or unit < "\u2e80":
        return None
    at = index.names.with_unit(said[0], unit)
    return index.numeric[at] if at is not None else None


def _find_counted(context: FigureContext, index: ResultIndex) -> tuple[NumericColumn, ...]:
    """Find the column that counts rows' things: "18,400 bearings" are units of Bearing."""
    _, right = context.segment
    behind = [
        end
        for column in index.labels
        for start, end, _ in column.occurrences(context.sentence)
        if context.end <= start < right and not context.sentence[context.end : start].strip(" *_`")
    ]
    if not behind:
        return ()
    rest = context.sentence[behind[0] : right]
    named = index.names.mentions(rest)
    if any(not one.is_ahead and ADJACENT.match(rest[: one.start]) for one in named):
        return ()  # "1,284 Motor policies"
    units = [at for one in index.names.mentions("units") for at in one.columns]
    columns = tuple(index.numeric[at] for at in units) or tuple(
        column for column in index.numeric if column.is_generic and column.is_whole
    )
    return columns if len(columns) == 1 else ()


def _list_mentions(context: FigureContext, index: ResultIndex) -> list[MeasureMention]:
    """List the mentions of a sentence that are no part of a row's name."""
    sentence = context.sentence
    labels: list[_Span] = []
    for column in index.labels:
        for start, end, _ in column.occurrences(sentence):
            labels.append((start, end))
            noun = column.noun_behind(sentence, end)
            rest = sentence[end + noun : end + noun + _NAME_CHARS_MAX]
            if noun and (rest.startswith("的") or _begins_with_name(rest, index)):
                # 黄金会员的续费率: the members are which row it is, not how many.
                sentence = f"{sentence[:end]}{' ' * noun}{sentence[end + noun :]}"
    # 占三个茶园的39%: the gardens are all rows, not 茶园面积.
    labels += [
        (all_of.start(), all_of.end() + column.noun_behind(sentence, all_of.end()))
        for all_of in ALL_OF_THEM.finditer(sentence)
        for column in index.labels
    ]
    return [
        mention
        for mention in index.names.mentions(sentence)
        if not any(start <= mention.start and mention.end <= end for start, end in labels)
        # "Discharged 7 more than it admitted, and 9 more than East" goes on about the first.
        and not (mention.end <= context.start and THAN_ITS.search(sentence, 0, mention.start))
    ]


def _begins_with_name(text: str, index: ResultIndex) -> bool:
    return any(mention.start == 0 for mention in index.names.mentions(text))


def _find_inherited(
    context: FigureContext, index: ResultIndex, mentions: Sequence[MeasureMention]
) -> Sequence[MeasureMention]:
    if before := [m for m in mentions if m.end <= context.start]:
        return before[-1:]
    clause = context.clause_before
    several = _is_list(index.names.mentions(clause))
    mentions = [one for one in mentions if not _is_of_next(context, one)]
    if mentions and len({m.columns for m in mentions}) == 1:
        return mentions[:1]
    if mentions:
        return ()
    if several:
        return _find_parallel(context, index, clause)
    return index.names.mentions(context.earlier)[-1:] or index.names.mentions(context.above)[:1]


def _is_of_next(context: FigureContext, mention: MeasureMention) -> bool:
    """Say whether a mention stands behind a pause and before another figure."""
    paused = PAUSE.search(context.sentence, context.end, max(context.end, mention.start))
    return paused is not None and any(start >= mention.end for start, _ in context.spans)


def _find_parallel(
    context: FigureContext, index: ResultIndex, clause: str
) -> Sequence[MeasureMention]:
    """Read "A and B were 3 and 5 in East; in West 4 and 6": each goes on about its own."""
    spans = tuple((figure.start, figure.end) for figure in read_figures(clause))
    at = sorted(context.spans).index((context.start, context.end))
    if len(spans) != len(context.spans):
        return ()
    start, end = spans[at]
    before = replace(context, sentence=clause, start=start, end=end, spans=spans, earlier="")
    mentions = _list_mentions(before, index)
    own, _ = find_own_mention(before, mentions)
    return [_narrow_by_verb(own, before, mentions)] if own is not None else ()


def _is_list(mentions: Sequence[MeasureMention]) -> bool:
    """Say whether measures are listed side by side."""
    return len({mention.columns for mention in mentions}) > 1 and any(
        one.columns != two.columns for one, two in pairwise(mentions)
    )
