"""Rewrites JSON that is right but that the parser of the SDK does not read. Pure.

It refuses a whole message for half a character, for a number of thousands of digits and for values
nested more than two hundred levels deep. Such a number becomes a text, such a value a text that
says so; what they are part of is then judged like anything else a server sends.
"""

import json
import re
from collections.abc import Iterator
from typing import Final

# The parser takes 200 levels, and numbers of 4,300 digits.
_DEPTH_MAX: Final = 150
_DIGITS_MAX: Final = 4_000

_TOO_DEEP: Final = json.dumps(f"(left out: nested deeper than {_DEPTH_MAX} levels)")
# Each takes all it can, so that no text is looked at twice.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]|-?[0-9][0-9.eE+-]*+', re.DOTALL)


def readable_json(data: bytes | str) -> bytes:
    """Give the same JSON without what the parser refuses; raise `ValueError` if it is none."""
    text = data.decode(errors="replace") if isinstance(data, bytes) else data
    shallow = "".join(_shallow(text))
    return json.dumps(json.loads(shallow), ensure_ascii=False).encode(errors="replace")


def _shallow(text: str) -> Iterator[str]:
    depth = done = 0
    for token in _TOKEN.finditer(text):
        first = token[0][0]
        if first in "[{":
            depth += 1
            if depth == _DEPTH_MAX + 1:
                yield text[done : token.start()] + _TOO_DEEP
        elif first in "]}":
            if depth == _DEPTH_MAX + 1:
                done = token.end()
            depth -= 1
        elif first != '"' and depth <= _DEPTH_MAX and len(token[0]) > _DIGITS_MAX:
            yield f'{text[done : token.start()]}"{token[0]}"'
            done = token.end()
    if depth <= _DEPTH_MAX:
        yield text[done:]
