"""The three answers a rule can give, and which of two is stricter."""

from typing import Literal

Action = Literal["allow", "ask", "deny"]

STRICTNESS: dict[Action, int] = {"allow": 0, "ask": 1, "deny": 2}


def stricter(one: Action, other: Action) -> bool:
    """Say whether the first is stricter than the second."""
    return STRICTNESS[one] > STRICTNESS[other]
