"""How surely a pattern fits something of which a part may be unknown."""

from enum import IntEnum


class Match(IntEnum):
    """`MAYBE`: it depends on what cannot be known before the command runs."""

    NO = 0
    MAYBE = 1
    YES = 2
