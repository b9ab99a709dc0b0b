"""The parts of a regular expression, for tests that no repetition is tried in several ways."""

import itertools
import re
from collections.abc import Iterable, Iterator
from re import _constants as kinds  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
from re import _parser as parser  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
from typing import Any

REPEATS: tuple[Any, ...] = (kinds.MAX_REPEAT, kinds.MIN_REPEAT)
SETS: tuple[Any, ...] = (kinds.LITERAL, kinds.NOT_LITERAL, kinds.IN, kinds.ANY)


def walk(parts: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """List the parts of a parsed expression, with those within."""
    for kind, value in parts:
        yield kind, value
        within = value if isinstance(value, list | tuple) else (value,)
        flat = itertools.chain.from_iterable(
            one if isinstance(one, list) else (one,) for one in within
        )
        for one in flat:
            if isinstance(one, parser.SubPattern):
                yield from walk(one)


def repeated_in_several_ways(pattern: re.Pattern[str]) -> list[str]:
    """List what a pattern repeats without being possessive, rare, or of one sign each."""
    return [
        str(value[2])
        for kind, value in walk(parser.parse(pattern.pattern, pattern.flags))
        if kind in REPEATS
        and value[1] > 2
        and not (len(value[2]) == 1 and value[2][0][0] in SETS)
        # "-name" and "/@name": its first sign is not in what is repeated before it.
        and not (value[2][0][0] is kinds.LITERAL and chr(value[2][0][1]) in "-/")
    ]
