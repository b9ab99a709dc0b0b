"""One figure to trace: what its context says about each result it could come from."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from dataagent_core.tools.data.receipts.context.claims import (
    ADDED_UP,
    ALL_OF_THEM,
    LOSS,
    OF_THE_WHOLE,
    PART_OF,
    find_claims,
)
from dataagent_core.tools.data.receipts.context.figure_context import PAUSE, FigureContext
from dataagent_core.tools.data.receipts.derivation.match_chance import (
    BARE_DIGITS_MIN,
    BARE_ROWS_MAX,
    BARE_SHARE_MAX,
    BARE_SHARE_OF_COLUMN_MAX,
    UNCLAIMED_SHARE_MAX,
    compute_share_of_columns,
)
from dataagent_core.tools.data.receipts.figures.figure import Figure
from dataagent_core.tools.data.receipts.figures.quantity_kinds import read_list_unit
from dataagent_core.tools.data.receipts.figures.units import is_same_kind
from dataagent_core.tools.data.receipts.measures.measure import NamedMeasure, find_measure
from dataagent_core.tools.data.receipts.result_values.numeric_column import NumericColumn
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex
from dataagent_core.tools.data.receipts.result_values.row_pins import (
    RowPins,
    find_pins,
    list_named_rows,
)

_COUNTER = re.compile(r"\A[\s*_`]*[个条家位名座所项部]?[\s*_`]*")


class FigureQuestion:
    """A figure, its context, and the candidate results, the newest first."""

    def __init__(
        self, figure: Figure, context: FigureContext, results: Sequence[ResultIndex]
    ) -> None:
        left, _ = context.segment
        lost = not context.in_table and LOSS.search(context.sentence, left, context.start)
        self.figure = replace(figure, is_loss=True) if lost and figure.value > 0 else figure
        self.context = context
        self._all = results
        self._pins: dict[str, RowPins] = {}
        self._measures: dict[str, NamedMeasure] = {}
        unit = read_list_unit(context) if figure.unit is None else None
        measured = (column for index in results for column in self.measure(index).columns)
        if any(is_same_kind(unit, column.measured_in) for column in measured):
            self.figure = replace(self.figure, unit=unit)

    @cached_property
    def results(self) -> Sequence[ResultIndex]:
        """List the results to look in.

        A small number is soon in any of them: of a named row only the newest result that has it
        counts, unless the text cites another.
        """
        if self.figure.digits >= BARE_DIGITS_MIN or self.context.citations:
            return self._all
        of_column = [index for index in self._all if self.columns_named(index)]
        rows = [index for index in of_column or self._all if self.speaks_of(index)]
        return rows[:1] or self._all

    @cached_property
    def bare_share(self) -> float:
        """The chance that some cell of the results is the figure."""
        columns = (column for index in self._all for column in self.bare_columns(index))
        return compute_share_of_columns(self.figure, columns)

    @property
    def bare_share_max(self) -> float:
        """The allowed chance: more if the column is named, little if the words disagree."""
        if self.says_otherwise:
            return UNCLAIMED_SHARE_MAX
        return BARE_SHARE_OF_COLUMN_MAX if self.names_a_column else BARE_SHARE_MAX

    @cached_property
    def says_otherwise(self) -> bool:
        """Say whether the words make it an aggregate, or a figure of a row that is named."""
        aggregates = {"sum", "mean", "count", "max", "min"}
        return bool(self.context.claims & aggregates) or self.names_a_row

    def bare_columns(self, index: ResultIndex) -> tuple[NumericColumn, ...]:
        """List where a figure of no named row can be: where any result has its column, there.

        Of many rows nobody gives a rough number without saying which row it is of.
        """
        if self.figure.digits <= BARE_DIGITS_MIN and index.rows > BARE_ROWS_MAX:
            return ()
        if self.names_a_column:
            return self.columns_named(index)
        return index.numeric

    @cached_property
    def names_a_column(self) -> bool:
        """Say whether the figure is said to be of a column of some result."""
        return any(self.columns_named(index) for index in self._all)

    def names_another_column(self, index: ResultIndex) -> bool:
        """Say whether the words name a column, and only other results have it."""
        return self.names_a_column and not self.columns_named(index)

    @cached_property
    def names_a_row(self) -> bool:
        """Say whether the figure is said to be of a row of some result."""
        return any(self.speaks_of(index) for index in self._all)

    @property
    def adds_up(self) -> bool:
        """Say whether the words make it a total of something that is not a row."""
        if "sum" in self.context.claims:
            return True
        # A name may sound like a change: "and 473 dropped out".
        # 格口730个 counts what the column holds.
        only = self.context.claims - {"difference", "change"}
        counted = self.names_a_column and not only - {"count"}
        otherwise = (bool(only) and not counted) or self.context.is_gap
        if "sum" in self.context.sentence_claims and not otherwise:
            # "In total 120 orders came in, worth 4,500": the second is one too.
            return not self._names_rows_of_total
        before = self.context.sentence[: self.context.start]
        first = min((start for start, _ in self.context.spans), default=self.context.start)
        if not self.context.claims and (
            ADDED_UP.search(before[:first])
            or OF_THE_WHOLE.match(before[:first])
            or self._speaks_of_all(before[:first])
            or self._speaks_of_all(PAUSE.split(self.context.sentence[self.context.end :])[0])
        ):
            return not self._names_rows_of_total
        if not only and not self.rows_are_named and self._continues_about_all:
            return True
        _, right = self.context.segment
        after = PAUSE.split(self.context.sentence[self.context.end : right], maxsplit=1)[0]
        counts = any(c.said_in(after) for index in self._all for c in index.labels)
        return not counts and ADDED_UP.search(before) is not None

    @property
    def _names_rows_of_total(self) -> bool:
        """Say whether the sentence names rows before it turns to a part: "of which East has"."""
        context = self.context
        whole = PART_OF.split(context.sentence, maxsplit=1)[0]
        if len(whole) < context.end:
            return self.rows_are_named
        pause = PAUSE.search(whole, context.end)
        own = whole[: pause.start()] if pause is not None else whole
        return any(c.occurrences(own) for index in self._all for c in index.labels)

    @property
    def _continues_about_all(self) -> bool:
        """Say whether the sentence before is about totals, and names no row either."""
        clause = self.context.clause_before
        first = next((at for at, char in enumerate(clause) if char.isdigit()), 0)
        whole = OF_THE_WHOLE.match(clause[:first]) is not None or "sum" in find_claims(clause)
        return (whole or self._speaks_of_all(clause)) and not any(
            column.occurrences(clause) for index in self._all for column in index.labels
        )

    def _speaks_of_all(self, text: str) -> bool:
        """Say whether a text counts the rows and then goes on about them: "the three regions"."""
        return any(
            column.counted_in(text[found.end() :])
            for found in ALL_OF_THEM.finditer(text)
            for index in self._all
            for column in index.labels
        )

    @cached_property
    def rows_are_named(self) -> bool:
        """Say whether the whole sentence names rows of some result, for what is said of two."""
        return any(list_named_rows(self.context, index, 1) for index in self._all)

    @cached_property
    def columns_are_named(self) -> bool:
        """Say the same of columns."""
        return any(self.columns_of_sentence(index) for index in self._all)

    @cached_property
    def counted(self) -> ResultIndex | None:
        """Find the newest result whose rows are named ("5 regions")."""
        left, right = self.context.segment
        own = self.context.sentence[left:right]
        return next((i for i in self._all if any(c.said_in(own) for c in i.labels)), None)

    def counts_rows_of(self, index: ResultIndex) -> bool:
        """Say whether a count would be of this result: the one named, or else the newest."""
        return index is (self.counted or self._all[0])

    @cached_property
    def counted_behind(self) -> str:
        """The words right after the figure, which name what is counted: "5 regions"."""
        _, right = self.context.segment
        return _COUNTER.sub("", self.context.sentence[self.context.end : right])

    def pins(self, index: ResultIndex) -> RowPins:
        """Say which rows of a result are spoken of."""
        if index.result_id not in self._pins:
            self._pins[index.result_id] = find_pins(self.context, index)
        return self._pins[index.result_id]

    def speaks_of(self, index: ResultIndex) -> bool:
        """Say whether the figure is said to be of a row of this result."""
        pins = self.pins(index)
        return bool(pins) and pins.binding and bool(pins.rows())

    def columns_meant(self, index: ResultIndex) -> tuple[NumericColumn, ...]:
        """List the columns the figure can be of: those its own words name, or else all."""
        header = self.context.header
        named = index.column(header) if header else None
        return (named,) if named is not None else self.columns_named(index) or index.numeric

    def columns_named(self, index: ResultIndex) -> tuple[NumericColumn, ...]:
        """List the columns that the figure itself is said to be of."""
        return self.measure(index).named

    def columns_of_sentence(self, index: ResultIndex) -> tuple[NumericColumn, ...]:
        """List the columns that the whole sentence names, for what is said of two."""
        named = {at for one in index.names.mentions(self.context.sentence) for at in one.columns}
        return tuple(index.numeric[at] for at in sorted(named))

    def measure(self, index: ResultIndex) -> NamedMeasure:
        """Say which columns of a result the words around the figure name."""
        if index.result_id not in self._measures:
            self._measures[index.result_id] = find_measure(self.context, index)
        return self._measures[index.result_id]

    def row_is_told(self, index: ResultIndex, row: int) -> bool:
        """Say whether the words name a row: for the figure, or before its sentence."""
        if index.rows == 1:
            return True
        if (pins := self.pins(index)) and pins.fit(row):
            return True
        before = f"{self.context.above}\n{self.context.earlier}"
        named = [
            column.code(row) in {code for _, _, code in found}
            for column in index.labels
            if (found := column.occurrences(before))
        ]
        return bool(named) and all(named)
