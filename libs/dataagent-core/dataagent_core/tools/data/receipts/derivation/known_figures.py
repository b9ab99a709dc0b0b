"""Finds figures that follow from those the user gave, in one step of arithmetic.

A supported figure counts as given for the figures after it, so that an answer may build on its own
results.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from dataagent_core.tools.data.receipts.derivation.match_chance import is_near
from dataagent_core.tools.data.receipts.figures.figure import Figure
from dataagent_core.tools.data.receipts.figures.figure_reader import read_figures
from dataagent_core.tools.data.receipts.result_values.tool_numbers import find_numbers

# Pairs are tried: a text with more numbers than these is quoted, not computed with.
_GIVEN_MAX = 40
# Months, weeks and days, which nobody needs to say.
_CONSTANTS = tuple(Decimal(n) for n in (2, 3, 4, 7, 12, 24, 30, 52, 60, 100, 365, 1000))


class KnownFigures:
    """The figures the user gave, and those an answer derived from them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._given: list[Decimal] = []
        for text in texts:
            self._given += [_get_plain_value(figure) for figure in read_figures(text)]
            self._given += find_numbers(text)
        self._given = list(dict.fromkeys(self._given))
        # Sums and means are of what one message lists.
        self._lists = [[_get_plain_value(f) for f in read_figures(text)] for text in texts]
        self._lists += [find_numbers(text) for text in texts]

    def supports(self, figure: Figure) -> bool:
        """Say whether a figure was given or follows in one step; then it is known from here on."""
        target = (abs(_get_plain_value(figure)), figure.step / (100 if _is_rate(figure) else 1))
        values = (*self._given, *self._compute_from_lists(), *self._compute_in_one_step())
        follows = any(is_near(abs(value), target, Decimal("1e-9")) for value in values)
        # "75%" of a message that says 75.
        same = _is_rate(figure) and figure.value in self._given
        if follows or same:
            self._given.append(_get_plain_value(figure))
        return follows or same

    def _compute_from_lists(self) -> Iterator[Decimal]:
        for numbers in self._lists:
            if len(numbers) > 1:
                total = sum(numbers, Decimal(0))
                yield total
                yield total / len(numbers)

    def _compute_in_one_step(self) -> Iterator[Decimal]:
        if len(self._given) > _GIVEN_MAX:
            return
        for at, one in enumerate(self._given):
            for constant in _CONSTANTS:
                yield one * constant
                yield one / constant
            for other in self._given[at + 1 :]:
                yield from (one + other, one - other, one * other)
                # More or less by a rate: 20 and 15% are 23 or 17.
                yield from (one * (1 + other), one * (1 - other))
                yield from (other * (1 + one), other * (1 - one))
                if one and other:
                    yield from (one / other, other / one, one / other - 1, other / one - 1)


def _is_rate(figure: Figure) -> bool:
    return figure.kind in ("percent", "points")


def _get_plain_value(figure: Figure) -> Decimal:
    """Return a figure's value, a percentage as a fraction."""
    return figure.value / 100 if _is_rate(figure) else figure.value
