"""An amount of use: tokens and money, the two things a budget limits.

Money is counted in whole nano-dollars, so that sums are exact in every database; one token of the
cheapest model costs some tens of them.
"""

from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

NANO_PER_USD = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Amount:
    """Tokens, and what they cost; an unknown price is `None`, never 0."""

    tokens: int = 0
    cost_nano: int | None = 0


def nano_of(usd: Decimal | float) -> int:
    """Put dollars as nano-dollars, rounded up: a budget errs on the safe side."""
    return int((Decimal(str(usd)) * NANO_PER_USD).to_integral_value(ROUND_CEILING))


def usd_of(nano: int | None) -> float | None:
    """Put nano-dollars as dollars, for people."""
    return None if nano is None else nano / NANO_PER_USD
