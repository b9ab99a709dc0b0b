"""Finds figures in the output of other tools, the weaker class of source.

A program prints what its code computes, and the model wrote that code; so this says only "seen in
the output of X". A figure counts as seen if the output prints the same number, or one with more
digits that rounds to it, where the figure has at least three digits.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from dataagent_core.config.limits.data import RECEIPT_OUTPUT_NUMBERS_MAX
from dataagent_core.tools.data.receipts.derivation.figure_match import FigureMatch, MatchStrength
from dataagent_core.tools.data.receipts.derivation.match_chance import BARE_DIGITS_MIN, is_near
from dataagent_core.tools.data.receipts.figures.figure import Figure
from dataagent_core.tools.data.receipts.trace_values import ToolOutput

_NUMBER = re.compile(
    r"(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?(?P<percent>\s?%)?(?![\w]|\.\d)"
)
# read_file and grep number their lines.
_LINE_NUMBER = re.compile(r"^\s*\d+[\t:]", re.MULTILINE)


class ToolNumbers:
    """The numbers of the outputs of a session, the newest output first."""

    def __init__(self, outputs: Iterable[ToolOutput]) -> None:
        plain: list[tuple[Decimal, str]] = []
        percents: list[tuple[Decimal, str]] = []
        for output in outputs:
            for found in _NUMBER.finditer(_LINE_NUMBER.sub("", output.text)):
                if len(plain) + len(percents) >= RECEIPT_OUTPUT_NUMBERS_MAX:
                    break
                value = _parse_number(found[0].rstrip("% ").replace(",", ""))
                if value is not None:
                    (percents if found["percent"] else plain).append((value, output.tool_name))
        self._plain = sorted(plain)
        self._percents = sorted(percents)

    def __bool__(self) -> bool:
        return bool(self._plain or self._percents)

    def find(self, figure: Figure) -> FigureMatch | None:
        """Find the tool whose output shows a figure."""
        if figure.kind in ("percent", "points"):
            tool = self._find_in(self._percents, figure, 1) or self._find_in(
                self._plain, figure, 100
            )
        else:
            tool = self._find_in(self._plain, figure, 1)
        if tool is None:
            return None
        return FigureMatch(
            derivation="output",
            result_id=None,
            detail=f"seen in the output of {tool}",
            strength=MatchStrength.SEEN,
        )

    def _find_in(
        self, numbers: list[tuple[Decimal, str]], figure: Figure, divisor: int
    ) -> str | None:
        value, step = figure.value / divisor, figure.step / divisor
        exact = figure.digits < BARE_DIGITS_MIN
        for wanted in (value, -value) if figure.sign_free else (value,):
            target = (wanted, Decimal(0) if exact else step)
            at = bisect_left(numbers, (wanted - target[1] / 2, ""))
            if at < len(numbers) and is_near(numbers[at][0], target):
                return numbers[at][1]
        return None


def find_numbers(text: str) -> list[Decimal]:
    """List the plain numbers of a text, in their order."""
    found = _NUMBER.finditer(text)
    read = (_parse_number(one[0].rstrip("% ").replace(",", "")) for one in found)
    return [value for value in read if value is not None][:RECEIPT_OUTPUT_NUMBERS_MAX]


def _parse_number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None
