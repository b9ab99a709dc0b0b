"""One figure of an answer: its position, its value and its precision."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

# `points` are percentage points, `ratio` is "2.5x" or "2.5 倍".
FigureKind = Literal["number", "percent", "points", "ratio"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number of a text; `start` and `end` count characters (code points) of that text."""

    text: str
    start: int
    end: int
    # With its scale (1.2万 is 12000); a percent as printed (12.3% is 12.3).
    value: Decimal
    # What one more in the last printed digit would add, with the scale: 1000 for 1.2万.
    step: Decimal
    # What the printed digits are multiplied by: 10000 for 1.2万.
    scale: Decimal = Decimal(1)
    # Significant digits printed.
    digits: int = 1
    kind: FigureKind = "number"
    # What is printed behind it, if `units.py` knows it.
    unit: str | None = None
    # Parentheses, which may be a bookkeeper's minus or only parentheses.
    sign_free: bool = False
    # The words say that it is below zero: "outflows of 94".
    is_loss: bool = False
    # Perhaps no figure at all (a year, a small count in a sentence): listed where it is proven,
    # never held against the answer.
    doubtful: bool = False

    @property
    def tolerance(self) -> Decimal:
        """Half of the last printed digit."""
        return self.step / 2
