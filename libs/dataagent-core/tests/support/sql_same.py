"""Whether two results hold the same rows: in any order, floats to their last digits, types too."""

import math
from typing import Any

Rows = list[tuple[Any, ...]]


def same(left: Rows, right: Rows) -> str:
    """Say what differs; nothing when they are the same."""
    if len(left) != len(right):
        return f"{len(left)} rows and {len(right)} rows"
    for one, other in zip(sorted(left, key=_key), sorted(right, key=_key), strict=True):
        if len(one) != len(other) or not all(map(_equal, one, other)):
            return f"{one!r} and {other!r}"
    return ""


def _key(row: tuple[Any, ...]) -> str:
    return repr([f"{v:.6g}" if isinstance(v, float) else v for v in row])


def _equal(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return math.isclose(one, other, rel_tol=1e-9) or (math.isnan(one) and math.isnan(other))
    return one == other
